// Statistics of whole files that a caller gives, and bounds as answers: what they prove, and what
// they do not.

#include <gtest/gtest.h>

#include <limits>

#include "tests/format/model/filters.h"
#include "tests/support/claims.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using Exactness = EvidenceBound::Exactness;

const DataType kDouble = DataType::Of(TypeId::kDouble);

/// That values lie in [lower, upper]; of nulls and NaN nothing.
Evidence WithBounds(const DataType& type, std::string lower, std::string upper) {
  Evidence evidence = Evidence::Missing(EvidenceSource::kFile, Reason::kNullCountUnknown);
  evidence.type = std::make_shared<const DataType>(type);
  evidence.lower = EvidenceBound{std::move(lower), Exactness::kUnknown};
  evidence.upper = EvidenceBound{std::move(upper), Exactness::kUnknown};
  return evidence;
}

Evidence WithBounds(int64_t lower, int64_t upper) {
  return WithBounds(kInt64, BytesOf(lower), BytesOf(upper));
}

ScanFile WithStatistics(ScanFile file, const std::string& column, Evidence evidence) {
  file.statistics = {{column, std::move(evidence)}};
  return file;
}

/// A file that cannot be opened: nothing but what is known of it may be used.
ScanFile NoFile(const std::string& column, Evidence evidence) {
  ScanFile file;
  file.path = "there is no such file.parquet";
  return WithStatistics(file, column, std::move(evidence));
}

/// A required column x of one page.
ScanFile Claiming(ElementSpec element, int64_t count, std::string plain,
                  const std::optional<Claims>& claims) {
  const FileSpec spec =
      ClaimingFile(element, count, {DataPage(Encoding::kPlain, count, std::move(plain))}, claims);
  ScanFile file;
  file.file = MakeMemoryFile("memory", PaddedBuffer(BuildFile(spec).bytes));
  return file;
}
ScanFile FileOfDoubles(const std::vector<double>& values, const std::optional<Claims>& claims) {
  return Claiming(Required("x", PhysicalType::kDouble), std::ssize(values), PlainDouble(values),
                  claims);
}

/// "none file bounds", for example.
std::string VerdictOf(const ScanFile& file, const ScanRequest& request) {
  const auto scan = Scan::Open({file}, request);
  EXPECT_TRUE(scan) << scan.status().ToString();
  if (!scan) return {};
  while (true) {
    const auto batch = (*scan)->Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) break;
  }
  const auto& verdicts = (*scan)->counters().file_verdicts;
  EXPECT_EQ(verdicts.size(), 1U);
  const auto& [outcome, source, reason] = verdicts.begin()->first;
  return std::string(OutcomeName(outcome)) + " " + std::string(SourceName(source)) + " " +
         std::string(ReasonName(reason));
}

// Nobody said that there is no NaN.
TEST(FileStatisticsScan, S3UnknownNans) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ScanFile data = FileOfDoubles({nan, 1, 2}, std::nullopt);
  const std::vector<Field> table = {Named("x", kDouble)};
  const Evidence unknown = WithBounds(kDouble, BytesOf(1.0), BytesOf(2.0));
  const ScanFile file = WithStatistics(data, "x", unknown);
  const ScanFile alone = NoFile("x", unknown);
  for (const char* where : {"x > 100", "x >= 3", "x <> 1 AND x <> 2", "x NOT IN (1, 2)",
                            "NOT (x < 10)", "is_nan(x)", "x = 'nan'"}) {
    ExpectDelivered({file}, OfTable(table, where), {"\"NaN\""});
    EXPECT_EQ(VerdictOf(file, OfTable(table, where)).substr(0, 4), "some") << where;
  }
  // What is false of NaN, bounds exclude.
  for (const char* where : {"x < 1", "x = 0", "x BETWEEN 3 AND 4", "x IN (7, 8)"}) {
    EXPECT_EQ(Rows({alone}, OfTable(table, where)), Strings()) << where;
  }
  // Known not to be there.
  Evidence without = unknown;
  without.nans = Occurrence::None();
  EXPECT_EQ(Rows({NoFile("x", without)}, OfTable(table, "x > 100")), Strings());
  EXPECT_EQ(VerdictOf(NoFile("x", without), OfTable(table, "x > 100")), "none file bounds");
}

// fault S25, S10: that every row passes takes more than bounds.
TEST(FileStatisticsScan, S2FullMatchNeedsNoNullAndNoNan) {
  Table table = Numbers("n", 5, 1);
  table.num_rows = 2;
  table.columns[0].push_back(Null());
  const ScanFile data = FileOf(table);
  Evidence evidence = WithBounds(5, 5);
  const auto expect = [&](const std::string& where, const Strings& rows,
                          const std::string& verdict) {
    const ScanFile file = WithStatistics(data, "n", evidence);
    ExpectDelivered({file}, Where(where), rows);
    EXPECT_EQ(VerdictOf(file, Where(where)), verdict) << where;
  };
  expect("n = 5", {"5"}, "some file null_count_unknown");
  expect("n IS NULL", {"null"}, "some file null_count_unknown");
  expect("n <> 5", {}, "none file bounds");
  expect("n IS DISTINCT FROM 5", {"null"}, "some file null_count_unknown");
  evidence.nulls = Occurrence::OfCount(1, 2, Reason::kNullCountMalformed);
  expect("n = 5", {"5"}, "some file nulls_present");
  expect("n IS NOT NULL", {"5"}, "some file nulls_present");
  evidence.nulls = Occurrence::None();
  const ScanFile whole = WithStatistics(FileOf(Numbers("n", 5, 1)), "n", evidence);
  EXPECT_EQ(VerdictOf(whole, Where("n = 5")), "all file bounds");
  ExpectDelivered({whole}, Where("n = 5"), {"5"});
}

/// Sixty-four days from 2024-01-01 on, each a file of its own.
std::vector<ScanFile> Days() {
  constexpr int32_t kFirstDay = 19'723;
  std::vector<ScanFile> files;
  for (int32_t day = kFirstDay; day < kFirstDay + 64; ++day) {
    Table table = Numbers("d", 0, 2);
    table.schema.fields[0].type = DataType::Of(TypeId::kDate);
    table.columns[0] = {Fixed(day), Fixed(day)};
    Evidence evidence = WithBounds(table.schema.fields[0].type, BytesOf(day), BytesOf(day));
    evidence.nulls = Occurrence::None();
    files.push_back(WithStatistics(FileOf(table, std::to_string(day)), "d", evidence));
  }
  return files;
}

// contract L-05, V-63: sound statistics leave files out before they are opened, under constants
// that are to be folded, in lists and under NOT.
TEST(FileStatisticsScan, S24PruningIsNotLost) {
  const std::vector<ScanFile> files = Days();
  const std::vector<Field> table = {Named("d", DataType::Of(TypeId::kDate))};
  for (const auto& [where, kept] : std::vector<std::pair<std::string, int64_t>>{
           // 2024-01-01 and 63 days: up to 2024-03-04.
           {"d >= DATE '2024-03-04' - INTERVAL 7 DAY", 8},
           {"d >= DATE '2024-03-04' - 7", 8},
           {"d = DATE '2024-02-01'", 1},
           {"d IN (DATE '2024-02-01', '2024-02-03', DATE '2025-01-01')", 2},
           {"d BETWEEN '2024-02-01' AND '2024-02-10'", 10},
           {"NOT (d < DATE '2024-03-01' OR d > DATE '2024-03-02')", 2},
           {"d > CAST('2024-03-01' AS DATE) AND length('abc') = 3", 3},
           {"d IS NULL", 0},
           {"d < DATE '2024-01-03' OR d > DATE '2024-03-03'", 3}}) {
    SCOPED_TRACE(where);
    const auto scan = Scan::Open(files, OfTable(table, where));
    ASSERT_TRUE(scan) << scan.status().ToString();
    EXPECT_EQ(std::ssize(Rows(**scan)), 2 * kept);
    const ScanCounters& counters = (*scan)->counters();
    EXPECT_EQ(counters.files_considered, 64);
    EXPECT_EQ(counters.files_considered - counters.files_pruned, kept);
    EXPECT_EQ(counters.row_groups_considered, kept);
    // Whatever is left has no row that does not pass: nothing is left to filter.
    EXPECT_EQ(counters.rows_filtered + counters.rows_rejected, 0);
  }
}

// contract L-06 to L-14, S-08, S-23: the file of which nothing is known stays, and so does the one
// with bounds around a value that it has not.
TEST(FileStatisticsScan, WhatIsNotKnownProvesNothing) {
  const std::vector<Field> table = {Named("n", kInt64), Named("m", kInt64)};
  const std::vector<ScanFile> files = {
      WithStatistics(FileOf(Numbers("n", 41, 13), "first"), "n", WithBounds(41, 53)),
      NoFile("n", WithBounds(71, 91)),
      FileOf(Numbers("n", 47, 1), "third"),
      WithStatistics(FileOf(Numbers("n", 40, 3), "other column"), "m", WithBounds(1, 2)),
  };
  ScanRequest request = OfTable(table, "n = 47");
  request.columns = {{{"n"}, {"file_path"}}};
  const auto scan = Scan::Open(files, request);
  ASSERT_TRUE(scan);
  EXPECT_EQ(Rows(**scan), (Strings{"47 \"first\"", "47 \"third\""}));
  EXPECT_EQ((*scan)->counters().files_pruned, 1);
  // The reasons of those that are not left out are kept apart (contract S-18).
  EXPECT_EQ((*scan)->counters().file_verdicts.size(), 3U);
  // One proof is enough for AND, none for OR.
  EXPECT_EQ(Rows({files[1]}, OfTable(table, "n = 47 AND m = 5")), Strings());
  const auto missing = Scan::Open({files[1]}, OfTable(table, "n = 47 OR m = 5"));
  ASSERT_TRUE(missing);
  EXPECT_EQ((*missing)->Next().status().code(), StatusCode::kNotFound);
}

// contract V-81: a given value is what the column is, whatever the file has and is said to have.
TEST(FileStatisticsScan, GivenValuesGoBefore) {
  ScanFile file = WithStatistics(FileOf(Numbers("p", 5, 2)), "p", WithBounds(5, 6));
  file.constants = {{"p", Value::Of<int64_t>(kInt64, 1)}};
  const std::vector<Field> table = {Named("p", kInt64)};
  for (const char* where : {"p = 1", "p < 5", "p + 0 = 1", "p NOT IN (5, 6)"}) {
    ExpectDelivered({file}, OfTable(table, where), {"1", "1"});
  }
  for (const char* where : {"p = 5", "p > 1", "p IS NULL", "p + 0 = 6"}) {
    ExpectDelivered({file}, OfTable(table, where), {});
  }
  EXPECT_EQ(VerdictOf(file, OfTable(table, "p = 1")), "all constant bounds");
}

// contract L-16: statistics are of the table's columns, whatever a file calls them.
TEST(FileStatisticsScan, AreNamedAsInTheTable) {
  Table data = Numbers("old", 4, 3);
  data.schema.fields[0].field_id = 3;
  ScanRequest request = Where("new > 10");
  request.schema =
      std::make_shared<const Schema>(Schema{{{"new", kInt64, true, 3}, {"old", kInt64, true, 9}}});
  ScanOptions options;
  options.match = ColumnMatch::kFieldId;
  for (const auto& [column, is_pruned] :
       std::vector<std::pair<std::string, int64_t>>{{"new", 1}, {"old", 0}, {"none such", 0}}) {
    SCOPED_TRACE(column);
    const auto scan =
        Scan::Open({WithStatistics(FileOf(data), column, WithBounds(4, 6))}, request, options);
    ASSERT_TRUE(scan);
    EXPECT_EQ(Rows(**scan), Strings());
    EXPECT_EQ((*scan)->counters().files_pruned, is_pruned);
  }
}

// contract S-11, X-06: those of a type that the column had before are of use as far as it widens.
TEST(FileStatisticsScan, V8StatisticsOfAnotherType) {
  Table data = Numbers("n", 0, 1);
  data.schema.fields[0].type = kInt32;
  data.columns[0] = {Fixed(int32_t{155})};
  const std::vector<Field> table = {Named("n", kInt64)};
  const std::string value = BytesOf(int32_t{155});
  const Evidence narrow = WithBounds(kInt32, value, value);
  for (const Evidence& evidence :
       {narrow, WithBounds(kString, "9", "95"),
        WithBounds(DataType::Of(TypeId::kUint64), BytesOf(int64_t{1}), BytesOf(int64_t{2}))}) {
    const ScanFile file = WithStatistics(FileOf(data), "n", evidence);
    ExpectDelivered({file}, OfTable(table, "n = 155"), {"155"});
    ExpectDelivered({file}, OfTable(table, "n > 100"), {"155"});
    ExpectDelivered({file}, OfTable(table, "n > 5000000000 OR n < 0"), {});
    const bool is_of_use = *evidence.type == kInt32;
    EXPECT_EQ(VerdictOf(file, OfTable(table, "n < 9")),
              is_of_use ? "none file bounds" : "some file type_changed");
  }
}

// contract L-19: bytes that are no value of the type bound nothing.
TEST(FileStatisticsScan, S27BoundsOfTheWrongWidth) {
  const std::vector<Field> table = {Named("n", kInt64)};
  for (const std::string& malformed :
       {std::string(), std::string(3, '\x7f'), std::string(9, '\0')}) {
    const Evidence none = WithBounds(kInt64, malformed, malformed);
    const Evidence upper = WithBounds(kInt64, malformed, BytesOf(int64_t{2}));
    const Evidence lower = WithBounds(kInt64, BytesOf(int64_t{0}), malformed);
    for (const Evidence& evidence : {none, upper, lower}) {
      const ScanFile file = WithStatistics(FileOf(Numbers("n", 0, 3)), "n", evidence);
      ExpectDelivered({file}, OfTable(table, "n >= 1"), {"1", "2"});
      ExpectDelivered({file}, OfTable(table, "n < 2"), {"0", "1"});
      ExpectDelivered({file}, OfTable(table, "n <> 0 AND n IS NOT NULL"), {"1", "2"});
    }
    EXPECT_EQ(VerdictOf(NoFile("n", upper), OfTable(table, "n > 2")), "none file bounds");
    EXPECT_EQ(VerdictOf(NoFile("n", lower), OfTable(table, "n < 0")), "none file bounds");
    const ScanFile file = WithStatistics(FileOf(Numbers("n", 0, 3)), "n", none);
    EXPECT_EQ(VerdictOf(file, OfTable(table, "n > 2")), "some file bound_malformed");
  }
  // Of another type than the table's they are malformed as well, before they are widened.
  const Evidence narrow = WithBounds(kInt32, "1", BytesOf(int32_t{2}));
  ExpectDelivered({WithStatistics(FileOf(Numbers("n", 0, 3)), "n", narrow)},
                  OfTable(table, "n <= 0"), {"0"});
}

/// The extremes of x, and whether data was read for them.
struct Found {
  std::string extremes;
  bool is_read = false;
};
Found ExtremesOf(const ScanFile& file, const std::string& where = {}) {
  ScanRequest request = where.empty() ? ScanRequest() : Where(where);
  request.columns = {{{"x"}}};
  ScanCounters counters;
  const auto found = FindExtremes({file}, request, {}, &counters);
  EXPECT_TRUE(found) << found.status().ToString();
  if (!found) return {};
  const auto text = [](const std::optional<Value>& value) {
    return value ? value->ToString() : std::string("none");
  };
  return {text(found->minimum) + " " + text(found->maximum), counters.data.pages_read > 0};
}

// Bounds answer for the least and the greatest value only where they are exact and of rows that are
// all there.
TEST(FileStatisticsScan, S13BoundsAsAnswers) {
  const std::vector<std::string> values = {"A123456789", "M", "Z123456789"};
  ElementSpec text = Required("x", PhysicalType::kByteArray);
  text.converted_type = kConvertedUtf8;
  const auto file = [&](std::optional<bool> is_exact, std::string lower, std::string upper) {
    Claims claims{.min_value = std::move(lower), .max_value = std::move(upper), .null_count = 0};
    claims.is_min_exact = claims.is_max_exact = is_exact;
    return Claiming(text, std::ssize(values), PlainByteArray(values), claims);
  };
  const std::string expected = "\"A123456789\" \"Z123456789\"";
  const ScanFile exact = file(true, values[0], values[2]);
  Found found = ExtremesOf(exact);
  EXPECT_EQ(found.extremes, expected);
  EXPECT_FALSE(found.is_read);
  for (const std::optional<bool> is_exact : {std::optional<bool>(), std::optional(false)}) {
    for (const bool is_cut : {false, true}) {
      found = ExtremesOf(is_cut ? file(is_exact, "A1234567", "Z1234568")
                                : file(is_exact, values[0], values[2]));
      EXPECT_EQ(found.extremes, expected);
      EXPECT_TRUE(found.is_read);
    }
  }
  // Of rows that are deleted, or do not pass, bounds may be.
  ScanFile deleted = exact;
  deleted.deleted = RowsAt({0});
  EXPECT_EQ(ExtremesOf(deleted).extremes, "\"M\" \"Z123456789\"");
  deleted.deleted = RowsAt({0, 1, 2});
  EXPECT_EQ(ExtremesOf(deleted).extremes, "none none");
  EXPECT_EQ(ExtremesOf(exact, "x < 'N'").extremes, "\"A123456789\" \"M\"");
  // What a caller knows of the file is not what its rows are.
  Evidence wide = WithBounds(kString, "0", "z");
  for (auto* bound : {&wide.lower, &wide.upper}) (*bound)->exactness = Exactness::kExact;
  EXPECT_EQ(ExtremesOf(WithStatistics(exact, "x", wide)).extremes, expected);
  // NaN is above every bound.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Claims claims{.min_value = BytesOf(1.0), .max_value = BytesOf(2.0), .null_count = 0};
  claims.is_min_exact = claims.is_max_exact = true;
  EXPECT_EQ(ExtremesOf(FileOfDoubles({1, nan, 2}, claims)).extremes, "1 \"NaN\"");
  claims.nan_count = 0;
  found = ExtremesOf(FileOfDoubles({1, 2}, claims));
  EXPECT_EQ(found.extremes, "1 2");
  EXPECT_FALSE(found.is_read);
}

}  // namespace
}  // namespace sluice::support
