// The least and the greatest value of a column: those of a scan that looks at every row, whatever
// metadata prove, and errors where it has them.

#include <gtest/gtest.h>
#include <sluice/optimizations.h>
#include <sluice/scan.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random_scan_files.h"
#include "tests/support/sanitizer.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

const DataType kDate = DataType::Of(TypeId::kDate);
const DataType kDouble = DataType::Of(TypeId::kDouble);
const DataType kMicros = DataType::Timestamp(TimeUnit::kMicroseconds, false);

parquet::WriterOptions GroupsOf(int64_t rows) {
  parquet::WriterOptions writer;
  writer.row_group_rows = rows;
  return writer;
}

std::string TextOf(const Extremes& extremes) {
  const auto text = [](const std::optional<Value>& value) {
    return value ? value->ToString() : std::string("none");
  };
  return text(extremes.minimum) + " " + text(extremes.maximum);
}

struct Found {
  std::string extremes;  ///< Or the code of an error.
  int64_t pages_read = 0;
};
Found Find(const std::vector<ScanFile>& files, ScanRequest request, const std::string& column,
           const ScanOptions& options = {}) {
  request.columns = {{{column}}};
  ScanCounters counters;
  const auto found = FindExtremes(files, std::move(request), options, &counters);
  if (!found) return {std::string(StatusCodeName(found.status().code())), 0};
  EXPECT_EQ(counters.rows_considered, counters.rows_pruned_by_row_group +
                                          counters.rows_pruned_by_page + counters.rows_deleted +
                                          counters.rows_filtered + counters.rows_rejected +
                                          counters.rows_delivered + counters.rows_not_reached);
  return {TextOf(*found), counters.data.pages_read};
}

ScanOptions On(int32_t threads) {
  ScanOptions options;
  options.threads = threads;
  return options;
}

TEST(Extremes, AreThoseOfMetadataWhereItProvesThem) {
  ScanFile file = FileOf(Numbers("n", 0, 1000), "numbers", GroupsOf(100));
  for (const int32_t threads : {1, 3}) {
    SCOPED_TRACE(threads);
    Found found = Find({file}, {}, "n", On(threads));
    EXPECT_EQ(found.extremes, "0 999");
    EXPECT_EQ(found.pages_read, 0);
    EXPECT_EQ(Find({file}, Where("n < 0"), "n", On(threads)).extremes, "none none");
    EXPECT_EQ(Find({file}, Where("n >= 250 AND n % 2 = 0"), "n", On(threads)).extremes, "250 998");
    // One row group is undecided, but may only change the one end.
    found = Find({file}, Where("n >= 250"), "n", On(threads));
    EXPECT_EQ(found.extremes, "250 999");
    EXPECT_EQ(found.pages_read, 1);
    ScanFile shortened = file;
    shortened.deleted = RowsAt({0, 999});
    found = Find({shortened}, {}, "n", On(threads));
    EXPECT_EQ(found.extremes, "1 998");
    EXPECT_EQ(found.pages_read, 2);
  }
  ScanOptions options;
  options.use_statistics = false;
  EXPECT_EQ(Find({file}, {}, "n", options).pages_read, 10);
  options = {};
  options.read.read_everything = true;
  EXPECT_EQ(Find({file}, {}, "n", options).pages_read, 10);
}

// Row groups that lie inside of what was found are left out, without being known exactly.
TEST(Extremes, ReadNoRowsThatCannotChangeThem) {
  const ScanFile wide = FileOf(Numbers("n", 0, 100), "wide", GroupsOf(100));
  ScanFile narrow = FileOf(Numbers("n", 20, 60), "narrow", GroupsOf(10));
  narrow.deleted = RowsAt({0, 11, 22, 33, 44, 55});
  EXPECT_EQ(Find({narrow}, {}, "n").pages_read, 6);
  const Found found = Find({wide, narrow}, {}, "n");
  EXPECT_EQ(found.extremes, "0 99");
  EXPECT_EQ(found.pages_read, 0);
  EXPECT_EQ(Find({wide, narrow}, Where("n > 0 AND n < 99"), "n").pages_read, 1);
}

TEST(Extremes, OfWhatTheFileDoesNotHave) {
  ScanFile constant = FileOf(Numbers("n", 0, 10), "constant");
  constant.constants = {{"c", Value::Of<int64_t>(kInt64, 42)}};
  const ScanFile missing = FileOf(Numbers("n", 0, 10), "missing", GroupsOf(4));
  const std::vector<Field> table = {Named("n", kInt64), Named("c", kInt64)};
  EXPECT_EQ(Find({constant, missing}, OfTable(table), "c").extremes, "42 42");
  EXPECT_EQ(Find({missing}, OfTable(table), "c").extremes, "none none");
  EXPECT_EQ(Find({constant, missing}, OfTable(table), "c").pages_read, 0);
  EXPECT_EQ(Find({constant}, OfTable(table, "n > 9"), "c").extremes, "none none");
  EXPECT_EQ(Find({constant}, OfTable(table, "n > 8"), "c").extremes, "42 42");
  EXPECT_EQ(Find({missing}, OfTable(table), "file_path").extremes, "\"missing\" \"missing\"");
  EXPECT_EQ(Find({missing}, OfTable(table), "file_row_number").extremes, "0 9");
  EXPECT_EQ(Find({missing}, OfTable(table, "n < 5"), "file_row_number").extremes, "0 4");
  EXPECT_EQ(Find({missing}, OfTable(table, "n < 5"), "row_group").extremes, "0 1");
  EXPECT_EQ(Find({missing}, OfTable(table), "row_group").pages_read, 0);
}

TEST(Extremes, OfFloatingPoint) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto of = [&](const std::vector<std::vector<double>>& row_groups) {
    std::vector<ScanFile> files;
    for (const std::vector<double>& values : row_groups) {
      Table table;
      table.num_rows = std::ssize(values);
      table.schema.fields = {Named("x", kDouble)};
      table.columns.emplace_back();
      for (const double value : values) table.columns[0].push_back(Fixed(value));
      files.push_back(FileOf(table));
    }
    return Find(files, {}, "x").extremes;
  };
  EXPECT_EQ(of({{1, 2}, {nan}, {1.5}}), "1 \"NaN\"");
  EXPECT_EQ(of({{nan, nan}, {nan}}), "\"NaN\" \"NaN\"");
  EXPECT_EQ(of({{nan}, {-1, nan}}), "-1 \"NaN\"");
  EXPECT_EQ(of({{-3, 3}, {-0.0, 0.0}, {3, -3}}), "-3 3");
  EXPECT_EQ(of({{0.0, 5}, {-0.0, 1}}), "0 5");
  EXPECT_EQ(of({{}, {}}), "none none");
}

// An error of a row is one of the call, also where its value would change nothing.
TEST(Extremes, FailAsTheRowsDo) {
  const ScanFile narrow = FileOf(Numbers("n", -5, 10), "narrow");
  const std::vector<ScanFile> files = {FileOf(Numbers("n", -100, 50), "low"),
                                       FileOf(Numbers("n", 50, 50), "high"), narrow};
  const std::string error(StatusCodeName(StatusCode::kRowError));
  for (const int32_t threads : {1, 3}) {
    const ScanOptions options = On(threads);
    EXPECT_EQ(Find(files, Where("abs(n) >= 50 OR 10 % n < 3"), "n", options).extremes, error);
    EXPECT_EQ(Find(files, Where("abs(n) >= 50 OR n = 0"), "n", options).extremes, "-100 99");
    EXPECT_EQ(Find(files, Where("n > 3 AND 10 % n < 3"), "n", options).extremes, "4 4");
  }
  ScanFile without = narrow;
  without.deleted = RowsAt({5});
  EXPECT_EQ(Find({narrow}, Where("10 % n < 100"), "n").extremes, error);
  EXPECT_EQ(Find({without}, Where("10 % n < 100"), "n").extremes, "-5 4");
}

// A value without counterpart in the table's type is an error too; bounds that both have one prove
// that there is none.
TEST(Extremes, OfColumnsThatWidenInPart) {
  const auto days = [](const std::vector<int32_t>& values) {
    Table table;
    table.num_rows = std::ssize(values);
    table.schema.fields = {Named("t", kDate)};
    table.columns.emplace_back();
    for (const int32_t value : values) table.columns[0].push_back(Fixed(value));
    return FileOf(table, "days");
  };
  Table wide;
  wide.num_rows = 2;
  wide.schema.fields = {Named("t", kMicros)};
  wide.columns = {{Fixed(int64_t{-1'000'000'000'000'000}), Fixed(int64_t{1'000'000'000'000'000})}};
  const ScanFile micros = FileOf(wide, "micros");
  const ScanRequest request = OfTable({Named("t", kMicros)});
  const Found found = Find({days({1, 2, 3})}, request, "t");
  EXPECT_EQ(found.extremes, "\"1970-01-02T00:00:00.000000\" \"1970-01-04T00:00:00.000000\"");
  EXPECT_EQ(found.pages_read, 0);
  const std::string error(StatusCodeName(StatusCode::kRowError));
  EXPECT_EQ(Find({micros, days({1, INT32_MAX, 3})}, request, "t").extremes, error);
  EXPECT_EQ(Find({days({1, INT32_MIN, 3}), micros}, request, "t").extremes, error);
  EXPECT_EQ(Find({micros, days({1, 2, 3})}, request, "t").pages_read, 0);
}

// Where every value of the type lies between those that were seen, none can change them, but be an
// error.
TEST(Extremes, DoNotHideAValueWithoutCounterpart) {
  const auto file = [](TimeUnit unit, std::vector<int64_t> values) {
    Table table;
    table.schema.fields.push_back(Named("t", DataType::Timestamp(unit, true)));
    table.columns.emplace_back();
    for (const int64_t value : values) table.columns[0].push_back(Fixed(value));
    table.num_rows = std::ssize(values);
    return FileOf(table);
  };
  const std::vector<ScanFile> files = {file(TimeUnit::kMicroseconds, {INT64_MIN, INT64_MAX}),
                                       file(TimeUnit::kMilliseconds, {0, INT64_MAX})};
  ScanRequest request = Columns({{"t"}});
  request.schema = std::make_shared<const Schema>(
      Schema{{Named("t", DataType::Timestamp(TimeUnit::kMicroseconds, true))}});
  EXPECT_EQ(FindExtremes(files, request).status().code(), StatusCode::kRowError);
}

TEST(Extremes, AreOfOneColumnThatHasAnOrder) {
  const ScanFile file = FileOf(Numbers("n", 0, 3));
  const auto code = [&](ScanRequest request) {
    return FindExtremes({file}, std::move(request)).status().code();
  };
  ScanRequest limited;
  limited.limit = 1;
  EXPECT_EQ(code(limited), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Columns({{"n"}, {"file_row_number"}})), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Columns({})), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Columns({{"m"}})), StatusCode::kInvalidArgument);
}

/// Random files, and a column of theirs under a random predicate.
class RandomSearch {
 public:
  explicit RandomSearch(uint64_t seed) : random_(seed), expressions_(seed + 1) {}

  /// How many row groups were not read, of which rows may pass.
  int64_t Run() {
    Schema schema = expressions_.MakeSchema();
    for (int64_t i = 1 + random_.Below(3); i > 0; --i) {
      files_.push_back(
          MakeScanFile(schema, "memory " + std::to_string(i), random_, expressions_).file);
    }
    if (random_.Chance(0.7)) {
      request_.where = expressions_.MakePredicate(schema, static_cast<int>(1 + random_.Below(3)));
    }
    request_.schema = std::make_shared<const Schema>(schema);
    int64_t left_out = 0;
    for (const char* name : {"file_path", "file_row_number", "row_group"}) {
      if (random_.Chance(0.2)) left_out += Check(name);
    }
    for (const Field& field : schema.fields) {
      if (IsOrdered(field.type)) left_out += Check(field.name);
      if (testing::Test::HasFailure()) break;
    }
    return left_out;
  }

 private:
  ScanOptions RandomWay() {
    ScanOptions options;
    for (const Optimization& one : Optimizations()) {
      if (random_.Chance(0.1)) one.option(options) = false;
    }
    if (random_.Chance(0.4)) options.threads = 3;
    options.ordered = random_.Chance(0.5);
    options.read.read_everything = random_.Chance(0.1);
    options.read.batch_rows = 1 + random_.Below(500);
    return options;
  }

  int64_t Check(const std::string& column) {
    request_.columns = {{{column}}};
    const Status expected = Look();
    if (expected.code() == StatusCode::kInvalidArgument) return 0;
    ScanCounters counters;
    const auto found = FindExtremes(files_, request_, RandomWay(), &counters);
    EXPECT_EQ(found.status().code(), expected.code())
        << column << ": " << expected.ToString() << "; " << found.status().ToString();
    if (!found || !expected.ok()) return 0;
    ExpectSame(found->minimum, minimum_, column);
    ExpectSame(found->maximum, maximum_, column);
    return counters.rows_not_reached > 0 ? 1 : 0;
  }

  /// A scan without any optimisation, row by row.
  Status Look() {
    minimum_.reset();
    maximum_.reset();
    auto scan = Scan::Open(files_, request_, AllOff().options);
    if (!scan) return scan.status();
    for (;;) {
      const auto batch = (*scan)->Next();
      if (!batch) return batch.status();
      if (!*batch) return Status::Ok();
      for (int64_t row = 0; row < (*batch)->batch.num_rows; ++row) {
        const Value value = ValueAt((*batch)->batch.columns[0], row);
        if (value.is_null()) continue;
        if (!minimum_ || OrderOf(value, *minimum_) < 0) minimum_ = value;
        if (!maximum_ || OrderOf(value, *maximum_) > 0) maximum_ = value;
      }
    }
  }

  static int OrderOf(const Value& a, const Value& b) {
    return CompareValues(a.type, *a.bytes, *b.bytes);
  }
  static void ExpectSame(const std::optional<Value>& found, const std::optional<Value>& expected,
                         const std::string& column) {
    ASSERT_EQ(found.has_value(), expected.has_value()) << column;
    if (!found) return;
    EXPECT_EQ(found->type, expected->type);
    EXPECT_EQ(OrderOf(*found, *expected), 0)
        << column << ": " << found->ToString() << " instead of " << expected->ToString();
  }

  RandomColumns random_;
  RandomExpressions expressions_;
  std::vector<ScanFile> files_;
  ScanRequest request_;
  std::optional<Value> minimum_;
  std::optional<Value> maximum_;
};

TEST(Extremes, AreThoseOfAScanThatLooksAtEveryRow) {
  int64_t left_out = 0;
  for (uint64_t seed = 1; seed <= (kHasAddressSanitizer ? 60 : 150); ++seed) {
    left_out += RandomSearch(seed).Run();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(left_out, kHasAddressSanitizer ? 10 : 50);
}

}  // namespace
}  // namespace sluice::support
