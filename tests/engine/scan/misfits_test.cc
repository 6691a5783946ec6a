// Predicates over columns of which a file has values without counterpart in the table's type. Such
// a row is an error (law 6), unless the predicate is decided without it; nothing that is known of
// the file beforehand may change that.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

const DataType kDate = DataType::Of(TypeId::kDate);
const DataType kMicros = DataType::Timestamp(TimeUnit::kMicroseconds, false);

/// A day, a day outside of the timestamps and one more, the nulls among them; beside it a number.
ScanFile DaysFile(bool has_misfit, bool has_null) {
  Table table;
  table.num_rows = 3;
  table.schema.fields = {Named("t", kDate), Named("n", kInt64)};
  table.columns = {{Fixed(int32_t{1}), Fixed(has_misfit ? INT32_MAX : 2), Fixed(int32_t{3})},
                   {Fixed(int64_t{1}), Fixed(int64_t{2}), Fixed(int64_t{3})}};
  if (has_null) table.columns[0][0] = Null();
  return FileOf(table, "days");
}

ScanRequest Ask(const std::string& where) {
  ScanRequest request = Where(where);
  request.schema =
      std::make_shared<const Schema>(Schema{{Named("t", kMicros), Named("n", kInt64)}});
  request.columns = {{{"n"}}};
  return request;
}

/// What is said of the column from outside: that it has no nulls, or no more than that it has not
/// only them.
std::vector<ScanFile> WithClaims(const ScanFile& file, bool has_null) {
  std::vector<ScanFile> files{file};
  for (const bool is_typed : {false, true}) {
    Evidence evidence = Evidence::Missing(EvidenceSource::kFile, Reason::kNoStatistics);
    evidence.row_count = 3;
    evidence.nulls =
        has_null ? Occurrence::OfCount(1, 3, Reason::kNullCountUnknown) : Occurrence::None();
    if (is_typed) evidence.type = std::make_shared<const DataType>(kMicros);
    files.push_back(file);
    files.back().statistics = {{"t", evidence}};
    if (!is_typed) continue;
    evidence.lower = EvidenceBound{*Value::Of<int64_t>(kMicros, 0).bytes, {}};
    files.push_back(file);
    files.back().statistics = {{"t", evidence}};
  }
  return files;
}

/// Expects these rows, or an error where there are none, in every way.
void ExpectRows(const ScanFile& file, bool has_null, const std::string& where,
                const std::optional<Strings>& rows) {
  for (const ScanFile& one : WithClaims(file, has_null)) {
    for (const ScanWay& way : WaysToScan()) {
      SCOPED_TRACE(where + ", " + way.name);
      auto scan = Scan::Open({one}, Ask(where), way.options);
      ASSERT_TRUE(scan) << scan.status().ToString();
      if (rows) {
        EXPECT_EQ(Rows(**scan), *rows);
        continue;
      }
      auto batch = (*scan)->Next();
      while (batch && *batch) batch = (*scan)->Next();
      EXPECT_EQ(batch.status().code(), StatusCode::kRowError) << batch.status().ToString();
    }
  }
}

TEST(Misfits, AreErrorsWhateverIsKnownOfNulls) {
  for (const bool has_null : {false, true}) {
    const ScanFile file = DaysFile(true, has_null);
    for (const std::string where :
         {"t IS NULL", "t IS NOT NULL", "t IS NULL OR t IS NOT NULL", "t IS NULL AND t IS NOT NULL",
          "t < TIMESTAMP '1960-01-01 00:00:00'", "t >= TIMESTAMP '1960-01-01 00:00:00'",
          "t NOT IN (TIMESTAMP '1960-01-01 00:00:00', NULL)", "t IS DISTINCT FROM NULL",
          "NOT (t IS NULL)", "t IS NULL AND n > 0", "t IS NOT NULL OR n > 2"}) {
      ExpectRows(file, has_null, where, std::nullopt);
    }
  }
}

/// 9999-12-31, for which timestamps of nanoseconds have no counterpart, in a column of them.
TEST(Misfits, AreErrorsOfComparisonsThatAreTheSameForEveryValue) {
  const DataType nanoseconds = DataType::Timestamp(TimeUnit::kNanoseconds, false);
  Table table;
  table.num_rows = 2;
  table.schema.fields = {Named("t", kDate)};
  table.columns = {{Fixed(int32_t{0}), Fixed(int32_t{2'932'896})}};
  const ScanFile file = FileOf(table, "days");
  for (const std::string where :
       {"t = DATE '9999-12-31'", "t IN (DATE '9999-12-31')", "t > TIMESTAMP '9000-01-01'",
        "t < DATE '0001-01-01'", "t IS NOT DISTINCT FROM DATE '9999-12-31'",
        "t IS DISTINCT FROM DATE '9999-12-31'", "t = NULL", "t IN (NULL)",
        "t > DATE '1990-01-01' AND t < DATE '1980-01-01'",
        "t BETWEEN DATE '1990-01-01' AND DATE '1980-01-01'",
        "t = DATE '1990-01-01' AND t = DATE '1991-01-01'", "t <> t",
        "t + INTERVAL '1 day' IS NULL"}) {
    for (const ScanWay& way : WaysToScan()) {
      SCOPED_TRACE(where + ", " + way.name);
      ScanRequest request = Where(where);
      request.schema = std::make_shared<const Schema>(Schema{{Named("t", nanoseconds)}});
      request.columns.emplace();
      auto scan = Scan::Open({file}, request, way.options);
      ASSERT_TRUE(scan) << scan.status().ToString();
      auto batch = (*scan)->Next();
      while (batch && *batch) batch = (*scan)->Next();
      EXPECT_EQ(batch.status().code(), StatusCode::kRowError) << batch.status().ToString();
    }
  }
}

/// A file of one column, in a table in which its type is another.
void ExpectInTable(const DataType& stored, const std::vector<Cell>& cells, const DataType& type,
                   const std::string& where, const Strings& rows) {
  Table table;
  table.num_rows = std::ssize(cells);
  table.schema.fields = {Named("v", stored)};
  table.columns = {cells};
  const ScanFile file = FileOf(table);
  for (const ScanWay& way : WaysToScan()) {
    SCOPED_TRACE(where + ", " + way.name);
    ScanRequest request = Where(where);
    request.schema = std::make_shared<const Schema>(Schema{{Named("v", type)}});
    EXPECT_EQ(Rows({file}, request, way.options), rows);
  }
}

// What is cast from text to binary is read as text is written, \x41 as one byte.
TEST(Widening, OfTextToBinaryKeepsItsBytes) {
  const std::vector<Cell> cells{Text("A"), Text("\\x41"), Text("\xc3\xa9"), Null()};
  const DataType binary = DataType::Of(TypeId::kBinary);
  const std::string a = R"({"hex":"41"})";
  const std::string escape = R"({"hex":"5c783431"})";
  const std::string accent = R"({"hex":"c3a9"})";
  for (const auto& [where, rows] :
       std::vector<std::pair<std::string, Strings>>{{"v = X'41'", {a}},
                                                    {"v <> X'41'", {escape, accent}},
                                                    {"v IN (X'41', X'42')", {a}},
                                                    {"coalesce(v, X'') = X'41'", {a}},
                                                    {"v > X'41'", {escape, accent}},
                                                    {"v = X'c3a9'", {accent}},
                                                    {"v IS NOT NULL", {a, escape, accent}},
                                                    {"v IS NULL", {"null"}}}) {
    ExpectInTable(kString, cells, binary, where, rows);
  }
}

// The digits that a type declares are no bound of what is stored.
TEST(Widening, OfDecimalsKeepsMoreDigitsThanDeclared) {
  const std::vector<Cell> cells{Fixed(int32_t{1}), Fixed(int32_t{999'999})};
  for (const auto& [where, rows] : std::vector<std::pair<std::string, Strings>>{
           {"v > 0", {R"("0.010")", R"("9999.990")"}},
           {"v IS NOT NULL", {R"("0.010")", R"("9999.990")"}},
           {"v > 5000", {R"("9999.990")"}},
           {"v > 3 AND v < 2", {}}}) {
    ExpectInTable(DataType::Decimal(5, 2, 4), cells, DataType::Decimal(6, 3, 4), where, rows);
  }
}

TEST(Misfits, DoNotCountWhereTheRowIsDecidedWithoutThem) {
  const ScanFile file = DaysFile(true, false);
  ExpectRows(file, false, "t IS NULL AND n <> 2", Strings{});
  ExpectRows(file, false, "t IS NOT NULL AND n <> 2", Strings{"1", "3"});
  ExpectRows(file, false, "t IS NULL OR n = 2", Strings{"2"});
  ExpectRows(DaysFile(true, true), true, "t IS NULL AND n <> 2", Strings{"1"});
}

TEST(Misfits, AreNotWhereEveryValueFits) {
  const ScanFile file = DaysFile(false, false);
  ExpectRows(file, false, "t IS NULL", Strings{});
  ExpectRows(file, false, "t IS NOT NULL", Strings{"1", "2", "3"});
  ExpectRows(DaysFile(false, true), true, "t IS NULL", Strings{"1"});
}

// Bounds on both sides say that every value fits, and that all are null that none has to.
TEST(Misfits, AreExcludedByBoundsAndByNulls) {
  ScanFile bounded = DaysFile(false, false);
  Evidence evidence = Evidence::Missing(EvidenceSource::kFile, Reason::kNoStatistics);
  evidence.type = std::make_shared<const DataType>(kMicros);
  evidence.nulls = Occurrence::None();
  evidence.lower = EvidenceBound{*Value::Of<int64_t>(kMicros, 0).bytes, {}};
  evidence.upper = EvidenceBound{*Value::Of<int64_t>(kMicros, INT64_MAX).bytes, {}};
  bounded.statistics = {{"t", evidence}};
  ScanFile nothing = DaysFile(false, false);
  Evidence nulls = Evidence::Missing(EvidenceSource::kFile, Reason::kNoStatistics);
  nulls.nulls = Occurrence::All();
  nothing.statistics = {{"t", nulls}};
  for (const auto& [file, where] :
       {std::pair(bounded, "t IS NULL"), std::pair(nothing, "t IS NOT NULL")}) {
    const auto scan = Scan::Open({file}, Ask(where));
    ASSERT_TRUE(scan);
    EXPECT_EQ(Rows(**scan), Strings{});
    EXPECT_EQ((*scan)->counters().files_pruned, 1);
  }
}

}  // namespace
}  // namespace sluice::support
