// What is of a file and what is of a scan: contracts of schema views, of evolution, and of values
// that a caller gives. Cited beside each test.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

Table Pairs(const std::string& first, const std::string& second,
            const std::vector<std::pair<int64_t, int64_t>>& rows) {
  Table table;
  table.num_rows = std::ssize(rows);
  table.schema.fields = {Named(first, kInt64), Named(second, kInt64)};
  table.columns.resize(2);
  for (const auto& [one, other] : rows) {
    table.columns[0].push_back(Fixed(one));
    table.columns[1].push_back(Fixed(other));
  }
  return table;
}

Value Int64(int64_t value) { return Value::Of<int64_t>(kInt64, value); }

/// To the end, and what was done.
ScanCounters CountersOf(const std::vector<ScanFile>& files, const ScanRequest& request,
                        const ScanOptions& options = {}) {
  const auto scan = Scan::Open(files, request, options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  if (!scan) return {};
  Rows(**scan);
  return (*scan)->counters();
}

// contract V-06 to V-10: what filters cost is learnt once for all files; constants are of one.
TEST(FileContracts, FeedbackGoesFromFileToFile) {
  constexpr int64_t kRows = 1000;
  std::vector<ScanFile> files;
  for (int64_t file = 0; file < 4; ++file) {
    std::vector<std::pair<int64_t, int64_t>> rows;
    for (int64_t row = 0; row < kRows; ++row) rows.push_back({row, row});
    parquet::WriterOptions writer;
    writer.columns.dictionary = false;
    files.push_back(FileOf(Pairs("all", "few", rows), "memory", writer));
  }
  ScanRequest request = Where("\"all\" <> -1 AND few = 500");
  request.columns.emplace();
  ScanOptions options;
  options.use_statistics = options.use_page_index = options.read.use_page_statistics = false;
  options.read.reorder_filters = false;
  EXPECT_EQ(CountersOf(files, request, options).data.values_decoded, 4 * 2 * kRows);
  options.read.reorder_filters = true;
  // In the first file all filters see all rows; from then on one sees what the other leaves.
  EXPECT_EQ(CountersOf(files, request, options).data.values_decoded, 2 * kRows + 3 * (kRows + 1));
}

// contract V-12, V-13, V-16, V-19: what an output column is called has no bearing on what it is,
// and on neither predicates nor files.
TEST(FileContracts, OutputNamesAreOfTheOutputOnly) {
  const ScanFile file = FileOf(Pairs("n", "m", {{1, 7}, {2, 8}}));
  ScanRequest request = Where("m = 8");
  request.columns = {{{"n"}}};
  request.names = {"m"};
  ExpectDelivered({file}, request, {"2"});
  request.columns = {{{"n"}}, {{"m"}}};
  request.names = {"m", "n"};
  ExpectDelivered({file}, request, {"2 8"});
  const auto scan = Scan::Open({file}, request);
  ASSERT_TRUE(scan);
  EXPECT_EQ((*scan)->schema()->fields[0].name, "m");
  EXPECT_EQ((*scan)->schema()->fields[1].name, "n");
  EXPECT_EQ((*scan)->table_schema()->fields[0].name, "n");
  request.columns = {{{"n"}}, {{"alias"}}};
  EXPECT_EQ(Scan::Open({file}, request).status().code(), StatusCode::kInvalidArgument);
}

// contract V-14, V-17, V-36: a column that is only filtered has the type of the table, whatever the
// file's is.
TEST(FileContracts, FilterColumnsHaveTheTypeOfTheTable) {
  Table data = Pairs("n", "m", {{1, 7}, {2, 8}});
  data.schema.fields[0].type = kInt32;
  data.columns[0] = {Fixed(int32_t{1}), Fixed(int32_t{2})};
  const ScanFile file = FileOf(data);
  const std::vector<Field> table = {Named("m", kInt64), Named("n", kInt64)};
  for (const auto& [where, rows] :
       std::vector<std::pair<std::string, Strings>>{{"n < 5000000000", {"7", "8"}},
                                                    {"n = 4294967297", {}},
                                                    {"n + 4294967296 = 4294967298", {"8"}},
                                                    {"n * 3000000000 = 3000000000", {"7"}}}) {
    ScanRequest request = OfTable(table, where);
    request.columns = {{{"m"}}};
    ExpectDelivered({file}, request, rows);
  }
  const auto scan = Scan::Open({file}, OfTable(table));
  ASSERT_TRUE(scan);
  EXPECT_EQ(*(*scan)->schema(), (Schema{table}));
}

// A table may say of a column that it has no nulls, and a file may lack it: consumers of the
// batches are not told so.
TEST(FileContracts, ColumnsThatATableCallsRequiredMayBeNull) {
  const ScanFile file = FileOf(Numbers("n", 1, 2));
  const std::vector<Field> table = {{"n", kInt64, false, {}}, {"m", kInt64, false, {}}};
  ScanRequest request = OfTable(table);
  request.columns = {{{"n"}}, {{"m"}}, {{"file_row_number"}}};
  const auto scan = Scan::Open({file}, request);
  ASSERT_TRUE(scan);
  const std::vector<Field>& fields = (*scan)->schema()->fields;
  EXPECT_TRUE(fields[0].nullable && fields[1].nullable);
  EXPECT_FALSE(fields[2].nullable);
  const auto batch = (*scan)->Next();
  ASSERT_TRUE(batch && *batch);
  EXPECT_TRUE((**batch).batch.schema->fields[1].nullable);
  EXPECT_TRUE(CellsOf((**batch).batch.columns[1])[0].is_null);
}

// contract V-59, V-61, V-63: files without rows end, files that are not there or are none fail, and
// those that constants exclude are not even opened.
TEST(FileContracts, FilesThatAreEmptyMissingOrExcluded) {
  const ScanFile some = FileOf(Numbers("n", 1, 2));
  const ScanFile empty = FileOf(Numbers("n", 0, 0), "empty");
  ScanFile missing;
  missing.path = "there is no such file.parquet";
  ScanFile text = some;
  text.path = "none";
  text.file = MakeMemoryFile("none", *BufferPool::Make()->Allocate(64));
  const std::vector<Field> table = {Named("n", kInt64), Named("p", kInt64)};
  for (const char* where : {"", "n > 0", "n + 0 > 0"}) {
    ExpectDelivered({empty, some, empty}, OfTable({Named("n", kInt64)}, where), {"1", "2"});
    ExpectDelivered({empty}, OfTable({Named("n", kInt64)}, where), {});
    for (const auto& [bad, code] : std::vector<std::pair<ScanFile, StatusCode>>{
             {missing, StatusCode::kNotFound}, {text, StatusCode::kCorruption}}) {
      EXPECT_EQ(
          Scan::Open({some, bad}, where[0] == 0 ? ScanRequest() : Where(where)).status().code(),
          code);
      for (const int32_t threads : {1, 3}) {
        ScanOptions options;
        options.threads = threads;
        const auto scan = Scan::Open({some, bad, some}, OfTable(table, where), options);
        ASSERT_TRUE(scan) << scan.status().ToString();
        int64_t rows = 0;
        auto batch = (*scan)->Next();
        for (; batch && *batch; batch = (*scan)->Next()) rows += (*batch)->batch.num_rows;
        EXPECT_EQ(rows, 2);
        EXPECT_EQ(batch.status().code(), code) << batch.status().ToString();
        EXPECT_NE(batch.status().ToString().find(bad.path), std::string::npos);
      }
    }
  }
  missing.constants = {{"p", Int64(1)}};
  ScanFile other = some;
  other.constants = {{"p", Int64(2)}};
  const auto scan = Scan::Open({missing, other}, OfTable(table, "p = 2"));
  ASSERT_TRUE(scan);
  EXPECT_EQ(Rows(**scan), (Strings{"1 2", "2 2"}));
  EXPECT_EQ((*scan)->counters().files_considered, 2);
  EXPECT_EQ((*scan)->counters().files_pruned, 1);
  EXPECT_EQ((*scan)->counters().row_groups_considered, 1);
}

// contract V-68 to V-70, V-72, V-10: given values go before the file's, those before absence, and
// nothing of it outlives the file.
TEST(FileContracts, WhereAColumnComesFromIsOfEachFile) {
  const ScanFile has = FileOf(Pairs("n", "p", {{1, 10}, {2, 20}}), "has");
  const ScanFile lacks = FileOf(Numbers("n", 3, 1), "lacks");
  ScanFile has_but_given = has;
  has_but_given.constants = {{"p", Int64(7)}};
  ScanFile given = lacks;
  given.constants = {{"p", Int64(8)}};
  ScanFile given_null = has;
  given_null.constants = {{"p", Value::Null(kInt64)}};
  const std::vector<ScanFile> files = {has, has_but_given, lacks, given, given_null, has};
  const std::vector<Field> table = {Named("n", kInt64), Named("p", kInt64),
                                    Named("late", DataType::Of(TypeId::kDate))};
  const auto expect = [&](const std::string& where, const Strings& rows) {
    ScanRequest request = OfTable(table, where);
    request.columns = {{{"n"}, {"p"}}};
    ExpectDelivered(files, request, rows);
  };
  expect("", {"1 10", "2 20", "1 7", "2 7", "3 null", "3 8", "1 null", "2 null", "1 10", "2 20"});
  expect("p IS NULL", {"3 null", "1 null", "2 null"});
  expect("p IS NOT NULL AND n <> 2", {"1 10", "1 7", "3 8", "1 10"});
  expect("p >= 8", {"1 10", "2 20", "3 8", "1 10", "2 20"});
  expect("p = 7", {"1 7", "2 7"});
  expect("n + p = 9", {"2 7"});
  expect("p = 10 OR n = 3", {"1 10", "3 null", "3 8", "1 10"});
  // What no file has is of the table's type all the same.
  ScanRequest late = OfTable(table, "late IS NULL AND p = 8");
  const auto scan = Scan::Open(files, late);
  ASSERT_TRUE(scan);
  EXPECT_EQ(*(*scan)->schema(), (Schema{table}));
  EXPECT_EQ(Rows(**scan), Strings{"3 8 null"});
  EXPECT_EQ(CountersOf(files, OfTable(table, "late > DATE '2024-01-01'")).rows_delivered, 0);
  EXPECT_EQ(Scan::Open(files, OfTable(table, "late > 5")).status().code(),
            StatusCode::kInvalidArgument);
}

// contract V-78, V-79, V-85, V-152 (partition precedence, second partition key): columns of every
// role are vectors of one schema; the text NULL is a text; what says where a row is from may leave
// its file out.
TEST(FileContracts, ColumnsOfEveryRole) {
  const auto file = [](const std::string& name, const Value& region) {
    ScanFile one = FileOf(Pairs("n", "region", {{1, 100}, {2, 200}}), name);
    one.constants = {{"region", region}, {"year", Int64(2024)}};
    return one;
  };
  const std::vector<ScanFile> files = {file("a", Value{kString, "NULL"}),
                                       file("b", Value::Null(kString)),
                                       file("c", Value{kString, "eu"})};
  const std::vector<Field> table = {Named("n", kInt64), Named("region", kString),
                                    Named("year", kInt64)};
  const auto expect = [&](const std::string& where, const Strings& rows, int64_t pruned) {
    ScanRequest request = OfTable(table, where);
    request.columns = {{{"region"}, {"file_row_number"}, {"n"}, {"file_path"}, {"year"}}};
    ExpectDelivered(files, request, rows);
    EXPECT_EQ(CountersOf(files, request).files_pruned, pruned) << where;
  };
  const Strings of_a = {"\"NULL\" 0 1 \"a\" 2024", "\"NULL\" 1 2 \"a\" 2024"};
  const Strings of_b = {"null 0 1 \"b\" 2024", "null 1 2 \"b\" 2024"};
  expect("region = 'NULL'", of_a, 2);
  expect("region IS NULL", of_b, 2);
  expect("region IS NULL AND year = 2023", {}, 3);
  expect("region = 'eu' AND year = 2024 AND n = 2", {"\"eu\" 1 2 \"c\" 2024"}, 2);
  expect("region < 'Z' AND file_path <> 'c'", of_a, 2);
  expect("file_path = 'b' AND file_row_number = 1", {of_b[1]}, 2);
  expect("file_path = 'none of them'", {}, 3);
  expect("year + n = 2025 AND region IS NOT NULL", {of_a[0], "\"eu\" 0 1 \"c\" 2024"}, 1);
}

// contract V-82 to V-84: given values are held against the predicate, absent columns against its
// null rule, and columns of the file against statistics only.
TEST(FileContracts, WhatExcludesAFile) {
  ScanFile file = FileOf(Numbers("n", 1, 3));
  file.constants = {{"p", Int64(5)}, {"q", Value::Null(kInt64)}};
  const std::vector<Field> table = {Named("n", kInt64), Named("p", kInt64), Named("q", kInt64),
                                    Named("z", kInt64)};
  struct Case {
    std::string where;
    size_t rows;
    int64_t files_pruned;
    int64_t row_groups_pruned;
  };
  for (const Case& one : std::vector<Case>{{"p = 6", 0, 1, 0},
                                           {"p = 5", 3, 0, 0},
                                           {"p IN (4, 5) AND q IS NULL", 3, 0, 0},
                                           {"p = 5 AND q = 1", 0, 1, 0},
                                           {"p = 6 AND q IS NULL", 0, 1, 0},
                                           {"p = 6 OR q = 1", 0, 1, 0},
                                           {"p = 6 OR n = 1", 1, 0, 0},
                                           {"q IS NOT NULL", 0, 1, 0},
                                           {"q IS DISTINCT FROM 1", 3, 0, 0},
                                           {"NOT (p = 5 AND q IS NULL)", 0, 1, 0},
                                           {"z IS NOT NULL", 0, 0, 1},
                                           {"z = 5 AND n = 1", 0, 0, 1},
                                           {"z IS NULL", 3, 0, 0},
                                           {"n > 3", 0, 0, 1},
                                           {"n > 2 AND p = 5", 1, 0, 0},
                                           {"n + p = 7", 1, 0, 0}}) {
    SCOPED_TRACE(one.where);
    const auto scan = Scan::Open({file}, OfTable(table, one.where));
    ASSERT_TRUE(scan);
    EXPECT_EQ(Rows(**scan).size(), one.rows);
    const ScanCounters& counters = (*scan)->counters();
    EXPECT_EQ(counters.files_pruned, one.files_pruned);
    EXPECT_EQ(counters.row_groups_pruned, one.row_groups_pruned);
    if (one.rows == 0) {
      EXPECT_EQ(counters.data.pages_read, 0);
    }
  }
}

// contract V-04: what is known of a file is shared, and where a read of it has come to is not.
TEST(FileContracts, CursorsOfOneFileAreTheirOwn) {
  parquet::WriterOptions writer;
  writer.page_rows = 3;
  parquet::ReadOptions options;
  options.batch_rows = 4;
  const auto reader =
      parquet::FileReader::Open(FileOf(Numbers("n", 0, 20), "memory", writer).file, options);
  ASSERT_TRUE(reader) << reader.status().ToString();
  const auto all = parquet::Projection::All((*reader)->tree());
  const auto one = (*reader)->RowGroup(0, all);
  const auto other = (*reader)->RowGroup(0, all, *RowSelection::FromRanges({{1, 3}, {9, 20}}));
  ASSERT_TRUE(one && other);
  std::vector<int64_t> of_one;
  std::vector<int64_t> of_other;
  const auto take = [](parquet::RowGroupCursor& cursor, std::vector<int64_t>& values) {
    const auto batch = cursor.Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) return;
    for (const Cell& cell : CellsOf((*batch)->batch.columns[0])) {
      values.push_back(Value{kInt64, cell.bytes}.as<int64_t>());
    }
  };
  for (int i = 0; i < 6; ++i) {
    take(**one, of_one);
    take(**other, of_other);
    if (i % 2 == 0) take(**other, of_other);
  }
  std::vector<int64_t> expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(of_one, expected);
  expected.erase(expected.begin() + 3, expected.begin() + 9);
  expected.erase(expected.begin());
  EXPECT_EQ(of_other, expected);
}

// contract L-27: without a list of columns all of them; with an empty one rows are only counted.
TEST(FileContracts, NoListOfColumnsIsAllOfThem) {
  const ScanFile file = FileOf(Pairs("n", "m", {{1, 7}, {2, 8}}));
  EXPECT_EQ(Rows({file}, {}), (Strings{"1 7", "2 8"}));
  EXPECT_EQ(Rows({file}, Columns({})), (Strings{"", ""}));
}

}  // namespace
}  // namespace sluice::support
