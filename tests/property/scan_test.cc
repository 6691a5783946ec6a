// Random files scanned by random predicates, against the oracle of expressions that goes row by
// row: the rows, their places and what is in them, whatever is switched off (law 6).
//
// 400 cases by default and 3 000 where SLUICE_LONG is set. A failure prints its seed;
// SLUICE_SEED runs that case alone.

#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/scan.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/expression_oracle.h"
#include "tests/support/random_expressions.h"
#include "tests/support/random_tables.h"

namespace sluice::support {
namespace {

struct Tally {
  int64_t scans = 0;
  int64_t rows_delivered = 0;
  int64_t row_groups_pruned = 0;
  int64_t rows_pruned_by_page = 0;
  int64_t rows_filtered = 0;
  int64_t rows_rejected = 0;
  int64_t scans_failed = 0;
};

/// A way to scan, by name.
struct Way {
  std::string name;
  ScanOptions options;
};

Way AllOff() {
  Way way{"all off", {}};
  ScanOptions& options = way.options;
  options.use_statistics = options.use_bloom_filters = options.use_page_index = false;
  options.use_filters = options.late_materialization = options.partial_footer = false;
  options.read.use_offset_index = options.read.skip_pages = options.read.select_encoded = false;
  options.read.stream_pages = options.read.reorder_filters = false;
  return way;
}

class Case {
 public:
  Case(uint64_t seed, Tally* tally) : columns_(seed), expressions_(seed + 1), tally_(tally) {}

  void Run() {
    table_.schema = expressions_.MakeSchema();
    table_.num_rows = 1 + columns_.Below(columns_.Chance(0.1) ? 5000 : 500);
    for (const Field& field : table_.schema.fields) {
      table_.columns.push_back(expressions_.MakeCells(field, table_.num_rows));
    }
    // Runs of equal values, so that pages and row groups differ.
    if (columns_.Chance(0.5)) Sort();
    const Schema asked = table_.schema;
    const DataType nested = columns_.Type(2);
    table_.schema.fields.push_back({"nested payload", nested, true, std::nullopt});
    table_.columns.push_back(columns_.Cells(table_.schema.fields.back(), table_.num_rows, 0.2));

    const Expression predicate =
        expressions_.MakePredicate(asked, static_cast<int>(1 + columns_.Below(4)));
    sql_ = predicate.ToSql();
    const ExpressionOracle oracle(table_.schema, 0);
    const OracleRef node = oracle.MakePredicate(predicate);
    const auto bytes = Write(table_, RandomOptions(columns_, table_.schema), columns_);
    ASSERT_TRUE(bytes) << bytes.status().ToString();
    bytes_ = *BufferPool::Make()->Allocate(static_cast<int64_t>(bytes->size()));
    std::memcpy(bytes_->mutable_data(), bytes->data(), bytes->size());
    request_.where = predicate;
    if (!node) {
      EXPECT_FALSE(FileScan::Open(MakeMemoryFile("memory", bytes_), request_));
      return;
    }
    for (int64_t row = 0; row < table_.num_rows; ++row) {
      OracleRow cells;
      for (const auto& column : table_.columns) cells.push_back(column[static_cast<size_t>(row)]);
      const OracleValue value = node->run(cells);
      if (value.is_error()) error_row_ = error_row_ < 0 ? row : error_row_;
      if (value.is_true()) expected_.push_back(row);
    }
    for (const Way& way : Ways()) {
      SCOPED_TRACE(way.name);
      Check(way.options);
      if (testing::Test::HasFailure()) return;
    }
  }

  std::string Describe() const { return sql_; }

 private:
  /// By the first column, more or less.
  void Sort() {
    const std::vector<Cell>& key = table_.columns[0];
    std::vector<size_t> order(key.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return key[a].is_null != key[b].is_null ? key[a].is_null : key[a].bytes < key[b].bytes;
    });
    for (auto& column : table_.columns) {
      std::vector<Cell> sorted;
      for (const size_t i : order) sorted.push_back(column[i]);
      column = std::move(sorted);
    }
  }

  std::vector<Way> Ways() {
    std::vector<Way> ways{{"all on", {}}, AllOff()};
    for (int i = 0; i < 4; ++i) {
      Way way{"random switches " + std::to_string(i), {}};
      ScanOptions& options = way.options;
      for (bool* option :
           {&options.use_statistics, &options.use_bloom_filters, &options.use_page_index,
            &options.use_filters, &options.late_materialization, &options.partial_footer,
            &options.read.use_offset_index, &options.read.skip_pages, &options.read.select_encoded,
            &options.read.stream_pages, &options.read.reorder_filters,
            &options.read.deliver_dictionaries}) {
        *option = columns_.Chance(0.6);
      }
      options.read.read_everything = columns_.Chance(0.1);
      options.read.batch_rows = std::vector<int64_t>{1, 7, 100, 16'384}[columns_.Below(4)];
      if (columns_.Chance(0.2)) options.read.batch_bytes = 300;
      ways.push_back(std::move(way));
    }
    return ways;
  }

  void Check(const ScanOptions& options) {
    ScanRequest request = request_;
    std::vector<size_t> columns;
    if (columns_.Chance(0.7)) request.columns.emplace();
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      if (request.columns && columns_.Chance(0.5)) continue;
      columns.push_back(i);
      if (request.columns) request.columns->push_back({table_.schema.fields[i].name});
    }
    const bool is_limited = columns_.Chance(0.2);
    if (is_limited) request.limit = columns_.Below(20);
    auto scan = FileScan::Open(MakeMemoryFile("memory", bytes_), request, options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    ++tally_->scans;
    size_t next = 0;
    for (;;) {
      const auto batch = (*scan)->Next();
      if (!batch) {
        ASSERT_GE(error_row_, 0) << batch.status().ToString();
        ASSERT_EQ(batch.status().code(), StatusCode::kRowError) << batch.status().ToString();
        ++tally_->scans_failed;
        return;
      }
      if (!*batch) break;
      CheckBatch(**batch, columns, next);
      if (testing::Test::HasFatalFailure()) return;
    }
    CheckCounters((*scan)->counters(), request.limit, next);
  }

  void CheckBatch(const ScanBatch& got, const std::vector<size_t>& columns, size_t& next) {
    ASSERT_GT(got.batch.num_rows, 0);
    ASSERT_EQ(got.batch.columns.size(), columns.size());
    std::vector<std::vector<Cell>> cells;
    for (const Column& column : got.batch.columns) {
      const Status valid = ValidateColumn(column);
      ASSERT_TRUE(valid.ok()) << valid.ToString();
      ASSERT_EQ(column.length, got.batch.num_rows);
      cells.push_back(CellsOf(column));
    }
    int64_t taken = 0;
    for (int64_t at = got.rows.begin; at < got.rows.end; ++at) {
      if (!got.selected.empty() && !GetBit(got.selected.data(), at - got.rows.begin)) continue;
      ASSERT_LT(next, expected_.size()) << "row " << at << " does not pass";
      ASSERT_EQ(at, expected_[next]);
      for (size_t i = 0; i < columns.size(); ++i) {
        ASSERT_TRUE(cells[i][static_cast<size_t>(taken)] ==
                    table_.columns[columns[i]][static_cast<size_t>(at)])
            << "row " << at << " column " << columns[i];
      }
      ++taken;
      ++next;
    }
    ASSERT_EQ(taken, got.batch.num_rows);
  }

  void CheckCounters(const ScanCounters& counters, int64_t limit, size_t delivered) {
    const auto expected = std::min(limit, static_cast<int64_t>(expected_.size()));
    ASSERT_EQ(static_cast<int64_t>(delivered), expected) << "rows are missing";
    ASSERT_EQ(counters.rows_delivered, expected);
    // An error in a row behind the limit is not met.
    if (limit == INT64_MAX) {
      ASSERT_LT(error_row_, 0) << "the error of a row is lost";
    }
    ASSERT_EQ(counters.rows_considered, table_.num_rows);
    ASSERT_EQ(counters.rows_considered, counters.rows_pruned_by_row_group +
                                            counters.rows_pruned_by_page + counters.rows_filtered +
                                            counters.rows_rejected + counters.rows_delivered +
                                            counters.rows_not_reached);
    tally_->rows_delivered += counters.rows_delivered;
    tally_->row_groups_pruned += counters.row_groups_pruned;
    tally_->rows_pruned_by_page += counters.rows_pruned_by_page;
    tally_->rows_filtered += counters.rows_filtered;
    tally_->rows_rejected += counters.rows_rejected;
  }

  RandomColumns columns_;
  RandomExpressions expressions_;
  Tally* tally_;
  Table table_;
  std::string sql_;
  BufferRef bytes_;
  ScanRequest request_;
  std::vector<int64_t> expected_;
  int64_t error_row_ = -1;
};

TEST(ScanProperty, DeliversWhatTheOracleLetsPass) {
  const char* one = std::getenv("SLUICE_SEED");
  const uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
  const uint64_t count = one != nullptr ? 1 : std::getenv("SLUICE_LONG") != nullptr ? 3'000 : 400;
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case one_case(seed, &tally);
    one_case.Run();
    if (testing::Test::HasFailure()) {
      FAIL() << "SLUICE_SEED=" << seed << ": " << one_case.Describe();
    }
  }
  if (one != nullptr) return;
  EXPECT_GT(tally.scans, 1000);
  EXPECT_GT(tally.rows_delivered, 10'000);
  EXPECT_GT(tally.row_groups_pruned, 100);
  EXPECT_GT(tally.rows_pruned_by_page, 1000);
  EXPECT_GT(tally.rows_filtered, 10'000);
  EXPECT_GT(tally.rows_rejected, 10'000);
  EXPECT_GT(tally.scans_failed, 10);
}

}  // namespace
}  // namespace sluice::support
