#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sluice/text.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/format/model/text_columns.h"

namespace sluice {
namespace {

std::string Canonical(const Column& column) {
  std::string text;
  for (int64_t row = 0; row < column.length; ++row) {
    if (row > 0) text += ' ';
    AppendCanonical(column, row, text);
  }
  return text;
}

template <typename T>
std::string Canonical(TypeId id, const std::vector<T>& values) {
  return Canonical(FlatOf(DataType::Of(id), values));
}

TEST(Canonical, Null) {
  EXPECT_EQ(Canonical(WithNullAt(FlatOf<int32_t>(DataType::Of(TypeId::kInt32), {1, 2}), 0)),
            "null 2");
  Column nulls;
  nulls.type = std::make_shared<const DataType>(DataType::Of(TypeId::kNull));
  nulls.length = nulls.null_count = 2;
  EXPECT_EQ(Canonical(nulls), "null null");
}

TEST(Canonical, Boolean) {
  Column column = FlatOf<uint64_t>(DataType::Of(TypeId::kBoolean), {0b10});
  column.length = 2;
  EXPECT_EQ(Canonical(column), "false true");
}

TEST(Canonical, Integers) {
  EXPECT_EQ(Canonical<int8_t>(TypeId::kInt8, {-128, 127}), "-128 127");
  EXPECT_EQ(Canonical<int16_t>(TypeId::kInt16, {-32768, 32767}), "-32768 32767");
  EXPECT_EQ(Canonical<int32_t>(TypeId::kInt32, {INT32_MIN, 0}), "-2147483648 0");
  EXPECT_EQ(Canonical<uint8_t>(TypeId::kUint8, {255}), "255");
  EXPECT_EQ(Canonical<uint16_t>(TypeId::kUint16, {65535}), "65535");
  EXPECT_EQ(Canonical<uint32_t>(TypeId::kUint32, {3'000'000'000U}), "3000000000");
  const int64_t edge = int64_t{1} << 53;
  EXPECT_EQ(Canonical<int64_t>(TypeId::kInt64, {edge - 1, edge, 1 - edge, -edge}),
            "9007199254740991 \"9007199254740992\" -9007199254740991 \"-9007199254740992\"");
  EXPECT_EQ(Canonical<int64_t>(TypeId::kInt64, {INT64_MIN}), "\"-9223372036854775808\"");
  EXPECT_EQ(Canonical<uint64_t>(TypeId::kUint64, {UINT64_MAX, 7}), "\"18446744073709551615\" 7");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Duration(TimeUnit::kNanoseconds), {-5})), "-5");
}

TEST(Canonical, DoublesAsEcmaScriptLaysThemOut) {
  EXPECT_EQ(Canonical<double>(TypeId::kDouble, {1, 100, 0.5, 0.1, 123.456, -2.5}),
            "1 100 0.5 0.1 123.456 -2.5");
  EXPECT_EQ(Canonical<double>(TypeId::kDouble, {1e20, 1e21, 1.5e21, 123456789012345680000.0}),
            "100000000000000000000 1e+21 1.5e+21 123456789012345680000");
  EXPECT_EQ(Canonical<double>(TypeId::kDouble, {1e-6, 1e-7, 1.5e-7, 0.000001234}),
            "0.000001 1e-7 1.5e-7 0.000001234");
  EXPECT_EQ(Canonical<double>(TypeId::kDouble, {1152921504606846976.0, 5e-324, DBL_MAX}),
            "1152921504606847000 5e-324 1.7976931348623157e+308");
}

TEST(Canonical, FloatsAreShortestAsFloats) {
  EXPECT_EQ(Canonical<float>(TypeId::kFloat, {0.1F, 16777216.0F, 3.4028235e38F, 1e-45F}),
            "0.1 16777216 3.4028235e+38 1e-45");
}

TEST(Canonical, Float16IsWidened) {
  // 1.5, the largest, the smallest, minus two, one third.
  EXPECT_EQ(Canonical<uint16_t>(TypeId::kFloat16, {0x3e00, 0x7bff, 0x0001, 0xc000, 0x3555}),
            "1.5 65504 5.9604645e-8 -2 0.33325195");
  EXPECT_EQ(Canonical<uint16_t>(TypeId::kFloat16, {0x7c00, 0xfc00, 0x7e00, 0x8000, 0}),
            "\"Infinity\" \"-Infinity\" \"NaN\" \"-0.0\" 0");
}

TEST(Canonical, FloatingWords) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Canonical<double>(TypeId::kDouble, {nan, -nan, infinity, -infinity, -0.0, 0.0}),
            "\"NaN\" \"NaN\" \"Infinity\" \"-Infinity\" \"-0.0\" 0");
  EXPECT_EQ(Canonical<float>(TypeId::kFloat, {std::nanf("1"), -0.0F}), "\"NaN\" \"-0.0\"");
}

TEST(Canonical, Decimals) {
  EXPECT_EQ(Canonical(FlatOf<int32_t>(DataType::Decimal(9, 2, 4), {-5, 0, 12345, INT32_MIN})),
            "\"-0.05\" \"0.00\" \"123.45\" \"-21474836.48\"");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Decimal(18, 0, 8), {12, -12, INT64_MIN})),
            "\"12\" \"-12\" \"-9223372036854775808\"");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Decimal(18, 18, 8), {1, -1})),
            "\"0.000000000000000001\" \"-0.000000000000000001\"");
}

TEST(Canonical, WideDecimals) {
  std::vector<uint8_t> bytes(16, 0xff);
  EXPECT_EQ(Canonical(FixedOf(DataType::Decimal(38, 1, 16), bytes)), "\"-0.1\"");
  bytes[15] = 0x7f;
  EXPECT_EQ(Canonical(FixedOf(DataType::Decimal(38, 10, 16), bytes)),
            "\"17014118346046923173168730371.5884105727\"");
  bytes.assign(32, 0);
  bytes[31] = 0x80;
  EXPECT_EQ(Canonical(FixedOf(DataType::Decimal(76, 0, 32), bytes)),
            "\"-57896044618658097711785492504343953926634992332820282019728792003956564819968\"");
  bytes.assign(32, 0);
  bytes[8] = 1;  // 2^64
  EXPECT_EQ(Canonical(FixedOf(DataType::Decimal(76, 30, 32), bytes)),
            "\"0.000000000018446744073709551616\"");
  // 10^18 exactly, where the digits fall into whole parts.
  bytes.assign(32, 0);
  const unsigned char power[] = {0x00, 0x00, 0x64, 0xa7, 0xb3, 0xb6, 0xe0, 0x0d};
  std::memcpy(bytes.data(), power, 8);
  EXPECT_EQ(Canonical(FixedOf(DataType::Decimal(76, 2, 32), bytes)), "\"10000000000000000.00\"");
}

TEST(Canonical, StringsAreEscapedAsJsonStringifyDoes) {
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kString, {"", "a\"b\\c/", "\b\f\n\r\t"})),
            R"("" "a\"b\\c/" "\b\f\n\r\t")");
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kEnum, {std::string("\0\x1f\x7f", 3)})),
            "\"\\u0000\\u001f\x7f\"");
  const std::string beyond = "\u00e9\u2028\U0001f600 and more than twelve bytes";
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kJson, {beyond})), "\"" + beyond + "\"");
}

TEST(Canonical, StringsThatAreNotUtf8AreHexadecimal) {
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kString, {"\xff", "a\x80"})),
            R"({"hex":"ff"} {"hex":"6180"})");
  // Overlong, a surrogate, past the last code point, cut short; then the edges that are good.
  EXPECT_EQ(
      Canonical(ViewsOf(TypeId::kString, {"\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
                                          "\xf4\x90\x80\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf"})),
      R"({"hex":"c080"} {"hex":"e09fbf"} {"hex":"eda080"} {"hex":"f4908080"} )"
      R"({"hex":"e282"} {"hex":"f08fbfbf"})");
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kString, {"\xed\x9f\xbf\xf4\x8f\xbf\xbf\xf0\x90\x80\x80"})),
            "\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\xf0\x90\x80\x80\"");
}

TEST(Canonical, Binary) {
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kBinary, {"", "\x01\xab"})), R"({"hex":""} {"hex":"01ab"})");
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kBson, {"a"})), R"({"hex":"61"})");
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kGeometry, {"a"})), R"({"hex":"61"})");
  EXPECT_EQ(Canonical(ViewsOf(TypeId::kGeography, {"a"})), R"({"hex":"61"})");
  EXPECT_EQ(Canonical(FixedOf(DataType::FixedBinary(3), {1, 2, 255})), R"({"hex":"0102ff"})");
}

TEST(Canonical, Uuid) {
  EXPECT_EQ(Canonical(FixedOf(DataType::Of(TypeId::kUuid),
                              {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA,
                               0xBB, 0xCC, 0xDD, 0xEE, 0xFF})),
            "\"00112233-4455-6677-8899-aabbccddeeff\"");
}

TEST(Canonical, Dates) {
  EXPECT_EQ(Canonical<int32_t>(TypeId::kDate, {0, -1, 11016, 11017, 19782}),
            R"("1970-01-01" "1969-12-31" "2000-02-29" "2000-03-01" "2024-02-29")");
  // Year 0, the day before it, and the ends of the range.
  EXPECT_EQ(Canonical<int32_t>(TypeId::kDate, {-719528, -719529, 2932896, 2932897}),
            R"("0000-01-01" "-0001-12-31" "9999-12-31" "10000-01-01")");
  EXPECT_EQ(Canonical<int32_t>(TypeId::kDate, {INT32_MAX, INT32_MIN}),
            R"("5881580-07-11" "-5877641-06-23")");
}

TEST(Canonical, EveryDayFollowsTheOneBefore) {
  int year = -801;
  int month = 1;
  int day = 1;
  constexpr int32_t kFirst = -1'012'087;  // -0801-01-01
  std::vector<int32_t> start{kFirst};
  ASSERT_EQ(Canonical<int32_t>(TypeId::kDate, start), "\"-0801-01-01\"");
  for (int32_t days = kFirst; days < kFirst + 2 * 146'097; ++days) {
    ASSERT_EQ(
        Canonical<int32_t>(TypeId::kDate, {days}),
        fmt::format("\"{}{:04}-{:02}-{:02}\"", year < 0 ? "-" : "", std::abs(year), month, day));
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int lengths[] = {31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (++day > lengths[month - 1]) {
      day = 1;
      if (++month > 12) {
        month = 1;
        ++year;
      }
    }
  }
}

TEST(Canonical, Timestamps) {
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Timestamp(TimeUnit::kMilliseconds, true),
                                      {0, -1, 1'700'000'000'123})),
            R"("1970-01-01T00:00:00.000Z" "1969-12-31T23:59:59.999Z" "2023-11-14T22:13:20.123Z")");
  EXPECT_EQ(
      Canonical(FlatOf<int64_t>(DataType::Timestamp(TimeUnit::kMicroseconds, false), {-1, 1})),
      R"("1969-12-31T23:59:59.999999" "1970-01-01T00:00:00.000001")");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Timestamp(TimeUnit::kNanoseconds, false),
                                      {INT64_MAX, INT64_MIN})),
            R"("2262-04-11T23:47:16.854775807" "1677-09-21T00:12:43.145224192")");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Timestamp(TimeUnit::kMilliseconds, true),
                                      {INT64_MAX, INT64_MIN})),
            R"("292278994-08-17T07:12:55.807Z" "-292275055-05-16T16:47:04.192Z")");
}

TEST(Canonical, Int96IsExact) {  // fault T1
  const auto int96 = [](int64_t nanoseconds, int32_t julian_day) {
    std::vector<uint8_t> bytes(12);
    std::memcpy(bytes.data(), &nanoseconds, 8);
    std::memcpy(bytes.data() + 8, &julian_day, 4);
    return Canonical(FixedOf(DataType::Of(TypeId::kInt96), bytes));
  };
  EXPECT_EQ(int96(0, 2440588), "\"1970-01-01T00:00:00.000000000\"");
  EXPECT_EQ(int96(86'399'999'999'900, 5373484), "\"9999-12-31T23:59:59.999999900\"");
  EXPECT_EQ(int96(0, 1721426), "\"0001-01-01T00:00:00.000000000\"");
  EXPECT_EQ(int96(-1, 2440588), "\"1969-12-31T23:59:59.999999999\"");
  EXPECT_EQ(int96(86'400'000'000'001, 2440588), "\"1970-01-02T00:00:00.000000001\"");
  EXPECT_EQ(int96(INT64_MIN, INT32_MIN), "\"-5884615-02-03T00:12:43.145224192\"");
}

TEST(Canonical, Times) {
  EXPECT_EQ(Canonical(FlatOf<int32_t>(DataType::Time(TimeUnit::kMilliseconds, true),
                                      {0, 86'399'999, 86'400'000, -1})),
            R"("00:00:00.000Z" "23:59:59.999Z" 86400000 -1)");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Time(TimeUnit::kMicroseconds, false),
                                      {3'723'000'004, INT64_MAX})),
            R"("01:02:03.000004" "9223372036854775807")");
  EXPECT_EQ(Canonical(FlatOf<int64_t>(DataType::Time(TimeUnit::kNanoseconds, false), {1})),
            R"("00:00:00.000000001")");
}

TEST(Canonical, Interval) {
  EXPECT_EQ(Canonical(FixedOf(DataType::Of(TypeId::kInterval),
                              {1, 0, 0, 0, 255, 255, 255, 255, 0, 1, 0, 0})),
            R"({"months":1,"days":4294967295,"millis":256})");
}

TEST(Canonical, StructsKeepDuplicateNames) {
  const Column numbers = FlatOf<int32_t>(DataType::Of(TypeId::kInt32), {1, 2});
  EXPECT_EQ(Canonical(StructOf({"a", "a\"", "a"}, {numbers, numbers, WithNullAt(numbers, 1)})),
            R"({"a":1,"a\"":1,"a":1} {"a":2,"a\"":2,"a":null})");
  EXPECT_EQ(Canonical(StructOf({}, {})), "{}");
  EXPECT_EQ(Canonical(WithNullAt(StructOf({"a"}, {numbers}), 0)), R"(null {"a":2})");
}

TEST(Canonical, ListsAndMaps) {
  const Column numbers = FlatOf<int32_t>(DataType::Of(TypeId::kInt32), {1, 2, 3});
  EXPECT_EQ(Canonical(WithNullAt(ListOf({0, 2, 2, 2, 3}, WithNullAt(numbers, 1)), 2)),
            "[1,null] [] null [3]");
  EXPECT_EQ(Canonical(ListOf({0, 1, 2}, ListOf({0, 0, 3}, numbers))), "[[]] [[1,2,3]]");

  Column map = FlatOf<int32_t>(
      DataType::Map({"key", *numbers.type, false, {}}, Field{"value", *numbers.type, true, {}}),
      {0, 2, 3});
  map.length = 2;
  map.children = {numbers, WithNullAt(numbers, 0)};
  EXPECT_EQ(Canonical(map), "[[1,null],[2,2]] [[3,3]]");
  map.type = std::make_shared<const DataType>(DataType::Map({"key", *numbers.type, false, {}}, {}));
  map.children.pop_back();
  EXPECT_EQ(Canonical(map), "[[1,null],[2,null]] [[3,null]]");
}

TEST(Canonical, DictionaryAndConstant) {
  const auto dictionary = std::make_shared<const Column>(ViewsOf(TypeId::kString, {"zero", "one"}));
  Column codes = FlatOf<int32_t>(*dictionary->type, {1, 0, 1});
  codes.form = ColumnForm::kDictionary;
  codes.dictionary = dictionary;
  EXPECT_EQ(Canonical(WithNullAt(codes, 2)), R"("one" "zero" null)");
  Column constant;
  constant.type = dictionary->type;
  constant.form = ColumnForm::kConstant;
  constant.length = 2;
  constant.dictionary = dictionary;
  EXPECT_EQ(Canonical(constant), R"("zero" "zero")");
}

}  // namespace
}  // namespace sluice
