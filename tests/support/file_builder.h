#pragma once

// Builds whole Parquet files out of parts written by hand. Every member has the value that an
// honest writer would give it, so that a test says only what is odd about its file.

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/thrift_compact_builder.h"

namespace sluice::support {

using parquet::Codec;
using parquet::Encoding;
using parquet::LogicalKind;
using parquet::PageType;
using parquet::PhysicalType;
using parquet::Repetition;

/// ConvertedType of parquet.thrift, as far as tests name it.
enum ConvertedType : int32_t {
  kConvertedUtf8 = 0,
  kConvertedMap = 1,
  kConvertedMapKeyValue = 2,
  kConvertedList = 3,
  kConvertedDecimal = 5,
  kConvertedDate = 6,
  kConvertedUint32 = 13,
};

struct ElementSpec {
  std::string name;
  std::optional<PhysicalType> type;  ///< Absent: a group.
  std::optional<Repetition> repetition = Repetition::kRequired;
  std::optional<int64_t> num_children;
  std::optional<int32_t> type_length;
  std::optional<int32_t> converted_type;
  std::optional<int32_t> scale;
  std::optional<int32_t> precision;
  std::optional<int32_t> field_id;
  std::string logical_type;  ///< The finished union LogicalType; empty: absent.
};

ElementSpec Required(std::string name, PhysicalType type);
ElementSpec Optional(std::string name, PhysicalType type);
ElementSpec Repeated(std::string name, PhysicalType type);
ElementSpec Group(std::string name, Repetition repetition, int64_t num_children,
                  std::optional<int32_t> converted_type = std::nullopt);
/// A member of the union LogicalType; `inner` is its finished struct, by default an empty one.
std::string Logical(LogicalKind kind, std::string inner = std::string(1, '\0'));
std::string LogicalInteger(int32_t bit_width, bool is_signed);
std::string LogicalDecimal(int32_t precision, int32_t scale);
/// kTime or kTimestamp.
std::string LogicalTime(LogicalKind kind, TimeUnit unit, bool utc_adjusted);

/// One page. The bytes of levels and values are as before compression: a V1 page compresses them
/// together, a V2 page leaves the levels plain.
struct PageSpec {
  PageType type = PageType::kDataPage;
  Encoding encoding = Encoding::kPlain;
  int64_t num_values = 0;
  std::string repetition_levels;
  std::string definition_levels;
  std::string values;
  int64_t num_nulls = 0;              ///< V2.
  int64_t num_rows = 0;               ///< V2.
  std::optional<bool> is_compressed;  ///< V2; absent also from the file.
  Encoding definition_level_encoding = Encoding::kRle;
  Encoding repetition_level_encoding = Encoding::kRle;
  std::optional<int64_t> definition_levels_byte_length;  ///< V2.
  std::optional<int64_t> repetition_levels_byte_length;  ///< V2.
  std::optional<int64_t> uncompressed_page_size;
  std::optional<int64_t> compressed_page_size;
  std::optional<uint32_t> crc;
  bool with_crc = false;                  ///< Write the right one.
  std::optional<std::string> stored;      ///< The page's bytes as they stand in the file.
  std::optional<std::string> header;      ///< The page header's bytes as they stand in the file.
  std::optional<std::string> statistics;  ///< Of a data page: the finished struct.
  // What the offset index says.
  int64_t first_row = 0;
  bool is_indexed = true;             ///< False: the index leaves the data page out.
  int64_t indexed_offset_change = 0;  ///< The index begins the page so much later, and
  int64_t indexed_size_change = 0;    ///< takes it for so much longer.
};

/// A V1 page; level streams that are not empty get their length in front.
PageSpec DataPage(Encoding encoding, int64_t num_values, std::string values,
                  std::string definition_levels = {}, std::string repetition_levels = {});
PageSpec DataPageV2(Encoding encoding, int64_t num_values, int64_t num_nulls, int64_t num_rows,
                    std::string values, std::string definition_levels = {},
                    std::string repetition_levels = {});
/// A dictionary page of `num_values` PLAIN values.
PageSpec DictionaryPage(int64_t num_values, std::string values);
PageSpec IndexPage(std::string bytes);

struct ChunkSpec {
  std::vector<PageSpec> pages;
  Codec codec = Codec::kUncompressed;
  std::optional<PhysicalType> type;              ///< By default the schema's.
  std::optional<std::vector<std::string>> path;  ///< By default the schema's.
  std::optional<int64_t> num_values;
  std::optional<int64_t> total_uncompressed_size;
  std::optional<int64_t> total_compressed_size;
  std::optional<int64_t> data_page_offset;
  std::optional<int64_t> dictionary_page_offset;
  bool names_dictionary = true;  ///< Write dictionary_page_offset where there is such a page.
  std::optional<std::string> statistics;
  bool with_offset_index = false;
  std::optional<std::string> offset_index;  ///< Bytes instead of the right ones.
  std::optional<std::string> column_index;
  std::optional<std::string> bloom_filter;  ///< Its header and bitset.
};

/// A chunk of these pages about which nothing is odd.
ChunkSpec Chunk(std::vector<PageSpec> pages, Codec codec = Codec::kUncompressed);

struct RowGroupSpec {
  int64_t num_rows = 0;
  std::vector<ChunkSpec> chunks;  ///< One a leaf.
};

/// A field of FileMetaData that the specification lacks, or has elsewhere.
struct ExtraField {
  int32_t id = 0;
  CompactType type = CompactType::kBinary;
  std::string bytes;
};

struct FileSpec {
  std::vector<ElementSpec> schema;  ///< Without the root.
  std::vector<RowGroupSpec> row_groups;
  std::optional<ElementSpec> root;
  std::string created_by = "tests";
  std::optional<int64_t> num_rows;
  std::vector<std::pair<std::string, std::string>> key_values;
  std::vector<ExtraField> extra_fields;  ///< After the others, in ascending order of id.
  std::optional<std::string> footer;     ///< The footer's Thrift bytes.
  std::optional<int64_t> footer_length;  ///< What the file's end claims.
  std::string magic = "PAR1";
};

/// Where a page came to lie.
struct PagePlace {
  int64_t offset = 0;
  int64_t header_bytes = 0;
  int64_t stored_bytes = 0;
  int64_t end() const { return offset + header_bytes + stored_bytes; }
};

struct BuiltFile {
  std::string bytes;
  std::vector<std::vector<std::vector<PagePlace>>> pages;  ///< By row group, chunk, page.
  int64_t footer_offset = 0;
};

BuiltFile BuildFile(const FileSpec& file);
/// A file of one row group, one chunk a schema element.
FileSpec OneRowGroup(std::vector<ElementSpec> schema, int64_t num_rows,
                     std::vector<ChunkSpec> chunks);
/// The header of a page that is stored as `stored`.
std::string PageHeaderBytes(const PageSpec& page, std::string_view stored);

}  // namespace sluice::support
