// Times, bytes and floating-point numbers as text.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/values/byte_text.h"
#include "engine/values/float_text.h"
#include "engine/values/time_text.h"
#include "format/model/text/scalar_text.h"

namespace sluice::engine {
namespace {

TEST(Calendar, IsTheCalendarOfTheText) {
  for (int64_t days = -1'000'000; days <= 1'000'000; days += 37) {
    std::string text;
    text::AppendDate(days, text);
    EXPECT_EQ(ParseDate(text), days) << text;
  }
  for (const int64_t days : {int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
    std::string text;
    text::AppendDate(days, text);
    EXPECT_EQ(ParseDate(text), days) << text;
  }
}

TEST(Calendar, AddsMonths) {
  const auto add = [](const char* text, int64_t months) {
    const CivilDay day = AddMonths(CivilOfDays(*ParseDate(text)), months);
    std::string sum;
    text::AppendDate(DaysOfCivil(day), sum);
    return sum;
  };
  EXPECT_EQ(add("2024-01-31", 1), "2024-02-29");
  EXPECT_EQ(add("2023-01-31", 1), "2023-02-28");
  EXPECT_EQ(add("2024-03-31", -1), "2024-02-29");
  EXPECT_EQ(add("2024-01-15", -13), "2022-12-15");
  EXPECT_EQ(add("2024-12-31", 2), "2025-02-28");
  EXPECT_EQ(add("1900-01-31", 1), "1900-02-28");
  EXPECT_EQ(add("2000-01-31", 1), "2000-02-29");
}

TEST(TimeText, ReadsDatesOnly) {
  EXPECT_EQ(ParseDate(" 1970-1-2 "), 1);
  EXPECT_EQ(ParseDate("-0001-12-31"), ParseDate("0000-01-01").value() - 1);
  for (const char* text : {"", "1970", "1970-13-01", "1970-00-01", "1970-01-00", "1970-02-30",
                           "2023-02-29", "1970-01-01x", "70000000-01-01", "1970/01/01", "--1-1-1",
                           "1970-01-01 00:00:00", "1970-001-01"}) {
    EXPECT_FALSE(ParseDate(text).has_value()) << text;
  }
}

TEST(TimeText, ReadsTimes) {
  EXPECT_EQ(ParseTime("01:02")->nanoseconds, 3'720 * kNanosecondsPerSecond);
  EXPECT_EQ(ParseTime(" 1:2:3.5 ")->nanoseconds, 3'723'500'000'000);
  EXPECT_EQ(ParseTime("23:59:59.999999999")->nanoseconds, kNanosecondsPerDay - 1);
  EXPECT_EQ(ParseTime("00:00:00.1234567000000")->fraction_digits, 7);
  EXPECT_EQ(ParseTime("24:00:00")->nanoseconds, kNanosecondsPerDay);
  for (const char* text : {"", "1", "24:00:01", "25:00", "1:60", "1:2:60", "1:2:3.",
                           "1:2:3.0000000001", "1:2:3Z", "-1:00"}) {
    EXPECT_FALSE(ParseTime(text).has_value()) << text;
  }
}

TEST(TimeText, ReadsTimestampsAndZones) {
  const auto nanoseconds = [](const char* text) {
    const auto timestamp = ParseTimestamp(text);
    EXPECT_TRUE(timestamp.has_value()) << text;
    return timestamp ? static_cast<int64_t>(timestamp->nanoseconds) : -1;
  };
  EXPECT_EQ(nanoseconds("1970-01-01"), 0);
  EXPECT_EQ(nanoseconds("1970-01-01T00:00:01"), kNanosecondsPerSecond);
  EXPECT_EQ(nanoseconds("1970-01-02 00:00:00.000000001"), kNanosecondsPerDay + 1);
  EXPECT_EQ(nanoseconds("1969-12-31t24:00"), 0);
  const std::pair<const char*, int32_t> kZones[] = {
      {"Z", 0},      {"+02", 7'200},   {"-02:30", -9'000},    {"+0230", 9'000},
      {"+2", 7'200}, {"+00:00:01", 1}, {"-23:59:59", -86'399}};
  for (const auto& [zone, offset] : kZones) {
    EXPECT_EQ(ParseZone(zone), offset) << zone;
    for (const char* before : {"1970-01-01 00:00", "1970-01-01 00:00 ", "1970-01-01 "}) {
      EXPECT_EQ(ParseTimestamp(std::string(before) + zone)->offset, offset) << before << zone;
    }
  }
  for (const char* zone : {"", "CET", "+", "+24", "+2:3", "+02:60", "+023", "Zz", "+02:00:00:00"}) {
    EXPECT_FALSE(ParseZone(zone).has_value()) << zone;
  }
  for (const char* text : {"1970-01-01 1", "1970-01-01T", "1970-01-01 00:00 CET", "now"}) {
    EXPECT_FALSE(ParseTimestamp(text).has_value()) << text;
  }
}

TEST(TimeText, ReadsIntervals) {
  const auto expect = [](const char* text, Interval interval) {
    EXPECT_EQ(ParseInterval(text), interval) << text;
  };
  expect("1 year 2 months 3 days 04:05:06.789", {14, 3, 14'706'789'000'000});
  expect("-1 day 1.5 hours", {0, -1, 5'400'000'000'000});
  expect("1.5 days", {0, 1, 43'200'000'000'000});
  expect("2w 3h", {0, 14, 10'800'000'000'000});
  expect("1 decade 1 century 1 millennium 1 quarter", {120 + 1'200 + 12'000 + 3, 0, 0});
  expect("-01:00", {0, 0, -3'600'000'000'000});
  expect("5 ms 6us 7 ns", {0, 0, 5'006'007});
  for (const char* text : {"", "5", "day", "1 apple", "1.5 months", "1 day ago", "1 day x",
                           "999999999999999999 millennia"}) {
    EXPECT_FALSE(ParseInterval(text).has_value()) << text;
  }
}

TEST(ByteText, ReadsUuids) {
  const auto bytes = ParseUuid("47183823-2574-4bfd-b411-99ED177D3e43");
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(std::string(bytes->data(), 4), "\x47\x18\x38\x23");
  EXPECT_EQ(ParseUuid("4718382325744bfdb41199ed177d3e43"), bytes);
  EXPECT_EQ(ParseUuid("{47183823-2574-4bfd-b411-99ed177d3e43}"), bytes);
  for (const char* text :
       {"", "{", "{}", "47183823", "47183823-2574-4bfd-b411-99ed177d3e4g",
        "4718382-32574-4bfd-b411-99ed177d3e43", "{4718382325744bfdb41199ed177d3e43"}) {
    EXPECT_FALSE(ParseUuid(text).has_value()) << text;
  }
}

TEST(ByteText, ReadsAndWritesBinary) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  std::string text;
  AppendBinaryText(bytes, &text);
  std::string back;
  EXPECT_TRUE(ParseBinary(text, &back));
  EXPECT_EQ(back, bytes);
  EXPECT_EQ(text.substr(0, 8), "\\x00\\x01");
  for (const char* wrong : {"\\", "\\x0", "\\xgg", "\\n", "\xc3\xa9"}) {
    EXPECT_FALSE(ParseBinary(wrong, &back)) << wrong;
  }
  EXPECT_EQ(ParseBoolean("TRUE"), true);
  EXPECT_EQ(ParseBoolean("n"), false);
  EXPECT_FALSE(ParseBoolean("2").has_value());
  EXPECT_FALSE(ParseBoolean(" true").has_value());
}

TEST(FloatText, WritesAsDuckDb) {
  const auto text = [](double value) {
    std::string out;
    AppendDoubleText(value, &out);
    return out;
  };
  const std::pair<double, const char*> kTexts[] = {
      {1, "1.0"},          {1e15, "1000000000000000.0"}, {1e16, "1e+16"}, {1.5e-5, "1.5e-05"},
      {1e-4, "0.0001"},    {123456.789, "123456.789"},   {-0.0, "-0.0"},  {NAN, "nan"},
      {-INFINITY, "-inf"}, {5e-324, "5e-324"},           {0.1, "0.1"}};
  for (const auto& [value, expected] : kTexts) EXPECT_EQ(text(value), expected);
  std::string narrow;
  AppendFloatText(1.5e-4F, &narrow);
  AppendFloatText(16777216.0F, &narrow);
  AppendFloatText(1e-4F, &narrow);
  EXPECT_EQ(narrow, "0.0001516777216.00.0001");
}

TEST(FloatText, ReadsNumbersAndWords) {
  EXPECT_TRUE(std::isnan(*ParseDouble(" NaN ")));
  EXPECT_EQ(ParseDouble("-Infinity"), -INFINITY);
  EXPECT_EQ(ParseDouble("+inf"), INFINITY);
  EXPECT_EQ(ParseDouble("1e400"), INFINITY);
  EXPECT_EQ(ParseDouble(" .5 "), 0.5);
  EXPECT_EQ(ParseFloat("0.1"), 0.1F);
  EXPECT_EQ(ParseFloat("1e39"), INFINITY);
  for (const char* text : {"", "nano", "in", "1.5x", "infinit"}) {
    EXPECT_FALSE(ParseDouble(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace sluice::engine
