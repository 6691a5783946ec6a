// Why data pages were left out, and how many.

#include "engine/scan/page_tally.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/claims.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// Ten pages of a hundred rows: n from 0 up, and m = n % 100.
ScanFile TenPages(const parquet::WriterOptions& base = {}) {
  Table table = Numbers("n", 0, 1000);
  table.schema.fields.push_back(Named("m", kInt64));
  table.columns.emplace_back();
  for (int64_t row = 0; row < 1000; ++row) table.columns[1].push_back(Fixed(row % 100));
  parquet::WriterOptions writer = base;
  writer.page_rows = 100;
  return FileOf(table, "ten pages", writer);
}

parquet::WriterOptions WithoutDictionary() {
  parquet::WriterOptions writer;
  writer.columns.dictionary = false;
  return writer;
}

PageCounters PagesOf(const ScanFile& file, const std::string& where, int64_t rows,
                     const ScanOptions& options = {}) {
  const auto scan = Scan::Open({file}, Where(where), options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(std::ssize(Rows(**scan)), rows) << where;
  EXPECT_TRUE(DoPagesBalance((*scan)->counters()));
  return (*scan)->counters().pages;
}

TEST(PageTally, CountsPagesThatThePageIndexPrunes) {
  const ScanFile file = TenPages(WithoutDictionary());
  // Of both columns four pages, one that is read, and none behind it.
  EXPECT_EQ(PagesOf(file, "n >= 450 AND n < 460", 10),
            (PageCounters{.considered = 10, .read = 2, .pruned_by_index = 8}));
  ScanOptions options;
  options.use_page_index = false;
  EXPECT_EQ(PagesOf(file, "n >= 450 AND n < 460", 10, options),
            (PageCounters{.considered = 15, .read = 11, .unwanted = 4}));
}

TEST(PageTally, CountsPagesThatRowNumbersPrune) {
  EXPECT_EQ(PagesOf(TenPages(WithoutDictionary()), "file_row_number = 250", 1),
            (PageCounters{.considered = 6, .read = 2, .pruned_by_index = 4}));
}

TEST(PageTally, CountsPagesThatTheirHeadersPrune) {
  std::vector<PageSpec> pages;
  for (int32_t page = 0; page < 4; ++page) {
    PageSpec one = DataPage(Encoding::kPlain, 2, PlainInt32({2 * page, 2 * page + 1}));
    one.statistics =
        Claims{.min_value = Fixed(2 * page).bytes, .max_value = Fixed(2 * page + 1).bytes}.Bytes();
    pages.push_back(std::move(one));
  }
  ScanFile file;
  file.file = MakeMemoryFile(
      "headers", PaddedBuffer(BuildFile(ClaimingFile(Required("x", PhysicalType::kInt32), 8, pages,
                                                     std::nullopt))
                                  .bytes));
  EXPECT_EQ(PagesOf(file, "x >= 4 AND x < 6", 2),
            (PageCounters{.considered = 4, .read = 1, .pruned_by_header = 3}));
}

TEST(PageTally, CountsPagesThatTheDictionaryPrunes) {
  parquet::WriterOptions writer;
  writer.columns.statistics = false;
  for (const bool has_index : {true, false}) {
    SCOPED_TRACE(has_index);
    writer.columns.page_index = has_index;
    // What comes behind the first filter is not gone to.
    EXPECT_EQ(PagesOf(TenPages(writer), "m = 250", 0),
              (PageCounters{.considered = 10, .pruned_by_dictionary = 10}));
  }
}

TEST(PageTally, CountsPagesOfDeletedRows) {
  ScanFile file = TenPages(WithoutDictionary());
  file.deleted = std::make_shared<const RowSelection>(*RowSelection::FromRanges({{200, 400}}));
  // Deleted in page 4 as well, but for one row.
  EXPECT_EQ(PagesOf(file, "n >= 100 AND n < 500", 200),
            (PageCounters{.considered = 10, .read = 4, .pruned_by_index = 2, .deleted = 4}));
}

TEST(PageTally, CountsPagesWhoseRowsWereDropped) {
  // The filter of m reads ten pages, then n is read where m passes, in the last page only.
  Table table = Numbers("n", 0, 1000);
  table.schema.fields.push_back(Named("m", kInt64));
  table.columns.emplace_back();
  for (int64_t row = 0; row < 1000; ++row) {
    table.columns[1].push_back(Fixed(row >= 905 && row < 910 ? int64_t{5} : row % 2 * 9));
  }
  parquet::WriterOptions writer = WithoutDictionary();
  writer.page_rows = 100;
  const ScanFile file = FileOf(table, "dropped", writer);
  EXPECT_EQ(PagesOf(file, "m = 5", 5), (PageCounters{.considered = 20, .read = 11, .unwanted = 9}));
  // The same where the rest of the predicate drops them.
  EXPECT_EQ(PagesOf(file, "m * 2 = 10", 5),
            (PageCounters{.considered = 20, .read = 11, .unwanted = 9}));
}

class Listener : public parquet::PageObserver {
 public:
  void OnDataPage(int32_t, int32_t, int64_t, RowRange, Fate) override { ++pages; }
  void OnDictionaryExclusion(int32_t, int32_t, int64_t left_out) override { pages += left_out; }
  int64_t pages = 0;
};

TEST(PageTally, LeavesTheObserverOfTheHostToIt) {
  Listener listener;
  ScanOptions options;
  options.read.page_observer = &listener;
  const PageCounters pages = PagesOf(TenPages(), "n >= 450 AND n < 460 AND m * 1 > 55", 4, options);
  EXPECT_GT(pages.considered, 0);
  EXPECT_EQ(listener.pages, pages.considered);
}

}  // namespace
}  // namespace sluice::support
