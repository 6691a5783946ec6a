#include "engine/values/exact_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sluice::engine {
namespace {

ExactNumber Parse(std::string_view text) { return *ExactNumber::Parse(text); }

TEST(ExactNumber, ReadsNumbersOnly) {
  for (const char* text : {"", " ", "-", "+", ".", "e5", "1e", "1e+", "1e5.0", "0x10", "1 2", "1_0",
                           "nan", "1.2.3", "--1", "1-"}) {
    EXPECT_FALSE(ExactNumber::Parse(text).has_value()) << text;
  }
  EXPECT_EQ(Parse(" -0012.340 ").digits, "12340");
  EXPECT_EQ(Parse("-12.340").scale, 3);
  EXPECT_TRUE(Parse("-12.340").negative);
  EXPECT_EQ(Parse("1e3").scale, -3);
  EXPECT_EQ(Parse("1.5E-2").scale, 3);
  EXPECT_TRUE(Parse("1e0").has_exponent);
  EXPECT_TRUE(Parse("-0.00").is_zero());
  EXPECT_EQ(Parse("1.50").precision(), 3);
  EXPECT_EQ(Parse(".05").precision(), 2);
  EXPECT_EQ(Parse("1e3").precision(), 4);
  EXPECT_EQ(Parse("0").precision(), 1);
}

TEST(ExactNumber, FloorsAndRoundsAtScales) {
  struct Case {
    const char* text;
    int32_t scale;
    const char* floor;
    bool is_exact;
    const char* rounded;
  };
  const Case kCases[] = {
      {"1.5", 0, "1", false, "2"},
      {"-1.5", 0, "-2", false, "-2"},
      {"1.49", 0, "1", false, "1"},
      {"-1.49", 0, "-2", false, "-1"},
      {"1.50", 1, "15", true, "15"},
      {"0.05", 1, "0", false, "1"},
      {"0.04", 1, "0", false, "0"},
      {"-0.04", 1, "-1", false, "0"},
      {"-0.001", 0, "-1", false, "0"},
      {"1e3", 2, "100000", true, "100000"},
      {"1e-999999999999", 5, "0", false, "0"},
      {"-1e-50", 0, "-1", false, "0"},
      {"0e99999999999999999999", 3, "0", true, "0"},
      {"9.99", 1, "99", false, "100"},
  };
  for (const Case& test : kCases) {
    const IntegerFloor floor = Parse(test.text).FloorAtScale(test.scale);
    ASSERT_EQ(floor.range, IntegerFloor::Range::kInside) << test.text;
    EXPECT_EQ(floor.value.ToString(), test.floor) << test.text;
    EXPECT_EQ(floor.is_exact, test.is_exact) << test.text;
    EXPECT_EQ(Parse(test.text).RoundAtScale(test.scale)->ToString(), test.rounded) << test.text;
  }
  EXPECT_EQ(Parse("1e78").FloorAtScale(0).range, IntegerFloor::Range::kAbove);
  EXPECT_EQ(Parse("-1e999999999999").FloorAtScale(0).range, IntegerFloor::Range::kBelow);
  EXPECT_EQ(Parse(Int256::Max().ToString() + ".5").FloorAtScale(0).value, Int256::Max());
  EXPECT_EQ(Parse(Int256::Min().ToString() + ".5").FloorAtScale(0).range,
            IntegerFloor::Range::kBelow);
  EXPECT_FALSE(Parse(Int256::Max().ToString() + ".5").RoundAtScale(0).has_value());
  EXPECT_FALSE(Parse("1e80").RoundAtScale(0).has_value());
}

TEST(ExactNumber, IsTheNearestFloatingPointValue) {
  for (const char* text :
       {"0.1", "-2.5", "1e308", "1.7976931348623157e308", "5e-324",
        "123456789012345678901234567890", "9007199254740993", "0.000000000000000000000000000001"}) {
    EXPECT_EQ(Parse(text).ToDouble(), std::strtod(text, nullptr)) << text;
    EXPECT_EQ(Parse(text).ToFloat(), std::strtof(text, nullptr)) << text;
  }
  EXPECT_EQ(Parse("1e400").ToDouble(), INFINITY);
  EXPECT_EQ(Parse("-1e400").ToDouble(), -INFINITY);
  EXPECT_EQ(Parse("1e-400").ToDouble(), 0);
  EXPECT_TRUE(std::signbit(Parse("-0.0").ToDouble()));
  const ExactNumber number = ExactNumber::Of(*Int256::FromDigits(true, "12345"), 2);
  EXPECT_EQ(number.ToDouble(), -123.45);
  EXPECT_TRUE(ExactNumber::Of(Int256(), 2).is_zero());
}

}  // namespace
}  // namespace sluice::engine
