// Memory, blow-up and hostile input: faults M1 to M7. M8 is about filters.

#include <gtest/gtest.h>

#include "tests/support/copied_file.h"
#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::FileReader;
using parquet::Projection;
using parquet::ReadOptions;

constexpr int64_t kMebibyte = 1 << 20;

std::string File(ElementSpec column, int64_t num_rows, ChunkSpec chunk) {
  return BuildFile(OneRowGroup({std::move(column)}, num_rows, {std::move(chunk)})).bytes;
}

Reading WithBudget(int64_t budget) {
  Reading reading;
  reading.options.pool = BufferPool::Make(budget);
  return reading;
}

TEST(MemoryFaults, M1SmallFileOfManyRows) {
  // 1000 row groups of 2^31 - 1 rows each, all of them one run.
  constexpr int64_t kRows = INT32_MAX;
  FileSpec file;
  file.schema = {Optional("n", PhysicalType::kInt32), Required("d", PhysicalType::kInt64)};
  const ChunkSpec nulls = Chunk({DataPage(Encoding::kPlain, kRows, "", RleRun(kRows, 0, 1))});
  const ChunkSpec sevens =
      Chunk({DictionaryPage(1, PlainInt64({7})),
             DataPage(Encoding::kRleDictionary, kRows, DictionaryIndices(0, RleRun(kRows, 0, 0)))});
  file.row_groups.assign(1000, {kRows, {nulls, sevens}});
  const std::string bytes = BuildFile(file).bytes;
  ReadOptions options;
  options.pool = BufferPool::Make(16 * kMebibyte);
  std::atomic<bool> cancelled = false;
  options.cancelled = &cancelled;
  const auto reader = OpenBytes(bytes, options).value();
  EXPECT_EQ(reader->num_rows(), 1000 * kRows);
  const auto cursor = reader->RowGroup(999, Projection::All(reader->tree())).value();
  for (int i = 0; i < 5; ++i) {
    const auto batch = cursor->Next();
    ASSERT_TRUE(batch) << batch.error().ToString();
    ASSERT_TRUE(*batch);
    EXPECT_EQ((*batch)->batch.num_rows, options.batch_rows);
    EXPECT_EQ((*batch)->batch.columns[0].null_count, options.batch_rows);
  }
  EXPECT_LE(options.pool->peak_bytes(), 16 * kMebibyte);
  // The last row of a row group is reached without touching those before it.
  Reading last = WithBudget(16 * kMebibyte);
  last.select = [](int64_t first_row, int64_t) {
    return first_row == 0 ? RowSelection::FromRanges({{kRows - 1, kRows}}).value() : RowSelection();
  };
  const auto rows = ReadRows(bytes, last);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, std::vector<std::string>{"[null,7]"});
  cancelled = true;
  const auto other = reader->RowGroup(0, Projection::All(reader->tree()));
  const Status status = other ? (*other)->Next().status() : other.error();
  EXPECT_EQ(status.code(), StatusCode::kCancelled) << status.ToString();
}

TEST(MemoryFaults, M2ClaimedPageSizes) {
  const std::string values = PlainInt64({1, 2});
  for (const Codec codec :
       {Codec::kSnappy, Codec::kZstd, Codec::kGzip, Codec::kLz4, Codec::kLz4Raw, Codec::kBrotli}) {
    for (const int64_t claim : {int64_t{INT32_MAX}, int64_t{1} << 29}) {
      SCOPED_TRACE(static_cast<int>(codec));
      PageSpec page = DataPage(Encoding::kPlain, 2, values);
      page.uncompressed_page_size = claim;
      const std::string file = File(Required("x", PhysicalType::kInt64), 2, Chunk({page}, codec));
      Reading reading = WithBudget(16 * kMebibyte);
      const auto rows = ReadRows(file, reading);
      ASSERT_FALSE(rows);
      EXPECT_TRUE(rows.error().code() == StatusCode::kResourceExhausted ||
                  rows.error().code() == StatusCode::kCorruption)
          << rows.error().ToString();
      EXPECT_NE(rows.error().message().find("page 0"), std::string::npos);
      EXPECT_LE(reading.options.pool->peak_bytes(), 16 * kMebibyte);
    }
  }
}

TEST(MemoryFaults, M2UncompressedPagesWithTwoSizes) {
  for (const int64_t claim : {int64_t{0}, int64_t{15}, int64_t{17}, int64_t{1} << 29}) {
    SCOPED_TRACE(claim);
    PageSpec page = DataPage(Encoding::kPlain, 2, PlainInt64({1, 2}));
    page.uncompressed_page_size = claim;
    ExpectError(File(Required("x", PhysicalType::kInt64), 2, Chunk({page})),
                StatusCode::kCorruption, {"row group 0", "page 0"});
    PageSpec page_v2 = DataPageV2(Encoding::kPlain, 2, 0, 2, PlainInt64({1, 2}));
    page_v2.is_compressed = false;
    page_v2.uncompressed_page_size = claim;
    ExpectError(File(Required("x", PhysicalType::kInt64), 2, Chunk({page_v2}, Codec::kZstd)),
                StatusCode::kCorruption, {"row group 0", "page 0"});
  }
}

TEST(MemoryFaults, M2SizesOfThePageInTheFile) {
  for (const int64_t claim :
       {int64_t{-1}, int64_t{INT32_MIN}, int64_t{INT32_MAX}, int64_t{100'000}}) {
    SCOPED_TRACE(claim);
    PageSpec page = DataPage(Encoding::kPlain, 2, PlainInt64({1, 2}));
    page.compressed_page_size = claim;
    ExpectError(File(Required("x", PhysicalType::kInt64), 2, Chunk({page}, Codec::kSnappy)),
                StatusCode::kCorruption, {"row group 0", "page 0"});
  }
  for (const int64_t count : {int64_t{-1}, int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
    SCOPED_TRACE(count);
    ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, count, PlainInt64({1, 2}))});
    chunk.num_values = 2;
    ExpectError(File(Required("x", PhysicalType::kInt64), 2, chunk), StatusCode::kCorruption,
                {"row group 0", "page 0"});
    chunk.pages = {DictionaryPage(count, PlainInt64({1, 2})),
                   DataPage(Encoding::kRleDictionary, 2, DictionaryIndices(1, RleRun(2, 1, 1)))};
    ExpectError(File(Required("x", PhysicalType::kInt64), 2, chunk), StatusCode::kCorruption,
                {"row group 0", "page 0"});
  }
}

class StringEncodings : public testing::TestWithParam<Encoding> {};

TEST_P(StringEncodings, M4LevelsAndValuesDisagree) {
  const auto body = [](const std::vector<std::string>& values) {
    switch (GetParam()) {
      case Encoding::kDeltaByteArray:
        return DeltaByteArray(values);
      case Encoding::kDeltaLengthByteArray:
        return DeltaLengthByteArray(values);
      case Encoding::kRleDictionary:
        return DictionaryIndices(1, RleRun(values.size(), 1, 1));
      default:
        return PlainByteArray(values);
    }
  };
  const auto file = [&](size_t values, size_t levels) {
    ChunkSpec chunk;
    if (GetParam() == Encoding::kRleDictionary) {
      chunk.pages = {DictionaryPage(2, PlainByteArray({"a string of some length", "b"}))};
    }
    chunk.pages.push_back(DataPage(
        GetParam(), static_cast<int64_t>(levels),
        body(std::vector<std::string>(values, "a string of some length")), RleRun(levels, 1, 1)));
    return File(Optional("x", PhysicalType::kByteArray), static_cast<int64_t>(levels), chunk);
  };
  // Fewer values than levels say.
  ExpectError(file(9, 10), StatusCode::kCorruption, {"row group 0", "page"});
  ExpectError(file(0, 1000), StatusCode::kCorruption, {"row group 0", "page"});
  // More: the delta encodings say their own number of values. The others may have bytes to spare.
  if (GetParam() == Encoding::kDeltaByteArray || GetParam() == Encoding::kDeltaLengthByteArray) {
    ExpectError(file(11, 10), StatusCode::kCorruption, {"row group 0", "page"});
  }
}

INSTANTIATE_TEST_SUITE_P(MemoryFaults, StringEncodings,
                         testing::Values(Encoding::kPlain, Encoding::kDeltaByteArray,
                                         Encoding::kDeltaLengthByteArray,
                                         Encoding::kRleDictionary));

TEST(MemoryFaults, M5PageAboveTheLimit) {
  const std::string file = File(Required("x", PhysicalType::kInt64), 1000,
                                Chunk({DataPage(Encoding::kPlain, 1000, std::string(8000, '\1'))}));
  Reading reading;
  reading.options.max_page_bytes = 7999;
  ExpectError(file, StatusCode::kResourceExhausted, {"row group 0", "x", "page 0"}, {reading});
  reading.options.max_page_bytes = 8000;
  EXPECT_TRUE(ReadRows(file, reading));
}

TEST(MemoryFaults, M5RowGroupAboveTheBudget) {
  // 64 pages of 256 KiB, read with 4 MiB.
  constexpr int64_t kPageRows = 32 << 10;
  ChunkSpec chunk;
  for (int64_t page = 0; page < 64; ++page) {
    chunk.pages.push_back(
        DataPage(Encoding::kPlain, kPageRows, std::string(kPageRows * 8, static_cast<char>(page))));
  }
  for (const Codec codec : {Codec::kUncompressed, Codec::kZstd, Codec::kSnappy}) {
    SCOPED_TRACE(static_cast<int>(codec));
    chunk.codec = codec;
    const auto file = std::make_shared<CopiedFile>(
        File(Required("x", PhysicalType::kInt64), 64 * kPageRows, chunk));
    Reading reading = WithBudget(4 * kMebibyte);
    reading.options.read_window_bytes = 256 << 10;
    const auto rows = ReadRows(file, reading);
    ASSERT_TRUE(rows) << rows.error().ToString();
    EXPECT_EQ(rows->size(), 64 * kPageRows);
    EXPECT_LE(reading.options.pool->peak_bytes(), 4 * kMebibyte);
    EXPECT_EQ(reading.options.pool->bytes_in_use(), 0);
  }
}

TEST(MemoryFaults, M6BatchesPinTheirOwnPagesOnly) {
  // 20 row groups of 16 pages of 64 KiB of long strings; two batches are kept alive.
  constexpr int64_t kPageRows = 64;
  FileSpec file;
  file.schema = {Required("x", PhysicalType::kByteArray)};
  const std::vector<std::string> strings(kPageRows, std::string(1020, 's'));
  const ChunkSpec chunk = Chunk(
      std::vector<PageSpec>(16, DataPage(Encoding::kPlain, kPageRows, PlainByteArray(strings))));
  file.row_groups.assign(20, {16 * kPageRows, {chunk}});
  ReadOptions options;
  options.pool = BufferPool::Make(8 * kMebibyte);
  options.batch_rows = kPageRows;
  options.read_window_bytes = 128 << 10;
  options.read_gap_bytes = 0;
  const auto reader =
      FileReader::Open(std::make_shared<CopiedFile>(BuildFile(file).bytes), options).value();
  std::vector<Batch> kept;
  for (int32_t row_group = 0; row_group < 20; ++row_group) {
    const auto cursor = reader->RowGroup(row_group, Projection::All(reader->tree())).value();
    const auto rows = ReadOn(*cursor, [&](const parquet::RowGroupBatch& read) {
      if (row_group < 2 && read.rows.begin == 0) kept.push_back(read.batch);
    });
    ASSERT_TRUE(rows) << rows.error().ToString();
  }
  EXPECT_LE(options.pool->peak_bytes(), 4 * kMebibyte);
  ASSERT_EQ(kept.size(), 2U);
  for (const Batch& batch : kept) EXPECT_EQ(batch.columns[0].Bytes(63), strings[63]);
  // A batch of 64 KiB may pin the request that its page came with, and no more of the row group.
  EXPECT_LE(options.pool->bytes_in_use(), 2 * (512 << 10));
  kept.clear();
}

/// Reads with little memory, some rows left out, and expects `strings` of the rows taken.
void ExpectInBoundedMemory(const std::string& file, const std::vector<std::string>& lines) {
  for (const int64_t step : {1, 3}) {
    SCOPED_TRACE(step);
    Reading reading = WithBudget(10 * kMebibyte);
    reading.options.batch_bytes = kMebibyte;
    reading.options.read_window_bytes = 64 << 10;
    std::vector<std::string> expected;
    reading.select = [&](int64_t, int64_t num_rows) {
      std::vector<int64_t> positions;
      for (int64_t row = 0; row < num_rows; row += step) positions.push_back(row);
      return RowSelection::FromPositions(positions).value();
    };
    for (size_t i = 0; i < lines.size(); i += static_cast<size_t>(step))
      expected.push_back(lines[i]);
    const auto rows = ReadRows(std::make_shared<CopiedFile>(file), reading);
    ASSERT_TRUE(rows) << rows.error().ToString();
    EXPECT_TRUE(*rows == expected);
    EXPECT_EQ(reading.options.pool->bytes_in_use(), 0);
  }
}

TEST(MemoryFaults, M5FewBytesBecomeManyStrings) {
  // 2000 strings that differ in their last four bytes: 128 MB out of a page of some 80 kB.
  std::vector<std::string> strings;
  std::vector<std::string> lines;
  for (int64_t i = 0; i < 2000; ++i) {
    strings.push_back(std::string(64'000, 'p') + std::to_string(1000 + i));
    lines.push_back("[\"" + strings.back() + "\"]");
  }
  ElementSpec column = Required("x", PhysicalType::kByteArray);
  column.converted_type = kConvertedUtf8;
  const std::string values = DeltaByteArray(strings);
  {
    SCOPED_TRACE("required");
    const ChunkSpec chunk = Chunk({DataPage(Encoding::kDeltaByteArray, 2000, values)});
    ExpectInBoundedMemory(File(column, 2000, chunk), lines);
  }
  {
    SCOPED_TRACE("optional, every fifth row null");
    column.repetition = Optional("x", PhysicalType::kByteArray).repetition;
    std::vector<uint64_t> defined;
    std::vector<std::string> with_nulls;
    for (size_t i = 0; i < strings.size(); ++i) {
      defined.push_back(1);
      with_nulls.push_back(lines[i]);
      if (i % 4 != 3) continue;
      defined.push_back(0);
      with_nulls.emplace_back("[null]");
    }
    const ChunkSpec chunk =
        Chunk({DataPage(Encoding::kDeltaByteArray, 2500, values, RleRuns(defined, 1))});
    ExpectInBoundedMemory(File(column, 2500, chunk), with_nulls);
  }
  {
    SCOPED_TRACE("lists of two");
    ElementSpec list = Repeated("x", PhysicalType::kByteArray);
    list.converted_type = kConvertedUtf8;
    std::vector<uint64_t> repeated;
    std::vector<std::string> lists;
    for (size_t i = 0; i < strings.size(); ++i) {
      repeated.push_back(i % 2 == 0 ? 0 : 1);
      if (i % 2 == 1) {
        lists.push_back("[[\"" + strings[i - 1] + "\",\"" + strings[i] + "\"]]");
      }
    }
    const ChunkSpec chunk = Chunk({DataPage(Encoding::kDeltaByteArray, 2000, values,
                                            RleRun(2000, 1, 1), RleRuns(repeated, 1))});
    ExpectInBoundedMemory(File(list, 1000, chunk), lists);
  }
}

TEST(MemoryFaults, M5RowsMuchLargerThanTheAverage) {
  // 20 000 strings of a byte, then 200 of 100 kB.
  ChunkSpec chunk;
  std::vector<std::string> lines;
  const auto add_page = [&](int64_t rows, const std::string& value) {
    const std::vector<std::string> strings(static_cast<size_t>(rows), value);
    chunk.pages.push_back(DataPage(Encoding::kPlain, rows, PlainByteArray(strings)));
    lines.insert(lines.end(), strings.size(), "[\"" + value + "\"]");
  };
  for (int64_t page = 0; page < 20; ++page) add_page(1000, "s");
  for (int64_t page = 0; page < 40; ++page) add_page(5, std::string(100'000, 'l'));
  ElementSpec column = Required("x", PhysicalType::kByteArray);
  column.converted_type = kConvertedUtf8;
  for (const Codec codec : {Codec::kUncompressed, Codec::kZstd, Codec::kSnappy}) {
    SCOPED_TRACE(static_cast<int>(codec));
    chunk.codec = codec;
    ExpectInBoundedMemory(File(column, 20'200, chunk), lines);
  }
}

/// A file of one string, whose page header has statistics with bounds of so many bytes, as do the
/// chunk's where asked.
std::string FileOfLongBounds(size_t bytes, bool in_footer) {
  const std::string bound(bytes, 'm');
  const std::string statistics = ThriftCompactBuilder().Binary(5, bound).Binary(6, bound).Finish();
  PageSpec page = DataPage(Encoding::kPlain, 1, PlainByteArray({"x"}));
  const std::string header =
      ThriftCompactBuilder().I32(1, 1).I32(2, 0).I32(3, 3).I32(4, 3).Struct(5, statistics).Finish();
  page.header = ThriftCompactBuilder().I32(1, 0).I32(2, 5).I32(3, 5).Struct(5, header).Finish();
  ChunkSpec chunk = Chunk({page});
  if (in_footer) chunk.statistics = statistics;
  ElementSpec column = Required("x", PhysicalType::kByteArray);
  column.converted_type = kConvertedUtf8;
  return File(column, 1, chunk);
}

TEST(MemoryFaults, M7HugeStatisticsInPageHeadersAndFooter) {
  const std::vector<Reading> ways = {Reading()};
  ExpectRows(FileOfLongBounds(4 * kMebibyte, true), {"[\"x\"]"}, 0, ways);
}

TEST(MemoryFaults, M7LongPageHeadersArriveInFewSteps) {
  for (const int64_t window : {1, 64, 1 << 20}) {
    const auto file = std::make_shared<CopiedFile>(FileOfLongBounds(7 * kMebibyte, false));
    Reading reading = WithBudget(40 * kMebibyte);
    reading.options.read_window_bytes = window;
    const auto rows = ReadRows(file, reading);
    ASSERT_TRUE(rows) << rows.error().ToString();
    EXPECT_EQ(*rows, std::vector<std::string>{"[\"x\"]"});
    EXPECT_LE(file->num_reads(), 40);
  }
  Reading reading = WithBudget(64 * kMebibyte);
  ExpectError(FileOfLongBounds(9 * kMebibyte, false), StatusCode::kResourceExhausted,
              {"page header"}, {reading});
}

}  // namespace
}  // namespace sluice::support
