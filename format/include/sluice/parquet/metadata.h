#pragma once

// What a Parquet footer says, in the specification's own words (parquet.thrift of
// apache/parquet-format), as plain data. Strings are views into the footer's bytes, which
// FileMetadata keeps alive.

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0::parquet {

enum class PhysicalType : uint8_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedLenByteArray = 7,
};

enum class Repetition : uint8_t { kRequired = 0, kOptional = 1, kRepeated = 2 };

/// Ids as in the file; an id that the specification lacks is kept as it is.
enum class Encoding : int32_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9,
  kAlp = 10,
};

enum class Codec : int32_t {
  kUncompressed = 0,
  kSnappy = 1,
  kGzip = 2,
  kLzo = 3,
  kBrotli = 4,
  kLz4 = 5,  ///< Deprecated: three framings occur.
  kZstd = 6,
  kLz4Raw = 7,
};

enum class PageType : int32_t {
  kDataPage = 0,
  kIndexPage = 1,
  kDictionaryPage = 2,
  kDataPageV2 = 3,
};

/// The specification's names, for example "RLE_DICTIONARY"; "UNKNOWN" for what it lacks.
SLUICE_EXPORT std::string_view Name(PhysicalType type);
SLUICE_EXPORT std::string_view Name(Repetition repetition);
SLUICE_EXPORT std::string_view Name(Encoding encoding);
SLUICE_EXPORT std::string_view Name(Codec codec);
SLUICE_EXPORT std::string_view Name(PageType type);
/// The same of SchemaElement::converted_type ("UTF8") and LogicalAnnotation::edge_algorithm
/// ("SPHERICAL").
SLUICE_EXPORT std::string_view ConvertedTypeName(int32_t converted_type);
SLUICE_EXPORT std::string_view EdgeAlgorithmName(int32_t algorithm);

/// LogicalType union of the specification, by its field ids; 0 when absent.
enum class LogicalKind : uint8_t {
  kNone = 0,
  kString = 1,
  kMap = 2,
  kList = 3,
  kEnum = 4,
  kDecimal = 5,
  kDate = 6,
  kTime = 7,
  kTimestamp = 8,
  kInteger = 10,
  kUnknown = 11,
  kJson = 12,
  kBson = 13,
  kUuid = 14,
  kFloat16 = 15,
  kVariant = 16,
  kGeometry = 17,
  kGeography = 18,
  kFile = 19,
  kUnrecognized = 255,  ///< A member that this version does not know.
};

struct LogicalAnnotation {
  LogicalKind kind = LogicalKind::kNone;
  int32_t scale = 0;             ///< kDecimal
  int32_t precision = 0;         ///< kDecimal
  std::optional<TimeUnit> unit;  ///< kTime, kTimestamp; absent when the file's unit is unknown.
  bool utc_adjusted = false;     ///< kTime, kTimestamp
  int32_t bit_width = 0;         ///< kInteger
  bool is_signed = false;        ///< kInteger
  std::string_view crs;          ///< kGeometry, kGeography
  int32_t edge_algorithm = -1;   ///< kGeography: the enum's value, -1 when absent.
  int32_t specification_version = -1;  ///< kVariant, -1 when absent.
};

/// One element of the depth-first schema list.
struct SchemaElement {
  std::string_view name;
  std::optional<PhysicalType> type;  ///< Absent for groups.
  int32_t type_length = 0;
  std::optional<Repetition> repetition;
  int32_t num_children = 0;
  std::optional<int32_t> converted_type;  ///< ConvertedType's value, also unknown ones.
  std::optional<int32_t> scale;
  std::optional<int32_t> precision;
  std::optional<int32_t> field_id;
  LogicalAnnotation logical;
};

/// Raw bounds and counts as the file has them: nothing here is proven. Absent means unknown.
struct Statistics {
  std::optional<std::string_view> min;  ///< Deprecated field: signed order.
  std::optional<std::string_view> max;  ///< Deprecated field: signed order.
  std::optional<std::string_view> min_value;
  std::optional<std::string_view> max_value;
  std::optional<bool> is_min_value_exact;
  std::optional<bool> is_max_value_exact;
  std::optional<int64_t> null_count;
  std::optional<int64_t> distinct_count;
  std::optional<int64_t> nan_count;
};

/// A value that is elsewhere, or none: as std::optional, but small where there is none.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(const Boxed& other) { *this = other; }
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = other ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  T& emplace() {
    value_ = std::make_unique<T>();
    return *value_;
  }
  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

struct SizeStatistics {
  std::optional<int64_t> unencoded_byte_array_data_bytes;
  std::vector<int64_t> repetition_level_histogram;
  std::vector<int64_t> definition_level_histogram;
};

struct PageEncodingStats {
  PageType page_type;
  Encoding encoding;
  int32_t count;
};

struct KeyValue {
  std::string_view key;
  std::optional<std::string_view> value;
};

struct SortingColumn {
  int32_t column_index;  ///< Leaf ordinal.
  bool descending;
  bool nulls_first;
};

enum class ColumnOrder : uint8_t {
  kUndefined,  ///< No column_orders in the file, or a member that this version does not know.
  kTypeDefined,
  kIeee754Total,
  kInt96Timestamp,
};

/// One column chunk of a row group.
struct ColumnChunk {
  PhysicalType type = PhysicalType::kBoolean;
  Codec codec = Codec::kUncompressed;
  int64_t num_values = 0;  ///< Levels: nulls and empty lists count.
  int64_t total_uncompressed_size = 0;
  int64_t total_compressed_size = 0;
  int64_t data_page_offset = 0;
  std::optional<int64_t> dictionary_page_offset;
  std::optional<int64_t> index_page_offset;
  std::optional<ByteRange> column_index;
  std::optional<ByteRange> offset_index;
  std::optional<int64_t> bloom_filter_offset;
  std::optional<int32_t> bloom_filter_length;
  std::string_view file_path;  ///< Empty when the chunk is in this file.
  int64_t file_offset = 0;
  std::vector<Encoding> encodings;
  std::vector<std::string_view> path_in_schema;
  std::vector<PageEncodingStats> encoding_stats;
  std::optional<Statistics> statistics;
  Boxed<SizeStatistics> size_statistics;
  std::vector<KeyValue> key_value_metadata;
  /// The Thrift compact bytes of GeospatialStatistics, unparsed; empty when absent.
  std::string_view geospatial_statistics;
  bool is_encrypted = false;
  bool is_present = true;  ///< False where a partial parse left this chunk out.
};

struct RowGroup {
  std::vector<ColumnChunk> columns;  ///< One a leaf, in leaf order.
  int64_t num_rows = 0;
  int64_t total_byte_size = 0;
  std::optional<int64_t> file_offset;
  std::optional<int64_t> total_compressed_size;
  std::optional<int32_t> ordinal;
  std::vector<SortingColumn> sorting_columns;
};

/// A parsed footer. Immutable; shared.
struct FileMetadata {
  int32_t version = 0;
  int64_t num_rows = 0;  ///< The footer's own claim; sometimes wrong. Sum the row groups instead.
  std::string_view created_by;
  std::vector<SchemaElement> schema;  ///< Depth first; element 0 is the root.
  std::vector<RowGroup> row_groups;
  std::vector<KeyValue> key_value_metadata;
  std::vector<ColumnOrder> column_orders;  ///< One a leaf, or empty.
  bool has_encryption_algorithm = false;   ///< A plaintext footer of an encrypted file.
  int64_t footer_offset = 0;               ///< File offset where the footer's Thrift bytes begin.
  BufferRef bytes;                         ///< The footer's Thrift bytes.
  /// What a parsed footer takes of the pool besides.
  std::shared_ptr<const Reservation> memory;
};

/// Limits on what one file may make the parser do; a file beyond them is refused by name.
struct MetadataLimits {
  int64_t max_footer_bytes = int64_t{1} << 30;
  int32_t max_schema_depth = 1000;
  int64_t max_schema_elements = 4'000'000;
  int32_t max_thrift_depth = 64;
};

/// What of a footer is kept; the rest is stepped over, which makes wide footers cheaper.
struct FooterOptions {
  MetadataLimits limits;
  /// What a footer takes once it is parsed counts here: up to some 25 times its bytes where it is
  /// hostile, about four times in real files. Absent: FileReader takes the pool that it reads with,
  /// and others let nobody count.
  std::shared_ptr<BufferPool> pool;
  bool statistics = true;  ///< Keep statistics, size statistics and geospatial statistics.
  /// The top-level columns whose chunks are kept; the others have is_present = false, and to read
  /// them is kInvalidArgument. A name that is not there keeps nothing. Absent: all columns.
  std::optional<std::vector<std::string>> columns;
};

}  // namespace sluice::inline v0::parquet
