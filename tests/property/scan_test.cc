// Random files scanned by random predicates, against the oracle of expressions that goes row by
// row: the rows, their places and what is in them, whatever is switched off (law 6). Files lack
// columns, have narrower ones or one value for all rows instead, and some of their rows are
// deleted.
//
// Four runs of 2 500 cases, 500 under sanitizers, one for each SIMD level; twice as many where
// SLUICE_LONG is set. SLUICE_SEEDS=FIRST says where a run begins, SLUICE_SEEDS=FIRST,COUNT how long
// it is too. A failure prints its seed; SLUICE_SEED runs that case alone.

#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/optimizations.h>
#include <sluice/scan.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/expression_oracle.h"
#include "tests/support/random_expressions.h"
#include "tests/support/random_scan_files.h"
#include "tests/support/sanitizer.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

struct Tally {
  int64_t scans = 0;
  int64_t rows_delivered = 0;
  int64_t files_pruned = 0;
  int64_t row_groups_pruned = 0;
  int64_t rows_pruned_by_page = 0;
  int64_t rows_deleted = 0;
  int64_t rows_filtered = 0;
  int64_t rows_rejected = 0;
  int64_t scans_failed = 0;
};

struct Row {
  int32_t file = 0;
  int64_t position = 0;
  auto operator<=>(const Row&) const = default;
};

class Case {
 public:
  Case(uint64_t seed, Tally* tally) : columns_(seed), expressions_(seed + 1), tally_(tally) {}

  void Run() {
    schema_ = expressions_.MakeSchema();
    const Schema asked = schema_;
    schema_.fields.push_back({kPayloadName, columns_.Type(2), true, std::nullopt});
    bool is_as_table = true;
    const int64_t files = columns_.Chance(0.5) ? 1 : 1 + columns_.Below(3);
    for (int64_t i = 0; i < files; ++i) {
      files_.push_back(
          MakeScanFile(schema_, "memory " + std::to_string(i), columns_, expressions_));
      if (testing::Test::HasFatalFailure()) return;
      is_as_table &= files_.back().is_as_table;
    }
    const Expression predicate =
        expressions_.MakePredicate(asked, static_cast<int>(1 + columns_.Below(4)));
    sql_ = predicate.ToSql();
    const ExpressionOracle oracle(schema_, 0);
    const OracleRef node = oracle.MakePredicate(predicate);
    request_.where = predicate;
    if (!is_as_table || files > 1 || columns_.Chance(0.5)) {
      request_.schema = std::make_shared<const Schema>(schema_);
    }
    if (!node) {
      EXPECT_FALSE(Scan::Open(ScanFiles(), request_));
      return;
    }
    for (size_t file = 0; file < files_.size(); ++file) Expect(file, *node);
    for (const ScanWay& way : Ways()) {
      SCOPED_TRACE(way.name);
      Check(way.options);
      if (testing::Test::HasFailure()) return;
    }
  }

  std::string Describe() const { return sql_; }

 private:
  std::vector<ScanFile> ScanFiles() const {
    std::vector<ScanFile> files;
    for (const RandomScanFile& one : files_) files.push_back(one.file);
    return files;
  }

  /// What the oracle says of the rows of a file that are not deleted.
  void Expect(size_t file, const OracleNode& node) {
    const RandomScanFile& one = files_[file];
    for (int64_t row = 0; row < one.num_rows; ++row) {
      if (one.file.deleted && one.file.deleted->CountIn({row, row + 1}) > 0) continue;
      OracleRow cells;
      for (const auto& column : one.cells) cells.push_back(column[static_cast<size_t>(row)]);
      const OracleValue value = node.run(cells);
      const Row place{static_cast<int32_t>(file), row};
      if (value.is_error() && !error_) error_ = place;
      if (value.is_true()) expected_.push_back(place);
    }
  }

  std::vector<ScanWay> Ways() {
    std::vector<ScanWay> ways{{"all on", {}}, AllOff()};
    for (int i = 0; i < 4; ++i) {
      ScanWay way{"random switches " + std::to_string(i), {}};
      ScanOptions& options = way.options;
      for (const Optimization& one : Optimizations()) one.option(options) = columns_.Chance(0.6);
      options.read.deliver_dictionaries = columns_.Chance(0.6);
      options.read.read_everything = columns_.Chance(0.1);
      options.read.batch_rows = std::vector<int64_t>{1, 7, 100, 16'384}[columns_.Below(4)];
      if (columns_.Chance(0.2)) options.read.batch_bytes = 300;
      if (columns_.Chance(0.25)) {
        options.threads = 4;
        options.ordered = columns_.Chance(0.7);
        options.queue_bytes = columns_.Chance(0.5) ? 1000 : 1 << 20;
      } else if (!options.read.read_everything) {
        options.lazy_columns = columns_.Chance(0.25);
      }
      ways.push_back(std::move(way));
    }
    return ways;
  }

  void Check(const ScanOptions& options) {
    ScanRequest request = request_;
    std::vector<size_t> columns;
    if (columns_.Chance(0.7)) request.columns.emplace();
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      if (request.columns && columns_.Chance(0.5)) continue;
      columns.push_back(i);
      if (request.columns) request.columns->push_back({schema_.fields[i].name});
    }
    if (columns_.Chance(0.2)) request.limit = columns_.Below(20);
    auto scan = Scan::Open(ScanFiles(), request, options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    ++tally_->scans;
    if (columns_.Chance(0.2)) CheckBounds(**scan, request.limit);
    std::vector<Row> delivered;
    for (;;) {
      auto batch = (*scan)->Next();
      if (!batch) return CheckError(batch.status(), options, delivered);
      if (!*batch) break;
      if (options.lazy_columns) LoadSome(**scan, **batch);
      CheckBatch(**batch, columns, delivered);
      if (testing::Test::HasFatalFailure()) return;
    }
    CheckRows(options, request.limit, delivered);
    CheckCounters((*scan)->counters(), delivered);
  }

  void CheckBounds(Scan& scan, int64_t limit) {
    const auto bounds = scan.Count();
    ASSERT_TRUE(bounds) << bounds.status().ToString();
    if (error_) return;
    const auto rows = std::min(limit, static_cast<int64_t>(expected_.size()));
    ASSERT_LE(bounds->least, rows);
    ASSERT_GE(bounds->most, rows);
  }

  void CheckError(const Status& status, const ScanOptions& options,
                  const std::vector<Row>& delivered) {
    ASSERT_TRUE(error_) << status.ToString();
    ASSERT_EQ(status.code(), StatusCode::kRowError) << status.ToString();
    ++tally_->scans_failed;
    if (!options.ordered) return;
    // Every row before the one that fails, and no other.
    const auto end = std::lower_bound(expected_.begin(), expected_.end(), *error_);
    ASSERT_EQ(delivered, std::vector<Row>(expected_.begin(), end));
  }

  void LoadSome(Scan& scan, ScanBatch& batch) {
    for (size_t i = 0; i < batch.batch.columns.size(); ++i) {
      if (columns_.Chance(0.3)) continue;
      const Status status = scan.Load(batch, i);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ASSERT_TRUE(batch.loaded[i]);
    }
  }

  void CheckBatch(const ScanBatch& got, const std::vector<size_t>& columns,
                  std::vector<Row>& delivered) {
    ASSERT_GT(got.batch.num_rows, 0);
    ASSERT_EQ(got.batch.columns.size(), columns.size());
    const RandomScanFile& file = files_[static_cast<size_t>(got.file)];
    std::vector<int64_t> positions;
    for (int64_t at = got.rows.begin; at < got.rows.end; ++at) {
      if (!got.selected.empty() && !GetBit(got.selected.data(), at - got.rows.begin)) continue;
      positions.push_back(at);
      delivered.push_back({got.file, at});
    }
    ASSERT_EQ(std::ssize(positions), got.batch.num_rows);
    for (size_t i = 0; i < columns.size(); ++i) {
      const Column& column = got.batch.columns[i];
      ASSERT_EQ(column.length, got.batch.num_rows);
      ASSERT_EQ(*column.type, schema_.fields[columns[i]].type);
      if (!got.loaded.empty() && !got.loaded[i]) continue;
      const Status valid = ValidateColumn(column);
      ASSERT_TRUE(valid.ok()) << valid.ToString() << ": " << column.type->ToString();
      const std::vector<Cell> cells = CellsOf(column);
      for (size_t row = 0; row < positions.size(); ++row) {
        ASSERT_TRUE(cells[row] == file.cells[columns[i]][static_cast<size_t>(positions[row])])
            << "file " << got.file << " row " << positions[row] << " column " << columns[i];
      }
    }
  }

  void CheckRows(const ScanOptions& options, int64_t limit, std::vector<Row> delivered) {
    // An error in a row behind the limit is not met.
    if (limit == INT64_MAX) {
      ASSERT_FALSE(error_) << "the error of a row is lost";
    }
    const auto count = std::min(limit, static_cast<int64_t>(expected_.size()));
    ASSERT_EQ(std::ssize(delivered), count) << "rows are missing";
    if (options.ordered) {
      ASSERT_EQ(delivered, std::vector<Row>(expected_.begin(), expected_.begin() + count));
      return;
    }
    std::sort(delivered.begin(), delivered.end());
    ASSERT_EQ(std::adjacent_find(delivered.begin(), delivered.end()), delivered.end());
    ASSERT_TRUE(
        std::includes(expected_.begin(), expected_.end(), delivered.begin(), delivered.end()));
  }

  void CheckCounters(const ScanCounters& counters, const std::vector<Row>& delivered) {
    ASSERT_EQ(counters.rows_delivered, std::ssize(delivered));
    ASSERT_EQ(counters.rows_considered, counters.rows_pruned_by_row_group +
                                            counters.rows_pruned_by_page + counters.rows_deleted +
                                            counters.rows_filtered + counters.rows_rejected +
                                            counters.rows_delivered + counters.rows_not_reached);
    ASSERT_TRUE(DoPagesBalance(counters));
    tally_->rows_delivered += counters.rows_delivered;
    tally_->files_pruned += counters.files_pruned;
    tally_->row_groups_pruned += counters.row_groups_pruned;
    tally_->rows_pruned_by_page += counters.rows_pruned_by_page;
    tally_->rows_deleted += counters.rows_deleted;
    tally_->rows_filtered += counters.rows_filtered;
    tally_->rows_rejected += counters.rows_rejected;
  }

  RandomColumns columns_;
  RandomExpressions expressions_;
  Tally* tally_;
  Schema schema_;
  std::vector<RandomScanFile> files_;
  std::string sql_;
  ScanRequest request_;
  std::vector<Row> expected_;  ///< By file and position.
  std::optional<Row> error_;   ///< The first row for which the predicate is an error.
};

TEST(ScanProperty, DeliversWhatTheOracleLetsPass) {
  uint64_t first = 1;
  uint64_t count = kHasAddressSanitizer ? 500 : 2'500;
  if (std::getenv("SLUICE_LONG") != nullptr) count *= 2;
  bool is_whole = true;
  if (const char* one = std::getenv("SLUICE_SEED"); one != nullptr) {
    first = std::strtoull(one, nullptr, 10);
    count = 1;
    is_whole = false;
  } else if (const char* some = std::getenv("SLUICE_SEEDS"); some != nullptr) {
    char* end = nullptr;
    first = std::strtoull(some, &end, 10);
    is_whole = *end != ',';
    if (!is_whole) count = std::strtoull(end + 1, nullptr, 10);
  }
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case one_case(seed, &tally);
    one_case.Run();
    if (testing::Test::HasFailure()) {
      FAIL() << "SLUICE_SEED=" << seed << ": " << one_case.Describe();
    }
  }
  if (!is_whole) return;
  EXPECT_GT(tally.scans, 1000);
  EXPECT_GT(tally.rows_delivered, 10'000);
  EXPECT_GT(tally.files_pruned, 10);
  EXPECT_GT(tally.row_groups_pruned, 100);
  EXPECT_GT(tally.rows_deleted, 1000);
  EXPECT_GT(tally.rows_pruned_by_page, 1000);
  EXPECT_GT(tally.rows_filtered, 10'000);
  EXPECT_GT(tally.rows_rejected, 10'000);
  EXPECT_GT(tally.scans_failed, 10);
}

}  // namespace
}  // namespace sluice::support
