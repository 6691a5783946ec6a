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
