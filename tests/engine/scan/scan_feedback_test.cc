// What row groups that were read tell about those that come.

#include "engine/scan/scan_feedback.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using engine::FilePredicate;
using engine::ScanFeedback;
using parquet::FilterCounters;

/// A filter of each of some leaves, which are columns of the table.
FilePredicate FiltersOf(int32_t leaves) {
  FilePredicate predicate;
  for (int32_t leaf = 0; leaf < leaves; ++leaf) predicate.filters.push_back({leaf, {}, {leaf}});
  return predicate;
}

std::vector<int32_t> OrderOf(const ScanFeedback& feedback, const FilePredicate& predicate) {
  std::vector<parquet::LeafFilter> filters;
  for (const FilePredicate::Filter& filter : predicate.filters) {
    filters.push_back({filter.leaf, filter.filter, {}});
  }
  static_cast<void>(feedback.Order(predicate, filters));
  std::vector<int32_t> leaves;
  for (const parquet::LeafFilter& filter : filters) leaves.push_back(filter.leaf);
  return leaves;
}

FilterCounters Seen(int32_t leaf, int64_t dropped, int64_t nanoseconds, int64_t setup) {
  FilterCounters seen;
  seen.leaf = leaf;
  seen.rows_tested = 100;
  seen.rows_passed = 100 - dropped;
  seen.nanoseconds = nanoseconds;
  seen.setup_nanoseconds = setup;
  return seen;
}

TEST(ScanFeedback, SaysWhetherTheOrderIsAnother) {
  const FilePredicate predicate = FiltersOf(2);
  std::vector<parquet::LeafFilter> filters = {{0, {}, {}}, {1, {}, {}}};
  ScanFeedback feedback;
  EXPECT_FALSE(feedback.Order(predicate, filters));
  feedback.LearnOfFilters(predicate, std::vector{Seen(0, 10, 1000, 0), Seen(1, 10, 500, 0)});
  EXPECT_TRUE(feedback.Order(predicate, filters));
  EXPECT_EQ(filters[0].leaf, 1);
  EXPECT_FALSE(feedback.Order(predicate, filters));
}

// contract V-45
TEST(ScanFeedback, OrdersByTheTimeToDropARowWithoutSettingUp) {
  const FilePredicate predicate = FiltersOf(3);
  ScanFeedback feedback;
  EXPECT_EQ(OrderOf(feedback, predicate), (std::vector<int32_t>{0, 1, 2}));
  const std::vector<FilterCounters> first{Seen(0, 10, 1000, 0), Seen(1, 10, 5000, 4900),
                                          Seen(2, 50, 2500, 0)};
  feedback.LearnOfFilters(predicate, first);
  EXPECT_EQ(OrderOf(feedback, predicate), (std::vector<int32_t>{1, 2, 0}));
  // What was learnt before counts on.
  const std::vector<FilterCounters> second{Seen(0, 90, 0, 0), Seen(1, 0, 9000, 0)};
  feedback.LearnOfFilters(predicate, second);
  EXPECT_EQ(OrderOf(feedback, predicate), (std::vector<int32_t>{0, 2, 1}));
}

TEST(ScanFeedback, KnowsNothingOfFiltersThatSawNoRow) {
  const FilePredicate predicate = FiltersOf(2);
  ScanFeedback feedback;
  FilterCounters unseen;
  unseen.leaf = 1;
  unseen.nanoseconds = 100;
  const std::vector<FilterCounters> seen{Seen(0, 100, 10, 0), unseen};
  feedback.LearnOfFilters(predicate, seen);
  EXPECT_EQ(OrderOf(feedback, predicate), (std::vector<int32_t>{1, 0}));
}

TEST(ScanFeedback, ExpectsOfTheResidualWhatItDid) {
  ScanFeedback feedback;
  EXPECT_TRUE(ScanFeedback::AreFew(feedback.PassingShare()));
  feedback.LearnOfResidual(0, 0);
  EXPECT_TRUE(ScanFeedback::AreFew(feedback.PassingShare()));
  feedback.LearnOfResidual(100, 95);
  EXPECT_FALSE(ScanFeedback::AreFew(feedback.PassingShare()));
  feedback.LearnOfResidual(900, 5);
  EXPECT_TRUE(ScanFeedback::AreFew(feedback.PassingShare()));
  // What was seen last counts most, and a few rows not for much.
  feedback.LearnOfResidual(2, 2);
  EXPECT_TRUE(ScanFeedback::AreFew(feedback.PassingShare()));
  for (int i = 0; i < 40; ++i) feedback.LearnOfResidual(1000, 0);
  for (int i = 0; i < 3; ++i) feedback.LearnOfResidual(1000, 1000);
  EXPECT_FALSE(ScanFeedback::AreFew(feedback.PassingShare()));
}

// A row group of which every row is known to pass says nothing of the residual.
TEST(ScanFeedback, IsNotGivenByRowGroupsWithoutResidual) {
  Table table = Numbers("n", 0, 200);
  table.schema.fields.push_back(Named("m", kInt64));
  table.schema.fields.push_back(Named("payload", kInt64));
  table.columns.resize(3);
  for (int64_t row = 0; row < 200; ++row) {
    if (row >= 100) table.columns[0][static_cast<size_t>(row)] = Fixed(-row);
    table.columns[1].push_back(Fixed(row % 10));
    table.columns[2].push_back(Fixed(row));
  }
  parquet::WriterOptions writer;
  writer.row_group_rows = 100;
  ScanRequest request = Where("n >= 0 OR m * 2 = 10");
  request.columns = {{{"payload"}}};
  const auto scan = Scan::Open({FileOf(table, "two", writer)}, request);
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Rows(**scan).size(), 110U);
  // The payload of the first, both columns of the residual in the second, and ten of its payload.
  EXPECT_EQ((*scan)->counters().data.values_decoded, 100 + 2 * 100 + 10);
}

// Of a first row group nothing is known; of the second, that most rows pass.
TEST(ScanFeedback, IsRecordedInTheAccount) {
  Table table = Numbers("n", 0, 200);
  table.schema.fields.push_back(Named("payload", kInt64));
  table.columns.push_back(table.columns[0]);
  parquet::WriterOptions writer;
  writer.row_group_rows = 100;
  ScanRequest request = Where("n * 2 > 10");
  request.columns = {{{"payload"}}};
  const auto scan = Scan::Open({FileOf(table, "two", writer)}, request);
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Rows(**scan).size(), 194U);
  EXPECT_EQ((*scan)->counters().row_groups_late, 1);
  EXPECT_EQ((*scan)->counters().row_groups_at_once, 1);
  EXPECT_EQ((*scan)->counters().filter_reorders, 0);
}

}  // namespace
}  // namespace sluice::support
