// Counts and sizes that a file claims of itself, wrong or out of all proportion: no row may hang on
// them, and neither may time or memory.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <string>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::FileReader;
using parquet::Projection;
using parquet::ReadOptions;

/// A V2 page of a repeated INT32 column, one value a row, whose header claims `num_rows`.
PageSpec RepeatedPage(const std::vector<int64_t>& values, int64_t num_rows) {
  const std::vector<uint64_t> rows(values.size(), 0);
  const std::vector<uint64_t> present(values.size(), 1);
  return DataPageV2(Encoding::kPlain, static_cast<int64_t>(values.size()), 0, num_rows,
                    PlainInt32(values), RleRuns(present, 1), RleRuns(rows, 1));
}

BuiltFile RepeatedColumn(int64_t num_rows, std::vector<PageSpec> pages) {
  return BuildFile(
      OneRowGroup({Repeated("a", PhysicalType::kInt32)}, num_rows, {Chunk(std::move(pages))}));
}

TEST(ClaimedCounts, RowsOfAPageComeFromItsLevels) {
  for (const int64_t claimed : {0, 1, 3, 1000}) {
    const BuiltFile file = RepeatedColumn(
        7, {RepeatedPage({0, 1}, 2), RepeatedPage({2, 3, 4}, claimed), RepeatedPage({5, 6}, 2)});
    ExpectRows(file.bytes, {"[[0]]", "[[1]]", "[[2]]", "[[3]]", "[[4]]", "[[5]]", "[[6]]"});
  }
}

TEST(ClaimedCounts, FewerRowsInTheRowGroupThanInItsPagesAreAnError) {
  const BuiltFile file = RepeatedColumn(
      5, {RepeatedPage({0, 1}, 2), RepeatedPage({2, 3, 4}, 3), RepeatedPage({5, 6}, 2)});
  ExpectError(file.bytes, StatusCode::kCorruption);
  const auto reader = OpenBytes(file.bytes).value();
  auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
  ASSERT_TRUE(cursor);
  EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kCorruption);
}

/// A flat column of one row a page, with an offset index.
BuiltFile OneRowPages(int64_t num_pages, int64_t broken_page) {
  std::vector<PageSpec> pages;
  for (int64_t i = 0; i < num_pages; ++i) {
    pages.push_back(DataPage(Encoding::kPlain, 1, PlainInt32({i})));
    pages.back().first_row = i;
    if (i == broken_page) pages.back().crc = 1;
  }
  ChunkSpec chunk = Chunk(std::move(pages));
  chunk.with_offset_index = true;
  return BuildFile(OneRowGroup({Required("a", PhysicalType::kInt32)}, num_pages, {chunk}));
}

TEST(ClaimedCounts, ManyIndexedPagesTakeTimeInProportion) {
  // Ten thousand pages took minutes when each looked through all the others.
  constexpr int64_t kPages = 20'000;
  const auto reader = OpenBytes(OneRowPages(kPages, -1).bytes).value();
  for (const RowRange wanted : {RowRange{0, kPages - 1}, RowRange{kPages / 2, kPages}}) {
    auto cursor =
        reader->RowGroup(0, Projection::All(reader->tree()), *RowSelection::FromRanges({wanted}));
    ASSERT_TRUE(cursor);
    const auto rows = ReadOn(**cursor);
    ASSERT_TRUE(rows) << rows.status().ToString();
    EXPECT_EQ(*rows, wanted.size());
  }
}

TEST(ClaimedCounts, AnErrorNamesThePageByItsPlaceInTheChunk) {
  const auto reader = OpenBytes(OneRowPages(100, 57).bytes).value();
  auto cursor =
      reader->RowGroup(0, Projection::All(reader->tree()), *RowSelection::FromRanges({{57, 58}}));
  ASSERT_TRUE(cursor);
  const auto batch = (*cursor)->Next();
  ASSERT_FALSE(batch);
  EXPECT_NE(batch.error().message().find("page 57 at byte"), std::string::npos)
      << batch.error().message();
}

/// Reads row 1 of a file of 3 rows by its index.
Result<std::vector<std::string>> ReadRowOne(const BuiltFile& file) {
  Reading reading;
  reading.select = [](int64_t, int64_t) { return *RowSelection::FromRanges({{1, 2}}); };
  return ReadRows(file.bytes, reading);
}

TEST(ClaimedCounts, PagesThatAnOffsetIndexLeavesOut) {  // fault I3
  const auto build = [](int left_out, int64_t num_rows) {
    std::vector<PageSpec> pages;
    for (int64_t i = 0; i < 4; ++i) {
      pages.push_back(DataPage(Encoding::kPlain, 1, PlainInt32({i})));
      pages.back().is_indexed = i != left_out;
      pages.back().first_row = i < left_out ? i : i - 1;
    }
    ChunkSpec chunk = Chunk(std::move(pages));
    chunk.with_offset_index = true;
    chunk.num_values = num_rows;
    return BuildFile(OneRowGroup({Required("a", PhysicalType::kInt32)}, num_rows, {chunk}));
  };
  // The first page: an error, since the index numbers all rows wrongly.
  const auto first = ReadRowOne(build(0, 3));
  EXPECT_EQ(first.status().code(), StatusCode::kCorruption) << first.status().ToString();
  // A page further on: the index is not used, and the rows are those of the pages.
  for (const int left_out : {1, 2, 3}) {
    const auto rows = ReadRowOne(build(left_out, 3));
    ASSERT_TRUE(rows) << rows.status().ToString();
    EXPECT_EQ(*rows, std::vector<std::string>{"[1]"}) << left_out;
  }
}

TEST(ClaimedCounts, SizeOfAPageInTheOffsetIndexIsThatOfThePage) {
  BuiltFile file = OneRowPages(3, -1);
  ASSERT_TRUE(ReadRowOne(file));
  // The chunk stays covered without a gap, but its pages are cut in other places.
  std::vector<PageSpec> pages;
  for (int64_t i = 0; i < 3; ++i) {
    pages.push_back(DataPage(Encoding::kPlain, 1, PlainInt32({i})));
    pages.back().first_row = i;
  }
  pages[1].indexed_size_change = 1;
  pages[2].indexed_offset_change = 1;
  pages[2].indexed_size_change = -1;
  ChunkSpec chunk = Chunk(std::move(pages));
  chunk.with_offset_index = true;
  file = BuildFile(OneRowGroup({Required("a", PhysicalType::kInt32)}, 3, {chunk}));
  const auto rows = ReadRowOne(file);
  EXPECT_EQ(rows.status().code(), StatusCode::kCorruption);
  EXPECT_NE(rows.status().message().find("offset index"), std::string::npos);
}

TEST(ClaimedCounts, ReadingEverythingFindsPagesBehindTheLastRow) {
  for (const bool is_repeated : {false, true}) {
    std::vector<PageSpec> pages;
    for (int64_t i = 0; i < 3; ++i) {
      pages.push_back(is_repeated ? RepeatedPage({i}, 1)
                                  : DataPage(Encoding::kPlain, 1, PlainInt32({i})));
    }
    ChunkSpec chunk = Chunk(std::move(pages));
    chunk.num_values = 2;
    const auto element =
        is_repeated ? Repeated("a", PhysicalType::kInt32) : Required("a", PhysicalType::kInt32);
    const BuiltFile file = BuildFile(OneRowGroup({element}, 2, {chunk}));
    EXPECT_TRUE(ReadRows(file.bytes));
    Reading everything;
    everything.options.read_everything = true;
    const auto rows = ReadRows(file.bytes, everything);
    ASSERT_FALSE(rows) << is_repeated;
    EXPECT_EQ(rows.error().code(), StatusCode::kCorruption);
    EXPECT_NE(rows.error().message().find("page 2 at byte"), std::string::npos)
        << rows.error().message();
  }
}

TEST(ClaimedCounts, ColumnsLeftOutOfTheFooterCannotBeRead) {
  const BuiltFile file = OneRowPages(1, -1);
  Reading reading;
  reading.footer.columns = {"b"};
  EXPECT_EQ(ReadRows(file.bytes, reading).status().code(), StatusCode::kInvalidArgument);
}

TEST(ClaimedCounts, NullsOfWideValuesAreDeliveredWithinTheBoundOfABatch) {
  constexpr int64_t kRows = 16'384;
  ElementSpec column = Optional("a", PhysicalType::kFixedLenByteArray);
  column.type_length = 200'000;
  const BuiltFile file = BuildFile(OneRowGroup(
      {column}, kRows, {Chunk({DataPage(Encoding::kPlain, kRows, "", RleRun(kRows, 0, 1))})}));
  ReadOptions options;
  options.pool = BufferPool::Make(int64_t{256} << 20);
  const auto reader = OpenBytes(file.bytes, options).value();
  auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
  ASSERT_TRUE(cursor);
  for (int i = 0; i < 3; ++i) {
    auto batch = (*cursor)->Next();
    ASSERT_TRUE(batch) << batch.status().ToString();
    EXPECT_LE((*batch)->batch.num_rows * 200'000, options.batch_bytes);
  }
}

TEST(ClaimedCounts, APageThatNoCodecCouldMakeIsRefusedBeforeItsMemoryIsTaken) {
  for (const Codec codec : {Codec::kSnappy, Codec::kGzip, Codec::kLz4Raw}) {
    PageSpec page = DataPage(Encoding::kPlain, 4, PlainInt32({1, 2, 3, 4}));
    page.uncompressed_page_size = 1 << 29;
    ReadOptions options;
    options.pool = BufferPool::Make(1 << 20);
    const BuiltFile file =
        BuildFile(OneRowGroup({Required("a", PhysicalType::kInt32)}, 4, {Chunk({page}, codec)}));
    const auto reader = OpenBytes(file.bytes, options).value();
    auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
    ASSERT_TRUE(cursor);
    EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kCorruption);
  }
}

TEST(ClaimedCounts, LongNamesInDeepNestingAreRefused) {
  std::vector<ElementSpec> schema;
  for (int i = 0; i < 900; ++i) schema.push_back(Group("g", Repetition::kRequired, 1));
  schema.push_back(Required(std::string(1 << 20, 'n'), PhysicalType::kInt32));
  FileSpec file;
  file.schema = std::move(schema);
  const auto reader = OpenBytes(BuildFile(file).bytes);
  EXPECT_EQ(reader.status().code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace sluice::support
