// Files whose columns are not those of the table: narrower types, other orders and names, columns
// and fields that are not there, and values that a caller gives for all rows of a file.

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// One column x of these cells, with statistics, page index and bloom filter.
ScanFile FileOfColumn(const DataType& type, std::vector<Cell> cells) {
  Table table;
  table.num_rows = std::ssize(cells);
  table.schema.fields = {Named("x", type)};
  table.columns = {std::move(cells)};
  parquet::WriterOptions writer;
  writer.columns.bloom_filter = true;
  return FileOf(table, "memory", writer);
}

/// What a table has of a file, and which evidence says that there is nothing.
struct WidenedCase {
  std::string where;
  Strings rows;
  std::string evidence = {};  ///< "predicate" where no value of the file can be, "bounds" or
                              ///< "membership"; empty: not asked.
};

void ExpectWidened(const ScanFile& file, const DataType& type,
                   const std::vector<WidenedCase>& cases) {
  for (const WidenedCase& one : cases) {
    const ScanRequest request = OfTable({Named("x", type)}, one.where);
    ExpectDelivered({file}, request, one.rows);
    if (testing::Test::HasFatalFailure() || one.evidence.empty()) continue;
    const auto scan = Scan::Open({file}, request);
    ASSERT_TRUE(scan);
    EXPECT_EQ(Rows(**scan), Strings());
    const auto& verdicts = (*scan)->counters().row_group_verdicts;
    ASSERT_EQ(verdicts.size(), 1U);
    EXPECT_EQ(OutcomeName(std::get<0>(verdicts.begin()->first)), "none") << one.where;
    EXPECT_EQ(ReasonName(std::get<2>(verdicts.begin()->first)), one.evidence) << one.where;
  }
}

// fault V5, S17; contract X-06: literals go to the file's type, and never wrap there.
TEST(EvolutionScan, I8WidenedIntegers) {
  const ScanFile bytes =
      FileOfColumn(DataType::Of(TypeId::kInt8), {Fixed(int8_t{7}), Fixed(int8_t{-7}), Null()});
  for (const DataType& type : {kInt32, kInt64}) {
    ExpectWidened(bytes, type,
                  {{"x = 7", {"7"}},
                   {"x IN (-7, 300)", {"-7"}},
                   {"x = 5", {}, "membership"},
                   {"x = 100", {}, "bounds"},
                   {"x = 263", {}, "predicate"},
                   {"x = -249 OR x = 65543", {}, "predicate"},
                   {"x IN (300, -300)", {}, "predicate"},
                   {"x NOT IN (7, 300)", {"-7"}},
                   {"x NOT IN (7, 300, NULL)", {}},
                   {"x IN (5, 263, NULL)", {}, "membership"},
                   {"x IS NULL OR x = 7", {"7", "null"}},
                   {"x IS NOT NULL AND x > 100", {}, "bounds"},
                   {"x < 2000000000", {"7", "-7"}},
                   {"x IS DISTINCT FROM 263", {"7", "-7", "null"}}});
  }
  const ScanFile ints =
      FileOfColumn(kInt32, {Fixed(int32_t{0}), Fixed(int32_t{-1}), Fixed(INT32_MAX)});
  ExpectWidened(ints, kInt64,
                {{"x < 9223372036854775807", {"0", "-1", "2147483647"}},
                 {"x = -2", {}, "bounds"},
                 {"x = 4294967295", {}, "predicate"},
                 {"x = 4294967296", {}, "predicate"},
                 {"x > 2147483646", {"2147483647"}},
                 {"x IN (4294967296, -1)", {"-1"}},
                 {"x + 1 = 2147483648", {"2147483647"}}});
  ExpectWidened(ints, DataType::Of(TypeId::kDouble),
                {{"x = 1.5", {}},
                 {"x BETWEEN -1.5 AND 0.5", {"0", "-1"}},
                 {"x > 2147483646.5", {"2147483647"}},
                 {"x = 1e300", {}, "predicate"}});
}

// fault V5, V7, T2: a single has one double, which a literal is or is not.
TEST(EvolutionScan, I8WidenedFloats) {
  const ScanFile floats = FileOfColumn(DataType::Of(TypeId::kFloat),
                                       {Fixed(1.5F), Fixed(2.5F), Fixed(0.1F), Fixed(-0.0F),
                                        Fixed(std::numeric_limits<float>::quiet_NaN())});
  ExpectWidened(floats, DataType::Of(TypeId::kDouble),
                {{"x = 1.5", {"1.5"}},
                 {"x BETWEEN 1.5 AND 2.5", {"1.5", "2.5"}},
                 {"x = 0.1e0", {}},
                 {"x > 0.1e0 AND x < 1", {"0.10000000149011612"}},
                 {"x = 0", {"\"-0.0\""}},
                 {"x > 1e300", {"\"NaN\""}},
                 {"x = 0.25", {}, "membership"},
                 {"x IN (0.25, 7)", {}, "membership"},
                 {"is_nan(x)", {"\"NaN\""}},
                 {"x IS NULL", {}, "nulls"},
                 {"x IN (0.25, 7e0)", {}, "membership"}});
  ExpectWidened(FileOfColumn(DataType::Of(TypeId::kUint32),
                             {Fixed(uint32_t{0}), Fixed(uint32_t{4'000'000'000})}),
                kInt64,
                {{"x = 4000000000", {"4000000000"}},
                 {"x = -294967296", {}, "predicate"},
                 {"x > 2147483647", {"4000000000"}},
                 {"x = 7", {}, "membership"}});
}

// fault T8, V5: what does not widen is an error of the file, whatever its bounds say.
TEST(EvolutionScan, S6TypesThatDoNotWiden) {
  const ScanFile ints = FileOfColumn(kInt32, {Fixed(int32_t{-1}), Fixed(int32_t{5})});
  const ScanFile texts = FileOfColumn(kString, {Text("9"), Text("10")});
  for (const auto& [file, type, where] : std::vector<std::tuple<ScanFile, DataType, std::string>>{
           {ints, DataType::Of(TypeId::kUint32), "x = 4294967295"},
           {ints, DataType::Of(TypeId::kUint32), "x > 7"},
           {ints, DataType::Of(TypeId::kInt16), "x = 100"},
           {ints, kString, "x > '9'"},
           {texts, kInt32, "x > 9"},
           {texts, kInt32, "x > 100"},
           {FileOfColumn(kInt64, {Fixed(int64_t{1})}), kInt32, "x = 5"},
           {FileOfColumn(DataType::Of(TypeId::kDouble), {Fixed(1.0)}), kInt64, "x = 5"}}) {
    for (const bool is_pruning : {false, true}) {
      ScanOptions options;
      options.use_statistics = is_pruning;
      const auto scan = Scan::Open({file}, OfTable({Named("x", type)}, where), options);
      ASSERT_TRUE(scan) << scan.status().ToString();
      const Status status = (*scan)->Next().status();
      EXPECT_EQ(status.code(), StatusCode::kUnsupported) << where << ": " << status.ToString();
      EXPECT_NE(status.ToString().find("memory"), std::string::npos) << status.ToString();
    }
  }
}

// contract X-05, L-33, V-84; fault V2, V3, V10, V11: an absent column is a constant, given or null,
// and is so before the predicate is asked; it need not be in the output.
TEST(EvolutionScan, V11PredicatesOnAbsentColumns) {
  const std::vector<Field> table = {Named("a", kInt64), Named("b", kInt64)};
  ScanFile given = FileOf(Numbers("a", 1, 3));
  given.constants = {{"b", Value::Of<int64_t>(kInt64, 42)}};
  const ScanFile absent = FileOf(Numbers("a", 1, 3));
  const auto expect = [&](const std::string& where, const Strings& of_given,
                          const Strings& of_absent) {
    for (const std::vector<parquet::ColumnPath>& columns :
         {std::vector<parquet::ColumnPath>{{"a"}}, {{"a"}, {"b"}}}) {
      ScanRequest request = OfTable(table, where);
      request.columns = columns;
      const auto with = [&](Strings rows, const std::string& b) {
        for (std::string& row : rows) row += columns.size() > 1 ? " " + b : "";
        return rows;
      };
      ExpectDelivered({given}, request, with(of_given, "42"));
      ExpectDelivered({absent}, request, with(of_absent, "null"));
    }
  };
  const Strings all = {"1", "2", "3"};
  expect("b = 42", all, {});
  expect("b IS NOT NULL", all, {});
  expect("b IS NULL", {}, all);
  expect("b <> 42", {}, {});
  expect("b = 99", {}, {});
  expect("b = 0", {}, {});
  expect("b IS DISTINCT FROM 42", {}, all);
  expect("a = 1 AND b = 42", {"1"}, {});
  expect("a = 1 OR b = 99", {"1"}, {"1"});
  expect("a + b = 44", {"2"}, {});
  expect("coalesce(b, a) = 2", {}, {"2"});
  expect("NOT (a = 1 AND b = 42)", {"2", "3"}, {"2", "3"});
  // Filters come before the limit.
  ScanRequest limited = OfTable(table, "b = 99");
  limited.limit = 1;
  ExpectDelivered({given}, limited, {});
  limited = OfTable(table, "b = 42 AND a > 1");
  limited.limit = 1;
  ExpectDelivered({given, given}, limited, {"2 42"});
}

// One rule: names are compared exactly, unless the caller says otherwise; two names are two
// columns.
TEST(EvolutionScan, V16ConstantsWhoseNamesDifferByCase) {
  ScanFile file = FileOf(Numbers("col1", 5, 2));
  file.constants = {{"COL1", Value{kString, "x"}}};
  const std::vector<Field> table = {Named("col1", kInt64), Named("COL1", kString)};
  ExpectDelivered({file}, OfTable(table), {"5 \"x\"", "6 \"x\""});
  ExpectDelivered({file}, OfTable(table, "COL1 = 'x' AND col1 = 6"), {"6 \"x\""});
  ScanOptions options;
  options.ignore_case = true;
  EXPECT_EQ(Rows({file}, OfTable(table, "COL1 = 'x' AND col1 = 6"), options), Strings{"6 \"x\""});
  const auto ambiguous = Scan::Open({file}, OfTable(table, "Col1 = 6"), options);
  EXPECT_EQ(ambiguous.status().code(), StatusCode::kInvalidArgument);
  // Alone, the file's column is no other's.
  ExpectDelivered({file}, OfTable({Named("COL1", kString)}, "COL1 = 'x'"), {"\"x\"", "\"x\""});
}

/// Rows of a struct s of these fields, `cells` one a row.
ScanFile FileOfStructs(std::vector<Field> fields, std::vector<Cell> cells) {
  Table table = Numbers("n", 0, std::ssize(cells));
  table.schema.fields.push_back(Named("s", DataType::Struct(std::move(fields))));
  table.columns.push_back(std::move(cells));
  return FileOf(table);
}

// What a filter cannot be in a file with another schema is enforced all the same.
TEST(EvolutionScan, L7FieldsThatStructsLack) {
  const auto number = [](int64_t value) { return Fixed(value); };
  const std::vector<ScanFile> files = {
      FileOfStructs({Named("x", kInt64)},
                    {Nested({number(200)}), Nested({number(7)}), Null(), Nested({Null()})}),
      FileOfStructs(
          {Named("y", kInt64), Named("x", kInt32)},
          {Nested({number(1), Fixed(int32_t{200})}), Nested({number(200), Fixed(int32_t{1})}),
           Nested({Null(), Fixed(int32_t{200})})}),
      FileOfStructs({Named("y", kInt64)}, {Nested({number(200)}), Null()}),
      FileOf(Numbers("n", 0, 1))};
  const std::vector<Field> table = {
      Named("n", kInt64), Named("s", DataType::Struct({Named("x", kInt64), Named("y", kInt64)}))};
  const auto expect = [&](const std::string& where, const Strings& rows) {
    ScanRequest request = OfTable(table, where);
    request.columns = {{{"n"}}};
    ExpectDelivered(files, request, rows);
  };
  expect("s.x = 200", {"0", "0", "2"});
  expect("s.x = 200 AND s.y IS NULL", {"0", "2"});
  expect("s.x = 200 AND s.y = 1", {"0"});
  expect("s.y = 200", {"1", "0"});
  expect("s.x IS NULL", {"2", "3", "0", "1", "0"});
  expect("s IS NULL", {"2", "1", "0"});
  expect("s.x + s.y = 201", {"0", "1"});
  expect("coalesce(s.y, s.x) = 200", {"0", "1", "2", "0"});
  // contract V-40: what is asked of a struct keeps its shape.
  ScanRequest request = OfTable(table, "s.y = 200");
  request.columns = {{{"s", "x"}}};
  const auto scan = Scan::Open(files, request);
  ASSERT_TRUE(scan);
  Strings xs;
  for (auto batch = (*scan)->Next(); batch && *batch; batch = (*scan)->Next()) {
    const Column& s = (*batch)->batch.columns[0];
    ASSERT_EQ(s.children.size(), 1U);
    for (int64_t row = 0; row < s.length; ++row) {
      xs.push_back(s.IsNull(row) ? "no struct" : ValueAt(s.children[0], row).ToString());
    }
  }
  EXPECT_EQ(xs, (Strings{"1", "null"}));
}

/// Columns of int64 by name, each of two rows.
ScanFile FileOfPairs(const std::vector<std::pair<std::string, std::vector<int64_t>>>& columns,
                     int64_t p) {
  Table table;
  table.num_rows = 2;
  for (const auto& [name, values] : columns) {
    table.schema.fields.push_back(Named(name, kInt64));
    table.columns.push_back({Fixed(values[0]), Fixed(values[1])});
  }
  ScanFile file = FileOf(table, "p=" + std::to_string(p));
  file.constants = {{"p", Value::Of<int64_t>(kInt64, p)}};
  return file;
}

// Columns are found by their names in each file, also where files before it were left out.
TEST(EvolutionScan, L9FilesOfDifferentColumnOrder) {
  const std::vector<ScanFile> files = {
      FileOfPairs({{"a", {1, 2}}, {"b", {10, 20}}, {"c", {5, 5}}}, 1),
      FileOfPairs({{"c", {7, 8}}, {"a", {2, 3}}, {"b", {20, 30}}}, 2),
      FileOfPairs({{"b", {20, 40}}, {"a", {2, 4}}}, 3)};
  const auto expect = [&](const std::string& where, const Strings& rows) {
    ScanRequest request = Where(where);
    request.columns = {{{"b"}, {"p"}, {"c"}, {"a"}}};
    ExpectDelivered(files, request, rows);
  };
  expect("p = 2 AND a = 2", {"20 2 7 2"});
  expect("a = 2", {"20 1 5 2", "20 2 7 2", "20 3 null 2"});
  expect("p > 1 AND b = 20 AND a = 2", {"20 2 7 2", "20 3 null 2"});
  expect("p <> 2 AND a + b = 22", {"20 1 5 2", "20 3 null 2"});
  expect("c IS NULL AND b > 20", {"40 3 null 4"});
  expect("p + a = 5 AND c = 8", {"30 2 8 3"});
  expect("file_path = 'p=3' AND a > 2", {"40 3 null 4"});
}

}  // namespace
}  // namespace sluice::support
