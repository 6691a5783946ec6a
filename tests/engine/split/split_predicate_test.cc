// How predicates come apart: contracts V-23 to V-30.

#include "engine/split/split_predicate.h"

#include <gtest/gtest.h>

#include "tests/engine/bind/bind_testing.h"

namespace sluice {
namespace {

using engine::PredicateParts;

std::string PathText(const engine::ColumnPath& path, const Schema& schema) {
  return engine::BoundExpression::Column(path, {}).ToString(schema);
}

std::string TreeText(const FilterNode& node, const PredicateParts& parts, const Schema& schema) {
  switch (node.kind) {
    case FilterNode::Kind::kTrue:
      return "TRUE";
    case FilterNode::Kind::kNotTrue:
      return "NOT TRUE";
    case FilterNode::Kind::kUnknown:
      return "?";
    case FilterNode::Kind::kColumn:
      return PathText(parts.columns[static_cast<size_t>(node.column)], schema) + " " +
             node.filter.ToString();
    default:
      break;
  }
  std::string text = "(";
  for (const FilterNode& child : node.children) {
    if (text.size() > 1) text += node.kind == FilterNode::Kind::kAnd ? " AND " : " OR ";
    text += TreeText(child, parts, schema);
  }
  return text + ")";
}

/// "column filter; column filter; residual | tree", the tree where it says something else.
std::string Split(std::string_view text) {
  const Schema schema = support::TypesSchema();
  const auto parsed = ParseExpression(text);
  if (!parsed) return parsed.error().message();
  const auto bound = engine::BindPredicate(*parsed, schema, {});
  if (!bound) return bound.error().message();
  const PredicateParts parts = engine::SplitPredicate(*bound);
  std::string all;
  for (const engine::LeafFilter& leaf : parts.filters) {
    all += PathText(leaf.column, schema) + " " + leaf.filter.ToString() + "; ";
  }
  const auto residual = engine::AllOf(parts.residual);
  all += residual ? residual->ToString(schema) : "-";
  return all + " | " + TreeText(parts.tree, parts, schema);
}

void ExpectSplit(const std::vector<std::pair<const char*, const char*>>& cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(Split(text), expected) << text;
}

TEST(SplitPredicate, MakesFiltersOfComparisons) {
  ExpectSplit({
      {"i8 = 5", "i8 = 5; - | i8 = 5"},
      {"i8 <> 5", "i8 not in {5}; - | i8 not in {5}"},
      {"i8 < 5", "i8 < 5; - | i8 < 5"},
      {"5 <= i8", "i8 >= 5; - | i8 >= 5"},
      {"NOT i8 < 5", "i8 >= 5; - | i8 >= 5"},
      {"i8 IS DISTINCT FROM 5", "i8 not in {5} or null; - | i8 not in {5} or null"},
      {"NOT (i8 IS DISTINCT FROM 5)", "i8 = 5; - | i8 = 5"},
      {"NOT (i8 IS NOT DISTINCT FROM 5)", "i8 not in {5} or null; - | i8 not in {5} or null"},
      {"i8 IS NULL", "i8 null; - | i8 null"},
      {"i8 IS NOT NULL", "i8 not null; - | i8 not null"},
      {"NOT i8 IS NULL", "i8 not null; - | i8 not null"},
      {"geo IS NULL", "geo null; - | geo null"},
      {"flag", "flag = true; - | flag = true"},
      {"NOT flag", "flag = false; - | flag = false"},
      {"i8 IN (3, 1, NULL)", "i8 in {1, 3}; - | i8 in {1, 3}"},
      {"i8 NOT IN (3, 1)", "i8 not in {1, 3}; - | i8 not in {1, 3}"},
      {"i8 NOT IN (3, NULL)", "i8 nothing; - | NOT TRUE"},
      {"i8 BETWEEN 1 AND 5", "i8 in [1, 5]; - | i8 in [1, 5]"},
      {"i8 NOT BETWEEN 1 AND 5", "i8 < 1 or > 5; - | i8 < 1 or > 5"},
      {"rec.inner.x > 3", "rec.inner.x > 3; - | rec.inner.x > 3"},
      {"CAST(i8 AS BIGINT) + 0 = 5", "((CAST(i8 AS int64) + 0) = 5) | ?"},
      {"CAST(i8 AS BIGINT) = 5", "i8 = 5; - | i8 = 5"},
      // fault S17: literals outside the type.
      {"i8 < 300", "i8 not null; - | i8 not null"},
      {"NOT (i8 < 300)", "i8 nothing; - | NOT TRUE"},
      {"i8 = 300", "i8 nothing; - | NOT TRUE"},
      {"i8 > 127", "i8 nothing; - | NOT TRUE"},
      // NaN is above infinity and equals itself.
      {"f64 > 1e308", "f64 > 1e+308; - | f64 > 1e+308"},
      {"f64 >= 'nan'", "f64 >= \"NaN\"; - | f64 >= \"NaN\""},
      {"f64 > 'nan'", "f64 nothing; - | NOT TRUE"},
      {"is_nan(f64)", "f64 >= \"NaN\"; - | f64 >= \"NaN\""},
      {"NOT is_nan(f64)", "f64 < \"NaN\"; - | f64 < \"NaN\""},
  });
}

TEST(SplitPredicate, MakesFiltersOfPatterns) {
  ExpectSplit({
      {"s LIKE 'ab%'", "s begins with \"ab\"; - | s begins with \"ab\""},
      {"s NOT LIKE 'ab%'", "s does not begin with \"ab\"; - | s does not begin with \"ab\""},
      {"starts_with(s, 'ab')", "s begins with \"ab\"; - | s begins with \"ab\""},
      {"s LIKE 'ab'", "s = \"ab\"; - | s = \"ab\""},
      {"s LIKE 'a!%b' ESCAPE '!'", "s = \"a%b\"; - | s = \"a%b\""},
      {"s LIKE '%'", "s not null; - | s not null"},
      {"s LIKE 'a_b%'", "s like \"a_b%\"; - | s like \"a_b%\""},
      {"js NOT LIKE '%b'", "js not like \"%b\"; - | js not like \"%b\""},
      {"s LIKE 'a%' AND s < 'ab'", "s in [\"a\", \"ab\"); - | s in [\"a\", \"ab\")"},
      {"s LIKE js", "(s LIKE CAST(js AS string)) | ?"},
      {"s LIKE lower(js) ESCAPE '!'", "(s LIKE lower(CAST(js AS string))) | ?"},
  });
}

// contracts V-23, V-24, V-25
TEST(SplitPredicate, SplitsAtAndAndMergesFiltersOfOneColumn) {
  ExpectSplit({
      {"i8 > 1 AND i8 < 5", "i8 in (1, 5); - | i8 in (1, 5)"},
      {"i8 > 1 AND i16 = 2 AND i8 <= 5", "i8 in (1, 5]; i16 = 2; - | (i8 in (1, 5] AND i16 = 2)"},
      {"i8 > 1 AND i8 + i16 > 4", "i8 > 1; ((CAST(i8 AS int16) + i16) > 4) | (? AND i8 > 1)"},
      {"i8 > 5 AND i8 < 3", "i8 nothing; - | NOT TRUE"},
      {"i8 > 5 AND i8 < 6", "i8 nothing; - | NOT TRUE"},
      {"i8 IN (1, 2, 3) AND i8 > 1", "i8 in {2, 3}; - | i8 in {2, 3}"},
      {"i8 IN (1, 2, 3) AND i8 <> 2 AND i8 < 3", "i8 = 1; - | i8 = 1"},
      {"i8 <> 2 AND i8 <> 3 AND i8 <> 2", "i8 not in {2, 3}; - | i8 not in {2, 3}"},
      {"i8 <> 2 AND i8 > 0", "i8 in (0, 2) or > 2; - | i8 in (0, 2) or > 2"},
      {"i8 <> 2 AND i8 > 5", "i8 > 5; - | i8 > 5"},
      {"i8 <> 2 AND i8 <> 4 AND i8 <> 6 AND i8 > 0",
       "i8 > 0; i8 not in {2, 4, 6}; - | (i8 > 0 AND i8 not in {2, 4, 6})"},
      {"i8 IS NOT NULL AND i8 < 5", "i8 < 5; - | i8 < 5"},
      {"i8 IS NULL AND i8 < 5", "i8 nothing; - | NOT TRUE"},
      {"s LIKE '%a' AND s LIKE '%b%' AND s > 'a'",
       "s > \"a\"; s like \"%a\"; s like \"%b%\"; - | (s > \"a\" AND s like \"%a\" AND s like "
       "\"%b%\")"},
      {"f64 <> 'nan' AND f64 > 5", "f64 in (5, \"NaN\"); - | f64 in (5, \"NaN\")"},
  });
}

// contract V-26: never across columns.
TEST(SplitPredicate, JoinsOrOfOneColumnAndTearsNoOther) {
  ExpectSplit({
      {"i8 = 1 OR i8 = 5 OR i8 = 3", "i8 in {1, 3, 5}; - | i8 in {1, 3, 5}"},
      {"i8 < 1 OR i8 > 5", "i8 < 1 or > 5; - | i8 < 1 or > 5"},
      {"i8 < 3 OR i8 > 1", "i8 not null; - | i8 not null"},
      {"i8 BETWEEN 1 AND 3 OR i8 BETWEEN 4 AND 6", "i8 in [1, 6]; - | i8 in [1, 6]"},
      {"i8 < 1 OR i8 = 7 OR i8 = 1", "i8 <= 1 or = 7; - | i8 <= 1 or = 7"},
      {"i8 < 1 OR i8 = 4 OR i8 = 6",
       "((i8 < 1) OR (i8 = 4) OR (i8 = 6)) | (i8 < 1 OR i8 = 4 OR i8 = 6)"},
      {"i8 <> 1 OR i8 = 1", "i8 not null; - | i8 not null"},
      {"i8 <> 1 OR i8 <> 2", "i8 not null; - | i8 not null"},
      {"i8 NOT IN (1, 2) OR i8 = 2", "i8 not in {1}; - | i8 not in {1}"},
      {"i8 = 1 OR i8 IS NULL", "i8 = 1 or null; - | i8 = 1 or null"},
      {"i8 IS NULL OR i8 IS NOT NULL", "i8 anything; - | TRUE"},
      {"s LIKE 'a%' OR s = 'b'", "s in [\"a\", \"b\"]; - | s in [\"a\", \"b\"]"},
      {"s LIKE '%a' OR s = 'b'", "((s LIKE \"%a\") OR (s = \"b\")) | (s like \"%a\" OR s = \"b\")"},
      {"i8 = 1 OR i16 = 2", "((i8 = 1) OR (i16 = 2)) | (i8 = 1 OR i16 = 2)"},
      {"i8 = 1 OR i8 + i16 = 2", "((i8 = 1) OR ((CAST(i8 AS int16) + i16) = 2)) | (? OR i8 = 1)"},
      {"(i8 = 1 AND i16 = 2) OR i8 = 3",
       "(((i8 = 1) AND (i16 = 2)) OR (i8 = 3)) | ((i8 = 1 AND i16 = 2) OR i8 = 3)"},
      {"(i8 > 1 AND i8 < 4) OR i8 = 7", "i8 in (1, 4) or = 7; - | i8 in (1, 4) or = 7"},
  });
}

// contract V-27
TEST(SplitPredicate, CarriesNotDown) {
  ExpectSplit({
      {"NOT (i8 = 1 OR i16 < 2)", "i8 not in {1}; i16 >= 2; - | (i8 not in {1} AND i16 >= 2)"},
      {"NOT (i8 = 1 AND i8 = 2)", "i8 not null; - | i8 not null"},
      {"NOT (i8 = 1 AND i16 < 2)", "NOT (((i8 = 1) AND (i16 < 2))) | (i8 not in {1} OR i16 >= 2)"},
      {"NOT (NOT (i8 = 1 AND i16 = 2))", "i8 = 1; i16 = 2; - | (i8 = 1 AND i16 = 2)"},
      {"NOT (i8 = 1 OR i8 + i16 = 2)",
       "i8 not in {1}; NOT (((CAST(i8 AS int16) + i16) = 2)) | (? AND i8 not in {1})"},
      {"NOT (i8 IN (1, 2) OR i8 IS NULL)", "i8 not in {1, 2}; - | i8 not in {1, 2}"},
  });
}

// contract V-28: nothing is dropped.
TEST(SplitPredicate, KeepsTheRest) {
  ExpectSplit({
      {"TRUE", "- | TRUE"},
      {"NULL", "NULL | NOT TRUE"},
      {"FALSE", "false | NOT TRUE"},
      {"i8 = 1 AND 1 / 0 = 1", "i8 = 1; ((1 / 0) = 1) | (? AND i8 = 1)"},
      {"list IS NULL", "(list IS NULL) | ?"},
      {"rec IS NOT NULL", "(rec IS NOT NULL) | ?"},
      {"i8 = i16", "(CAST(i8 AS int16) = i16) | ?"},
      {"CASE WHEN flag THEN i8 = 1 ELSE TRUE END", "case(flag, (i8 = 1), true) | ?"},
      {"i8 = 1 AND (i16 = 2 OR i8 = 3) AND i16 + 1 = 3",
       "i8 = 1; (((i16 = 2) OR (i8 = 3)) AND ((i16 + 1) = 3)) | ((i16 = 2 OR i8 = 3) AND ? AND i8 "
       "= "
       "1)"},
  });
}

TEST(SplitPredicate, TakesLongChainsInLinearTime) {
  std::string either = "i64 = 0";
  std::string neither = "i64 <> 0";
  for (int i = 1; i < 20'000; ++i) {
    either += " OR i64 = " + std::to_string(i * 2);
    neither += " AND i64 <> " + std::to_string(i * 2);
  }
  EXPECT_EQ(Split(either).substr(0, 40), "i64 in {0, 2, 4, 6, 8, 10, 12, 14, and 1");
  EXPECT_EQ(Split(neither).substr(0, 40), "i64 not in {0, 2, 4, 6, 8, 10, 12, 14, a");
}

}  // namespace
}  // namespace sluice
