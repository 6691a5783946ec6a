// Statistics and what is concluded from them: faults S1 to S27, where they need no scan.

#include <sluice/parquet/page_walk.h>

#include <limits>

#include "tests/faults/claiming_files.h"
#include "tests/faults/judging.h"
#include "tests/support/page_bytes.h"
#include "tests/support/random_tables.h"

namespace sluice::support {
namespace {

const DataType kInt = DataType::Of(TypeId::kInt32);
const DataType kReal = DataType::Of(TypeId::kDouble);
const DataType kText = DataType::Of(TypeId::kString);
const double kNan = std::numeric_limits<double>::quiet_NaN();
std::string I(int32_t value) { return BytesOf(value); }
std::string D(double value) { return BytesOf(value); }

TEST(StatisticsFaults, S1NansOutsideOfTheBounds) {
  Claims claims{.min_value = D(3), .max_value = D(3)};
  const JudgedFile file(Doubles({3, kNan, 3}, claims));
  for (const ColumnFilter& filter : {NotEqual(kReal, D(3)), GreaterOrEqual(kReal, D(10)),
                                     Greater(kReal, D(100)), GreaterOrEqual(kReal, D(kNan))}) {
    file.Expect(filter, Outcome::kSome, Reason::kNansPossible);
  }
  file.Expect(Less(kReal, D(3)), Outcome::kNone, Reason::kBounds);
  // A count proves it either way.
  claims.nan_count = 1;
  JudgedFile(Doubles({3, kNan, 3}, claims))
      .Expect(NotEqual(kReal, D(3)), Outcome::kSome, Reason::kNansPresent);
  claims.nan_count = 0;
  JudgedFile(Doubles({3, 3, 3}, claims))
      .Expect(NotEqual(kReal, D(3)), Outcome::kNone, Reason::kBounds);
}

TEST(StatisticsFaults, S1BoundsThatAreNan) {
  for (const auto& [min, max] :
       std::vector<std::pair<double, double>>{{kNan, kNan}, {1, kNan}, {kNan, 5}}) {
    const JudgedFile file(Doubles({kNan, 1, 5}, Claims{.min_value = D(min), .max_value = D(max)}));
    file.Expect(Less(kReal, D(0)), Outcome::kSome, Reason::kBoundIsNan);
    file.Expect(Equal(kReal, D(5)), Outcome::kSome, Reason::kBoundIsNan);
  }
  // Counts tell that there is nothing else, in IEEE 754 total order with NaN as the bounds.
  Claims claims{.min_value = D(kNan), .max_value = D(kNan), .nan_count = 2};
  FileSpec file = Doubles({kNan, kNan}, claims);
  file.extra_fields = {ColumnOrders(1, 2)};
  JudgedFile(file).Expect(Less(kReal, D(1e300)), Outcome::kNone, Reason::kNans);
  JudgedFile(file).Expect(Greater(kReal, D(1e300)), Outcome::kAll, Reason::kNans);
}

TEST(StatisticsFaults, S2FullMatchNeedsNoNullAndNoNan) {
  JudgedFile(Doubles({1, kNan}, Claims{.min_value = D(1), .max_value = D(1)}))
      .Expect(Equal(kReal, D(1)), Outcome::kSome, Reason::kNansPossible);
  JudgedFile(NullAndInts({5}, Claims{.min_value = I(5), .max_value = I(5)}))
      .Expect(Equal(kInt, I(5)), Outcome::kSome, Reason::kNullCountUnknown);
  JudgedFile(NullAndInts({5}, Claims{.min_value = I(5), .max_value = I(5), .null_count = 1}))
      .Expect(Equal(kInt, I(5)), Outcome::kSome, Reason::kNullsPresent);
}

TEST(StatisticsFaults, S4SignedZeros) {
  const JudgedFile minus(Doubles({-0.0}, Claims{.min_value = D(-0.0), .max_value = D(-0.0)}));
  minus.Expect(GreaterOrEqual(kReal, D(0.0)), Outcome::kAll, Reason::kBounds);
  minus.Expect(Equal(kReal, D(0.0)), Outcome::kSome, Reason::kNansPossible);
  const JudgedFile plus(Doubles({-0.0, 1}, Claims{.min_value = D(0.0), .max_value = D(1)}));
  plus.Expect(LessOrEqual(kReal, D(-0.0)), Outcome::kSome, Reason::kBoundsUndecided);
}

TEST(StatisticsFaults, S5UnsignedOrder) {
  const DataType type = DataType::Of(TypeId::kUint32);
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(32, false);
  const std::vector<PageSpec> pages = {
      DataPage(Encoding::kPlain, 3, PlainInt32({0, 7, 4'000'000'000}))};
  const std::string large = BytesOf(uint32_t{4'000'000'000});
  const JudgedFile file(
      ClaimingFile(element, 3, pages, Claims{.min_value = I(0), .max_value = large}));
  file.Expect(Equal(type, large), Outcome::kSome, Reason::kBoundsUndecided);
  file.Expect(Greater(type, large), Outcome::kNone, Reason::kBounds);
  // Bounds of the signed order: as deprecated ones of no use, else reversed.
  const JudgedFile deprecated(
      ClaimingFile(element, 3, pages, Claims{.deprecated_min = large, .deprecated_max = I(7)}));
  deprecated.Expect(Equal(type, large), Outcome::kSome, Reason::kOrderUnknown);
  const JudgedFile reversed(
      ClaimingFile(element, 3, pages, Claims{.min_value = large, .max_value = I(7)}));
  reversed.Expect(Equal(type, large), Outcome::kSome, Reason::kBoundsReversed);
}

TEST(StatisticsFaults, S6SignedColumnReadAsUnsigned) {
  const auto read_as = std::make_shared<const DataType>(DataType::Of(TypeId::kUint32));
  const JudgedFile file(ClaimingFile(Required("x", PhysicalType::kInt32), 2,
                                     {DataPage(Encoding::kPlain, 2, PlainInt32({-1, 5}))},
                                     Claims{.min_value = I(-1), .max_value = I(5)}),
                        read_as);
  file.Expect(Equal(*read_as, I(-1)), Outcome::kSome, Reason::kTypeChanged);
}

TEST(StatisticsFaults, S7DeprecatedBoundsOfByteArrays) {
  const std::vector<std::string> values = {"a\xc3\xa9", "az", "b"};
  const JudgedFile file(
      Strings(values, Claims{.deprecated_min = "a\xc3\xa9", .deprecated_max = "b"}));
  file.Expect(Equal(kText, "az"), Outcome::kSome, Reason::kOrderUnknown);
  const JudgedFile sound(Strings(values, Claims{.min_value = "az", .max_value = "b"}));
  sound.Expect(Equal(kText, "ay"), Outcome::kNone, Reason::kBounds);
  // Equal bounds are free of any order.
  const JudgedFile one(Strings({"b", "b"}, Claims{.deprecated_min = "b", .deprecated_max = "b"}));
  one.Expect(Equal(kText, "az"), Outcome::kNone, Reason::kBounds);
  one.Expect(Equal(kText, "b"), Outcome::kAll, Reason::kBounds);
  // Of signed types they are as good as the others.
  const JudgedFile ints(
      NullAndInts({5, 9}, Claims{.deprecated_min = I(5), .deprecated_max = I(9)}));
  ints.Expect(Less(kInt, I(5)), Outcome::kNone, Reason::kBounds);
}

TEST(StatisticsFaults, S7OrdersThatAreNotKnown) {
  FileSpec file = Strings({"a", "b"}, Claims{.min_value = "a", .max_value = "b"});
  const auto outcome = [&](std::vector<ExtraField> orders) {
    file.extra_fields = std::move(orders);
    JudgedFile(file).Expect(Equal(kText, "c"), Outcome::kSome, Reason::kOrderUnknown);
  };
  outcome({});                    // The file names none.
  outcome({ColumnOrders(1, 9)});  // One of the future.
  outcome({ColumnOrders(1, 2)});  // Not for this type.
  outcome({ColumnOrders(1, 3)});
  // A logical type of the future may order its bytes in another way.
  FileSpec future = Strings({"a", "b"}, Claims{.min_value = "a", .max_value = "b"});
  future.schema[0].converted_type.reset();
  future.schema[0].logical_type =
      ThriftCompactBuilder().Struct(99, ThriftCompactBuilder().Finish()).Finish();
  JudgedFile(future).Expect(Equal(DataType::Of(TypeId::kBinary), "c"), Outcome::kSome,
                            Reason::kOrderUnknown);
  // Numbers have one order only, where nothing is said of another.
  FileSpec ints = NullAndInts({5, 9}, Claims{.min_value = I(5), .max_value = I(9)});
  ints.extra_fields = {ColumnOrders(1, 9)};
  JudgedFile(ints).Expect(Less(kInt, I(5)), Outcome::kSome, Reason::kOrderUnknown);
  ints.extra_fields.clear();
  JudgedFile(ints).Expect(Less(kInt, I(5)), Outcome::kNone, Reason::kBounds);
}

TEST(StatisticsFaults, S8DecimalsInBytes) {
  ElementSpec element = Required("x", PhysicalType::kFixedLenByteArray);
  element.type_length = 2;
  element.logical_type = LogicalDecimal(4, 0);
  const DataType type = DataType::Decimal(4, 0, 4);
  const std::vector<PageSpec> pages = {
      DataPage(Encoding::kPlain, 3, Hex("ffff") + Hex("0000") + Hex("0001"))};
  const JudgedFile file(
      ClaimingFile(element, 3, pages, Claims{.min_value = Hex("ffff"), .max_value = Hex("0001")}));
  file.Expect(Less(type, I(0)), Outcome::kSome, Reason::kBoundsUndecided);
  file.Expect(Less(type, I(-1)), Outcome::kNone, Reason::kBounds);
  // Made by comparing bytes.
  const JudgedFile reversed(
      ClaimingFile(element, 3, pages, Claims{.min_value = Hex("0000"), .max_value = Hex("ffff")}));
  reversed.Expect(Less(type, I(0)), Outcome::kSome, Reason::kBoundsReversed);
  const JudgedFile deprecated(ClaimingFile(
      element, 3, pages, Claims{.deprecated_min = Hex("ffff"), .deprecated_max = Hex("0001")}));
  deprecated.Expect(Less(type, I(-1)), Outcome::kSome, Reason::kOrderUnknown);
}

TEST(StatisticsFaults, S8DecimalsOfWritersThatCompareBytes) {
  ElementSpec element = Required("x", PhysicalType::kByteArray);
  element.logical_type = LogicalDecimal(8, 0);
  const DataType type = DataType::Decimal(8, 0, 4);
  // 1, 256 and 3: between 01 and 03 by bytes, not by number.
  FileSpec file = ClaimingFile(
      element, 3,
      {DataPage(Encoding::kPlain, 3, PlainByteArray({Hex("01"), Hex("0100"), Hex("03")}))},
      Claims{.min_value = Hex("01"), .max_value = Hex("03")});
  for (const char* writer : {"parquet-rs version 57.0.0", "Polars"}) {
    file.created_by = writer;
    JudgedFile(file).Expect(Equal(type, I(256)), Outcome::kSome, Reason::kWriterDistrusted);
  }
}

TEST(StatisticsFaults, S10NullCountAbsent) {
  const JudgedFile file(NullAndInts({100, 101}, Claims{.min_value = I(100), .max_value = I(101)}));
  file.Expect(IsNull(), Outcome::kSome, Reason::kNullCountUnknown);
  file.Expect(IsNotNull(), Outcome::kSome, Reason::kNullCountUnknown);
  EXPECT_EQ(file.evidence().nulls.count, std::nullopt);
  const JudgedFile without(NullAndInts({100, 101}, std::nullopt));
  without.Expect(IsNull(), Outcome::kSome, Reason::kNoStatistics);
  without.Expect(Less(kInt, I(5)), Outcome::kSome, Reason::kNoStatistics);
}

TEST(StatisticsFaults, S10NullCountsThatCannotBe) {
  for (const int64_t count : {int64_t{-1}, int64_t{4}, INT64_MAX}) {
    JudgedFile(NullAndInts({100, 101}, Claims{.null_count = count}))
        .Expect(IsNull(), Outcome::kSome, Reason::kNullCountMalformed);
  }
  // Every row null, and yet bounds: neither is believed.
  const JudgedFile contradictory(
      NullAndInts({100, 101}, Claims{.min_value = I(1), .max_value = I(2), .null_count = 3}));
  contradictory.Expect(Equal(kInt, I(100)), Outcome::kSome, Reason::kSourcesContradictory);
  contradictory.Expect(IsNotNull(), Outcome::kSome, Reason::kSourcesContradictory);
  // Of a writer that counts nulls once a page, only whether there are any is believed.
  FileSpec polars = NullAndInts({100}, Claims{.null_count = 2});
  JudgedFile(NullAndInts({}, Claims{.null_count = 1}))
      .Expect(IsNull(), Outcome::kAll, Reason::kNulls);
  polars.created_by = "Polars";
  JudgedFile(polars).Expect(IsNotNull(), Outcome::kSome, Reason::kNullsPresent);
}

TEST(StatisticsFaults, S11SetsThatHoldNull) {
  const JudgedFile file(NullAndInts({1, 3}, Claims{.min_value = I(1), .max_value = I(3)}));
  file.Expect(OrNull(SetOf(kInt, {I(7)})), Outcome::kSome, Reason::kNullCountUnknown);
  file.Expect(SetOf(kInt, {I(7)}), Outcome::kNone, Reason::kBounds);
}

// A reader cannot see a maximum that was cut and not rounded up; ours are.
TEST(StatisticsFaults, S12CutMaximaOfTheWriter) {
  const std::vector<std::string> values = {"ABCDEFGHIJKLMNOP0001", "ABCDEFGHIJKLMNOP0002",
                                           std::string(20, '\x7f'), std::string(20, '\xff'),
                                           "\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf"};
  for (const std::string& value : values) {
    Table table;
    table.schema.fields = {{"x", kText, false, {}}};
    table.columns = {{support::Text(value)}};
    table.num_rows = 1;
    parquet::WriterOptions options;
    options.columns.max_bound_bytes = 8;
    RandomColumns random(1);
    const JudgedFile file(*Write(table, options, random));
    const Outcome outcome = Evaluate(Equal(kText, value), file.evidence()).outcome;
    EXPECT_EQ(OutcomeName(outcome), "some");
    EXPECT_EQ(ProvenMaximum(file.evidence()), std::nullopt);
  }
}

TEST(StatisticsFaults, S13BoundsAsAnswers) {
  Claims claims{.min_value = "A123456789", .max_value = "A123456789"};
  EXPECT_EQ(ProvenMinimum(JudgedFile(Strings({"A123456789"}, claims)).evidence()), std::nullopt);
  claims.is_min_exact = claims.is_max_exact = false;
  EXPECT_EQ(ProvenMaximum(JudgedFile(Strings({"A123456789"}, claims)).evidence()), std::nullopt);
  claims.is_min_exact = claims.is_max_exact = true;
  const Evidence exact = JudgedFile(Strings({"A123456789"}, claims)).evidence();
  EXPECT_EQ(ProvenMinimum(exact), (Value{kText, "A123456789"}));
  EXPECT_EQ(ProvenMaximum(exact), (Value{kText, "A123456789"}));
}

TEST(StatisticsFaults, S15ReversedBounds) {
  const JudgedFile file(Strings({"m", "m"}, Claims{.min_value = "z", .max_value = "a"}));
  file.Expect(Equal(kText, "m"), Outcome::kSome, Reason::kBoundsReversed);
  file.Expect(Less(kText, "x"), Outcome::kSome, Reason::kBoundsReversed);
  EXPECT_FALSE(file.evidence().lower.has_value());
  EXPECT_FALSE(file.evidence().upper.has_value());
}

TEST(StatisticsFaults, S18NullRowsThatPass) {
  const JudgedFile file(
      NullAndInts({5}, Claims{.min_value = I(5), .max_value = I(5), .null_count = 1}));
  file.Expect(OrNull(NotEqual(kInt, I(5))), Outcome::kSome, Reason::kNullsPresent);
  const JudgedFile counted(NullAndInts({5}, Claims{.null_count = 1}));
  counted.Expect(Equal(kInt, I(5)), Outcome::kSome, Reason::kBoundMissing);
}

TEST(StatisticsFaults, S19SharedBuffersOfOldWriters) {
  FileSpec file = Strings({"m"}, Claims{.deprecated_min = "z", .deprecated_max = "z"});
  for (const char* writer :
       {"parquet-mr version 1.6.0", "parquet-mr version 1.6.0 (build abc)", "parquet-mr", ""}) {
    file.created_by = writer;
    JudgedFile(file).Expect(Equal(kText, "m"), Outcome::kSome, Reason::kWriterDistrusted);
  }
  // Others are trusted, also those without a build, and so are these in types that they get right.
  FileSpec right = Strings({"z"}, Claims{.deprecated_min = "z", .deprecated_max = "z"});
  right.created_by = "parquet-mr version 1.8.0";
  JudgedFile(right).Expect(Equal(kText, "m"), Outcome::kNone, Reason::kBounds);
  FileSpec ints = NullAndInts({5, 9}, Claims{.deprecated_min = I(5), .deprecated_max = I(9)});
  ints.created_by = "parquet-mr version 1.6.0";
  JudgedFile(ints).Expect(Less(kInt, I(5)), Outcome::kNone, Reason::kBounds);
}

TEST(StatisticsFaults, S19ShorterStringsCountedAsLess) {
  FileSpec file = Strings({"aa", "z"}, Claims{.min_value = "z", .max_value = "z"});
  file.created_by = "parquet-rs version 5.1.0";
  JudgedFile(file).Expect(Equal(kText, "aa"), Outcome::kSome, Reason::kWriterDistrusted);
}

TEST(StatisticsFaults, S19BoundsOfOneOfSeveralDictionaries) {
  FileSpec file = Strings({"aa", "zzz"}, Claims{.min_value = "aa", .max_value = "sean"});
  file.created_by = "parquet-cpp-arrow version 10.0.1";
  JudgedFile(file).Expect(Equal(kText, "zzz"), Outcome::kSome, Reason::kWriterDistrusted);
  // Arrow's schema of a dictionary, and of a plain string.
  file.key_values = {{"ARROW:schema",
                      "/////5AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAEAAAAvP///"
                      "wQAAAABAAAAFAAAABAAGAAIAAYABwAMABAAFAAQ"
                      "AAAAAAABBRQAAABAAAAAHAAAAAQAAAAAAAAAAQAAAGMAAAAIAAgAAAAEAAgAAAAMAAAACAAMAAgA"
                      "BwAIAAAAAAAAASAA"
                      "AAAEAAQABAAAAAAAAAA="}};
  JudgedFile(file).Expect(Equal(kText, "zzz"), Outcome::kSome, Reason::kWriterDistrusted);
  FileSpec plain = Strings({"aa", "sean"}, Claims{.min_value = "aa", .max_value = "sean"});
  plain.created_by = file.created_by;
  plain.key_values = {
      {"ARROW:schema",
       "/////"
       "3AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAEAAAAUAAAAEAAUAAgABgAH"
       "AAwAAAAQABAAAAAAAAEFEAAAABgAAAAEAAAAAAAAAAEAAABjAAAABAAEAAQAAAAAAAAA"}};
  JudgedFile(plain).Expect(Equal(kText, "zzz"), Outcome::kNone, Reason::kBounds);
}

TEST(StatisticsFaults, S21RequiredFieldOfAnOptionalStruct) {
  FileSpec file;
  file.schema = {Group("point", Repetition::kOptional, 1), Required("x", PhysicalType::kInt32)};
  ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({0}), RleRuns({1, 0}, 1))});
  chunk.statistics = Claims{.min_value = I(0), .max_value = I(0)}.Bytes();
  file.row_groups.push_back({2, {chunk}});
  file.extra_fields.push_back(ColumnOrders(1));
  JudgedFile(file).Expect(IsNull(), Outcome::kSome, Reason::kNullCountUnknown);
  JudgedFile(file).Expect(IsNotNull(), Outcome::kSome, Reason::kNullCountUnknown);
  // Where nothing around it can be null, no statistics are needed.
  const JudgedFile required(ClaimingFile(Required("x", PhysicalType::kInt32), 1,
                                         {DataPage(Encoding::kPlain, 1, PlainInt32({0}))},
                                         std::nullopt));
  required.Expect(IsNull(), Outcome::kNone, Reason::kNulls);
  required.Expect(IsNotNull(), Outcome::kAll, Reason::kNulls);
}

TEST(StatisticsFaults, S23NotStartsWith) {
  ElementSpec element = AsText(Optional("x", PhysicalType::kByteArray));
  const auto file = [&](std::optional<int64_t> null_count) {
    return ClaimingFile(
        element, 2, {DataPage(Encoding::kPlain, 2, PlainByteArray({"abc"}), RleRuns({1, 0}, 1))},
        Claims{.min_value = "ab", .max_value = "abd", .null_count = null_count});
  };
  const ColumnFilter filter = OrNull(PatternOf(kText, ColumnFilter::Kind::kPrefix, "ab", true));
  JudgedFile(file(std::nullopt)).Expect(filter, Outcome::kSome, Reason::kNullCountUnknown);
  JudgedFile(file(1)).Expect(filter, Outcome::kSome, Reason::kNullsPresent);
}

TEST(StatisticsFaults, S25ConstantsInPlaceOfColumns) {
  Claims claims{.min_value = D(3), .max_value = D(3), .is_min_exact = true, .is_max_exact = true};
  EXPECT_EQ(ProvenConstant(JudgedFile(Doubles({3, kNan, 3}, claims)).evidence()), std::nullopt);
  claims.nan_count = 0;
  EXPECT_EQ(ProvenConstant(JudgedFile(Doubles({3, 3}, claims)).evidence()), (Value{kReal, D(3)}));
  const Claims ints{
      .min_value = I(5), .max_value = I(5), .is_min_exact = true, .is_max_exact = true};
  EXPECT_EQ(ProvenConstant(JudgedFile(NullAndInts({5, 5}, ints)).evidence()), std::nullopt);
}

TEST(StatisticsFaults, S26PageHeadersWithDeprecatedBounds) {
  PageSpec page = DataPage(Encoding::kPlain, 2, PlainByteArray({"az", "b\x80"}));
  page.statistics = Claims{.deprecated_min = "b\x80", .deprecated_max = "az"}.Bytes();
  const JudgedFile file(
      ClaimingFile(AsText(Required("x", PhysicalType::kByteArray)), 2, {page}, std::nullopt));
  auto pages = parquet::PageCursor::Open(file.reader(), 0, 0);
  ASSERT_TRUE(pages.has_value());
  const auto summary = pages->Next();
  ASSERT_TRUE(summary.has_value() && summary->has_value());
  ASSERT_TRUE((*summary)->statistics.has_value());
  const Evidence evidence = file.leaf().OfPage((*summary)->statistics, (*summary)->num_values);
  EXPECT_EQ(evidence.source, EvidenceSource::kPage);
  file.ExpectBy(evidence, Equal(kText, "az"), Outcome::kSome, Reason::kOrderUnknown);
}

TEST(StatisticsFaults, S27BoundsOfTheWrongWidth) {
  const JudgedFile file(NullAndInts({5, 9}, Claims{.min_value = I(5), .max_value = "abc"}));
  file.Expect(Less(kInt, I(5)), Outcome::kNone, Reason::kBounds);
  file.Expect(Greater(kInt, I(5)), Outcome::kSome, Reason::kBoundMalformed);
  const JudgedFile one(NullAndInts({5, 9}, Claims{.min_value = I(5)}));
  one.Expect(Less(kInt, I(5)), Outcome::kNone, Reason::kBounds);
  one.Expect(Greater(kInt, I(9)), Outcome::kSome, Reason::kBoundMissing);
  // A number that the annotation does not allow.
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(8, true);
  const DataType small = DataType::Of(TypeId::kInt8);
  const JudgedFile narrow(ClaimingFile(element, 1, {DataPage(Encoding::kPlain, 1, PlainInt32({5}))},
                                       Claims{.min_value = I(5), .max_value = I(300)}));
  narrow.Expect(Greater(small, "\x05"), Outcome::kSome, Reason::kBoundMalformed);
  narrow.Expect(Less(small, "\x05"), Outcome::kNone, Reason::kBounds);
}

}  // namespace
}  // namespace sluice::support
