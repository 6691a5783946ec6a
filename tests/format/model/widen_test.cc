#include "format/model/widen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/format/model/evidences.h"
#include "tests/format/model/widenings.h"

namespace sluice {
namespace {

DataType Of(TypeId id) { return DataType::Of(id); }

/// The widened value as canonical text, "-" where there is none.
std::string Widened(const Value& value, const DataType& to) {
  const auto wide = WidenValue(value.type, *value.bytes, to);
  return wide ? Value{to, *wide}.ToString() : "-";
}
std::string Narrowed(const DataType& from, const Value& value) {
  const auto narrow = NarrowValue(from, *value.bytes, value.type);
  return narrow ? Value{from, *narrow}.ToString() : "-";
}

TEST(Widen, WhatItIsFor) {
  const std::vector<std::pair<DataType, DataType>> wide = {
      {Of(TypeId::kInt8), Of(TypeId::kInt64)},
      {Of(TypeId::kInt32), Of(TypeId::kInt64)},
      {Of(TypeId::kUint8), Of(TypeId::kUint16)},
      {Of(TypeId::kUint32), Of(TypeId::kInt64)},
      {Of(TypeId::kFloat16), Of(TypeId::kFloat)},
      {Of(TypeId::kFloat), Of(TypeId::kDouble)},
      {DataType::Decimal(9, 2, 4), DataType::Decimal(18, 4, 8)},
      {DataType::Decimal(9, 2, 4), DataType::Decimal(9, 2, 4)},
      {Of(TypeId::kDate), DataType::Timestamp(TimeUnit::kMicroseconds, false)},
      {Of(TypeId::kEnum), Of(TypeId::kString)},
      {Of(TypeId::kInt32), Of(TypeId::kDouble)},
      {Of(TypeId::kUint16), Of(TypeId::kFloat)},
      {Of(TypeId::kUint64), DataType::Decimal(20, 0, 16)},
      {Of(TypeId::kInt32), DataType::Decimal(12, 2, 8)},
      {DataType::Timestamp(TimeUnit::kMilliseconds, true),
       DataType::Timestamp(TimeUnit::kNanoseconds, true)},
      {DataType::Time(TimeUnit::kMilliseconds, false),
       DataType::Time(TimeUnit::kMicroseconds, false)},
      {DataType::Duration(TimeUnit::kSeconds), DataType::Duration(TimeUnit::kMilliseconds)},
      {Of(TypeId::kInt96), DataType::Timestamp(TimeUnit::kNanoseconds, false)}};
  for (const auto& [from, to] : wide) EXPECT_TRUE(CanWiden(from, to)) << to.ToString();
  const std::vector<std::pair<DataType, DataType>> others = {
      {Of(TypeId::kInt64), Of(TypeId::kInt32)},
      {Of(TypeId::kInt32), Of(TypeId::kUint32)},  // fault S6
      {Of(TypeId::kInt32), Of(TypeId::kUint64)},
      {Of(TypeId::kUint32), Of(TypeId::kInt32)},
      {Of(TypeId::kUint64), Of(TypeId::kInt64)},
      {Of(TypeId::kDouble), Of(TypeId::kFloat)},
      {Of(TypeId::kInt64), Of(TypeId::kDouble)},
      {Of(TypeId::kInt32), Of(TypeId::kFloat)},
      {Of(TypeId::kInt8), Of(TypeId::kFloat16)},
      {Of(TypeId::kInt32), DataType::Decimal(11, 2, 8)},
      {Of(TypeId::kBoolean), Of(TypeId::kInt8)},
      {Of(TypeId::kInt96), DataType::Timestamp(TimeUnit::kMicroseconds, false)},
      {Of(TypeId::kInt96), DataType::Timestamp(TimeUnit::kNanoseconds, true)},
      {DataType::Timestamp(TimeUnit::kNanoseconds, true),
       DataType::Timestamp(TimeUnit::kMicroseconds, true)},
      {DataType::Time(TimeUnit::kMicroseconds, true),
       DataType::Timestamp(TimeUnit::kMicroseconds, true)},
      {Of(TypeId::kString), Of(TypeId::kInt32)},  // fault T8
      {Of(TypeId::kString), Of(TypeId::kGeometry)},
      {DataType::Decimal(9, 2, 4), DataType::Decimal(9, 4, 4)},
      {DataType::Decimal(9, 2, 4), DataType::Decimal(18, 1, 8)},
      {Of(TypeId::kDate), DataType::Timestamp(TimeUnit::kMicroseconds, true)},
      {DataType::Timestamp(TimeUnit::kMicroseconds, true),
       DataType::Timestamp(TimeUnit::kMicroseconds, false)}};
  DataType elsewhere = Of(TypeId::kGeometry);
  elsewhere.crs = "EPSG:4326";
  EXPECT_FALSE(CanWiden(elsewhere, Of(TypeId::kGeometry)));
  for (const auto& [from, to] : others) {
    EXPECT_FALSE(CanWiden(from, to)) << from.ToString() << " to " << to.ToString();
    const std::string value(32, '\1');
    EXPECT_EQ(WidenValue(from, value, to), std::nullopt);
    EXPECT_EQ(NarrowValue(from, value, to), std::nullopt);
  }
}

TEST(Widen, Integers) {
  EXPECT_EQ(Widened(Value::Of<int8_t>(Of(TypeId::kInt8), -1), Of(TypeId::kInt64)), "-1");
  EXPECT_EQ(Widened(Value::Of<uint32_t>(Of(TypeId::kUint32), UINT32_MAX), Of(TypeId::kInt64)),
            "4294967295");
  EXPECT_EQ(Narrowed(Of(TypeId::kInt32), Value::Of<int64_t>(Of(TypeId::kInt64), INT32_MIN)),
            "-2147483648");
  EXPECT_EQ(
      Narrowed(Of(TypeId::kInt32), Value::Of<int64_t>(Of(TypeId::kInt64), int64_t{INT32_MAX} + 1)),
      "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kUint8), Value::Of<int16_t>(Of(TypeId::kInt16), 200)), "200");
  EXPECT_EQ(Narrowed(Of(TypeId::kUint8), Value::Of<int16_t>(Of(TypeId::kInt16), -56)), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kUint8), Value::Of<int16_t>(Of(TypeId::kInt16), 256)), "-");
}

// fault V7: 0.1 as a float is a double above 0.1.
TEST(Widen, FloatsKeepTheirValue) {
  EXPECT_EQ(Widened(Value::Of(Of(TypeId::kFloat), 0.1F), Of(TypeId::kDouble)),
            "0.10000000149011612");
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat), Value::Of(Of(TypeId::kDouble), 0.1)), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat), Value::Of(Of(TypeId::kDouble), 1.5)), "1.5");
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat), Value::Of(Of(TypeId::kDouble), 1e300)), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat), Value::Of(Of(TypeId::kDouble), -0.0)), "\"-0.0\"");
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat), Value::Of(Of(TypeId::kDouble), std::nan(""))), "-");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Narrowed(Of(TypeId::kFloat16), Value::Of(Of(TypeId::kDouble), -infinity)),
            "\"-Infinity\"");
}

// Every half there is, both ways; and no float between two of them has a half.
TEST(Widen, EveryHalf) {
  const DataType half = Of(TypeId::kFloat16);
  const DataType single = Of(TypeId::kFloat);
  for (uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto value = Value::Of(half, static_cast<uint16_t>(bits));
    const auto wide = WidenValue(half, *value.bytes, single);
    ASSERT_TRUE(wide.has_value());
    if (IsNan(half, *value.bytes)) continue;
    ASSERT_EQ(NarrowValue(half, *wide, single), *value.bytes) << bits;
    float number;
    std::memcpy(&number, wide->data(), sizeof(number));
    if (std::isinf(number)) continue;
    const float next = std::nextafterf(number, 1e30F);
    ASSERT_EQ(NarrowValue(half, BytesOf(next), single), std::nullopt) << bits;
  }
}

TEST(Widen, Decimals) {
  const DataType narrow = DataType::Decimal(9, 2, 4);
  const DataType wide = DataType::Decimal(38, 20, 16);
  EXPECT_EQ(Widened(Value::Of<int32_t>(narrow, -12345), wide), "\"-123.45000000000000000000\"");
  EXPECT_EQ(Widened(Value::Of<int32_t>(narrow, 0), wide), "\"0.00000000000000000000\"");
  const auto back = [&](int32_t value) {
    return Narrowed(narrow, {wide, *WidenValue(narrow, BytesOf(value), wide)});
  };
  EXPECT_EQ(back(-12345), "\"-123.45\"");
  EXPECT_EQ(back(INT32_MIN), "\"-21474836.48\"");
  // A digit past the second has no counterpart.
  EXPECT_EQ(Narrowed(narrow, {wide, std::string("\1") + std::string(15, '\0')}), "-");
  // Too large for the narrower one, and too many digits for the wider one.
  EXPECT_EQ(Narrowed(narrow, {DataType::Decimal(18, 2, 8), BytesOf(int64_t{1} << 40)}), "-");
  const DataType widest = DataType::Decimal(76, 38, 32);
  std::string large(16, '\0');
  large[15] = 0x7f;
  EXPECT_EQ(Widened({DataType::Decimal(38, 0, 16), large}, widest).substr(0, 12), "\"16881195546");
  std::string larger(32, '\0');
  larger[31] = 0x10;
  EXPECT_EQ(Widened({DataType::Decimal(38, 0, 32), larger}, widest), "-");
}

TEST(Widen, DatesToTimestamps) {
  const DataType date = Of(TypeId::kDate);
  const DataType micros = DataType::Timestamp(TimeUnit::kMicroseconds, false);
  const DataType nanos = DataType::Timestamp(TimeUnit::kNanoseconds, false);
  EXPECT_EQ(Widened(Value::Of<int32_t>(date, -1), micros), "\"1969-12-31T00:00:00.000000\"");
  EXPECT_EQ(Widened(Value::Of<int32_t>(date, 106'751), nanos), "\"2262-04-11T00:00:00.000000000\"");
  EXPECT_EQ(Widened(Value::Of<int32_t>(date, 106'752), nanos), "-");
  EXPECT_EQ(Narrowed(date, Value::Of<int64_t>(micros, 86'400'000'000)), "\"1970-01-02\"");
  EXPECT_EQ(Narrowed(date, Value::Of<int64_t>(micros, 86'400'000'001)), "-");
}

TEST(Widen, IntegersToOtherNumbers) {
  const Value least = Value::Of<int32_t>(Of(TypeId::kInt32), INT32_MIN);
  const DataType decimal = DataType::Decimal(12, 2, 8);
  EXPECT_EQ(Widened(least, Of(TypeId::kDouble)), "-2147483648");
  EXPECT_EQ(Widened(least, decimal), "\"-2147483648.00\"");
  const Value most = Value::Of<uint64_t>(Of(TypeId::kUint64), UINT64_MAX);
  EXPECT_EQ(Widened(most, DataType::Decimal(20, 0, 16)), "\"18446744073709551615\"");
  EXPECT_EQ(Narrowed(Of(TypeId::kInt32), Value::Of<int64_t>(decimal, 700)), "7");
  EXPECT_EQ(Narrowed(Of(TypeId::kInt32), Value::Of<int64_t>(decimal, 701)), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kUint32), Value::Of<int64_t>(decimal, -700)), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kInt16), Value::Of<int64_t>(decimal, 3'276'800)), "-");
  const auto narrowed = [](double value) {
    return Narrowed(Of(TypeId::kInt32), Value::Of(Of(TypeId::kDouble), value));
  };
  EXPECT_EQ(narrowed(-0.0), "0");
  EXPECT_EQ(narrowed(-7), "-7");
  EXPECT_EQ(narrowed(7.5), "-");
  EXPECT_EQ(narrowed(2147483648.0), "-");
  EXPECT_EQ(narrowed(1e300), "-");
  EXPECT_EQ(narrowed(kNan), "-");
  EXPECT_EQ(narrowed(-std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kUint32), Value::Of(Of(TypeId::kDouble), -1.0)), "-");
}

// fault T1
TEST(Widen, TimesToFinerUnits) {
  const DataType millis = DataType::Timestamp(TimeUnit::kMilliseconds, true);
  const DataType nanos = DataType::Timestamp(TimeUnit::kNanoseconds, true);
  EXPECT_EQ(Widened(Value::Of<int64_t>(millis, -1), nanos), "\"1969-12-31T23:59:59.999000000Z\"");
  EXPECT_EQ(Widened(Value::Of<int64_t>(millis, INT64_MAX / 1'000'000 + 1), nanos), "-");
  EXPECT_EQ(Widened(Value::Of<int64_t>(millis, INT64_MIN), nanos), "-");
  EXPECT_EQ(Narrowed(millis, Value::Of<int64_t>(nanos, -2'000'000)),
            "\"1969-12-31T23:59:59.998Z\"");
  EXPECT_EQ(Narrowed(millis, Value::Of<int64_t>(nanos, 1)), "-");
  const DataType day = DataType::Time(TimeUnit::kMilliseconds, false);
  const DataType finer = DataType::Time(TimeUnit::kNanoseconds, false);
  EXPECT_EQ(Widened(Value::Of<int32_t>(day, 1), finer), "\"00:00:00.001000000\"");
  EXPECT_EQ(Narrowed(day, Value::Of<int64_t>(finer, int64_t{1} << 62)), "-");

  const DataType instant = DataType::Timestamp(TimeUnit::kNanoseconds, false);
  const auto int96 = [](int64_t nanoseconds, int32_t day_number) {
    return Value{Of(TypeId::kInt96), BytesOf(nanoseconds) + BytesOf(day_number)};
  };
  EXPECT_EQ(Widened(int96(-1, 2'440'588), instant), "\"1969-12-31T23:59:59.999999999\"");
  // The last second of the year 9999, and the first day of year 1.
  EXPECT_EQ(Widened(int96(86'399'999'999'900, 5'373'484), instant), "-");
  EXPECT_EQ(Widened(int96(0, 1'721'426), instant), "-");
  EXPECT_EQ(Narrowed(Of(TypeId::kInt96), Value::Of<int64_t>(instant, 0)), "-");
}

// Of any two types: the order stays, values come back, and totality is what it says.
TEST(Widen, KeepsOrderAndValues) {
  std::mt19937 random(5);
  for (const DataType& from : WidenedTypes()) {
    for (const DataType& to : WidenedTypes()) {
      SCOPED_TRACE(from.ToString() + " to " + to.ToString());
      EXPECT_TRUE(CanWiden(from, to) || !IsTotalWidening(from, to));
      EXPECT_TRUE(!CanWiden(from, to) || IsTotalWidening(from, to) || HasPartialWidening(to));
      if (!CanWiden(from, to) || !IsOrdered(from)) continue;
      bool is_total = true;
      for (int round = 0; round < 300; ++round) {
        const std::string a = AnyValue(from, random);
        const std::string b = AnyValue(from, random);
        const auto wide_a = WidenValue(from, a, to);
        const auto wide_b = WidenValue(from, b, to);
        is_total &= wide_a.has_value();
        if (!wide_a || !wide_b) continue;
        const int order = CompareValues(from, a, b);
        const int wide_order = CompareValues(to, *wide_a, *wide_b);
        ASSERT_EQ(order < 0, wide_order < 0);
        ASSERT_EQ(order > 0, wide_order > 0);
        if (from.id == TypeId::kInt96 || IsNan(from, a)) continue;
        ASSERT_EQ(NarrowValue(from, *wide_a, to), a);
      }
      EXPECT_EQ(is_total, IsTotalWidening(from, to));
    }
  }
}

// Integers have no NaN, and the doubles that they become have none either.
TEST(WidenEvidence, IntegersBringNoNan) {
  Evidence evidence = WithNans(Ints(1, 5), kNansPossible);
  WidenEvidence(evidence, std::make_shared<const DataType>(Of(TypeId::kDouble)));
  EXPECT_EQ(evidence.nans, Occurrence::None());
  EXPECT_EQ(evidence.upper->value, BytesOf(5.0));
  Evidence floats =
      WithNans(Bounded(Of(TypeId::kFloat), BytesOf(1.0F), BytesOf(5.0F)), kNansPossible);
  WidenEvidence(floats, std::make_shared<const DataType>(Of(TypeId::kDouble)));
  EXPECT_EQ(floats.nans, kNansPossible);
}

// Digits that the type does not say may be there past a missing bound.
TEST(WidenEvidence, DecimalsPastAMissingBoundMayNotFit) {
  const Evidence one = Bounded(DataType::Decimal(5, 2, 4), I(0), std::nullopt);
  Evidence narrow = one;
  WidenEvidence(narrow, std::make_shared<const DataType>(DataType::Decimal(9, 4, 4)));
  EXPECT_FALSE(narrow.lower.has_value());
  Evidence wide = one;
  WidenEvidence(wide, std::make_shared<const DataType>(DataType::Decimal(18, 4, 8)));
  EXPECT_EQ(wide.lower->value, BytesOf(int64_t{0}));
}

// contract X-06
TEST(WidenEvidence, ConvertsBounds) {
  const auto to_long = std::make_shared<const DataType>(Of(TypeId::kInt64));
  Evidence evidence = WithDistinct(WithMembers(Ints(-3, 9), {}), {I(-3)});
  WidenEvidence(evidence, to_long);
  EXPECT_EQ(evidence.lower->value, BytesOf(int64_t{-3}));
  EXPECT_EQ(evidence.upper->value, BytesOf(int64_t{9}));
  EXPECT_EQ(evidence.upper->exactness, EvidenceBound::Exactness::kExact);
  EXPECT_EQ(*evidence.type, *to_long);
  EXPECT_EQ(evidence.distinct, nullptr);
  EXPECT_EQ(evidence.membership, nullptr);
  EXPECT_EQ(OutcomeOf(Equal(*to_long, BytesOf(INT64_MAX)), evidence), Outcome::kNone);

  Evidence reordered = Ints(-3, 9);
  WidenEvidence(reordered, std::make_shared<const DataType>(Of(TypeId::kUint32)));
  ExpectVerdict(Equal(Of(TypeId::kUint32), I(5)), reordered, Outcome::kSome, Reason::kTypeChanged);
}

TEST(WidenEvidence, DatesPastAMissingBoundMayHaveNoTimestamp) {
  const DataType date = Of(TypeId::kDate);
  const auto nanos =
      std::make_shared<const DataType>(DataType::Timestamp(TimeUnit::kNanoseconds, false));
  Evidence both = Bounded(date, I(0), I(10));
  WidenEvidence(both, nanos);
  EXPECT_EQ(both.upper->value, BytesOf(int64_t{864'000'000'000'000}));
  Evidence one = Bounded(date, I(0), std::nullopt);
  WidenEvidence(one, nanos);
  EXPECT_FALSE(one.lower.has_value());
  EXPECT_EQ(one.lower_missing, Reason::kCastNotProvable);
  Evidence beyond = Bounded(date, I(0), I(INT32_MAX));
  WidenEvidence(beyond, nanos);
  EXPECT_FALSE(beyond.lower.has_value());
  EXPECT_EQ(beyond.upper_missing, Reason::kCastNotProvable);
}

// Law 6: a row that is an error is neither null nor not null.
TEST(WidenEvidence, NullsDecideNothingWhereValuesMayNotFit) {
  const DataType date = Of(TypeId::kDate);
  const auto nanos =
      std::make_shared<const DataType>(DataType::Timestamp(TimeUnit::kNanoseconds, false));
  const auto widened = [&](Evidence evidence) {
    WidenEvidence(evidence, nanos);
    return evidence;
  };
  const Evidence fitting = WithNulls(Bounded(date, I(0), I(10)), 0);
  ExpectVerdict(IsNotNull(), widened(fitting), Outcome::kAll, Reason::kNulls);
  ExpectVerdict(IsNull(), widened(fitting), Outcome::kNone, Reason::kNulls);
  for (const Evidence& open :
       {Bounded(date, std::nullopt, std::nullopt), Bounded(date, I(0), std::nullopt),
        Bounded(date, I(0), I(INT32_MAX)), Bounded(date, I(10), I(0))}) {
    const Evidence evidence = widened(WithNulls(open, 0));
    ExpectVerdict(IsNotNull(), evidence, Outcome::kSome, Reason::kCastNotProvable);
    ExpectVerdict(IsNull(), evidence, Outcome::kSome, Reason::kCastNotProvable);
  }
  const Evidence nothing = widened(WithNulls(Bounded(date, {}, {}), 10));
  ExpectVerdict(IsNull(), nothing, Outcome::kAll, Reason::kNulls);
  ExpectVerdict(IsNotNull(), nothing, Outcome::kNone, Reason::kNulls);
}

}  // namespace
}  // namespace sluice
