#include <gtest/gtest.h>
#include <sluice/parquet/writer.h>

#include <string>
#include <vector>

#include "format/parquet/decompressor.h"
#include "tests/format/parquet/write/written_file.h"
#include "tests/support/reference_reader.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the whole test is about it.
using support::Cell;
using support::Fixed;
using support::kInt32Type;
using support::kInt64Type;
using support::kStringType;
using support::Nested;
using support::Null;
using support::Numbers;
using support::OneColumn;
using support::Text;
using support::WrittenFile;
using support::WrittenPage;

TEST(FileWriter, LaysOutTheFile) {
  WriterOptions options;
  options.row_group_rows = 100;
  options.page_rows = 30;
  options.columns.bloom_filter = true;
  options.key_value_metadata = {{"key", "value"}, {"empty", ""}};
  options.sorting_columns = {{0, false, true}};
  const WrittenFile file(OneColumn(kInt64Type), {Numbers(250)}, options);
  ASSERT_TRUE(file.status().ok()) << file.status().ToString();
  const FileMetadata& footer = file.footer();
  EXPECT_EQ(footer.version, 1);
  EXPECT_EQ(footer.num_rows, 250);
  EXPECT_EQ(footer.created_by.substr(0, 15), "sluice version ");
  EXPECT_EQ(footer.key_value_metadata.size(), 2U);
  EXPECT_EQ(footer.column_orders, std::vector{ColumnOrder::kTypeDefined});
  ASSERT_EQ(footer.row_groups.size(), 3U);
  int64_t previous_end = 4;
  for (size_t group = 0; group < 3; ++group) {
    const RowGroup& row_group = footer.row_groups[group];
    EXPECT_EQ(row_group.num_rows, group < 2 ? 100 : 50);
    EXPECT_EQ(row_group.ordinal, static_cast<int32_t>(group));
    EXPECT_EQ(row_group.file_offset, previous_end);
    EXPECT_EQ(row_group.sorting_columns.size(), 1U);
    const ColumnChunk& chunk = row_group.columns[0];
    EXPECT_EQ(chunk.dictionary_page_offset, previous_end);
    EXPECT_EQ(row_group.total_compressed_size, chunk.total_compressed_size);
    EXPECT_EQ(row_group.total_byte_size, chunk.total_uncompressed_size);
    EXPECT_EQ(chunk.bloom_filter_offset, previous_end + chunk.total_compressed_size);
    previous_end = *chunk.bloom_filter_offset + *chunk.bloom_filter_length;
  }
  for (size_t group = 0; group < 3; ++group) {
    EXPECT_EQ(file.chunk(0, group).column_index->offset, previous_end);
    previous_end = file.chunk(0, group).column_index->end();
  }
  for (size_t group = 0; group < 3; ++group) {
    EXPECT_EQ(file.chunk(0, group).offset_index->offset, previous_end);
    previous_end = file.chunk(0, group).offset_index->end();
  }
}

TEST(FileWriter, EveryCodecAndPageVersionReadsTheSame) {
  const Schema schema{{{"n", kInt64Type, true, {}},
                       {"l", DataType::List({"element", kStringType, true, {}}), true, {}}}};
  const std::vector<std::vector<Cell>> cells = {
      {Fixed(int64_t{1}), Null(), Fixed(int64_t{3}), Fixed(int64_t{1})},
      {Nested({Text("x"), Null()}), Nested({}), Null(), Nested({Text("yy")})}};
  const std::vector<std::string> expected = {R"([1,["x",null]])", "[null,[]]", "[3,null]",
                                             R"([1,["yy"]])"};
  for (const Codec codec : {Codec::kUncompressed, Codec::kSnappy, Codec::kGzip, Codec::kBrotli,
                            Codec::kZstd, Codec::kLz4Raw}) {
    for (const DataPageVersion version : {DataPageVersion::kV1, DataPageVersion::kV2}) {
      for (const bool dictionary : {true, false}) {
        WriterOptions options;
        options.page_version = version;
        options.columns.codec = codec;
        options.columns.dictionary = dictionary;
        const WrittenFile file(schema, cells, options);
        ASSERT_TRUE(file.status().ok()) << file.status().ToString();
        const Result<std::vector<std::string>> rows = support::ReferenceRows(file.bytes());
        ASSERT_TRUE(rows.has_value()) << rows.status().ToString();
        EXPECT_EQ(*rows, expected) << Name(codec);
      }
    }
  }
}

TEST(FileWriter, PagesEndBetweenRowsByCountAndBytes) {  // fault N7
  const Schema schema = OneColumn(DataType::List({"element", kInt64Type, false, {}}), false);
  std::vector<Cell> cells;
  for (int64_t i = 0; i < 100; ++i) cells.push_back(Nested(Numbers(i % 5)));
  WriterOptions options;
  options.page_rows = 7;
  options.columns.dictionary = false;
  for (const bool by_bytes : {false, true}) {
    if (by_bytes) options.page_rows = 1000;
    if (by_bytes) options.page_bytes = 100;
    const WrittenFile file(schema, {cells}, options);
    const std::vector<WrittenPage> pages = file.Pages(0);
    const OffsetIndex index = file.offset_index(0);
    ASSERT_EQ(index.page_locations.size(), pages.size());
    EXPECT_GT(pages.size(), 10U);
    int64_t row = 0;
    for (size_t i = 0; i < pages.size(); ++i) {
      EXPECT_EQ(index.page_locations[i].first_row_index, row);
      EXPECT_EQ(index.page_locations[i].offset, pages[i].offset);
      EXPECT_EQ(index.page_locations[i].compressed_page_size,
                pages[i].header.header_size + pages[i].header.compressed_size);
      row += pages[i].header.num_rows;
      if (by_bytes) continue;
      EXPECT_EQ(pages[i].header.num_rows, i + 1 < pages.size() ? 7 : 2);
    }
    EXPECT_EQ(row, 100);
    EXPECT_TRUE(CheckOffsetIndex(index, 100, *ChunkByteRange(file.footer(), file.chunk(0))).ok());
  }
}

TEST(FileWriter, ChecksumsCoverTheStoredBytes) {
  for (const DataPageVersion version : {DataPageVersion::kV1, DataPageVersion::kV2}) {
    WriterOptions options;
    options.page_version = version;
    const WrittenFile file(OneColumn(kInt64Type), {Numbers(10)}, options);
    for (const WrittenPage& page : file.Pages(0)) {
      const std::span body(reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size());
      EXPECT_EQ(page.header.crc, Crc32(0, body));
    }
    options.checksums = false;
    const WrittenFile without(OneColumn(kInt64Type), {Numbers(10)}, options);
    EXPECT_FALSE(without.Pages(0)[0].header.crc.has_value());
  }
}

TEST(FileWriter, ValuesThatDoNotShrinkStayUncompressed) {  // fault P2
  std::vector<Cell> cells = {Fixed(uint64_t{0x9e3779b97f4a7c15})};
  WriterOptions options;
  options.columns.dictionary = false;
  const WrittenFile file(OneColumn(DataType::Of(TypeId::kUint64)), {cells}, options);
  EXPECT_FALSE(file.Pages(0)[0].header.is_compressed);
  EXPECT_EQ(file.Pages(0)[0].header.uncompressed_size, file.Pages(0)[0].header.compressed_size);
  const WrittenFile shrunk(OneColumn(kInt64Type), {std::vector<Cell>(1000, Fixed(int64_t{7}))},
                           options);
  EXPECT_TRUE(shrunk.Pages(0)[0].header.is_compressed);
}

TEST(FileWriter, DictionaryFallsBack) {  // fault E12
  WriterOptions options;
  options.page_rows = 500;
  options.columns.dictionary_bytes_limit = 8 * 1500;
  options.columns.encoding = Encoding::kDeltaBinaryPacked;
  const WrittenFile file(OneColumn(kInt64Type), {Numbers(5000)}, options);
  const std::vector<WrittenPage> pages = file.Pages(0);
  EXPECT_EQ(pages[0].header.type, PageType::kDictionaryPage);
  EXPECT_EQ(pages[0].header.encoding, Encoding::kPlain);
  EXPECT_EQ(pages[1].header.encoding, Encoding::kRleDictionary);
  EXPECT_EQ(pages.back().header.encoding, Encoding::kDeltaBinaryPacked);
  const ColumnChunk& chunk = file.chunk(0);
  ASSERT_EQ(chunk.encoding_stats.size(), 3U);
  EXPECT_EQ(chunk.encoding_stats[0].count, 1);
  EXPECT_EQ(chunk.encoding_stats[1].count + chunk.encoding_stats[2].count,
            static_cast<int32_t>(pages.size()) - 1);
  EXPECT_FALSE(chunk.statistics->distinct_count.has_value());
  EXPECT_EQ(support::ReferenceRows(file.bytes())->at(4999), "[4999]");
  const WrittenFile small(OneColumn(kInt64Type), {Numbers(10)});
  EXPECT_EQ(small.chunk(0).statistics->distinct_count, 10);
}

TEST(FileWriter, NoDictionaryWithoutValues) {  // fault E13
  WriterOptions options;
  options.page_rows = 3;
  const WrittenFile nulls(OneColumn(kInt64Type), {std::vector<Cell>(10, Null())}, options);
  EXPECT_FALSE(nulls.chunk(0).dictionary_page_offset.has_value());
  for (const WrittenPage& page : nulls.Pages(0)) {
    EXPECT_EQ(page.header.encoding, Encoding::kPlain);
  }
  EXPECT_EQ(support::ReferenceRows(nulls.bytes())->size(), 10U);
  // Null pages before the first value belong to the dictionary as the others do.
  std::vector<Cell> cells(10, Null());
  cells.push_back(Fixed(int64_t{5}));
  const WrittenFile late(OneColumn(kInt64Type), {cells}, options);
  const std::vector<WrittenPage> pages = late.Pages(0);
  EXPECT_EQ(pages[0].header.type, PageType::kDictionaryPage);
  for (size_t i = 1; i < pages.size(); ++i) {
    EXPECT_EQ(pages[i].header.encoding, Encoding::kRleDictionary);
  }
  EXPECT_EQ(support::ReferenceRows(late.bytes())->back(), "[5]");
}

TEST(FileWriter, DeprecatedDictionaryIds) {
  WriterOptions options;
  options.page_version = DataPageVersion::kV1;
  options.columns.encoding = Encoding::kPlainDictionary;
  const WrittenFile file(OneColumn(kInt64Type), {Numbers(10)}, options);
  for (const WrittenPage& page : file.Pages(0)) {
    EXPECT_EQ(page.header.encoding, Encoding::kPlainDictionary);
  }
  EXPECT_EQ(support::ReferenceRows(file.bytes())->at(9), "[9]");
}

TEST(FileWriter, RowGroupsAreCutByBytes) {
  WriterOptions options;
  options.row_group_bytes = 20'000;
  options.columns.dictionary = false;
  options.columns.codec = Codec::kUncompressed;
  const WrittenFile file(OneColumn(kInt64Type), {Numbers(10'000)}, options);
  EXPECT_GT(file.footer().row_groups.size(), 3U);
  EXPECT_LT(file.footer().row_groups.size(), 7U);
  EXPECT_EQ(support::ReferenceRows(file.bytes())->size(), 10'000U);
}

Status WriteAsTheHeaderShows(const std::shared_ptr<BufferPool>& pool, std::string* bytes) {
  auto data = pool->Allocate(3 * 8);
  auto validity = pool->Allocate(BitmapBytes(3));
  if (!data) return data.error();
  if (!validity) return validity.error();
  (*data)->mutable_as<int64_t>()[0] = 1;
  (*data)->mutable_as<int64_t>()[2] = 3;
  (*validity)->mutable_as<uint64_t>()[0] = 0b101;

  Column column;
  column.type = std::make_shared<DataType>(DataType::Of(TypeId::kInt64));
  column.length = 3;
  column.null_count = 1;
  column.data = *data;
  column.validity = *validity;
  const Schema schema{{{"number", *column.type}}};
  const Batch batch{std::make_shared<Schema>(schema), 3, {column}};

  auto writer = FileWriter::Make(MakeMemoryOutput("memory", bytes), schema);
  if (!writer) return writer.error();
  if (Status status = (*writer)->Write(batch); !status.ok()) return status;
  return (*writer)->Finish();
}

TEST(FileWriter, TakesColumnsMadeAsTheHeaderShows) {
  std::string bytes;
  const Status status = WriteAsTheHeaderShows(BufferPool::Make(), &bytes);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(*support::ReferenceRows(bytes), (std::vector<std::string>{"[1]", "[null]", "[3]"}));
}

TEST(FileWriter, NoRows) {
  const WrittenFile file(OneColumn(kInt64Type), {{}});
  ASSERT_TRUE(file.status().ok());
  EXPECT_TRUE(file.footer().row_groups.empty());
  EXPECT_EQ(support::ReferenceRows(file.bytes())->size(), 0U);
}

TEST(FileWriter, MalformedBatchesAreRefusedForGood) {
  std::string bytes;
  const Schema schema = OneColumn(kStringType, false);
  const auto writer = *FileWriter::Make(MakeMemoryOutput("memory", &bytes), schema);
  Column column = support::BuildColumn(kStringType, {Text("a string outside of its view")});
  column.view_buffers.clear();
  const Status status = writer->Write(support::BuildBatch(schema, {column}));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("column 'a'"), std::string::npos);
  EXPECT_EQ(writer->Finish().ToString(), status.ToString());
}

TEST(FileWriter, ShapesOfBatchesAreChecked) {
  const Schema schema = OneColumn(kInt32Type, false);
  const auto write = [&schema](const Batch& batch) {
    std::string bytes;
    return (*FileWriter::Make(MakeMemoryOutput("memory", &bytes), schema))->Write(batch).code();
  };
  const Column column = support::BuildColumn(kInt32Type, {Fixed(int32_t{1})});
  EXPECT_EQ(write(support::BuildBatch(schema, {column})), StatusCode::kOk);
  EXPECT_EQ(write(support::BuildBatch(schema, {column, column})), StatusCode::kInvalidArgument);
  Batch longer = support::BuildBatch(schema, {column});
  longer.num_rows = 2;
  EXPECT_EQ(write(longer), StatusCode::kInvalidArgument);
  const Column other = support::BuildColumn(kInt64Type, {Fixed(int64_t{1})});
  EXPECT_EQ(write(support::BuildBatch(schema, {other})), StatusCode::kInvalidArgument);
  const Column null = support::BuildColumn(kInt32Type, {Null()});
  EXPECT_EQ(write(support::BuildBatch(schema, {null})), StatusCode::kInvalidArgument);
}

TEST(FileWriter, NothingAfterFinish) {
  std::string bytes;
  const Schema schema = OneColumn(kInt32Type);
  const auto writer = *FileWriter::Make(MakeMemoryOutput("memory", &bytes), schema);
  EXPECT_TRUE(writer->Finish().ok());
  const size_t size = bytes.size();
  EXPECT_EQ(writer->Finish().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(bytes.size(), size);
}

}  // namespace
}  // namespace sluice
