// How far several threads go for a limit.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

struct Limited {
  const char* where;
  int64_t limit;
  int64_t row_groups;  ///< That are gone to.
};

/// Ten files of two row groups of 50 rows.
std::vector<ScanFile> TenFiles() {
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  std::vector<ScanFile> files;
  for (int64_t i = 0; i < 10; ++i) {
    files.push_back(FileOf(Numbers("n", i * 100, 100), "part", writer));
  }
  return files;
}

// Where it is certain how many rows row groups have, none is taken that is not needed.
TEST(ScanLimit, LeavesRowGroupsAloneThatAreNotNeeded) {
  const std::vector<ScanFile> files = TenFiles();
  for (const bool ordered : {true, false}) {
    for (const Limited& one :
         {Limited{"", 120, 3}, Limited{"", 1, 1}, Limited{"", 50, 1}, Limited{"n >= 0", 51, 2},
          Limited{"n >= 100", 20, 3}, Limited{"n < 5000 OR n + 0 > 7", 200, 4}}) {
      SCOPED_TRACE(one.where + std::string(" limit ") + std::to_string(one.limit));
      ScanRequest request = *one.where == '\0' ? ScanRequest() : Where(one.where);
      request.limit = one.limit;
      ScanOptions options;
      const Strings alone = Rows(files, request, options);
      options.threads = 4;
      options.ordered = ordered;
      options.read.batch_rows = 20;
      const auto scan = Scan::Open(files, request, options);
      ASSERT_TRUE(scan);
      const Strings rows = Rows(**scan);
      EXPECT_EQ(std::ssize(rows), one.limit);
      if (ordered) {
        EXPECT_EQ(rows, alone);
      }
      const ScanCounters& counters = (*scan)->counters();
      EXPECT_EQ(counters.row_groups_considered, one.row_groups);
      EXPECT_EQ(counters.rows_delivered, one.limit);
      EXPECT_EQ(counters.rows_considered, counters.rows_pruned_by_row_group +
                                              counters.rows_delivered + counters.rows_not_reached);
    }
  }
}

// fault D12: rows that are deleted are not among those that a limit counts.
TEST(ScanLimit, CountsRowsThatAreNotDeleted) {
  std::vector<ScanFile> files = TenFiles();
  std::vector<int64_t> deleted;
  for (int64_t row = 0; row < 100; ++row) {
    if (row % 10 > 0) deleted.push_back(row);
  }
  files[0].deleted = files[1].deleted = RowsAt(deleted);
  ScanRequest request;
  request.limit = 50;
  const Strings alone = Rows(files, request);
  for (const bool ordered : {true, false}) {
    ScanOptions options;
    options.threads = 4;
    options.ordered = ordered;
    const auto scan = Scan::Open(files, request, options);
    ASSERT_TRUE(scan);
    const Strings rows = Rows(**scan);
    EXPECT_EQ(rows.size(), 50U);
    if (ordered) {
      EXPECT_EQ(rows, alone);
    }
    // Twenty of the first two files, thirty of the third.
    EXPECT_EQ((*scan)->counters().row_groups_considered, 5);
    EXPECT_EQ((*scan)->counters().rows_delivered, 50);
  }
}

// Where it is not certain before, what was found is: rows are those of one thread.
TEST(ScanLimit, GivesTheSameRows) {
  const std::vector<ScanFile> files = TenFiles();
  for (const char* where : {"n % 3 = 0", "n + 0 >= 475", "n % 100 < 7 AND n >= 130"}) {
    for (const int64_t limit : {1, 7, 49, 50, 51, 100, 333, 2000}) {
      SCOPED_TRACE(where + std::string(" limit ") + std::to_string(limit));
      ScanRequest request = Where(where);
      request.limit = limit;
      const Strings alone = Rows(files, request);
      for (const bool everything : {false, true}) {
        for (const bool ordered : {true, false}) {
          ScanOptions options;
          options.threads = 3;
          options.ordered = ordered;
          options.read.batch_rows = 5;
          options.read.read_everything = everything;
          options.limit_pushdown = limit % 2 == 0;
          options.queue_bytes = 200;
          const auto scan = Scan::Open(files, request, options);
          ASSERT_TRUE(scan);
          const Strings rows = Rows(**scan);
          EXPECT_EQ(rows.size(), alone.size());
          if (ordered) {
            EXPECT_EQ(rows, alone);
          }
          const ScanCounters& counters = (*scan)->counters();
          EXPECT_EQ(counters.rows_delivered, std::ssize(rows));
          EXPECT_EQ(counters.rows_considered,
                    counters.rows_pruned_by_row_group + counters.rows_pruned_by_page +
                        counters.rows_filtered + counters.rows_rejected + counters.rows_delivered +
                        counters.rows_not_reached);
          const auto count = (*scan)->Count();
          ASSERT_TRUE(count);
          EXPECT_LE(count->least, std::ssize(rows));
          EXPECT_GE(count->most, std::ssize(rows));
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::support
