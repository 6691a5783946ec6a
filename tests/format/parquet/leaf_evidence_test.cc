#include "format/parquet/leaf_evidence.h"

#include <gtest/gtest.h>

#include "tests/faults/judging.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using Share = Occurrence::Share;

std::string I(int32_t value) { return BytesOf(value); }

/// One value in one column, with these claims.
FileSpec One(const ElementSpec& element, const std::string& value,
             const std::optional<Claims>& claims) {
  return ClaimingFile(element, 1, {DataPage(Encoding::kPlain, 1, value)}, claims);
}

std::shared_ptr<const DataType> Shared(DataType type) {
  return std::make_shared<const DataType>(std::move(type));
}

// Only an order of its own makes bounds of INT96 usable, and that one goes by day first.
TEST(LeafEvidence, Int96) {
  const DataType type = DataType::Of(TypeId::kInt96);
  const std::string noon = PlainInt96(43'200'000'000'000, 2'440'588);
  FileSpec file = One(Required("x", PhysicalType::kInt96), noon,
                      Claims{.min_value = noon,
                             .max_value = noon,
                             .is_min_exact = true,
                             .is_max_exact = true,
                             .deprecated_min = noon,
                             .deprecated_max = noon});
  JudgedFile(file).Expect(Less(type, PlainInt96(0, 0)), Outcome::kSome, Reason::kOrderUnknown);
  file.extra_fields = {ColumnOrders(1, 3)};
  const JudgedFile judged(file);
  judged.Expect(Less(type, PlainInt96(0, 2'440'588)), Outcome::kNone, Reason::kBounds);
  judged.Expect(Greater(type, PlainInt96(0, 2'440'589)), Outcome::kNone, Reason::kBounds);
  // Where nanoseconds go below their day, the day that comes first is not the earlier instant.
  const std::string min = PlainInt96(43'200'000'000'000, 2'440'588);
  const std::string max = PlainInt96(-50'000'000'000'000, 2'440'589);
  FileSpec odd =
      One(Required("x", PhysicalType::kInt96), max, Claims{.min_value = min, .max_value = max});
  odd.extra_fields = {ColumnOrders(1, 3)};
  JudgedFile(odd).Expect(Less(type, min), Outcome::kSome, Reason::kBoundsUndecided);
  EXPECT_EQ(ProvenMinimum(judged.evidence()), std::nullopt);
}

TEST(LeafEvidence, HalfFloatsByValue) {
  ElementSpec element = Required("x", PhysicalType::kFixedLenByteArray);
  element.type_length = 2;
  element.logical_type = Logical(LogicalKind::kFloat16);
  const JudgedFile file(
      One(element, Hex("00c0"),
          Claims{.min_value = Hex("00c0"), .max_value = Hex("003c"), .nan_count = 0}));
  const DataType type = DataType::Of(TypeId::kFloat16);
  file.Expect(Less(type, Hex("00c0")), Outcome::kNone, Reason::kBounds);
  file.Expect(Greater(type, Hex("003c")), Outcome::kNone, Reason::kBounds);
  file.Expect(Less(type, Hex("0000")), Outcome::kSome, Reason::kBoundsUndecided);
}

// fault T7: days that may mean others prove nothing.
TEST(LeafEvidence, LegacyCalendar) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.converted_type = kConvertedDate;
  const DataType date = DataType::Of(TypeId::kDate);
  const auto file = [&](int32_t min) {
    FileSpec spec =
        One(element, PlainInt32({100}), Claims{.min_value = I(min), .max_value = I(100)});
    spec.key_values = {{"org.apache.spark.legacyDateTime", ""}};
    return spec;
  };
  JudgedFile(file(-719'164)).Expect(Greater(date, I(100)), Outcome::kSome, Reason::kLegacyCalendar);
  JudgedFile(file(0)).Expect(Greater(date, I(100)), Outcome::kNone, Reason::kBounds);
  FileSpec open = file(0);
  open.row_groups[0].chunks[0].statistics = Claims{.max_value = I(100)}.Bytes();
  JudgedFile(open).Expect(Greater(date, I(100)), Outcome::kSome, Reason::kLegacyCalendar);
  parquet::BloomFilter filter = *parquet::BloomFilter::Make(1, 0.01, *BufferPool::Make());
  const Evidence bloom = JudgedFile(file(0)).leaf().OfBloomFilter(std::move(filter));
  EXPECT_EQ(bloom.lower_missing, Reason::kLegacyCalendar);
  EXPECT_EQ(bloom.membership, nullptr);
}

// fault M7
TEST(LeafEvidence, BoundsThatAreTooLong) {
  ElementSpec element = Required("x", PhysicalType::kByteArray);
  element.converted_type = kConvertedUtf8;
  const std::string text(100'000, 'x');
  const JudgedFile file(
      One(element, PlainByteArray({text}), Claims{.min_value = "x", .max_value = text}));
  const DataType type = DataType::Of(TypeId::kString);
  file.Expect(Greater(type, "y"), Outcome::kSome, Reason::kBoundTooLong);
  file.Expect(Less(type, "x"), Outcome::kNone, Reason::kBounds);
}

TEST(LeafEvidence, ColumnsOfNulls) {
  ElementSpec element = Optional("x", PhysicalType::kInt32);
  element.logical_type = Logical(LogicalKind::kUnknown);
  const JudgedFile file(ClaimingFile(
      element, 2, {DataPage(Encoding::kPlain, 2, "", RleRuns({0, 0}, 1))}, std::nullopt));
  file.Expect(IsNull(), Outcome::kAll, Reason::kNulls);
}

TEST(LeafEvidence, ElementsOfListsAreNoRows) {
  FileSpec spec = OneRowGroup({Repeated("x", PhysicalType::kInt32)}, 1,
                              {Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}),
                                               RleRuns({1, 1}, 1), RleRuns({0, 1}, 1))})});
  spec.row_groups[0].chunks[0].statistics =
      Claims{.min_value = I(1), .max_value = I(2), .null_count = 0}.Bytes();
  spec.extra_fields = {ColumnOrders(1)};
  const auto reader = *OpenBytes(BuildFile(spec).bytes);
  const parquet::LeafEvidence leaf(*reader->metadata(), *reader->tree(), 0);
  const Evidence evidence = leaf.OfChunk(reader->metadata()->row_groups[0]);
  EXPECT_EQ(evidence.lower_missing, Reason::kRepeated);
  EXPECT_EQ(evidence.nulls, Occurrence::Unknown(Reason::kRepeated));
  EXPECT_FALSE(evidence.row_count.has_value());
  EXPECT_EQ(leaf.OfDictionary(nullptr).lower_missing, Reason::kRepeated);
}

TEST(LeafEvidence, ChunksThatDoNotFitTheirRowGroup) {
  const auto reader = *OpenBytes(BuildFile(One(Required("x", PhysicalType::kInt32), PlainInt32({5}),
                                               Claims{.min_value = I(5), .max_value = I(5)}))
                                     .bytes);
  const parquet::LeafEvidence leaf(*reader->metadata(), *reader->tree(), 0);
  parquet::RowGroup group = reader->metadata()->row_groups[0];
  EXPECT_TRUE(leaf.OfChunk(group).lower.has_value());
  group.num_rows = 2;
  EXPECT_EQ(leaf.OfChunk(group).lower_missing, Reason::kSourcesContradictory);
  group.columns[0].is_present = false;
  EXPECT_EQ(leaf.OfChunk(group).lower_missing, Reason::kNoEvidence);
}

TEST(LeafEvidence, ExactnessIsTheFiles) {
  using Exactness = EvidenceBound::Exactness;
  const auto exactness = [](std::optional<bool> flag) {
    return JudgedFile(One(Required("x", PhysicalType::kInt32), PlainInt32({5}),
                          Claims{.min_value = I(5), .max_value = I(5), .is_min_exact = flag}))
        .evidence()
        .lower->exactness;
  };
  EXPECT_EQ(exactness(true), Exactness::kExact);
  EXPECT_EQ(exactness(false), Exactness::kInexact);
  EXPECT_EQ(exactness(std::nullopt), Exactness::kUnknown);
}

TEST(LeafEvidence, NanCounts) {
  const auto nans = [](std::optional<int64_t> count, int32_t order) {
    FileSpec file =
        One(Required("x", PhysicalType::kFloat), PlainFloat({1}), Claims{.nan_count = count});
    file.extra_fields = {ColumnOrders(1, order)};
    return JudgedFile(file).evidence().nans;
  };
  for (const int32_t order : {1, 2}) {
    EXPECT_EQ(nans(0, order), Occurrence::None());
    EXPECT_EQ(nans(1, order).share, Share::kAll);
    EXPECT_EQ(nans(2, order), Occurrence::Unknown(Reason::kNanCountMalformed));
    EXPECT_EQ(nans(-1, order), Occurrence::Unknown(Reason::kNanCountMalformed));
    EXPECT_EQ(nans(std::nullopt, order), Occurrence::Unknown(Reason::kNansPossible));
  }
  // Also where it is not known how many rows are null.
  const JudgedFile uncounted(
      ClaimingFile(Optional("x", PhysicalType::kFloat), 2,
                   {DataPage(Encoding::kPlain, 2, PlainFloat({1}), RleRuns({0, 1}, 1))},
                   Claims{.nan_count = 3}));
  EXPECT_EQ(uncounted.evidence().nans, Occurrence::Unknown(Reason::kNanCountMalformed));
  // Every value NaN, and yet bounds.
  const JudgedFile contradictory(
      One(Required("x", PhysicalType::kFloat), PlainFloat({1}),
          Claims{.min_value = BytesOf(2.0F), .max_value = BytesOf(2.0F), .nan_count = 1}));
  contradictory.Expect(Less(DataType::Of(TypeId::kFloat), BytesOf(5.0F)), Outcome::kSome,
                       Reason::kSourcesContradictory);
}

// contract X-06; faults S17, V5, V7, T8: a filter of the type that is read, over narrower columns.
TEST(LeafEvidence, ReadAsAnotherType) {
  const auto large = Shared(DataType::Of(TypeId::kInt64));
  const FileSpec ints = One(Required("x", PhysicalType::kInt32), PlainInt32({0}),
                            Claims{.min_value = I(0), .max_value = I(0)});
  const JudgedFile as_large(ints, large);
  as_large.Expect(Less(*large, BytesOf(INT64_MAX)), Outcome::kAll, Reason::kBounds);
  as_large.Expect(Greater(*large, BytesOf(int64_t{0})), Outcome::kNone, Reason::kBounds);

  const auto real = Shared(DataType::Of(TypeId::kDouble));
  const JudgedFile as_real(
      One(Required("x", PhysicalType::kFloat), PlainFloat({0.1F}),
          Claims{.min_value = BytesOf(0.1F), .max_value = BytesOf(0.1F), .nan_count = 0}),
      real);
  as_real.Expect(Greater(*real, BytesOf(0.1)), Outcome::kAll, Reason::kBounds);
  as_real.Expect(Equal(*real, BytesOf(1.5)), Outcome::kNone, Reason::kBounds);

  ElementSpec text = Required("x", PhysicalType::kByteArray);
  text.converted_type = kConvertedUtf8;
  const JudgedFile as_int(
      One(text, PlainByteArray({"9"}), Claims{.min_value = "10", .max_value = "9"}),
      Shared(DataType::Of(TypeId::kInt32)));
  as_int.Expect(Greater(DataType::Of(TypeId::kInt32), I(9)), Outcome::kSome, Reason::kTypeChanged);
}

TEST(LeafEvidence, DictionariesReadAsAnotherType) {
  const FileSpec ints = One(Required("x", PhysicalType::kInt32), PlainInt32({7}), std::nullopt);
  const std::vector<std::optional<std::string>> entries = {I(7), I(-9)};
  const auto column =
      std::make_shared<const Column>(ColumnOf(DataType::Of(TypeId::kInt32), entries));
  const auto large = Shared(DataType::Of(TypeId::kInt64));
  const Evidence wide = JudgedFile(ints, large).leaf().OfDictionary(column);
  ASSERT_NE(wide.distinct, nullptr);
  EXPECT_EQ(ValueAt(*wide.distinct, 1), Value::Of<int64_t>(*large, -9));
  const Evidence other =
      JudgedFile(ints, Shared(DataType::Of(TypeId::kUint32))).leaf().OfDictionary(column);
  EXPECT_EQ(other.distinct, nullptr);
  EXPECT_EQ(other.lower_missing, Reason::kTypeChanged);
  EXPECT_EQ(JudgedFile(ints).leaf().OfDictionary(column).distinct, column);
}

TEST(LeafEvidence, BloomFiltersThatAreOfNoUse) {
  const auto why = [](const FileSpec& spec, std::shared_ptr<const DataType> read_as = nullptr) {
    const auto reader = *OpenBytes(BuildFile(spec).bytes);
    const parquet::LeafEvidence leaf(*reader->metadata(), *reader->tree(), 0, std::move(read_as));
    const Evidence evidence =
        leaf.OfBloomFilter(*parquet::BloomFilter::Make(1, 0.01, *BufferPool::Make()));
    EXPECT_EQ(evidence.membership, nullptr);
    return evidence.lower_missing;
  };
  const auto empty = [](const ElementSpec& element) {
    return OneRowGroup({element}, 0, {Chunk({})});
  };
  EXPECT_EQ(why(empty(Required("x", PhysicalType::kBoolean))), Reason::kCastNotProvable);
  EXPECT_EQ(why(empty(Repeated("x", PhysicalType::kInt32))), Reason::kRepeated);
  EXPECT_EQ(why(empty(Required("x", PhysicalType::kInt32)), Shared(DataType::Of(TypeId::kUint32))),
            Reason::kTypeChanged);
  // A row whose value has no counterpart is an error, which no filter of hashes rules out.
  ElementSpec date = Required("x", PhysicalType::kInt32);
  date.converted_type = kConvertedDate;
  EXPECT_EQ(why(empty(date), Shared(DataType::Timestamp(TimeUnit::kNanoseconds, false))),
            Reason::kCastNotProvable);
  FileSpec distrusted = empty(Required("x", PhysicalType::kInt32));
  distrusted.created_by = "parquet-go version 18.4.0";
  EXPECT_EQ(why(distrusted), Reason::kWriterDistrusted);
}

}  // namespace
}  // namespace sluice::support
