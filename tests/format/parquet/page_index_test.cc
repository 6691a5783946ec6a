#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>

#include <string>
#include <vector>

#include "format/parquet/metadata_writer.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/thrift_compact_builder.h"

namespace sluice {
namespace {

using parquet::BoundaryOrder;
using parquet::CheckOffsetIndex;
using parquet::ChunkByteRange;
using parquet::ColumnChunk;
using parquet::ColumnIndex;
using parquet::FileMetadata;
using parquet::OffsetIndex;
using parquet::ParseColumnIndex;
using parquet::ParseOffsetIndex;
using support::CompactType;
using support::ThriftCompactBuilder;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

OffsetIndex ThreePages() {
  OffsetIndex index;
  index.page_locations = {{100, 50, 0}, {150, 60, 10}, {210, 10, 25}};
  return index;
}

TEST(OffsetIndex, ComesBack) {
  OffsetIndex index = ThreePages();
  index.unencoded_byte_array_data_bytes = {1, 2, 3};
  const auto written = parquet::SerializeOffsetIndex(index);
  ASSERT_TRUE(written.has_value());
  const auto read = ParseOffsetIndex(BytesOf(*written));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  ASSERT_EQ(read->page_locations.size(), 3U);
  EXPECT_EQ(read->page_locations[2].offset, 210);
  EXPECT_EQ(read->page_locations[2].compressed_page_size, 10);
  EXPECT_EQ(read->page_locations[2].first_row_index, 25);
  EXPECT_EQ(read->unencoded_byte_array_data_bytes, index.unencoded_byte_array_data_bytes);
  for (size_t length = 0; length < written->size(); ++length) {
    EXPECT_FALSE(ParseOffsetIndex(BytesOf(*written).first(length)).has_value());
  }
}

TEST(OffsetIndex, CountsBeyondTheBytesAreRefused) {
  const std::string bytes =
      ThriftCompactBuilder()
          .Raw(1, CompactType::kList,
               support::CompactListHeader(CompactType::kStruct, 2'000'000'000))
          .Finish();
  const auto index = ParseOffsetIndex(BytesOf(bytes));
  ASSERT_FALSE(index.has_value());
  EXPECT_EQ(index.error().code(), StatusCode::kCorruption);
}

TEST(OffsetIndex, IsBelievedOnlyWhenItCanBe) {  // fault I3
  constexpr ByteRange kChunk{90, 130};          // A dictionary of 10 bytes, then the pages.
  EXPECT_TRUE(CheckOffsetIndex(ThreePages(), 30, kChunk).ok());
  EXPECT_TRUE(CheckOffsetIndex({}, 0, kChunk).ok());
  EXPECT_FALSE(CheckOffsetIndex({}, 1, kChunk).ok());
  const auto check = [&](auto&& change) {
    OffsetIndex index = ThreePages();
    change(index);
    const Status status = CheckOffsetIndex(index, 30, kChunk);
    EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
  };
  check([](OffsetIndex& index) { index.page_locations[0].first_row_index = 1; });
  check([](OffsetIndex& index) { index.page_locations[1].first_row_index = 0; });
  check([](OffsetIndex& index) { index.page_locations[2].first_row_index = 10; });
  check([](OffsetIndex& index) { index.page_locations[2].first_row_index = 30; });
  check([](OffsetIndex& index) { index.page_locations[0].offset = 80; });
  check([](OffsetIndex& index) { index.page_locations[1].offset = 149; });
  // Room for pages that the index leaves out: between its pages, and behind them.
  check([](OffsetIndex& index) { index.page_locations[1].offset = 151; });
  check([](OffsetIndex& index) { index.page_locations[1].compressed_page_size = 59; });
  check([](OffsetIndex& index) { index.page_locations[2].compressed_page_size = 9; });
  check([](OffsetIndex& index) { index.page_locations.pop_back(); });
  check([](OffsetIndex& index) { index.page_locations[2].offset = 211; });
  check([](OffsetIndex& index) { index.page_locations[2].offset = INT64_MAX; });
  check([](OffsetIndex& index) { index.page_locations[0].offset = INT64_MIN; });
  check([](OffsetIndex& index) { index.page_locations[1].compressed_page_size = 0; });
  check([](OffsetIndex& index) { index.page_locations[1].compressed_page_size = -1; });
  check([](OffsetIndex& index) { index.unencoded_byte_array_data_bytes = {1}; });
}

TEST(ColumnIndex, ComesBack) {
  ColumnIndex index;
  index.null_pages = {false, true};
  index.min_values = {"a", ""};
  index.max_values = {std::string_view("z\0", 2), ""};
  index.boundary_order = BoundaryOrder::kAscending;
  index.null_counts = {0, 5};
  index.nan_counts = {1, 0};
  index.repetition_level_histograms = {1, 2, 3, 4};
  index.definition_level_histograms = {5, 6};
  const auto written = parquet::SerializeColumnIndex(index);
  ASSERT_TRUE(written.has_value());
  const auto read = ParseColumnIndex(support::PaddedBuffer(*written));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  EXPECT_EQ(read->null_pages, index.null_pages);
  EXPECT_EQ(read->min_values, index.min_values);
  EXPECT_EQ(read->max_values, index.max_values);
  EXPECT_EQ(read->boundary_order, index.boundary_order);
  EXPECT_EQ(read->null_counts, index.null_counts);
  EXPECT_EQ(read->nan_counts, index.nan_counts);
  EXPECT_EQ(read->repetition_level_histograms, index.repetition_level_histograms);
  EXPECT_EQ(read->definition_level_histograms, index.definition_level_histograms);
}

TEST(ColumnIndex, BooleansOfEveryWriter) {
  // 1 is true; false is 2, or of some writers 0.
  const std::string pages =
      support::CompactListHeader(CompactType::kTrue, 3) + '\1' + '\2' + std::string(1, '\0');
  const std::string empty = support::CompactString("");
  const std::string bytes = ThriftCompactBuilder()
                                .Raw(1, CompactType::kList, pages)
                                .List(2, CompactType::kBinary, {empty, empty, empty})
                                .List(3, CompactType::kBinary, {empty, empty, empty})
                                .I32(4, 7)
                                .Finish();
  const auto index = ParseColumnIndex(support::PaddedBuffer(bytes));
  ASSERT_TRUE(index.has_value()) << index.error().ToString();
  EXPECT_EQ(index->null_pages, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(index->boundary_order, BoundaryOrder::kUnordered);  // No order of this version.
  EXPECT_TRUE(index->null_counts.empty());
}

TEST(ColumnIndex, LengthsMustAgree) {
  const auto refused = [](auto&& change) {
    ColumnIndex index;
    index.null_pages = {false, true};
    index.min_values = {"a", ""};
    index.max_values = {"z", ""};
    change(index);
    const auto written = parquet::SerializeColumnIndex(index);
    const auto read = ParseColumnIndex(support::PaddedBuffer(*written));
    return !read.has_value() && read.error().code() == StatusCode::kCorruption;
  };
  EXPECT_FALSE(refused([](ColumnIndex&) {}));
  EXPECT_TRUE(refused([](ColumnIndex& index) { index.min_values.pop_back(); }));
  EXPECT_TRUE(refused([](ColumnIndex& index) { index.max_values.push_back("x"); }));
  EXPECT_TRUE(refused([](ColumnIndex& index) { index.null_counts = {1}; }));
  EXPECT_TRUE(refused([](ColumnIndex& index) { index.nan_counts = {1, 2, 3}; }));
  EXPECT_TRUE(refused([](ColumnIndex& index) { index.definition_level_histograms = {1, 2, 3}; }));
}

FileMetadata MetadataOf(std::string_view created_by = "tests") {
  FileMetadata metadata;
  metadata.footer_offset = 1000;
  metadata.created_by = created_by;
  return metadata;
}

ColumnChunk ChunkOf(std::optional<int64_t> dictionary, int64_t data, int64_t size) {
  ColumnChunk chunk;
  chunk.dictionary_page_offset = dictionary;
  chunk.data_page_offset = data;
  chunk.total_compressed_size = size;
  return chunk;
}

ByteRange RangeOf(const FileMetadata& metadata, const ColumnChunk& chunk) {
  const auto range = ChunkByteRange(metadata, chunk);
  EXPECT_TRUE(range.has_value()) << range.status().ToString();
  return range.value_or(ByteRange{-1, -1});
}

TEST(ChunkByteRange, BeginsAtTheSmallerValidOffset) {
  const FileMetadata metadata = MetadataOf();
  EXPECT_EQ(RangeOf(metadata, ChunkOf(0, 4, 100)), (ByteRange{4, 100}));             // fault F4
  EXPECT_EQ(RangeOf(metadata, ChunkOf(4, 142, 200)), (ByteRange{4, 200}));           // fault F5
  EXPECT_EQ(RangeOf(metadata, ChunkOf(std::nullopt, 4, 200)), (ByteRange{4, 200}));  // fault F6
  EXPECT_EQ(RangeOf(metadata, ChunkOf(4, 4, 200)), (ByteRange{4, 200}));             // fault F6
  EXPECT_EQ(RangeOf(metadata, ChunkOf(300, 100, 20)), (ByteRange{100, 20}));         // ODDITIES 2
  EXPECT_EQ(RangeOf(metadata, ChunkOf(8, 0, 20)), (ByteRange{8, 20}));
  EXPECT_EQ(RangeOf(metadata, ChunkOf(std::nullopt, 0, 0)), (ByteRange{0, 0}));
}

TEST(ChunkByteRange, OverstatedSizesEndAtTheFooter) {  // fault F11
  EXPECT_EQ(RangeOf(MetadataOf(), ChunkOf(std::nullopt, 900, 123)), (ByteRange{900, 100}));
  EXPECT_EQ(RangeOf(MetadataOf(), ChunkOf(std::nullopt, 900, INT64_MAX)), (ByteRange{900, 100}));
}

TEST(ChunkByteRange, UnderstatedSizesOfKnownWritersGetAMargin) {  // fault F7
  const FileMetadata old = MetadataOf("parquet-mr version 1.2.5");
  EXPECT_EQ(RangeOf(old, ChunkOf(std::nullopt, 4, 322)), (ByteRange{4, 422}));
  EXPECT_EQ(RangeOf(old, ChunkOf(std::nullopt, 950, 40)), (ByteRange{950, 50}));
  const FileMetadata fixed = MetadataOf("parquet-mr version 1.2.9");
  EXPECT_EQ(RangeOf(fixed, ChunkOf(std::nullopt, 4, 322)), (ByteRange{4, 322}));
}

TEST(ChunkByteRange, CountsInSixtyFourBits) {  // fault B1
  FileMetadata metadata = MetadataOf();
  metadata.footer_offset = int64_t{1} << 42;
  EXPECT_EQ(RangeOf(metadata, ChunkOf(std::nullopt, 3'000'000'000, 3'200'000'000)),
            (ByteRange{3'000'000'000, 3'200'000'000}));
}

TEST(ChunkByteRange, RefusesPlacesOutsideTheFile) {
  const FileMetadata metadata = MetadataOf();
  for (const ColumnChunk& chunk :
       {ChunkOf(std::nullopt, 1001, 1), ChunkOf(std::nullopt, 1000, 1), ChunkOf(-4, 4, 1),
        ChunkOf(std::nullopt, -4, 1), ChunkOf(std::nullopt, 4, -1), ChunkOf(std::nullopt, 0, 1),
        ChunkOf(std::nullopt, INT64_MAX, INT64_MAX)}) {
    const auto range = ChunkByteRange(metadata, chunk);
    ASSERT_FALSE(range.has_value());
    EXPECT_EQ(range.error().code(), StatusCode::kCorruption);
  }
}

}  // namespace
}  // namespace sluice
