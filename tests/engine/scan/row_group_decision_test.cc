// What is left to do in a row group by what its file says of it.

#include "engine/scan/row_group_decision.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "engine/scan/opened_plan.h"
#include "engine/scan/unit_scan.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// n: the row; k and m: its last digit. Row groups of 500 rows with pages of 100.
ScanFile Digits() {
  Table table = Numbers("n", 0, 1000);
  for (const char* name : {"k", "m"}) {
    table.schema.fields.push_back(Named(name, kInt64));
    std::vector<Cell>& cells = table.columns.emplace_back();
    for (int64_t row = 0; row < 1000; ++row) cells.push_back(Fixed(row % 10));
  }
  parquet::WriterOptions writer;
  writer.row_group_rows = 500;
  writer.page_rows = 100;
  return FileOf(table, "digits", writer);
}

engine::JudgedUnit Judged(const ScanFile& file, ScanRequest request, int32_t row_group,
                          const ScanOptions& options = {}) {
  const std::vector<ScanFile> files{file};
  auto opened = engine::OpenPlan(files, std::move(request), options);
  EXPECT_TRUE(opened) << opened.status().ToString();
  auto plan = engine::MakeFilePlan(opened->plan, files[0], 0, std::nullopt, false);
  EXPECT_TRUE(plan) << plan.status().ToString();
  auto unit = engine::JudgeUnit(*plan, row_group);
  EXPECT_TRUE(unit) << unit.status().ToString();
  unit->file.reset();  // It refers to what ends here.
  return *std::move(unit);
}

int64_t ValuesDecoded(const ScanFile& file, const std::string& where) {
  const auto scanned = TryScanRows(file.file, {where, std::vector<parquet::ColumnPath>{}});
  EXPECT_TRUE(scanned) << scanned.status().ToString();
  return scanned ? scanned->values_decoded : -1;
}

using Ordinals = std::vector<size_t>;

TEST(RowGroupDecision, LeavesOutConjunctsThatStatisticsProve) {
  const ScanFile file = Digits();
  const std::string where = "(n >= 500 OR k = 7) AND n + m > 3 AND (m < 10 OR k > n)";
  EXPECT_EQ(Judged(file, Where(where), 0).decision.residual, (Ordinals{0, 1}));
  EXPECT_EQ(Judged(file, Where(where), 1).decision.residual, (Ordinals{1}));
  ScanOptions options;
  options.use_statistics = options.use_page_index = false;
  EXPECT_EQ(Judged(file, Where(where), 1, options).decision.residual, (Ordinals{0, 1, 2}));
  // Nor are the columns read that only they need.
  EXPECT_EQ(ValuesDecoded(file, "(k < 10 OR k > n) AND n + m > 3"),
            ValuesDecoded(file, "n + m > 3"));
}

TEST(RowGroupDecision, LeavesOutConjunctsThatPagesProve) {
  const ScanFile file = Digits();
  const auto whole = Judged(file, Where("n >= 300 OR k = 7"), 0);
  EXPECT_EQ(whole.decision.residual, (Ordinals{0}));
  ASSERT_TRUE(whole.decision.residual_rows);
  EXPECT_EQ(whole.decision.residual_rows->CountIn({0, 300}), 300);
  EXPECT_EQ(whole.decision.residual_rows->count(), 300);
  // Of the pages that are read every one proves it.
  const auto part = Judged(file, Where("(n >= 300 OR k = 7) AND n >= 350"), 0);
  EXPECT_EQ(part.selection.count(), 200);
  EXPECT_EQ(part.decision.residual, Ordinals());
  EXPECT_EQ(ValuesDecoded(file, "(n >= 300 OR k = 7) AND n >= 350"),
            ValuesDecoded(file, "n >= 350"));
}

TEST(RowGroupDecision, KeepsTheErrorsOfWhatIsLeft) {
  const ScanFile file = Digits();
  for (const ScanWay& way : WaysToScan()) {
    SCOPED_TRACE(way.name);
    // An error of the row, whatever is known of the other conjunct.
    const auto failed = TryScanRows(file.file, {"(n >= 0 OR k = 7) AND 1 / (n - 3) < 2"}, way);
    EXPECT_EQ(failed.status().code(), StatusCode::kRowError) << failed.status().ToString();
    // FALSE is below it.
    const auto passed = TryScanRows(file.file, {"(n >= 990 OR k > n) AND 1 / (n - 3) < 2"}, way);
    ASSERT_TRUE(passed) << passed.status().ToString();
    EXPECT_EQ(passed->positions.size(), 10U);
  }
}

}  // namespace
}  // namespace sluice::support
