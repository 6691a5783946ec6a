// Columns that are asked for later, or never: what Scan::Load gives is what a scan gives that loads
// everything, whichever batches and columns are loaded, in whatever order.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using Place = std::pair<int32_t, int64_t>;

constexpr int64_t kRows = 60;

/// n from `first` on; m, null in every fifth row; a text; a struct with nulls on both levels; a
/// list.
Table Rich(int64_t first) {
  Table table = Numbers("n", first, kRows);
  table.schema.fields.push_back(Named("m", kInt64));
  table.schema.fields.push_back(Named("text", kString));
  table.schema.fields.push_back(
      Named("s", DataType::Struct({Named("a", kInt32), Named("b", kString)})));
  table.schema.fields.push_back(Named("list", DataType::List(Named("element", kInt64))));
  table.columns.resize(5);
  for (int64_t row = 0; row < kRows; ++row) {
    const int64_t n = first + row;
    table.columns[1].push_back(n % 5 == 0 ? Null() : Fixed(n * 7 % 31));
    table.columns[2].push_back(Text("a text of more than twelve bytes, " + std::to_string(n % 9)));
    const Cell a = n % 3 == 0 ? Null() : Fixed(static_cast<int32_t>(n));
    table.columns[3].push_back(n % 7 == 0 ? Null() : Nested({a, Text(std::to_string(n))}));
    table.columns[4].push_back(
        n % 6 == 0 ? Null() : Nested(std::vector<Cell>(static_cast<size_t>(n % 4), Fixed(n))));
  }
  return table;
}

/// Files with everything, with deleted rows, with a column given, and with only some columns.
std::vector<ScanFile> Files() {
  parquet::WriterOptions writer;
  writer.row_group_rows = 25;
  writer.page_rows = 4;
  std::vector<ScanFile> files = {FileOf(Rich(0), "all", writer), FileOf(Rich(50), "holes", writer),
                                 FileOf(Rich(90), "given", writer)};
  files[1].deleted = RowsAt({0, 1, 2, 24, 25, 31, 59});
  files[2].constants = {{"m", Value::Of<int64_t>(kInt64, 11)}};
  Table narrow = Numbers("n", 200, 10);
  files.push_back(FileOf(narrow, "narrow", writer));
  return files;
}

ScanRequest RequestOf(const std::string& where) {
  ScanRequest request = OfTable(Rich(0).schema.fields, where);
  request.columns = {{{"text"}}, {{"s"}}, {{"n"}}, {{"list"}}, {{"m"}}, {{"file_row_number"}}};
  return request;
}

/// By file and position, the cells of a row.
using RowsByPlace = std::map<Place, std::vector<Cell>>;

std::vector<Place> PlacesOf(const ScanBatch& batch) {
  std::vector<Place> places;
  for (int64_t at = batch.rows.begin; at < batch.rows.end; ++at) {
    const int64_t bit = at - batch.rows.begin;
    const bool is_there =
        batch.selected.empty() || (batch.selected[static_cast<size_t>(bit / 64)] >> (bit % 64) & 1);
    if (is_there) places.push_back({batch.file, at});
  }
  return places;
}

RowsByPlace AllAtOnce(const ScanRequest& request) {
  RowsByPlace rows;
  const auto scan = Scan::Open(Files(), request);
  EXPECT_TRUE(scan) << scan.status().ToString();
  if (!scan) return rows;
  for (auto batch = (*scan)->Next(); batch && *batch; batch = (*scan)->Next()) {
    const std::vector<Place> places = PlacesOf(**batch);
    for (const Column& column : (*batch)->batch.columns) {
      const std::vector<Cell> cells = CellsOf(column);
      EXPECT_EQ(cells.size(), places.size());
      for (size_t row = 0; row < places.size(); ++row) rows[places[row]].push_back(cells[row]);
    }
  }
  return rows;
}

/// Loads of the i-th batch the columns that `choose` says, and compares them.
void ExpectLoaded(const ScanRequest& request, const RowsByPlace& expected, int64_t batch_rows,
                  const std::function<std::vector<size_t>(int64_t batch)>& choose) {
  ScanOptions options;
  options.lazy_columns = true;
  options.read.batch_rows = batch_rows;
  const auto scan = Scan::Open(Files(), request, options);
  ASSERT_TRUE(scan) << scan.status().ToString();
  size_t num_rows = 0;
  for (int64_t i = 0;; ++i) {
    auto batch = (*scan)->Next();
    ASSERT_TRUE(batch) << batch.status().ToString();
    if (!*batch) break;
    const std::vector<Place> places = PlacesOf(**batch);
    num_rows += places.size();
    for (const size_t column : choose(i)) {
      const Status status = (*scan)->Load(**batch, column);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ASSERT_TRUE((*batch)->loaded[column]);
    }
    for (size_t column = 0; column < (*batch)->batch.columns.size(); ++column) {
      const Column& got = (*batch)->batch.columns[column];
      ASSERT_EQ(got.length, std::ssize(places));
      if (!(*batch)->loaded[column]) continue;
      ASSERT_TRUE(ValidateColumn(got).ok());
      const std::vector<Cell> cells = CellsOf(got);
      for (size_t row = 0; row < places.size(); ++row) {
        ASSERT_EQ(CellText(cells[row]), CellText(expected.at(places[row])[column]))
            << "file " << places[row].first << ", row " << places[row].second << ", column "
            << column;
      }
    }
  }
  EXPECT_EQ(num_rows, expected.size());
}

// contract V-11, V-47, V-49, V-53, V-55: a column that is loaded later is of the rows that are
// left, with its parents' nulls, whatever was passed over before.
// contract V-56, V-152 (conditional lazy loads): one that a part of the predicate sees for some
// rows only is there for all of them.
TEST(LazyColumns, AreThoseOfAnEagerScan) {
  for (const char* where :
       {"", "n % 10 = 3", "n BETWEEN 20 AND 70", "m IS NULL", "n >= 55 AND m + n > 70",
        "CASE WHEN n > 60 THEN m > 15 ELSE length(text) = 35 END",
        "CASE WHEN m IS NULL THEN n ELSE m END < 9", "NOT (m > 3 AND s.a + n < 100)",
        "s.a > 30 OR n < 7", "coalesce(s.b, text) <> '50' AND (m = 11 OR n + m > 20)",
        "m > 5 AND (CASE WHEN m > 20 THEN n ELSE m END < 40 OR m = 25)"}) {
    SCOPED_TRACE(where);
    const ScanRequest request = RequestOf(where);
    const RowsByPlace expected = AllAtOnce(request);
    ASSERT_FALSE(expected.empty());
    for (const int64_t batch_rows : {int64_t{1}, int64_t{7}, ScanOptions().read.batch_rows}) {
      SCOPED_TRACE(batch_rows);
      // Nothing; everything, backwards; each column alone, of every third batch.
      ExpectLoaded(request, expected, batch_rows, [](int64_t) { return std::vector<size_t>(); });
      ExpectLoaded(request, expected, batch_rows,
                   [](int64_t) { return std::vector<size_t>{5, 4, 3, 2, 1, 0}; });
      ExpectLoaded(request, expected, batch_rows, [](int64_t batch) {
        return batch % 3 == 2 ? std::vector<size_t>{static_cast<size_t>(batch / 3 % 6)}
                              : std::vector<size_t>();
      });
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Of what nobody asks for nothing is decoded.
TEST(LazyColumns, AreNotDecodedUnlessAskedFor) {
  const ScanRequest request = RequestOf("n % 10 = 3");
  const auto decoded = [&](std::vector<size_t> columns) {
    ScanOptions options;
    options.lazy_columns = true;
    const auto scan = Scan::Open({Files()[0]}, request, options);
    EXPECT_TRUE(scan);
    for (auto batch = (*scan)->Next(); batch && *batch; batch = (*scan)->Next()) {
      for (const size_t column : columns) EXPECT_TRUE((*scan)->Load(**batch, column).ok());
    }
    return (*scan)->counters().data.values_decoded;
  };
  // Of 60 rows six pass. The filter's column is there without being asked for.
  EXPECT_EQ(decoded({}), 60);
  EXPECT_EQ(decoded({2}), 60);
  EXPECT_EQ(decoded({5}), 60);
  EXPECT_EQ(decoded({0}), 66);
}

}  // namespace
}  // namespace sluice::support
