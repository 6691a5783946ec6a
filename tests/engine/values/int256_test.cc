#include "engine/values/int256.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sluice::engine {
namespace {

Int256 Parse(std::string text) {
  const bool is_negative = text[0] == '-';
  if (is_negative) text.erase(0, 1);
  return *Int256::FromDigits(is_negative, text);
}

std::string Random(std::mt19937_64& random, int digits) {
  std::string text = random() % 2 == 0 ? "-" : "";
  text += static_cast<char>('1' + random() % 9);
  for (int i = 1; i < digits; ++i) text += static_cast<char>('0' + random() % 10);
  return text;
}

const std::string kMax =
    "57896044618658097711785492504343953926634992332820282019728792003956564819967";
const std::string kMin =
    "-57896044618658097711785492504343953926634992332820282019728792003956564819968";

TEST(Int256, ReadsAndWritesDigits) {
  std::mt19937_64 random(1);
  for (int digits = 1; digits <= 76; ++digits) {
    for (int i = 0; i < 20; ++i) {
      const std::string text = Random(random, digits);
      EXPECT_EQ(Parse(text).ToString(), text);
    }
  }
  EXPECT_EQ(Int256().ToString(), "0");
  EXPECT_EQ(Parse("-000").ToString(), "0");
  EXPECT_EQ(Int256::Max().ToString(), kMax);
  EXPECT_EQ(Int256::Min().ToString(), kMin);
  EXPECT_EQ(Parse(kMax), Int256::Max());
  EXPECT_EQ(Parse(kMin), Int256::Min());
  EXPECT_FALSE(Int256::FromDigits(false, kMin.substr(1)).has_value());
  EXPECT_FALSE(Int256::FromDigits(true, kMin.substr(1, 76) + "9").has_value());
  EXPECT_FALSE(Int256::FromDigits(false, std::string(78, '9')).has_value());
}

TEST(Int256, IsTheIntegerOfFewerBits) {
  for (const Int128 value :
       {Int128{0}, Int128{-1}, Int128{INT64_MAX} * 3, kMinInt128, kMaxInt128}) {
    EXPECT_TRUE(Int256(value).FitsInt128());
    EXPECT_TRUE(Int256(value).ToInt128() == value);
    EXPECT_EQ(Int256(value).is_negative(), value < 0);
  }
  EXPECT_FALSE(Int256(kMaxInt128).Plus(Int256(1)).FitsInt128());
  EXPECT_FALSE(Int256(kMinInt128).Plus(Int256(-1)).FitsInt128());
}

TEST(Int256, ComparesAsNumbers) {
  const std::string ascending[] = {kMin,
                                   "-" + std::string(60, '9'),
                                   "-1",
                                   "0",
                                   "1",
                                   "9",
                                   std::string(20, '9'),
                                   std::string(40, '9'),
                                   kMax};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(Parse(ascending[i]) < Parse(ascending[j]), i < j);
      EXPECT_EQ(Parse(ascending[i]) == Parse(ascending[j]), i == j);
    }
  }
}

TEST(Int256, ScalesByPowersOfTen) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    const int digits = 1 + static_cast<int>(random() % 76);
    const int exponent = static_cast<int>(random() % 40);
    const std::string text = Random(random, digits);
    const auto scaled = MultiplyByPowerOfTen(Parse(text), exponent);
    const bool is_negative = text[0] == '-';
    const std::string longer = text + std::string(static_cast<size_t>(exponent), '0');
    const auto expected = Int256::FromDigits(is_negative, longer.substr(is_negative ? 1 : 0));
    EXPECT_EQ(scaled, expected) << longer;
  }
  const std::pair<const char*, const char*> kRounded[] = {
      {"149", "1"}, {"150", "2"},  {"-149", "-1"}, {"-150", "-2"},   {"49", "0"},
      {"50", "1"},  {"-50", "-1"}, {"0", "0"},     {"99999", "1000"}};
  for (const auto& [value, rounded] : kRounded) {
    EXPECT_EQ(DivideByPowerOfTen(Parse(value), 2).ToString(), rounded) << value;
  }
  EXPECT_EQ(DivideByPowerOfTen(Int256::Max(), 76).ToString(), "6");
  EXPECT_EQ(DivideByPowerOfTen(Int256::Min(), 0), Int256::Min());
  EXPECT_EQ(DivideByPowerOfTen(Parse("5" + std::string(40, '0')), 41).ToString(), "1");
}

TEST(Int256, CountsDigits) {
  for (int digits = 1; digits <= 76; ++digits) {
    const std::string most(static_cast<size_t>(digits), '9');
    EXPECT_TRUE(HasAtMostDigits(Parse(most), digits));
    EXPECT_TRUE(HasAtMostDigits(Parse("-" + most), digits));
    EXPECT_FALSE(
        HasAtMostDigits(Parse("1" + std::string(static_cast<size_t>(digits), '0')), digits));
  }
  EXPECT_FALSE(HasAtMostDigits(Int256::Min(), 76));
  EXPECT_TRUE(HasAtMostDigits(Int256::Min(), 77));
  EXPECT_FALSE(HasAtMostDigits(kMinInt128, 38));
}

}  // namespace
}  // namespace sluice::engine
