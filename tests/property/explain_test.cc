// Random files and predicates: what is said of a scan is what the scan does, what is known before
// reading holds behind it, and nothing that can be switched off changes a row.
//
// 150 cases by default and 1 000 where SLUICE_LONG is set. A failure prints its seed;
// SLUICE_SEED runs that case alone.

#include <gtest/gtest.h>
#include <sluice/explain.h>
#include <sluice/verify.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/file_reading.h"
#include "tests/support/random_expressions.h"
#include "tests/support/random_tables.h"

namespace sluice::support {
namespace {

struct Tally {
  int64_t explained = 0;
  int64_t pages_decoded = 0;
  int64_t pages_left_out = 0;
  int64_t rows_compared = 0;
  int64_t failed = 0;
};

size_t Index(PageFate fate) { return static_cast<size_t>(fate); }

class Case {
 public:
  Case(uint64_t seed, Tally* tally) : columns_(seed), expressions_(seed + 1), tally_(tally) {}

  void Run() {
    Table table;
    table.schema = expressions_.MakeSchema();
    table.num_rows = 1 + columns_.Below(500);
    for (const Field& field : table.schema.fields) {
      table.columns.push_back(expressions_.MakeCells(field, table.num_rows));
    }
    const Expression predicate =
        expressions_.MakePredicate(table.schema, static_cast<int>(1 + columns_.Below(4)));
    sql_ = predicate.ToSql();
    table.schema.fields.push_back({"nested payload", columns_.Type(2), true, std::nullopt});
    table.columns.push_back(columns_.Cells(table.schema.fields.back(), table.num_rows, 0.2));
    const auto bytes = Write(table, RandomOptions(columns_, table.schema), columns_);
    ASSERT_TRUE(bytes) << bytes.status().ToString();
    file_.file = MemoryFileOf(*bytes, "memory");
    request_.where = predicate;
    if (columns_.Chance(0.3)) request_.columns = {{{"nested payload"}}};
    if (columns_.Chance(0.2)) request_.limit = 1 + columns_.Below(20);
    // By time, and so by chance.
    options_.read.reorder_filters = false;
    options_.read.batch_rows = std::vector<int64_t>{7, 100, 16'384}[columns_.Below(3)];
    Check();
  }

  std::string Describe() const { return sql_; }

 private:
  void Check() {
    auto scan = Scan::Open({file_}, request_, options_);
    const auto explained = ExplainScan({file_}, request_, options_, true);
    ASSERT_EQ(scan.has_value(), explained.has_value());
    if (!scan) return;
    Status error;
    for (;;) {
      const auto batch = (*scan)->Next();
      error = batch.status();
      if (!batch || !*batch) break;
    }
    EXPECT_EQ(explained->error.ToString(), error.ToString());
    ++tally_->explained;
    tally_->failed += error.ok() ? 0 : 1;
    CheckCounters((*scan)->counters(), explained->counters, error.ok());
    const auto before = ExplainScan({file_}, request_, options_, false);
    ASSERT_TRUE(before) << before.status().ToString();
    CheckFates(*before, *explained);
    const auto verified = VerifyScan({file_}, request_, options_);
    ASSERT_TRUE(verified) << verified.status().ToString();
    EXPECT_FALSE(verified->difference);
    EXPECT_EQ(verified->error.ToString(), error.ToString());
    if (error.ok()) {
      EXPECT_EQ(verified->rows_compared, (*scan)->counters().rows_delivered);
    }
    tally_->rows_compared += verified->rows_compared;
  }

  void CheckCounters(const ScanCounters& scanned, const ScanCounters& explained, bool is_whole) {
    EXPECT_EQ(explained.rows_delivered, scanned.rows_delivered);
    EXPECT_EQ(explained.data.pages_read, scanned.data.pages_read);
    EXPECT_EQ(explained.data.pages_skipped, scanned.data.pages_skipped);
    EXPECT_EQ(explained.data.values_decoded, scanned.data.values_decoded);
    EXPECT_EQ(explained.data.bytes_fetched, scanned.data.bytes_fetched);
    if (!is_whole) return;
    EXPECT_EQ(explained.rows_considered, scanned.rows_considered);
    EXPECT_EQ(explained.rows_not_reached, scanned.rows_not_reached);
    EXPECT_EQ(explained.rows_filtered, scanned.rows_filtered);
    EXPECT_EQ(explained.rows_rejected, scanned.rows_rejected);
    EXPECT_EQ(explained.row_group_verdicts, scanned.row_group_verdicts);
  }

  /// Fates before reading against those behind it.
  void CheckFates(const Explanation& before, const Explanation& after) {
    int64_t decoded = 0;
    const auto& groups = before.files[0].row_groups;
    ASSERT_EQ(after.files[0].row_groups.size(), groups.size());
    for (size_t i = 0; i < groups.size(); ++i) {
      const RowGroupExplanation& group = after.files[0].row_groups[i];
      EXPECT_NE(group.fate, RowGroupFate::kToRead);
      if (group.fate == RowGroupFate::kNotReached) continue;
      ASSERT_EQ(group.chunks.size(), groups[i].chunks.size());
      for (size_t column = 0; column < group.chunks.size(); ++column) {
        decoded += group.chunks[column].page_counts[Index(PageFate::kDecoded)];
        CheckPages(groups[i].chunks[column], group.chunks[column]);
      }
    }
    // Pages that are read for two purposes are counted twice.
    EXPECT_LE(decoded, after.counters.data.pages_read);
    EXPECT_EQ(decoded > 0, after.counters.data.pages_read > 0);
    tally_->pages_decoded += decoded;
  }

  void CheckPages(const ChunkExplanation& before, const ChunkExplanation& after) {
    EXPECT_TRUE(after.pages_error.ok()) << after.pages_error.ToString();
    EXPECT_EQ(after.fate, before.fate);
    ASSERT_EQ(after.pages.size(), before.pages.size());
    for (size_t page = 0; page < after.pages.size(); ++page) {
      const PageFate fate = after.pages[page].fate;
      EXPECT_NE(fate, PageFate::kToRead);
      if (before.pages[page].fate == PageFate::kToRead) continue;
      EXPECT_EQ(fate, before.pages[page].fate) << FateName(fate);
      ++tally_->pages_left_out;
    }
  }

  RandomColumns columns_;
  RandomExpressions expressions_;
  Tally* tally_;
  std::string sql_;
  ScanFile file_;
  ScanRequest request_;
  ScanOptions options_;
};

TEST(ExplainProperty, SaysWhatTheScanDoes) {
  const char* one = std::getenv("SLUICE_SEED");
  const uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
  const uint64_t count = one != nullptr ? 1 : std::getenv("SLUICE_LONG") != nullptr ? 1'000 : 150;
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case one_case(seed, &tally);
    one_case.Run();
    if (testing::Test::HasFailure()) {
      FAIL() << "SLUICE_SEED=" << seed << ": " << one_case.Describe();
    }
  }
  if (one != nullptr) return;
  EXPECT_GT(tally.explained, 100);
  EXPECT_GT(tally.pages_decoded, 500);
  EXPECT_GT(tally.pages_left_out, 5);
  EXPECT_GT(tally.rows_compared, 1000);
  EXPECT_GT(tally.failed, 2);
}

}  // namespace
}  // namespace sluice::support
