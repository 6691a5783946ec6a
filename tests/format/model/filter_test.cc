#include <gtest/gtest.h>
#include <sluice/filter.h>
#include <sluice/value.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sluice {
namespace {

using Kind = ColumnFilter::Kind;

std::string Int(int32_t value) { return *Value::Of(DataType::Of(TypeId::kInt32), value).bytes; }
std::string Double(double value) { return *Value::Of(DataType::Of(TypeId::kDouble), value).bytes; }

ColumnFilter RangesOf(TypeId id, std::vector<ValueRange> ranges) {
  ColumnFilter filter;
  filter.type = DataType::Of(id);
  filter.kind = Kind::kRanges;
  filter.ranges = std::move(ranges);
  return filter;
}

ColumnFilter SetOf(TypeId id, std::vector<std::string> set, bool negated) {
  ColumnFilter filter;
  filter.type = DataType::Of(id);
  filter.kind = Kind::kSet;
  filter.set = std::make_shared<const std::vector<std::string>>(std::move(set));
  filter.negated = negated;
  return filter;
}

ColumnFilter PatternOf(Kind kind, std::string pattern, bool negated) {
  ColumnFilter filter;
  filter.type = DataType::Of(TypeId::kString);
  filter.kind = kind;
  filter.pattern = std::move(pattern);
  filter.negated = negated;
  return filter;
}

/// The integers of 0..9 that pass, as digits.
std::string Passing(const ColumnFilter& filter) {
  std::string passing;
  for (int32_t value = 0; value < 10; ++value) {
    if (filter.Passes(Int(value))) passing += std::to_string(value);
  }
  return passing;
}

TEST(ColumnFilter, Ranges) {
  const auto ranges = [](std::vector<ValueRange> list) {
    return RangesOf(TypeId::kInt32, std::move(list));
  };
  EXPECT_EQ(Passing(ranges({{ValueBound{Int(3)}, ValueBound{Int(5)}}})), "345");
  EXPECT_EQ(Passing(ranges({{ValueBound{Int(3), false}, ValueBound{Int(5), false}}})), "4");
  EXPECT_EQ(Passing(ranges({{ValueBound{Int(7), false}, std::nullopt}})), "89");
  EXPECT_EQ(Passing(ranges({{std::nullopt, ValueBound{Int(2)}}})), "012");
  EXPECT_EQ(Passing(ranges({{std::nullopt, ValueBound{Int(2), false}},
                            {ValueBound{Int(8), false}, std::nullopt}})),
            "019");
  EXPECT_EQ(Passing(ranges({{std::nullopt, std::nullopt}})), "0123456789");
}

TEST(ColumnFilter, RangesWithoutUpperBoundHoldNan) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const ColumnFilter above = RangesOf(TypeId::kDouble, {{ValueBound{Double(1), false}, {}}});
  EXPECT_TRUE(above.Passes(Double(nan)));
  EXPECT_TRUE(above.Passes(Double(infinity)));
  const ColumnFilter below = RangesOf(TypeId::kDouble, {{{}, ValueBound{Double(infinity)}}});
  EXPECT_FALSE(below.Passes(Double(nan)));
  EXPECT_TRUE(below.Passes(Double(infinity)));
  const ColumnFilter is_nan = RangesOf(TypeId::kDouble, {{ValueBound{Double(nan)}, {}}});
  EXPECT_TRUE(is_nan.Passes(Double(-std::nan("9"))));
  EXPECT_FALSE(is_nan.Passes(Double(infinity)));
  const ColumnFilter zero =
      RangesOf(TypeId::kDouble, {{ValueBound{Double(0.0)}, ValueBound{Double(0.0)}}});
  EXPECT_TRUE(zero.Passes(Double(-0.0)));
}

TEST(ColumnFilter, Sets) {
  EXPECT_EQ(Passing(SetOf(TypeId::kInt32, {Int(-4), Int(2), Int(7)}, false)), "27");
  EXPECT_EQ(Passing(SetOf(TypeId::kInt32, {Int(-4), Int(2), Int(7)}, true)), "01345689");
  const ColumnFilter doubles =
      SetOf(TypeId::kDouble, {Double(0.0), Double(3), Double(std::nan(""))}, false);
  EXPECT_TRUE(doubles.Passes(Double(-0.0)));
  EXPECT_TRUE(doubles.Passes(Double(-std::nan("5"))));
  EXPECT_FALSE(doubles.Passes(Double(2)));
}

TEST(ColumnFilter, Patterns) {
  EXPECT_TRUE(PatternOf(Kind::kPrefix, "a%", false).Passes("a%b"));
  EXPECT_FALSE(PatternOf(Kind::kPrefix, "a%", false).Passes("ab"));
  EXPECT_TRUE(PatternOf(Kind::kPrefix, "a%", true).Passes("ab"));
  EXPECT_TRUE(PatternOf(Kind::kLike, "a%b_", false).Passes("axxbé"));
  EXPECT_FALSE(PatternOf(Kind::kLike, "a%b_", true).Passes("axxbé"));
}

TEST(ColumnFilter, NoneAndAll) {
  ColumnFilter filter;
  filter.kind = Kind::kNone;
  EXPECT_FALSE(filter.Passes("x"));
  filter.kind = Kind::kAll;
  EXPECT_TRUE(filter.Passes("x"));
}

TEST(ColumnFilter, Text) {
  ColumnFilter filter;
  filter.kind = Kind::kNone;
  EXPECT_EQ(filter.ToString(), "nothing");
  filter.null_passes = true;
  EXPECT_EQ(filter.ToString(), "null");
  filter.kind = Kind::kAll;
  EXPECT_EQ(filter.ToString(), "anything");
  filter.null_passes = false;
  EXPECT_EQ(filter.ToString(), "not null");

  filter = RangesOf(TypeId::kInt32, {{ValueBound{Int(3)}, ValueBound{Int(7), false}}});
  filter.null_passes = true;
  EXPECT_EQ(filter.ToString(), "in [3, 7) or null");
  EXPECT_EQ(RangesOf(TypeId::kInt32, {{ValueBound{Int(3)}, ValueBound{Int(3)}}}).ToString(), "= 3");
  EXPECT_EQ(
      RangesOf(TypeId::kInt32, {{{}, ValueBound{Int(3), false}}, {ValueBound{Int(3), false}, {}}})
          .ToString(),
      "< 3 or > 3");
  EXPECT_EQ(
      RangesOf(TypeId::kInt32, {{{}, ValueBound{Int(3)}}, {ValueBound{Int(9)}, {}}}).ToString(),
      "<= 3 or >= 9");
  EXPECT_EQ(SetOf(TypeId::kString, {"a", "b"}, false).ToString(), R"(in {"a", "b"})");
  std::vector<std::string> many;
  for (int32_t i = 0; i < 100; ++i) many.push_back(Int(i));
  EXPECT_EQ(SetOf(TypeId::kInt32, many, true).ToString(),
            "not in {0, 1, 2, 3, 4, 5, 6, 7, and 92 more}");
  EXPECT_EQ(PatternOf(Kind::kPrefix, "ab", false).ToString(), R"(begins with "ab")");
  EXPECT_EQ(PatternOf(Kind::kLike, "a%\xff", true).ToString(), R"(not like {"hex":"6125ff"})");
}

}  // namespace
}  // namespace sluice
