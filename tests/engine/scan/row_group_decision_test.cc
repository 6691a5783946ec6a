// What is left to do in a row group by what its file says of it.

#include "engine/scan/row_group_decision.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/scan/opened_plan.h"
#include "engine/scan/unit_scan.h"
#include "tests/support/copied_file.h"
#include "tests/support/random_tables.h"
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

const DataType kMillis = DataType::Timestamp(TimeUnit::kMilliseconds, false);
const DataType kNanos = DataType::Timestamp(TimeUnit::kNanoseconds, false);

/// n: the row. t: row groups of 400 seconds since 1970 as milliseconds, in pages of 100; in the
/// first page of the second one a value that nanoseconds do not reach, unless `fits`.
ScanFile Seconds(bool fits) {
  Table table = Numbers("n", 0, 1200);
  table.schema.fields.push_back(Named("t", kMillis));
  table.columns.resize(2);
  for (int64_t row = 0; row < table.num_rows; ++row) table.columns[1].push_back(Fixed(row * 1000));
  if (!fits) table.columns[1][450] = Fixed(INT64_MAX / 2);
  parquet::WriterOptions writer;
  writer.row_group_rows = 400;
  writer.page_rows = 100;
  return FileOf(table, "seconds", writer);
}

ScanRequest OfNanos(const std::string& where) {
  ScanRequest request = OfTable({Named("n", kInt64), Named("t", kNanos)}, where);
  request.columns = {{{"n"}}};
  return request;
}

TEST(RowGroupDecision, PrunesAndFiltersBehindWideningThatFits) {
  const ScanFile file = Seconds(true);
  const std::string where =
      "t >= TIMESTAMP '1970-01-01 00:08:20' AND t < TIMESTAMP '1970-01-01 00:09:00.5'";
  EXPECT_EQ(Judged(file, OfNanos(where), 0).decision.verdict.outcome, Verdict::Outcome::kNone);
  const auto unit = Judged(file, OfNanos(where), 1);
  EXPECT_EQ(unit.selection.count(), 100);
  EXPECT_EQ(unit.decision.residual, Ordinals());
  EXPECT_EQ(unit.decision.filters.size(), 1U);
  const auto all = Judged(file, OfNanos("t >= TIMESTAMP '1970-01-01' OR t IS NULL"), 2);
  EXPECT_EQ(all.decision.verdict.outcome, Verdict::Outcome::kAll);
  ScanOptions options;
  options.use_statistics = false;
  EXPECT_EQ(Judged(file, OfNanos(where), 1, options).decision.residual, (Ordinals{0}));
  options.use_filters = false;
  EXPECT_TRUE(Judged(file, OfNanos(where), 1, options).decision.filters.empty());
  Strings rows;
  for (int64_t second = 500; second <= 540; ++second) rows.push_back(std::to_string(second));
  ExpectDelivered({file}, OfNanos(where), rows);
}

TEST(RowGroupDecision, LeavesWideningThatMayFailToTheRows) {
  const ScanFile file = Seconds(false);
  const std::string where = "t < TIMESTAMP '1970-01-01 00:09:00'";
  // The page with the value is read, those behind 9 minutes are not.
  const auto unit = Judged(file, OfNanos(where), 1);
  EXPECT_EQ(unit.decision.verdict.reason, Reason::kCastNotProvable);
  EXPECT_EQ(unit.decision.residual, (Ordinals{0}));
  EXPECT_TRUE(unit.decision.filters.empty());
  EXPECT_EQ(unit.selection.count(), 200);
  EXPECT_EQ(unit.selection.CountIn({0, 200}), 200);
  ASSERT_TRUE(unit.decision.residual_rows);
  EXPECT_EQ(unit.decision.residual_rows->CountIn({0, 100}), 100);
  EXPECT_EQ(Judged(file, OfNanos(where), 2).decision.verdict.outcome, Verdict::Outcome::kNone);
  for (const ScanWay& way : WaysToScan()) {
    SCOPED_TRACE(way.name);
    auto scan = Scan::Open({file}, OfNanos(where), way.options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    auto batch = (*scan)->Next();
    while (batch && *batch) batch = (*scan)->Next();
    EXPECT_EQ(batch.status().code(), StatusCode::kRowError) << batch.status().ToString();
  }
}

/// A file with bloom filters and page indexes of three columns, of which each read is counted.
std::shared_ptr<CopiedFile> Indexed() {
  Table table;
  table.num_rows = 2000;
  for (const char* name : {"a", "b", "c"}) {
    table.schema.fields.push_back(Named(name, kInt64));
    std::vector<Cell>& cells = table.columns.emplace_back();
    for (int64_t row = 0; row < table.num_rows; ++row) cells.push_back(Fixed(row * 2));
  }
  parquet::WriterOptions writer;
  writer.page_rows = 50;
  writer.columns.bloom_filter = true;
  RandomColumns random(1);
  const auto bytes = Write(table, writer, random);
  EXPECT_TRUE(bytes) << bytes.status().ToString();
  return std::make_shared<CopiedFile>(*bytes);
}

/// How often a row group is read of to judge it.
int64_t ReadsToJudge(const std::string& where, const ScanOptions& options = {}) {
  ScanFile file;
  const std::shared_ptr<CopiedFile> bytes = Indexed();
  file.file = bytes;
  std::vector<ScanFile> files{file};
  const auto opened = engine::OpenPlan(files, Where(where), options);
  EXPECT_TRUE(opened) << opened.status().ToString();
  const auto plan = engine::MakeFilePlan(opened->plan, files[0], 0, std::nullopt, false);
  EXPECT_TRUE(plan) << plan.status().ToString();
  const int64_t before = bytes->num_reads();
  EXPECT_TRUE(engine::JudgeUnit(*plan, 0));
  return bytes->num_reads() - before;
}

TEST(RowGroupDecision, AsksForIndexesAtOnce) {
  // Each stage is one read of what lies side by side.
  EXPECT_EQ(ReadsToJudge("a = 101 OR b = 203 OR c = 305"), 1);  // Bloom filters exclude all.
  EXPECT_EQ(ReadsToJudge("a > 100 AND b > 200 AND c < 3000"), 1);
  EXPECT_EQ(ReadsToJudge("a = 100 OR b = 202 OR c > 3000"), 2);
  // Nothing is asked for that is known.
  EXPECT_EQ(ReadsToJudge("a >= 0 AND (b = 5000 OR c < 5000)"), 0);
  ScanOptions options;
  options.read.read_gap_bytes = -1;
  EXPECT_GE(ReadsToJudge("a > 100 AND b > 200 AND c < 3000", options), 6);
}

TEST(RowGroupDecision, KeepsTheBudget) {
  const std::vector<ScanFile> files{Digits()};
  int64_t pruned = 0;
  int64_t whole = 0;
  for (int64_t budget = 64 << 10; budget > 0; budget -= 256) {
    ScanOptions options;
    options.read.pool = BufferPool::Make(budget);
    const auto opened = engine::OpenPlan(files, Where("n < 50 AND k < 5"), options);
    if (!opened) break;
    const auto plan = engine::MakeFilePlan(opened->plan, files[0], 0, std::nullopt, false);
    if (!plan) break;
    const int64_t before = options.read.pool->bytes_in_use();
    engine::RowGroupJudge judge((*plan)->predicate, options, *(*plan)->open.reader);
    const auto unit = engine::JudgeUnit(*plan, 0, judge);
    // What there is no room for proves nothing, and is no error.
    ASSERT_TRUE(unit) << unit.status().ToString();
    ASSERT_TRUE(unit->selection.count() == 100 || unit->selection.count() == 500);
    (unit->selection.count() == 100 ? pruned : whole) += 1;
    if (judge.indexed_columns().empty()) continue;
    int64_t pages = 0;
    for (const auto& column : judge.indexed_columns()) pages += std::ssize(column.pages);
    EXPECT_GE(options.read.pool->bytes_in_use() - before,
              pages * static_cast<int64_t>(sizeof(Evidence)));
  }
  EXPECT_GT(pruned, 0);
  EXPECT_GT(whole, 0);
}

}  // namespace
}  // namespace sluice::support
