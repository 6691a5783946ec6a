#include "format/parquet/metadata_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "format/parquet/footer.h"
#include "format/parquet/page_header.h"
#include "tests/format/parquet/metadata_text.h"
#include "tests/support/corpus.h"

namespace sluice {
namespace {

using parquet::ColumnChunk;
using parquet::ColumnOrder;
using parquet::Encoding;
using parquet::FileMetadata;
using parquet::LogicalKind;
using parquet::PageHeader;
using parquet::PageType;
using parquet::PhysicalType;
using parquet::SchemaElement;

BufferRef BufferOf(std::string bytes) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  const int64_t size = static_cast<int64_t>(owner->size());
  owner->append(kReadPadding, '\0');
  return WrapBytes(reinterpret_cast<const uint8_t*>(owner->data()), size, owner);
}

/// What is written and read again.
std::string WrittenText(const FileMetadata& metadata) {
  const auto written = parquet::SerializeFooter(metadata);
  if (!written.has_value()) return written.error().ToString();
  const auto read = parquet::ParseFooter(BufferOf(*written));
  return read.has_value() ? MetadataText(**read) : read.error().ToString();
}

SchemaElement Annotated(LogicalKind kind) {
  SchemaElement element;
  element.name = "a";
  element.type = PhysicalType::kByteArray;
  element.repetition = parquet::Repetition::kOptional;
  element.logical.kind = kind;
  return element;
}

/// A footer in which every field that can be written is set.
FileMetadata FullMetadata() {
  FileMetadata metadata;
  metadata.version = 2;
  metadata.num_rows = 7;
  metadata.created_by = "tests";
  metadata.key_value_metadata = {{"key", "value"}, {"without", std::nullopt}};
  metadata.column_orders = {ColumnOrder::kTypeDefined, ColumnOrder::kIeee754Total,
                            ColumnOrder::kInt96Timestamp, ColumnOrder::kUndefined};
  SchemaElement root;
  root.name = "root";
  root.num_children = 19;
  metadata.schema = {root};
  for (int kind = 1; kind <= static_cast<int>(LogicalKind::kFile); ++kind) {
    if (kind != 9) metadata.schema.push_back(Annotated(static_cast<LogicalKind>(kind)));
  }
  for (SchemaElement& element : metadata.schema) {
    element.logical.unit.reset();
    switch (element.logical.kind) {
      case LogicalKind::kDecimal:
        element.logical.precision = 20;
        element.logical.scale = 3;
        break;
      case LogicalKind::kTime:
      case LogicalKind::kTimestamp:
        element.logical.unit = TimeUnit::kNanoseconds;
        element.logical.utc_adjusted = true;
        break;
      case LogicalKind::kInteger:
        element.logical.bit_width = 16;
        element.logical.is_signed = true;
        break;
      case LogicalKind::kVariant:
        element.logical.specification_version = 1;
        break;
      case LogicalKind::kGeography:
        element.logical.edge_algorithm = 4;
        element.logical.crs = "EPSG:4326";
        break;
      default:
        break;
    }
  }
  metadata.schema[1].converted_type = 0;
  metadata.schema[1].type_length = 12;
  metadata.schema[1].scale = 1;
  metadata.schema[1].precision = 2;
  metadata.schema[1].field_id = 3;
  ColumnChunk chunk;
  chunk.type = PhysicalType::kDouble;
  chunk.codec = parquet::Codec::kZstd;
  chunk.num_values = 1;
  chunk.total_uncompressed_size = 2;
  chunk.total_compressed_size = int64_t{3} << 40;
  chunk.data_page_offset = 4;
  chunk.dictionary_page_offset = 5;
  chunk.index_page_offset = 6;
  chunk.column_index = ByteRange{7, 8};
  chunk.offset_index = ByteRange{9, 10};
  chunk.bloom_filter_offset = 11;
  chunk.bloom_filter_length = 12;
  chunk.file_path = "elsewhere";
  chunk.file_offset = 13;
  chunk.encodings = {Encoding::kPlain, static_cast<Encoding>(77)};
  chunk.path_in_schema = {"a", "b.c"};
  chunk.encoding_stats = {{PageType::kDataPageV2, Encoding::kRleDictionary, 3}};
  chunk.statistics =
      parquet::Statistics{"min", "max", "min_value", "max_value", true, false, 1, 2, 3};
  chunk.size_statistics.emplace() = {5, {1, 2}, {3, 4, 5}};
  chunk.key_value_metadata = {{"k", "v"}};
  parquet::RowGroup row_group;
  row_group.columns = {chunk, ColumnChunk()};
  row_group.num_rows = 7;
  row_group.total_byte_size = 8;
  row_group.file_offset = 9;
  row_group.total_compressed_size = 10;
  row_group.ordinal = 11;
  row_group.sorting_columns = {{1, true, false}};
  metadata.row_groups = {row_group};
  return metadata;
}

TEST(MetadataWriter, FootersComeBack) {
  const FileMetadata metadata = FullMetadata();
  EXPECT_EQ(WrittenText(metadata), MetadataText(metadata));
}

TEST(MetadataWriter, CorpusFootersComeBack) {
  for (const support::CorpusFile& file : support::CorpusFiles()) {
    if (file.category != "ok") continue;
    const std::string bytes = support::ReadWholeFile(file.path);
    const auto* trailer = reinterpret_cast<const uint8_t*>(bytes.data()) + bytes.size() - 8;
    const size_t length = trailer[0] | trailer[1] << 8 | trailer[2] << 16 | trailer[3] << 24;
    const auto read =
        parquet::ParseFooter(BufferOf(bytes.substr(bytes.size() - 8 - length, length)));
    ASSERT_TRUE(read.has_value()) << file.name;
    for (SchemaElement& element : (*read)->schema) {
      if (element.logical.kind == LogicalKind::kUnrecognized) element.logical = {};
      if (element.type) element.num_children = 0;
    }
    EXPECT_EQ(WrittenText(**read), MetadataText(**read)) << file.name;
  }
}

TEST(MetadataWriter, GeospatialStatisticsComeBackAsTheyWere) {
  FileMetadata metadata = FullMetadata();
  // A bounding box of four doubles, and the list of types 1, 1001.
  std::string raw = "\x1c";
  for (int field = 0; field < 4; ++field) raw += std::string("\x17") + std::string(8, '\x01');
  raw += std::string("\0\x19\x25\x02\xd2\x0f\0", 7);
  metadata.row_groups[0].columns[0].geospatial_statistics = raw;
  const auto written = parquet::SerializeFooter(metadata);
  ASSERT_TRUE(written.has_value()) << written.error().ToString();
  const auto read = parquet::ParseFooter(BufferOf(*written));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ((*read)->row_groups[0].columns[0].geospatial_statistics, raw);
  metadata.row_groups[0].columns[0].geospatial_statistics = "junk";
  EXPECT_EQ(parquet::SerializeFooter(metadata).status().code(), StatusCode::kCorruption);
}

void ExpectComesBack(const PageHeader& header) {
  const auto written = parquet::SerializePageHeader(header);
  ASSERT_TRUE(written.has_value());
  const auto read = parquet::ParsePageHeader(
      {reinterpret_cast<const uint8_t*>(written->data()), written->size()});
  ASSERT_TRUE(read.has_value() && read->has_value()) << read.status().ToString();
  const PageHeader& back = **read;
  EXPECT_EQ(back.type, header.type);
  EXPECT_EQ(back.uncompressed_size, header.uncompressed_size);
  EXPECT_EQ(back.compressed_size, header.compressed_size);
  EXPECT_EQ(back.crc, header.crc);
  EXPECT_EQ(back.num_values, header.num_values);
  EXPECT_EQ(back.encoding, header.encoding);
  EXPECT_EQ(back.num_nulls, header.num_nulls);
  EXPECT_EQ(back.num_rows, header.num_rows);
  EXPECT_EQ(back.definition_levels_byte_length, header.definition_levels_byte_length);
  EXPECT_EQ(back.repetition_levels_byte_length, header.repetition_levels_byte_length);
  EXPECT_EQ(back.is_compressed, header.is_compressed);
  EXPECT_EQ(back.is_sorted, header.is_sorted);
  EXPECT_EQ(back.statistics.has_value(), header.statistics.has_value());
  EXPECT_EQ(back.header_size, static_cast<int32_t>(written->size()));
}

TEST(MetadataWriter, PageHeadersComeBack) {
  PageHeader header;
  header.uncompressed_size = 100;
  header.compressed_size = 90;
  header.crc = 0xdeadbeef;
  header.num_values = 10;
  header.encoding = Encoding::kDeltaBinaryPacked;
  header.statistics.emplace().null_count = 0;
  ExpectComesBack(header);
  header.type = PageType::kDataPageV2;
  header.num_nulls = 1;
  header.num_rows = 9;
  header.definition_levels_byte_length = 3;
  header.repetition_levels_byte_length = 4;
  header.is_compressed = false;
  ExpectComesBack(header);
  PageHeader dictionary;
  dictionary.type = PageType::kDictionaryPage;
  dictionary.num_values = 5;
  dictionary.is_sorted = true;
  ExpectComesBack(dictionary);
  PageHeader index;
  index.type = PageType::kIndexPage;
  index.compressed_size = 5;
  ExpectComesBack(index);
}

}  // namespace
}  // namespace sluice
