#include <gtest/gtest.h>
#include <sluice/value.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sluice {
namespace {

template <typename T>
std::string Bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// Groups of values that are equal to each other, in ascending order.
using Ascending = std::vector<std::vector<std::string>>;

void ExpectOrder(const DataType& type, const Ascending& groups) {
  ASSERT_TRUE(IsOrdered(type));
  for (size_t i = 0; i < groups.size(); ++i) {
    for (size_t j = 0; j < groups.size(); ++j) {
      for (const std::string& a : groups[i]) {
        for (const std::string& b : groups[j]) {
          const int order = CompareValues(type, a, b);
          EXPECT_EQ(order < 0, i < j) << type.ToString() << ": group " << i << " and " << j;
          EXPECT_EQ(order > 0, i > j) << type.ToString() << ": group " << i << " and " << j;
        }
      }
    }
  }
}

template <typename T>
Ascending Each(const std::vector<T>& values) {
  Ascending groups;
  for (const T value : values) groups.push_back({Bytes<T>(value)});
  return groups;
}

TEST(CompareValues, IntegersByNumber) {
  ExpectOrder(DataType::Of(TypeId::kBoolean), Each<uint8_t>({0, 1}));
  ExpectOrder(DataType::Of(TypeId::kInt8), Each<int8_t>({-128, -1, 0, 127}));
  ExpectOrder(DataType::Of(TypeId::kInt16), Each<int16_t>({-32768, -256, -1, 0, 255, 32767}));
  ExpectOrder(DataType::Of(TypeId::kInt32), Each<int32_t>({INT32_MIN, -1, 0, 256, INT32_MAX}));
  ExpectOrder(DataType::Of(TypeId::kInt64), Each<int64_t>({INT64_MIN, -1, 0, 256, INT64_MAX}));
  // fault S5
  ExpectOrder(DataType::Of(TypeId::kUint8), Each<uint8_t>({0, 127, 128, 255}));
  ExpectOrder(DataType::Of(TypeId::kUint16), Each<uint16_t>({0, 256, 32768, 65535}));
  ExpectOrder(DataType::Of(TypeId::kUint32), Each<uint32_t>({0, 7, 1U << 31, UINT32_MAX}));
  ExpectOrder(DataType::Of(TypeId::kUint64), Each<uint64_t>({0, 7, uint64_t{1} << 63, UINT64_MAX}));
}

TEST(CompareValues, TimesByNumber) {
  ExpectOrder(DataType::Of(TypeId::kDate), Each<int32_t>({INT32_MIN, -1, 0, 20000}));
  ExpectOrder(DataType::Time(TimeUnit::kMilliseconds, true), Each<int32_t>({0, 1, 256}));
  ExpectOrder(DataType::Time(TimeUnit::kNanoseconds, false), Each<int64_t>({0, 1, 1LL << 40}));
  ExpectOrder(DataType::Timestamp(TimeUnit::kMicroseconds, true),
              Each<int64_t>({INT64_MIN, -1, 0, INT64_MAX}));
  ExpectOrder(DataType::Duration(TimeUnit::kMicroseconds), Each<int64_t>({-256, -1, 0, 1, 256}));
}

TEST(CompareValues, NanAboveInfinityAndEqualZeros) {
  const auto infinity = std::numeric_limits<double>::infinity();
  ExpectOrder(DataType::Of(TypeId::kDouble),
              {{Bytes(-infinity)},
               {Bytes(-1.5)},
               {Bytes(-5e-324)},
               {Bytes(-0.0), Bytes(0.0)},
               {Bytes(5e-324)},
               {Bytes(1e300)},
               {Bytes(infinity)},
               {Bytes(uint64_t{0x7ff8000000000000}), Bytes(uint64_t{0xfff8000000000000}),
                Bytes(uint64_t{0x7ff0000000000001}), Bytes(UINT64_MAX)}});
  ExpectOrder(DataType::Of(TypeId::kFloat), {{Bytes(-std::numeric_limits<float>::infinity())},
                                             {Bytes(-1.5F)},
                                             {Bytes(-0.0F), Bytes(0.0F)},
                                             {Bytes(1e-45F)},
                                             {Bytes(3.4e38F)},
                                             {Bytes(std::numeric_limits<float>::infinity())},
                                             {Bytes(std::nanf("")), Bytes(-std::nanf("7"))}});
  // -inf, -2, -smallest, zeros, smallest, 1.5, largest, inf, NaNs.
  ExpectOrder(DataType::Of(TypeId::kFloat16), {{Bytes<uint16_t>(0xfc00)},
                                               {Bytes<uint16_t>(0xc000)},
                                               {Bytes<uint16_t>(0x8001)},
                                               {Bytes<uint16_t>(0x8000), Bytes<uint16_t>(0)},
                                               {Bytes<uint16_t>(0x0001)},
                                               {Bytes<uint16_t>(0x3e00)},
                                               {Bytes<uint16_t>(0x7bff)},
                                               {Bytes<uint16_t>(0x7c00)},
                                               {Bytes<uint16_t>(0x7e00), Bytes<uint16_t>(0xfe01)}});
}

/// Two's complement of `width` bytes with one byte changed.
std::string Wide(size_t width, uint8_t fill, size_t at, uint8_t byte) {
  std::string bytes(width, static_cast<char>(fill));
  bytes[at] = static_cast<char>(byte);
  return bytes;
}

TEST(CompareValues, DecimalsOfEveryWidth) {
  ExpectOrder(DataType::Decimal(9, 2, 4), Each<int32_t>({INT32_MIN, -1, 0, 1, 256, INT32_MAX}));
  ExpectOrder(DataType::Decimal(18, 2, 8), Each<int64_t>({INT64_MIN, -1, 0, 1, 256, INT64_MAX}));
  for (const size_t width : {size_t{16}, size_t{32}}) {
    const DataType type = DataType::Decimal(width == 16 ? 38 : 76, 2, static_cast<int32_t>(width));
    ExpectOrder(type, {{Wide(width, 0, width - 1, 0x80)},  // the least
                       {Wide(width, 0xff, width - 1, 0xfe)},
                       {Wide(width, 0xff, 8, 0x00)},  // only the second word differs
                       {Wide(width, 0xff, 7, 0x7f)},  // a word that is positive alone
                       {Wide(width, 0xff, 0, 0xfe)},  // -2
                       {std::string(width, '\xff')},  // -1
                       {std::string(width, '\0')},
                       {Wide(width, 0, 0, 1)},
                       {Wide(width, 0, 7, 0x7f)},
                       {Wide(width, 0, 7, 0x80)},  // a word that is negative alone
                       {Wide(width, 0, 8, 1)},
                       {Wide(width, 0xff, width - 1, 0x7f)}});  // the greatest
  }
}

std::string Int96(int64_t nanoseconds, int32_t day) { return Bytes(nanoseconds) + Bytes(day); }

TEST(CompareValues, Int96ByInstant) {
  constexpr int64_t kDay = 86'400'000'000'000;
  ExpectOrder(DataType::Of(TypeId::kInt96),
              {{Int96(INT64_MIN, INT32_MIN)},
               {Int96(0, -1)},
               {Int96(-1, 2'440'588), Int96(kDay - 1, 2'440'587)},
               {Int96(0, 2'440'588), Int96(kDay, 2'440'587), Int96(-kDay, 2'440'589)},
               {Int96(1, 2'440'588)},
               {Int96(INT64_MAX, INT32_MAX)}});
}

TEST(CompareValues, BytesAreUnsignedAndAPrefixComesFirst) {
  for (const TypeId id :
       {TypeId::kString, TypeId::kEnum, TypeId::kJson, TypeId::kBinary, TypeId::kBson}) {
    ExpectOrder(DataType::Of(id), {{""},
                                   {std::string(1, '\0')},
                                   {"a"},
                                   {std::string("a\0", 2)},
                                   {"az"},
                                   {"a\xc3\xa9"},  // fault S7
                                   {"b"},
                                   {"\xff"}});
  }
  ExpectOrder(DataType::FixedBinary(2), {{std::string(2, '\0')}, {"\x7f\x01"}, {"\x80\x01"}});
  ExpectOrder(
      DataType::Of(TypeId::kUuid),
      {{std::string(16, '\x01')}, {std::string(15, '\x01') + "\x02"}, {std::string(16, '\xee')}});
}

TEST(Value, TypesWithoutOrder) {
  for (const DataType& type : {DataType::Of(TypeId::kNull), DataType::Of(TypeId::kInterval),
                               DataType::Of(TypeId::kGeometry), DataType::Of(TypeId::kGeography),
                               DataType::List({"element", DataType::Of(TypeId::kInt32), true, {}}),
                               DataType::Struct({{"a", DataType::Of(TypeId::kInt32), true, {}}}),
                               DataType::Of(TypeId::kVariant)}) {
    EXPECT_FALSE(IsOrdered(type)) << type.ToString();
  }
}

TEST(Value, NanOfFloatingTypesOnly) {
  EXPECT_TRUE(IsNan(DataType::Of(TypeId::kDouble), Bytes(std::nan("3"))));
  EXPECT_TRUE(IsNan(DataType::Of(TypeId::kFloat16), Bytes<uint16_t>(0x7c01)));
  EXPECT_FALSE(IsNan(DataType::Of(TypeId::kFloat16), Bytes<uint16_t>(0x7c00)));
  EXPECT_FALSE(IsNan(DataType::Of(TypeId::kFloat), Bytes(1.0F)));
  EXPECT_FALSE(IsNan(DataType::Of(TypeId::kInt64), Bytes(std::nan(""))));
}

/// What a column of the values gives back, row by row.
void ExpectRoundTrip(const DataType& type, const std::vector<std::optional<std::string>>& values) {
  const Column column = ColumnOf(type, values);
  const Status valid = ValidateColumn(column);
  ASSERT_TRUE(valid.ok()) << valid.message();
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(ValueAt(column, static_cast<int64_t>(i)), (Value{type, values[i]}))
        << type.ToString();
  }
}

TEST(Value, ColumnsOfValuesGiveThemBack) {
  ExpectRoundTrip(DataType::Of(TypeId::kInt32), {Bytes(1), std::nullopt, Bytes(-7)});
  ExpectRoundTrip(DataType::Of(TypeId::kInt8), {Bytes<int8_t>(-1)});
  ExpectRoundTrip(DataType::Decimal(76, 3, 32), {std::nullopt, std::string(32, '\x12')});
  ExpectRoundTrip(DataType::Of(TypeId::kInt96), {Int96(5, 7)});
  ExpectRoundTrip(DataType::FixedBinary(3), {"abc", std::string(3, '\0')});
  ExpectRoundTrip(DataType::Of(TypeId::kString), {"", std::nullopt, "twelve bytes",
                                                  "more than twelve bytes", std::string(500, 'x')});
  ExpectRoundTrip(DataType::Of(TypeId::kNull), {std::nullopt, std::nullopt});
  ExpectRoundTrip(DataType::Of(TypeId::kString), {});
  std::vector<std::optional<std::string>> bits;
  for (int i = 0; i < 70; ++i) {
    bits.push_back(i % 7 == 0 ? std::nullopt
                              : std::optional(std::string(1, static_cast<char>(i % 3 == 0))));
  }
  ExpectRoundTrip(DataType::Of(TypeId::kBoolean), bits);
}

TEST(Value, AtLooksThroughForms) {
  const DataType type = DataType::Of(TypeId::kString);
  const std::vector<std::optional<std::string>> entries = {"a", "a longer one than fits inside"};
  Column dictionary;
  dictionary.type = std::make_shared<const DataType>(type);
  dictionary.form = ColumnForm::kDictionary;
  dictionary.length = 3;
  const std::vector<std::optional<std::string>> codes = {Bytes(1), std::nullopt, Bytes(0)};
  const Column code_column = ColumnOf(DataType::Of(TypeId::kInt32), codes);
  dictionary.data = code_column.data;
  dictionary.validity = code_column.validity;
  dictionary.null_count = 1;
  dictionary.dictionary = std::make_shared<const Column>(ColumnOf(type, entries));
  EXPECT_EQ(ValueAt(dictionary, 0).bytes, entries[1]);
  EXPECT_TRUE(ValueAt(dictionary, 1).is_null());
  EXPECT_EQ(ValueAt(dictionary, 2).bytes, entries[0]);

  Column constant;
  constant.type = dictionary.type;
  constant.form = ColumnForm::kConstant;
  constant.length = 1000;
  constant.dictionary = std::make_shared<const Column>(ColumnOf(type, {entries.data(), 1}));
  EXPECT_EQ(ValueAt(constant, 999), (Value{type, "a"}));
}

TEST(Value, Text) {
  EXPECT_EQ(Value::Of<int32_t>(DataType::Of(TypeId::kInt32), -3).ToString(), "-3");
  EXPECT_EQ(Value::Of(DataType::Of(TypeId::kDouble), -0.0).ToString(), "\"-0.0\"");
  EXPECT_EQ(Value::Of<int32_t>(DataType::Decimal(9, 2, 4), 1234).ToString(), "\"12.34\"");
  EXPECT_EQ(Value::Of<uint8_t>(DataType::Of(TypeId::kBoolean), 1).ToString(), "true");
  EXPECT_EQ((Value{DataType::Of(TypeId::kString), "x\"y"}).ToString(), R"("x\"y")");
  EXPECT_EQ(Value::Null(DataType::Of(TypeId::kDate)).ToString(), "null");
  EXPECT_EQ(Value::Null(DataType::Of(TypeId::kNull)).ToString(), "null");
  EXPECT_EQ(Value::Of<int64_t>(DataType::Of(TypeId::kInt64), 5).as<int64_t>(), 5);
}

}  // namespace
}  // namespace sluice
