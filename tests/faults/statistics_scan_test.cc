// Statistics that are wrong, missing or misleading, under predicates on the file: faults S1 to S27.
// Each is scanned in every way, with row groups and with pages claiming the same.

#include <gtest/gtest.h>

#include <limits>

#include "tests/faults/claiming_files.h"
#include "tests/format/model/filters.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

const double kNan = std::numeric_limits<double>::quiet_NaN();
std::string I(int32_t value) { return BytesOf(value); }
std::string D(double value) { return BytesOf(value); }

/// The rows for which predicates are TRUE.
using Answers = std::vector<std::pair<std::string, Positions>>;

void ExpectAnswers(const FileSpec& file, const Answers& answers) {
  const std::string bytes = BuildFile(file).bytes;
  for (const auto& [where, positions] : answers) {
    ExpectScan(bytes, {where}, positions);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// The file with a column index of its one page that claims what `claims` do.
FileSpec WithIndex(FileSpec file, const Claims& claims) {
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  chunk.with_offset_index = true;
  IndexClaims index{.null_pages = {false},
                    .min_values = {claims.min_value.value_or("")},
                    .max_values = {claims.max_value.value_or("")}};
  if (claims.null_count) index.null_counts = {*claims.null_count};
  if (claims.nan_count) index.nan_counts = {*claims.nan_count};
  chunk.column_index = index.Bytes();
  return file;
}

/// The claims made of the row group, of the page, and of both.
template <typename Make>
void ExpectAnswers(const Make& make, const Claims& claims, const Answers& answers) {
  const FileSpec of_row_group = make(claims);
  const FileSpec of_page = WithIndex(make(std::nullopt), claims);
  for (const FileSpec& file : {of_row_group, of_page, WithIndex(of_row_group, claims)}) {
    ExpectAnswers(file, answers);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// The verdict of the first row group, everything on.
std::string VerdictOf(const FileSpec& file, const std::string& where) {
  const Scanned scanned = ScanRows(BuildFile(file).bytes, {where});
  return scanned.verdicts.empty() ? "" : scanned.verdicts.begin()->first;
}

// contract L-20
TEST(StatisticsScan, S1NansOutsideOfTheBounds) {
  const auto file = [](const std::optional<Claims>& claims) {
    return Doubles({3, kNan, 3}, claims);
  };
  const Answers answers = {{"x <> 3", {1}},       {"NOT x < 10", {1}}, {"x > 100", {1}},
                           {"x >= 3", {0, 1, 2}}, {"is_nan(x)", {1}},  {"x = 'nan'", {1}},
                           {"x = 3", {0, 2}},     {"x < 10", {0, 2}},  {"x < 3", {}},
                           {"x + 0 > 100", {1}}};
  Claims claims{.min_value = D(3), .max_value = D(3)};
  ExpectAnswers(file, claims, answers);
  claims.nan_count = 1;
  ExpectAnswers(file, claims, answers);
  // Bounds that are NaN say nothing of the other rows.
  ExpectAnswers(file, Claims{.min_value = D(kNan), .max_value = D(kNan)}, answers);
  // What is false of NaN is pruned by the same bounds, and so is the rest where there is no NaN.
  claims.nan_count.reset();
  EXPECT_EQ(VerdictOf(file(claims), "x < 3"), "none row_group bounds");
  EXPECT_EQ(VerdictOf(file(claims), "x > 100"), "some row_group nans_possible");
  claims.nan_count = 0;
  EXPECT_EQ(VerdictOf(Doubles({3, 3}, claims), "x > 100"), "none row_group bounds");
}

// contract L-18
TEST(StatisticsScan, S2FullMatchNeedsNoNullAndNoNan) {
  const auto doubles = [](const std::optional<Claims>& claims) {
    return Doubles({1, kNan}, claims);
  };
  Claims of_doubles{.min_value = D(1), .max_value = D(1)};
  ExpectAnswers(doubles, of_doubles, {{"x = 1", {0}}, {"x <= 1", {0}}, {"x >= 1", {0, 1}}});
  of_doubles.nan_count = 1;
  ExpectAnswers(doubles, of_doubles, {{"x = 1", {0}}, {"x <= 1", {0}}, {"x >= 1", {0, 1}}});
  const auto ints = [](const std::optional<Claims>& claims) { return NullAndInts({5}, claims); };
  Claims of_ints{.min_value = I(5), .max_value = I(5)};
  const Answers answers = {
      {"x = 5", {1}}, {"x >= 5", {1}}, {"x <> 6", {1}}, {"x IS NOT NULL", {1}}, {"x IS NULL", {0}}};
  ExpectAnswers(ints, of_ints, answers);
  of_ints.null_count = 1;
  ExpectAnswers(ints, of_ints, answers);
  // Where both are proven the rows are counted without a look at them.
  const FileSpec proven = Doubles(
      {1, 1}, Claims{.min_value = D(1), .max_value = D(1), .null_count = 0, .nan_count = 0});
  ScanQuestion count{"x = 1"};
  count.columns.emplace();
  const Scanned scanned = ScanRows(BuildFile(proven).bytes, count);
  EXPECT_EQ(scanned.positions, (Positions{0, 1}));
  EXPECT_EQ(scanned.row_groups_proven, 1);
  EXPECT_EQ(scanned.pages_read, 0);
}

TEST(StatisticsScan, S4SignedZeros) {
  const auto minus = [](const std::optional<Claims>& claims) { return Doubles({-0.0}, claims); };
  const Answers all = {{"x >= 0.0", {0}}, {"x = 0.0", {0}}, {"x <= 0.0", {0}}, {"x IN (0, 5)", {0}},
                       {"x <> 0.0", {}},  {"x < 0.0", {}},  {"x = -0e0", {0}}};
  ExpectAnswers(minus, Claims{.min_value = D(-0.0), .max_value = D(-0.0)}, all);
  ExpectAnswers(minus, Claims{.min_value = D(0.0), .max_value = D(0.0)}, all);
  const auto plus = [](const std::optional<Claims>& claims) { return Doubles({-0.0, 1}, claims); };
  ExpectAnswers(plus, Claims{.min_value = D(0.0), .max_value = D(1)},
                {{"x <= -0e0", {0}}, {"x = -0e0", {0}}, {"x < 1", {0}}});
}

TEST(StatisticsScan, S5UnsignedOrder) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(32, false);
  const auto file = [&](const std::optional<Claims>& claims) {
    return ClaimingFile(element, 3,
                        {DataPage(Encoding::kPlain, 3, PlainInt32({0, 7, 4'000'000'000}))}, claims);
  };
  const std::string large = BytesOf(uint32_t{4'000'000'000});
  const Answers answers = {{"x = 4000000000", {2}}, {"x > 7", {2}},        {"x < 8", {0, 1}},
                           {"x >= 0", {0, 1, 2}},   {"x < 0", {}},         {"x > -1", {0, 1, 2}},
                           {"x <> 7", {0, 2}},      {"x = -294967296", {}}};
  ExpectAnswers(file, Claims{.min_value = I(0), .max_value = large, .null_count = 0}, answers);
  // Bounds of the signed order.
  ExpectAnswers(file, Claims{.min_value = large, .max_value = I(7)}, answers);
  ExpectAnswers(file(Claims{.deprecated_min = large, .deprecated_max = I(7)}), answers);
}

TEST(StatisticsScan, S7DeprecatedBoundsOfByteArrays) {
  const auto file = [](const std::optional<Claims>& claims) {
    return Strings({"a\xc3\xa9", "az", "b"}, claims);
  };
  const Answers answers = {
      {"x = 'az'", {1}}, {"x < 'b'", {0, 1}}, {"x LIKE 'a%'", {0, 1}}, {"x > 'az'", {0, 2}}};
  // By signed bytes 'aé' is less than 'az'.
  const Claims deprecated{.deprecated_min = "a\xc3\xa9", .deprecated_max = "b"};
  ExpectAnswers(file(deprecated), answers);
  FileSpec without_order = file(Claims{.min_value = "a\xc3\xa9", .max_value = "b"});
  without_order.extra_fields.clear();
  ExpectAnswers(without_order, answers);
}

TEST(StatisticsScan, S8DecimalsInBytes) {
  ElementSpec element = Required("x", PhysicalType::kFixedLenByteArray);
  element.type_length = 2;
  element.logical_type = LogicalDecimal(4, 0);
  const auto file = [&](const std::optional<Claims>& claims) {
    return ClaimingFile(element, 3,
                        {DataPage(Encoding::kPlain, 3, Hex("ffff") + Hex("0000") + Hex("0001"))},
                        claims);
  };
  const Answers answers = {{"x < 0", {0}}, {"x = -1", {0}}, {"x >= 0", {1, 2}},
                           {"x > 1", {}},  {"x = 0.5", {}}, {"x > 0.5", {2}}};
  ExpectAnswers(file, Claims{.min_value = Hex("ffff"), .max_value = Hex("0001")}, answers);
  ExpectAnswers(file, Claims{.min_value = Hex("0000"), .max_value = Hex("ffff")}, answers);
  ExpectAnswers(file(Claims{.deprecated_min = Hex("0000"), .deprecated_max = Hex("ffff")}),
                answers);
}

TEST(StatisticsScan, S8DecimalsOfWritersThatCompareBytes) {
  ElementSpec element = Required("x", PhysicalType::kByteArray);
  element.logical_type = LogicalDecimal(8, 0);
  FileSpec file = ClaimingFile(
      element, 3,
      {DataPage(Encoding::kPlain, 3, PlainByteArray({Hex("01"), Hex("0100"), Hex("03")}))},
      Claims{.min_value = Hex("01"), .max_value = Hex("03")});
  for (const char* writer : {"parquet-rs version 57.0.0", "Polars"}) {
    file.created_by = writer;
    ExpectAnswers(file, {{"x = 256", {1}}, {"x > 3", {1}}, {"x < 4", {0, 2}}});
  }
}

// contract S-03
TEST(StatisticsScan, S10NullCountAbsent) {
  const auto file = [](const std::optional<Claims>& claims) {
    return NullAndInts({100, 101}, claims);
  };
  const Answers answers = {{"x IS NULL", {0}},
                           {"x IS NOT NULL", {1, 2}},
                           {"x >= 100", {1, 2}},
                           {"NOT x < 100", {1, 2}},
                           {"x < 100 OR x IS NULL", {0}}};
  ExpectAnswers(file, Claims{.min_value = I(100), .max_value = I(101)}, answers);
  // Counts that cannot be.
  for (const int64_t count : {int64_t{-1}, int64_t{4}, INT64_MAX}) {
    ExpectAnswers(file, Claims{.min_value = I(100), .max_value = I(101), .null_count = count},
                  answers);
  }
  // Every row null, and yet bounds.
  ExpectAnswers(file, Claims{.min_value = I(100), .max_value = I(101), .null_count = 3}, answers);
}

TEST(StatisticsScan, S11SetsThatHoldNull) {
  const auto file = [](const std::optional<Claims>& claims) { return NullAndInts({1, 3}, claims); };
  ExpectAnswers(file, Claims{.min_value = I(1), .max_value = I(3)},
                {{"x IS NOT DISTINCT FROM 7 OR x IS NULL", {0}},
                 {"x IS NOT DISTINCT FROM NULL", {0}},
                 {"x = 7 OR x IS NOT DISTINCT FROM NULL", {0}},
                 {"x IN (7, NULL)", {}},
                 {"x NOT IN (7, NULL)", {}},
                 {"x NOT IN (7, 8)", {1, 2}}});
}

// A reader cannot see that a maximum was cut and not rounded up; to go without statistics helps.
TEST(StatisticsScan, S12CutMaximumAndTheSwitchThatIgnoresIt) {
  const std::string value = "ABCDEFGHIJKLMNOP0001";
  const std::string cut = value.substr(0, 16);
  const std::string bytes =
      BuildFile(Strings({value}, Claims{.min_value = cut, .max_value = cut})).bytes;
  EXPECT_EQ(ScanRows(bytes, {"x = '" + value + "'"}).positions, Positions());
  ScanWay way;
  way.options.use_statistics = false;
  EXPECT_EQ(ScanRows(bytes, {"x = '" + value + "'"}, way).positions, Positions{0});
}

TEST(StatisticsScan, S15ReversedBounds) {
  const auto file = [](const std::optional<Claims>& claims) { return Strings({"m", "m"}, claims); };
  ExpectAnswers(file, Claims{.min_value = "z", .max_value = "a"},
                {{"x = 'm'", {0, 1}}, {"x < 'n'", {0, 1}}, {"x <> 'm'", {}}, {"x > 'z'", {}}});
  EXPECT_EQ(VerdictOf(file(Claims{.min_value = "z", .max_value = "a"}), "x = 'm'"),
            "some row_group bounds_reversed");
}

TEST(StatisticsScan, S16LeavesOfAnOrRejectNothingAlone) {
  FileSpec file =
      OneRowGroup({AsText(Required("name", PhysicalType::kByteArray)),
                   Optional("deleted", PhysicalType::kInt32)},
                  2,
                  {Chunk({DataPage(Encoding::kPlain, 2, PlainByteArray({"A", "A"}))}),
                   Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({7}), RleRuns({0, 1}, 1))})});
  file.row_groups[0].chunks[0].statistics =
      Claims{.min_value = "A", .max_value = "A", .null_count = 0}.Bytes();
  file.row_groups[0].chunks[1].statistics =
      Claims{.min_value = I(7), .max_value = I(7), .null_count = 1}.Bytes();
  file.extra_fields.push_back(ColumnOrders(2));
  ExpectAnswers(file, {{"(name = 'A' AND deleted IS NULL) OR name IN ('B', 'C')", {0}},
                       {"name = 'B' OR deleted = 7", {1}},
                       {"name = 'A' OR deleted = 8", {0, 1}},
                       {"NOT (name = 'B' AND deleted = 8)", {0, 1}},
                       {"NOT (name = 'A' AND deleted = 7)", {}},
                       {"NOT (name <> 'A' OR deleted <> 7)", {1}},
                       {"name = 'B' OR deleted = 8", {}}});
  EXPECT_EQ(VerdictOf(file, "name = 'B' OR deleted = 8"), "none row_group bounds");
}

TEST(StatisticsScan, S17LiteralsOutsideOfTheType) {
  const FileSpec file = ClaimingFile(Required("x", PhysicalType::kInt32), 1,
                                     {DataPage(Encoding::kPlain, 1, PlainInt32({0}))},
                                     Claims{.min_value = I(0), .max_value = I(0), .null_count = 0});
  ExpectAnswers(file, {{"x < 9223372036854775807", {0}},
                       {"x <= 4294967296", {0}},
                       {"x <> 4294967296", {0}},
                       {"x > -9223372036854775808", {0}},
                       {"x = 4294967296", {}},
                       {"x > 4294967295", {}},
                       {"x IN (4294967296, 0)", {0}},
                       {"x NOT IN (4294967296)", {0}},
                       {"x BETWEEN -99999999999 AND 99999999999", {0}},
                       {"x IS DISTINCT FROM 18446744073709551616", {0}}});
}

TEST(StatisticsScan, S18NullRowsThatPass) {
  const auto file = [](const std::optional<Claims>& claims) { return NullAndInts({5}, claims); };
  ExpectAnswers(file, Claims{.min_value = I(5), .max_value = I(5), .null_count = 1},
                {{"x IS DISTINCT FROM 5", {0}}, {"x <> 5 OR x IS NULL", {0}}, {"x <> 5", {}}});
  // Nulls are counted, and there are no bounds.
  ExpectAnswers(file(Claims{.null_count = 1}),
                {{"x = 5", {1}}, {"x IS DISTINCT FROM 5", {0}}, {"x IS NOT NULL", {1}}});
}

TEST(StatisticsScan, S19SharedBuffersOfOldWriters) {
  FileSpec file = Strings({"m"}, Claims{.deprecated_min = "z", .deprecated_max = "z"});
  for (const char* writer :
       {"parquet-mr version 1.6.0", "parquet-mr version 1.6.0 (build abc)", "parquet-mr", ""}) {
    file.created_by = writer;
    ExpectAnswers(file, {{"x = 'm'", {0}}, {"x < 'n'", {0}}, {"x = 'z'", {}}});
  }
  FileSpec trusted = Strings({"z"}, Claims{.deprecated_min = "z", .deprecated_max = "z"});
  trusted.created_by = "parquet-mr version 1.8.0";
  EXPECT_EQ(VerdictOf(trusted, "x = 'm'"), "none row_group bounds");
}

// contract S-10
TEST(StatisticsScan, S22ComparisonsThatAreNotByBytes) {
  const auto file = [](const std::optional<Claims>& claims) {
    return Strings({"ABC", "abc\t"}, claims);
  };
  ExpectAnswers(file, Claims{.min_value = "ABC", .max_value = "abc\t", .null_count = 0},
                {{"lower(x) = 'abc'", {0}},
                 {"upper(x) = 'ABC'", {0}},
                 {"x = 'abc'", {}},
                 {"x = 'abc\t'", {1}},
                 {"substr(x, 1, 3) = 'abc'", {1}}});
  EXPECT_EQ(VerdictOf(file(Claims{.min_value = "ABC", .max_value = "ABC"}), "lower(x) = 'abc'"),
            "some none no_filter_form");
}

TEST(StatisticsScan, S23NotStartsWith) {
  const auto file = [](const std::optional<Claims>& claims) {
    return ClaimingFile(
        AsText(Optional("x", PhysicalType::kByteArray)), 2,
        {DataPage(Encoding::kPlain, 2, PlainByteArray({"abc"}), RleRuns({1, 0}, 1))}, claims);
  };
  const Answers answers = {{"NOT starts_with(x, 'ab') OR x IS NULL", {1}},
                           {"NOT starts_with(x, 'ab')", {}},
                           {"x NOT LIKE 'abd%'", {0}},
                           // A prefix that is longer than the bounds.
                           {"starts_with(x, 'abc')", {0}},
                           {"x LIKE 'abcd%'", {}},
                           {"x LIKE 'ac%' OR x IS NULL", {1}}};
  for (const std::optional<int64_t> nulls : {std::optional<int64_t>(), std::optional<int64_t>(1)}) {
    ExpectAnswers(file, Claims{.min_value = "ab", .max_value = "abd", .null_count = nulls},
                  answers);
    ExpectAnswers(file, Claims{.min_value = "ab", .max_value = "ac", .null_count = nulls}, answers);
  }
}

// Bounds that meet are no constant in the place of the column.
TEST(StatisticsScan, S25ConstantsInPlaceOfColumns) {
  const auto doubles = [](const std::optional<Claims>& claims) {
    return Doubles({3, kNan, 3}, claims);
  };
  ExpectAnswers(
      doubles,
      Claims{.min_value = D(3), .max_value = D(3), .is_min_exact = true, .is_max_exact = true},
      {{"", {0, 1, 2}}, {"x = 3", {0, 2}}, {"x >= 3", {0, 1, 2}}, {"x + 0 = 3", {0, 2}}});
  const auto ints = [](const std::optional<Claims>& claims) { return NullAndInts({5, 5}, claims); };
  ExpectAnswers(
      ints,
      Claims{.min_value = I(5), .max_value = I(5), .is_min_exact = true, .is_max_exact = true},
      {{"", {0, 1, 2}}, {"x = 5", {1, 2}}, {"x IS NULL", {0}}, {"x + 0 = 5", {1, 2}}});
}

TEST(StatisticsScan, S26PageHeadersWithDeprecatedBounds) {
  PageSpec page = DataPage(Encoding::kPlain, 2, PlainByteArray({"az", "b\xc3\xa9"}));
  page.statistics = Claims{.deprecated_min = "b\xc3\xa9", .deprecated_max = "az"}.Bytes();
  ExpectAnswers(
      ClaimingFile(AsText(Required("x", PhysicalType::kByteArray)), 2, {page}, std::nullopt),
      {{"x = 'az'", {0}}, {"x > 'az'", {1}}, {"x < 'b'", {0}}});
}

// contract L-19
TEST(StatisticsScan, S27BoundsOfTheWrongWidth) {
  const auto file = [](const std::optional<Claims>& claims) { return NullAndInts({5, 9}, claims); };
  const Answers answers = {
      {"x = 9", {2}}, {"x < 9", {1}}, {"x > 9", {}}, {"x <> 0", {1, 2}}, {"x IS NULL", {0}}};
  for (const char* bound : {"", "a", "abc", "abcdefgh"}) {
    ExpectAnswers(file, Claims{.min_value = I(5), .max_value = bound}, answers);
    ExpectAnswers(file, Claims{.min_value = bound, .max_value = I(9)}, answers);
  }
  ExpectAnswers(file(Claims{.min_value = I(5)}), answers);
  ExpectAnswers(file(Claims{.max_value = I(9)}), answers);
  // One bound serves alone.
  EXPECT_EQ(VerdictOf(file(Claims{.min_value = I(5)}), "x < 5"), "none row_group bounds");
}

}  // namespace
}  // namespace sluice::support
