#include <gtest/gtest.h>

#include "tests/engine/bind/bind_testing.h"

namespace sluice {
namespace {

using engine::BindOptions;
using support::Bound;
using support::TypesSchema;

Field Int(std::string name) { return {std::move(name), DataType::Of(TypeId::kInt32), true, {}}; }

TEST(BindColumns, FollowsPathsThroughStructs) {
  EXPECT_EQ(Bound("rec.inner.x"), "rec.inner.x");
  EXPECT_EQ(Bound("rec"), "rec");
  EXPECT_EQ(Bound("rec.inner.z"), "line 1, column 1: there is no field z");
  EXPECT_EQ(Bound("rec.n.z"), "line 1, column 1: n has no field z: it is of type int8");
  EXPECT_EQ(Bound("list.element"),
            "line 1, column 1: list has no field element: it is of type list<int32>");
}

TEST(BindColumns, NamesWhatIsNear) {
  const Schema schema{
      {Int("price"), Int("Prize"), Int("prices"), Int("quantity"), Int("a.b"), Int("pricey")}};
  EXPECT_EQ(Bound("PRICE", schema),
            "line 1, column 1: there is no column PRICE; there is price, "
            "Prize or prices");
  EXPECT_EQ(Bound("1 = quantety", schema),
            "line 1, column 5: there is no column quantety; there is quantity");
  EXPECT_EQ(Bound("zebra", schema), "line 1, column 1: there is no column zebra");
  // fault F9: a name with a dot is not a path.
  EXPECT_EQ(Bound("a.b", schema), "line 1, column 1: there is no column a; there is \"a.b\"");
  EXPECT_EQ(Bound("\"a.b\"", schema), "\"a.b\"");
}

// fault F10: the exact name wins; what is ambiguous is an error that names the candidates.
TEST(BindColumns, MatchesCase) {
  const Schema schema{{Int("id"), Int("ID"), Int("Name"), Int("a"), Int("a")}};
  BindOptions options;
  EXPECT_EQ(Bound("id = ID", schema, options), "(id = ID)");
  EXPECT_EQ(Bound("name", schema, options),
            "line 1, column 1: there is no column name; there is Name");
  const char* kTwice =
      "line 1, column 1: the name a is ambiguous: it may be a (number 4, int32) or a "
      "(number 5, int32)";
  EXPECT_EQ(Bound("a", schema, options), kTwice);
  options.ignore_case = true;
  EXPECT_EQ(Bound("id = ID", schema, options), "(id = ID)");
  EXPECT_EQ(Bound("name", schema, options), "Name");
  EXPECT_EQ(Bound("Id", schema, options),
            "line 1, column 1: the name Id is ambiguous: it may be id (number 1, int32) or ID "
            "(number 2, int32)");
  EXPECT_EQ(Bound("a", schema, options), kTwice);
  EXPECT_EQ(Bound("REC.Inner.y", TypesSchema(), options), "rec.inner.Y");
}

TEST(BindColumns, ShowsThePlaceInTheText) {
  BindOptions options;
  options.text = "i8 = 1\nAND colour = 'red'";
  EXPECT_EQ(Bound(options.text, TypesSchema(), options),
            "line 2, column 5: there is no column colour\n"
            "  AND colour = 'red'\n"
            "      ^");
  const auto built = engine::Bind(Col("i8") > Col("colour"), TypesSchema(), {});
  EXPECT_EQ(built.error().message(), "in colour: there is no column colour");
  EXPECT_EQ(built.error().code(), StatusCode::kInvalidArgument);
}

TEST(BindColumns, ComparesNoEndlessNames) {
  Schema schema;
  for (int i = 0; i < 20'000; ++i) schema.fields.push_back(Int(std::string(1'000, 'x')));
  const auto bound = engine::Bind(Col(std::string(100'000, 'y')), schema, {});
  EXPECT_EQ(bound.error().message().find("there is x"), std::string::npos);
}

TEST(BindColumns, BoundsTheDepthOfTreesBuiltInCpp) {
  Expression deep = Col("flag");
  for (int i = 1; i < kMaxExpressionDepth; ++i) deep = !std::move(deep);
  EXPECT_TRUE(engine::Bind(deep, TypesSchema(), {}).has_value());
  const auto bound = engine::Bind(!std::move(deep), TypesSchema(), {});
  ASSERT_FALSE(bound.has_value());
  EXPECT_EQ(bound.error().message(), "expressions nest at most 250 deep");
}

TEST(BindColumns, RefusesTreesOfNoShape) {
  for (const auto kind :
       {Expression::Kind::kComparison, Expression::Kind::kArithmetic, Expression::Kind::kNegate,
        Expression::Kind::kNot, Expression::Kind::kIsNull, Expression::Kind::kBetween,
        Expression::Kind::kIn, Expression::Kind::kLike, Expression::Kind::kCast,
        Expression::Kind::kCase, Expression::Kind::kColumn}) {
    Expression bare;
    bare.kind = kind;
    const auto bound = engine::Bind(bare, TypesSchema(), {});
    ASSERT_FALSE(bound.has_value());
    EXPECT_EQ(bound.error().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice
