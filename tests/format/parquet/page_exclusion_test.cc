// Pages and chunks that a filter leaves out by what their headers and dictionaries say.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/claims.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// Pages of consecutive int32 values, each with `sizes[i]` of them and its true bounds.
ScanFile PagesWithStatistics(const std::vector<int32_t>& sizes) {
  std::vector<PageSpec> pages;
  int32_t next = 0;
  for (const int32_t size : sizes) {
    std::vector<int64_t> values;
    for (int32_t i = 0; i < size; ++i) values.push_back(next + i);
    PageSpec page = DataPage(Encoding::kPlain, size, PlainInt32(values));
    page.statistics =
        Claims{.min_value = Fixed(next).bytes, .max_value = Fixed(next + size - 1).bytes}.Bytes();
    pages.push_back(std::move(page));
    next += size;
  }
  ScanFile file;
  const std::string bytes =
      BuildFile(ClaimingFile(Required("x", PhysicalType::kInt32), next, pages, std::nullopt)).bytes;
  file.file = MemoryFileOf(bytes, "pages");
  return file;
}

ScanCounters CountersOf(const ScanFile& file, const std::string& where, bool is_on,
                        int64_t expected_rows) {
  ScanOptions options;
  options.read.use_page_statistics = options.read.prune_by_dictionary = is_on;
  const auto scan = Scan::Open({file}, Where(where), options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(std::ssize(Rows(**scan)), expected_rows) << where;
  return (*scan)->counters();
}

TEST(PageExclusion, LeavesOutPagesByTheStatisticsInTheirHeaders) {
  const ScanFile file = PagesWithStatistics({2, 3, 2, 1});
  const ScanCounters counters = CountersOf(file, "x >= 5 AND x < 7", true, 2);
  EXPECT_EQ(counters.data.pages_excluded, 3);
  EXPECT_EQ(counters.data.pages_read, 1);
  const ScanCounters off = CountersOf(file, "x >= 5 AND x < 7", false, 2);
  EXPECT_EQ(off.data.pages_excluded, 0);
  EXPECT_EQ(off.data.pages_read, 4);
  EXPECT_EQ(CountersOf(file, "x IS NULL OR x = 7", true, 1).data.pages_excluded, 3);
  EXPECT_EQ(CountersOf(file, "x <> 3", true, 7).data.pages_excluded, 0);
}

TEST(PageExclusion, HoldsOfPagesThatLieInSeveralWindows) {
  const ScanFile file = PagesWithStatistics({100'000, 300'000, 100'000});
  const ScanCounters counters = CountersOf(file, "x < 10 OR x >= 499990", true, 20);
  EXPECT_EQ(counters.data.pages_excluded, 1);
  EXPECT_EQ(counters.data.pages_read, 2);
}

TEST(PageExclusion, EndsAChunkWhoseDictionaryHasNoValueThatPasses) {
  Table table;
  table.num_rows = 1000;
  table.schema.fields = {Named("text", kString), Named("n", kInt64)};
  table.columns.resize(2);
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[0].push_back(row % 7 == 0 ? Null() : Text(row % 2 == 0 ? "even" : "odd"));
    table.columns[1].push_back(Fixed(row));
  }
  parquet::WriterOptions writer;
  writer.columns.statistics = false;
  writer.page_rows = 100;
  const ScanFile file = FileOf(table, "dictionary", writer);
  EXPECT_EQ(CountersOf(file, "text LIKE 'm%'", true, 0).data.pages_read, 0);
  EXPECT_EQ(CountersOf(file, "text LIKE 'm%'", false, 0).data.pages_read, 10);
  EXPECT_EQ(CountersOf(file, "text = 'odd'", true, 429).data.pages_read, 20);
  // fault L2: null is in no dictionary.
  CountersOf(file, "text = 'neither' OR text IS NULL", true, 143);
}

}  // namespace
}  // namespace sluice::support
