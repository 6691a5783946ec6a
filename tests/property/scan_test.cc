// Random files scanned by random predicates, against the oracle of expressions that goes row by
// row: the rows, their places and what is in them, whatever is switched off (law 6) and however the
// scan is called. Files lack columns, have narrower ones, whose values may not fit the table's, of
// unknown type or one value for all rows instead, and some of their rows are deleted; columns are
// found by name, position or field id, and of some statistics come along. Under a
// budget of memory a scan may end before its time, but not otherwise than it would (law 8).
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

#include "format/model/kernels/kernels.h"
#include "tests/support/expression_oracle.h"
#include "tests/support/random_expressions.h"
#include "tests/support/random_scan_files.h"
#include "tests/support/sanitizer.h"
#include "tests/support/scan_consumer.h"
#include "tests/support/scan_expectation.h"
#include "tests/support/scanning.h"
#include "tests/support/streamed_rows.h"

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
  int64_t misfits = 0;  ///< Scans that fail for a value to deliver, not for the predicate.
  int64_t scans_out_of_memory = 0;
  int64_t scans_within_budget = 0;
  int64_t rows_streamed = 0;
};

class Case {
 public:
  Case(uint64_t seed, Tally* tally) : columns_(seed), expressions_(seed + 1), tally_(tally) {}

  void Run() {
    schema_ = expressions_.MakeSchema();
    const Schema asked = schema_;
    schema_.fields.push_back({kPayloadName, columns_.Type(2), true, std::nullopt});
    if (columns_.Chance(0.3)) {
      match_ = columns_.Chance(0.5) ? ColumnMatch::kFieldId : ColumnMatch::kPosition;
    }
    if (match_ == ColumnMatch::kFieldId) GiveIds(schema_.fields);
    bool is_as_table = true;
    const int64_t files = columns_.Chance(0.5) ? 1 : 1 + columns_.Below(3);
    for (int64_t i = 0; i < files; ++i) {
      files_.push_back(
          MakeScanFile(schema_, "memory " + std::to_string(i), columns_, expressions_, match_));
      if (testing::Test::HasFatalFailure()) return;
      is_as_table &= files_.back().is_as_table;
    }
    const Expression predicate =
        expressions_.MakePredicate(asked, static_cast<int>(1 + columns_.Below(4)));
    sql_ = predicate.ToSql();
    const ExpressionOracle oracle(schema_, 0);
    const OracleRef node = oracle.MakePredicate(predicate);
    request_.where = predicate;
    if (!is_as_table || files > 1 || match_ != ColumnMatch::kName || columns_.Chance(0.5)) {
      request_.schema = std::make_shared<const Schema>(schema_);
    }
    if (!node) {
      ScanOptions options;
      options.match = match_;
      EXPECT_FALSE(Scan::Open(ScanFiles(), request_, options));
      return;
    }
    for (size_t file = 0; file < files_.size(); ++file) Expect(file, *node);
    for (ScanWay way : Ways()) {
      SCOPED_TRACE(way.name);
      way.options.match = match_;
      Check(way.options);
      const BufferPool* pool = way.options.read.pool.get();
      EXPECT_TRUE(pool == nullptr || pool->bytes_in_use() == 0) << "memory is not given back";
      if (testing::Test::HasFailure()) return;
    }
    CheckStream();
  }

  std::string Describe() const { return sql_; }

 private:
  void GiveIds(std::vector<Field>& fields) {
    for (Field& field : fields) {
      field.field_id = ++last_id_;
      GiveIds(field.type.children);
    }
  }
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
      if (!value.is_error() && !value.is_true()) continue;
      passing_.push_back({{static_cast<int32_t>(file), row}, value.is_error(), false});
    }
  }

  /// The same for what is to be delivered.
  ScanExpectation Expectation(const std::vector<size_t>& columns) const {
    ScanExpectation expectation;
    for (ScanRowFate fate : passing_) {
      for (const size_t column : columns) {
        fate.is_misfit |= IsMisfit(schema_.fields[column].type, CellAt(fate.row, column));
      }
      expectation.Add(fate);
    }
    return expectation;
  }

  const Cell& CellAt(const ScanRow& row, size_t column) const {
    return files_[static_cast<size_t>(row.file)].cells[column][static_cast<size_t>(row.position)];
  }

  std::vector<ScanWay> Ways() {
    std::vector<ScanWay> ways{{"all on", {}}, AllOff()};
    for (int i = 0; i < 5; ++i) {
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
      if (i == 4) options.read.pool = BufferPool::Make(int64_t{1} << (8 + columns_.Below(16)));
      ways.push_back(std::move(way));
    }
    return ways;
  }

  /// Asks for some columns, perhaps by other names, and perhaps for a few rows only.
  ScanRequest Ask(std::vector<size_t>& columns) {
    ScanRequest request = request_;
    if (columns_.Chance(0.7)) request.columns.emplace();
    for (size_t i = 0; i < schema_.fields.size(); ++i) {
      if (request.columns && columns_.Chance(0.5)) continue;
      columns.push_back(i);
      if (request.columns) request.columns->push_back({schema_.fields[i].name});
    }
    if (columns_.Chance(0.3)) {
      for (size_t i = 0; i < columns.size(); ++i) {
        // Names of other columns too, which the predicate must not take for these.
        request.names.push_back(columns_.Chance(0.3) ? "new " + std::to_string(i)
                                                     : schema_.fields[columns.size() - 1 - i].name);
      }
    }
    if (columns_.Chance(0.2)) request.limit = columns_.Below(20);
    return request;
  }

  void Check(const ScanOptions& options) {
    std::vector<size_t> columns;
    const ScanRequest request = Ask(columns);
    const ScanConduct conduct{request.limit, options.ordered || options.threads == 1,
                              options.lazy_columns, options.read.pool != nullptr};
    const ScanExpectation expectation = Expectation(columns);
    auto scan = Scan::Open(ScanFiles(), request, options);
    if (!scan) return expectation.Check(conduct, {}, scan.status());
    ++tally_->scans;
    CheckNames((*scan)->schema()->fields, request.names, columns);
    ScanConsumer consumer(columns_, **scan, expectation.RowsOf(request.limit));
    std::vector<ScanRow> delivered;
    Status status;
    while (status.ok()) {
      auto batch = consumer.Next();
      if (testing::Test::HasFailure()) return;
      if (batch.has_value() && !batch->has_value()) break;
      status = batch.status();
      if (status.ok()) CheckBatch(**batch, columns, delivered);
      if (testing::Test::HasFatalFailure()) return;
    }
    TallyEnd(conduct, status, expectation);
    expectation.Check(conduct, delivered, status);
    if (testing::Test::HasFatalFailure()) return;
    if (status.ok()) CheckCounters((*scan)->counters(), delivered);
  }

  void TallyEnd(const ScanConduct& conduct, const Status& status,
                const ScanExpectation& expectation) {
    const bool is_out_of_memory = status.code() == StatusCode::kResourceExhausted;
    tally_->scans_out_of_memory += is_out_of_memory;
    tally_->scans_within_budget += conduct.has_budget && !is_out_of_memory;
    tally_->scans_failed += !status.ok() && !is_out_of_memory;
    const bool is_misfit = std::none_of(expectation.fates().begin(), expectation.fates().end(),
                                        [](const ScanRowFate& fate) { return fate.is_error; });
    tally_->misfits += status.code() == StatusCode::kRowError && is_misfit;
  }

  void CheckNames(const std::vector<Field>& fields, const std::vector<std::string>& names,
                  const std::vector<size_t>& columns) {
    ASSERT_EQ(fields.size(), columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      ASSERT_EQ(fields[i].name, names.empty() ? schema_.fields[columns[i]].name : names[i]);
    }
  }

  /// The same by Arrow's stream, which loads what is lazy and has the rows alone.
  void CheckStream() {
    std::vector<size_t> columns;
    const ScanRequest request = Ask(columns);
    ScanOptions options;
    options.read.batch_rows = 1 + columns_.Below(200);
    options.lazy_columns = columns_.Chance(0.5);
    options.match = match_;
    const ScanExpectation expectation = Expectation(columns);
    auto scan = Scan::Open(ScanFiles(), request, options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    const Schema schema = *(*scan)->schema();
    const StreamedRows streamed = ReadStream(*std::move(scan));
    if (testing::Test::HasFatalFailure()) return;
    const std::optional<int64_t> rows = expectation.RowsOf(request.limit);
    std::vector<std::vector<Cell>> cells(columns.size());
    for (int64_t row = 0; row < rows.value_or(0); ++row) {
      const ScanRow& place = expectation.fates()[static_cast<size_t>(row)].row;
      for (size_t i = 0; i < columns.size(); ++i) cells[i].push_back(CellAt(place, columns[i]));
    }
    const auto exported = ExportedCells(schema, cells);
    ASSERT_EQ(streamed.has_failed, !rows || !exported) << streamed.error;
    if (streamed.has_failed) return;
    ASSERT_EQ(streamed.num_rows, *rows);
    ASSERT_TRUE(streamed.columns == *exported || *rows == 0);
    tally_->rows_streamed += *rows;
  }

  void CheckBatch(const ScanBatch& got, const std::vector<size_t>& columns,
                  std::vector<ScanRow>& delivered) {
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

  void CheckCounters(const ScanCounters& counters, const std::vector<ScanRow>& delivered) {
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
  ColumnMatch match_ = ColumnMatch::kName;
  int32_t last_id_ = 0;
  std::vector<RandomScanFile> files_;
  std::string sql_;
  ScanRequest request_;
  std::vector<ScanRowFate> passing_;  ///< Without what is to be delivered.
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
      FAIL() << "SLUICE_SIMD=" << kernels::Name(kernels::BestLevel()) << " SLUICE_SEED=" << seed
             << " property_scan_test: " << one_case.Describe();
    }
  }
  // The few cases under sanitizers need not meet everything.
  if (!is_whole || kHasAddressSanitizer) return;
  EXPECT_GT(tally.scans, 1000);
  EXPECT_GT(tally.rows_delivered, 10'000);
  EXPECT_GT(tally.files_pruned, 10);
  EXPECT_GT(tally.row_groups_pruned, 100);
  EXPECT_GT(tally.rows_deleted, 1000);
  EXPECT_GT(tally.rows_pruned_by_page, 1000);
  EXPECT_GT(tally.rows_filtered, 10'000);
  EXPECT_GT(tally.rows_rejected, 10'000);
  EXPECT_GT(tally.scans_failed, 10);
  EXPECT_GT(tally.misfits, 10);
  EXPECT_GT(tally.scans_out_of_memory, 10);
  EXPECT_GT(tally.scans_within_budget, 10);
  EXPECT_GT(tally.rows_streamed, 1000);
}

}  // namespace
}  // namespace sluice::support
