// What a scan does with a predicate and columns, in every way that its options allow: contracts of
// filters, residuals and materialization. Cited beside each test.

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

/// A row of the table below.
struct Row {
  int64_t a = 0;
  std::optional<int64_t> b;
  std::string c;
};

/// a: 0 to 19. b: null in every fourth row, else a * 7 modulo 11. c: x, y and z in turn.
std::vector<Row> Rows() {
  std::vector<Row> rows;
  for (int64_t a = 0; a < 20; ++a) {
    Row row{a, a * 7 % 11, std::string(1, static_cast<char>('x' + a % 3))};
    if (a % 4 == 0) row.b.reset();
    rows.push_back(row);
  }
  return rows;
}

/// The rows as a file of columns with pages of 6, 5 and 20 rows, all PLAIN.
std::string Table() {
  const std::vector<Row> rows = Rows();
  std::vector<ChunkSpec> chunks(3);
  for (size_t begin = 0; begin < rows.size(); begin += 6) {
    std::vector<int64_t> values;
    for (size_t i = begin; i < std::min(begin + 6, rows.size()); ++i) values.push_back(rows[i].a);
    chunks[0].pages.push_back(DataPage(Encoding::kPlain, std::ssize(values), PlainInt64(values)));
  }
  for (size_t begin = 0; begin < rows.size(); begin += 5) {
    std::vector<int64_t> values;
    std::vector<uint64_t> levels;
    for (size_t i = begin; i < begin + 5; ++i) {
      levels.push_back(rows[i].b.has_value());
      if (rows[i].b) values.push_back(*rows[i].b);
    }
    chunks[1].pages.push_back(
        DataPage(Encoding::kPlain, 5, PlainInt64(values), RleRuns(levels, 1)));
  }
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(row.c);
  chunks[2].pages.push_back(DataPage(Encoding::kPlain, std::ssize(texts), PlainByteArray(texts)));
  ElementSpec c = Required("c", PhysicalType::kByteArray);
  c.converted_type = kConvertedUtf8;
  return BuildFile(OneRowGroup({Required("a", PhysicalType::kInt64),
                                Optional("b", PhysicalType::kInt64), c},
                               std::ssize(rows), chunks))
      .bytes;
}

using Predicate = std::function<bool(const Row&)>;

void ExpectTable(const std::vector<std::pair<std::string, Predicate>>& cases) {
  const std::string bytes = Table();
  const std::vector<Row> rows = Rows();
  for (const auto& [where, passes] : cases) {
    Positions positions;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (passes(rows[i])) positions.push_back(static_cast<int64_t>(i));
    }
    ASSERT_FALSE(positions.empty()) << where;
    ASSERT_LT(positions.size(), rows.size()) << where;
    ExpectScan(bytes, {where}, positions);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// contract V-25 to V-28, V-152 (mixed and nested mixed splits): parts that decoders run, parts that
// they cannot, and OR and NOT around both.
TEST(ScanContracts, PredicatesOfPushedAndOtherParts) {
  ExpectTable({
      {"a > 5 AND a + b > 12", [](const Row& r) { return r.a > 5 && r.b && r.a + *r.b > 12; }},
      {"a > 5 AND (b = 3 OR c = 'x')",
       [](const Row& r) { return r.a > 5 && (r.b == 3 || r.c == "x"); }},
      {"a + b > 12 OR c = 'x'",
       [](const Row& r) { return (r.b && r.a + *r.b > 12) || r.c == "x"; }},
      {"NOT (a > 5 AND (b = 3 OR a + b > 12))",
       [](const Row& r) { return r.a <= 5 || (r.b && *r.b != 3 && r.a + *r.b <= 12); }},
      {"(a = 1 AND b = 7) OR (a = 3 AND c LIKE 'x%')",
       [](const Row& r) { return (r.a == 1 && r.b == 7) || (r.a == 3 && r.c == "x"); }},
      {"NOT (c = 'x' OR b IS NULL) AND NOT (a < 3 OR a * 2 > 30)",
       [](const Row& r) { return r.c != "x" && r.b && r.a >= 3 && r.a * 2 <= 30; }},
      {"a IN (1, 2, 3, 5, 8, 13) AND (b < 4 OR (c = 'z' AND a + b <> 9)) AND c <> 'y'",
       [](const Row& r) {
         const bool is_in = r.a == 1 || r.a == 2 || r.a == 3 || r.a == 5 || r.a == 8 || r.a == 13;
         return is_in && r.c != "y" && r.b && (*r.b < 4 || (r.c == "z" && r.a + *r.b != 9));
       }},
      {"(a < 4 AND b > 2) OR (a > 15 AND (b IS NULL OR NOT (c = 'y')))",
       [](const Row& r) {
         return (r.a < 4 && r.b && *r.b > 2) || (r.a > 15 && (!r.b || r.c != "y"));
       }},
  });
}

// contract V-56: rows that one branch does not need, another does; and a column twice.
TEST(ScanContracts, ConditionalInputsAreThereForEveryRow) {
  ExpectTable({
      {"CASE WHEN a > 9 THEN b > 5 ELSE c = 'x' END",
       [](const Row& r) { return r.a > 9 ? r.b && *r.b > 5 : r.c == "x"; }},
      {"CASE WHEN b IS NULL THEN a ELSE b END > 8",
       [](const Row& r) { return (r.b ? *r.b : r.a) > 8; }},
      {"coalesce(b, a) = a", [](const Row& r) { return r.b.value_or(r.a) == r.a; }},
      {"a + b > 10 OR a - b > 5 OR b = 0",
       [](const Row& r) { return r.b && (r.a + *r.b > 10 || r.a - *r.b > 5 || *r.b == 0); }},
      {"NOT (a + b < 12) AND a - b < 12",
       [](const Row& r) { return r.b && r.a + *r.b >= 12 && r.a - *r.b < 12; }},
      {"CASE c WHEN 'x' THEN a WHEN 'y' THEN b ELSE a + b END BETWEEN 3 AND 9",
       [](const Row& r) {
         if (r.c != "x" && !r.b) return false;
         const int64_t value = r.c == "x" ? r.a : r.c == "y" ? *r.b : r.a + *r.b;
         return value >= 3 && value <= 9;
       }},
      {"b > 2 AND (CASE WHEN b > 5 THEN a ELSE b END = 3 OR b = 10)",
       [](const Row& r) {
         return r.b && *r.b > 2 && ((*r.b > 5 ? r.a : *r.b) == 3 || *r.b == 10);
       }},
  });
}

// contract V-15, V-32, V-33, V-52, L-28: a column may be filter, input of the rest and output at
// once, or only one; all that is delivered is of the same rows.
TEST(ScanContracts, ColumnsInEveryRole) {
  ExpectTable({
      {"a > 5 AND a + b > 12 AND b < 9",
       [](const Row& r) { return r.a > 5 && r.b && r.a + *r.b > 12 && *r.b < 9; }},
      {"c = 'y' AND length(c) + a > 5", [](const Row& r) { return r.c == "y" && 1 + r.a > 5; }},
      {"b IS NOT NULL AND b + b = 14", [](const Row& r) { return r.b == 7; }},
  });
}

// contract V-46, V-51: filters see the rows that earlier ones left, and no value is decoded twice.
TEST(ScanContracts, ValuesAreDecodedOnceForTheRowsThatAreLeft) {
  const std::string bytes = Table();
  ScanWay way;
  way.options.read.reorder_filters = false;
  // a of 20 rows; b of the 5 with a < 5, of which 3 have one.
  ScanQuestion question{"a < 5 AND b > 8"};
  question.columns = {{{"a"}}};
  Scanned scanned = ScanRows(bytes, question, way);
  EXPECT_EQ(scanned.positions, (Positions{3}));
  EXPECT_EQ(scanned.values_decoded, 20 + 3);
  // The rest of the predicate and the output use what the filter decoded; c is of one row.
  question = {"a < 5 AND a + b > 12"};
  scanned = ScanRows(bytes, question, way);
  EXPECT_EQ(scanned.positions, (Positions{3}));
  EXPECT_EQ(scanned.values_decoded, 20 + 3 + 1);
  // contract V-100: rows that were advanced over, that passed filters, and that were delivered.
  EXPECT_EQ(scanned.rows_filtered, 15);
  EXPECT_EQ(scanned.rows_rejected, 4);
  EXPECT_EQ(scanned.rows.size(), 1U);
}

// contract L-25, V-37, V-38: what is neither output nor in the predicate is not read.
TEST(ScanContracts, OtherColumnsAreNotRead) {
  FileSpec file =
      OneRowGroup({Required("a", PhysicalType::kInt64), Required("b", PhysicalType::kInt64),
                   Required("other", PhysicalType::kInt64)},
                  3,
                  {Chunk({DataPage(Encoding::kPlain, 3, PlainInt64({1, 2, 3}))}),
                   Chunk({DataPage(Encoding::kPlain, 3, PlainInt64({10, 20, 30}))}),
                   Chunk({DataPage(Encoding::kPlain, 3, PlainInt64({7, 8, 9}))})});
  // Nothing that could be read.
  file.row_groups[0].chunks[2].pages[0].header = std::string(20, '\xff');
  const std::string bytes = BuildFile(file).bytes;
  for (const std::string where : {"a > 1", "a + 0 > 1", "a > 1 AND a + b > 0"}) {
    ScanQuestion question{where};
    question.columns = {{{"b"}}};
    ExpectScannedLines(bytes, question, {"[20]", "[30]"});
    ExpectScanError(bytes, {where}, StatusCode::kCorruption, {"other"});
  }
}

// contract V-43 to V-45: the order in which filters run has no bearing on places in the output.
TEST(ScanContracts, OrderOfFiltersIsNotThatOfTheOutput) {
  // Each row group makes another filter the selective one.
  FileSpec file;
  file.schema = {Required("a", PhysicalType::kInt64), Required("b", PhysicalType::kInt64),
                 Required("c", PhysicalType::kInt64)};
  Positions expected;
  std::vector<std::string> lines;
  for (int64_t group = 0; group < 6; ++group) {
    std::vector<std::vector<int64_t>> columns(3);
    for (int64_t row = 0; row < 30; ++row) {
      for (size_t column = 0; column < 3; ++column) {
        const bool is_selective = static_cast<int64_t>(column) == group % 3;
        columns[column].push_back(is_selective ? row % 10 : row % 2);
      }
      const int64_t position = group * 30 + row;
      const auto value = [&](size_t column) { return columns[column].back(); };
      if (value(0) < 2 && value(1) < 2 && value(2) < 2 && value(0) + value(1) + value(2) > 0) {
        expected.push_back(position);
        lines.push_back("[" + std::to_string(value(2)) + "," + std::to_string(value(0)) + "]");
      }
    }
    RowGroupSpec& spec = file.row_groups.emplace_back(RowGroupSpec{30, {}});
    for (const auto& values : columns) {
      spec.chunks.push_back(Chunk({DataPage(Encoding::kPlain, 30, PlainInt64(values))}));
    }
  }
  ASSERT_EQ(expected.size(), 18U);
  const std::string bytes = BuildFile(file).bytes;
  const std::string where = "a < 2 AND b < 2 AND c < 2 AND a + b + c > 0";
  ExpectScan(bytes, {where}, expected);
  ScanQuestion question{where};
  question.columns = {{{"c"}}, {{"a"}}};
  ExpectScannedLines(bytes, question, lines);
}

// contract L-29 to L-31, S-03: every operator, NULL satisfies none, values compare by their type.
TEST(ScanContracts, OperatorsAndNulls) {
  ExpectTable({
      {"b = 7", [](const Row& r) { return r.b == 7; }},
      {"b <> 7", [](const Row& r) { return r.b && *r.b != 7; }},
      {"b < 7", [](const Row& r) { return r.b && *r.b < 7; }},
      {"b <= 7", [](const Row& r) { return r.b && *r.b <= 7; }},
      {"b > 7", [](const Row& r) { return r.b && *r.b > 7; }},
      {"b >= 7", [](const Row& r) { return r.b && *r.b >= 7; }},
      {"NOT b >= 7", [](const Row& r) { return r.b && *r.b < 7; }},
      {"b IS NULL", [](const Row& r) { return !r.b; }},
      {"b >= 10.0 OR c > 'y'", [](const Row& r) { return (r.b && *r.b >= 10) || r.c == "z"; }},
  });
  ExpectScanError(Table(), {"unknown = 1"}, StatusCode::kInvalidArgument, {"unknown"});
}

}  // namespace
}  // namespace sluice::support
