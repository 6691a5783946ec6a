// What is constant becomes a constant, and errors do not.

#include <gtest/gtest.h>

#include "tests/engine/bind/bind_testing.h"

namespace sluice {
namespace {

using support::Bound;

void ExpectBound(const std::vector<std::pair<const char*, const char*>>& cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(Bound(text), expected) << text;
}

TEST(Simplify, FoldsConstantsAndNoErrors) {
  ExpectBound({
      {"i8 < 100 + 200", "(i8 IS NULL ? NULL : TRUE)"},
      {"1 / 0 = 1", "((1 / 0) = 1)"},
      {"CAST('abc' AS INTEGER) = i8", "(CAST(\"abc\" AS int32) = CAST(i8 AS int32))"},
      {"flag AND 1 / 0 = 1", "(flag AND ((1 / 0) = 1))"},
      {"upper('a') = s", "(s = \"A\")"},
      {"ts_us < CAST('2024-01-01' AS TIMESTAMP) - INTERVAL '7 days'",
       "(ts_us < \"2023-12-25T00:00:00.000000\")"},
      {"i8 + NULL", "NULL"},
      {"i8 = NULL", "NULL"},
      {"i8 + 1 = NULL", "((i8 + 1) IS NULL ? NULL : NULL)"},
      {"substr(s, NULL)", "NULL"},
      {"CAST(s AS DATE) + CAST(NULL AS INTEGER)", "(CAST(s AS date) + NULL)"},
      {"'x' IN ('y', 'x')", "true"},
      {"d92 IN (1 + 1, 2 * 2)", "(d92 IN {\"2.00\", \"4.00\"})"},
  });
}

TEST(Simplify, DecidesLogicAndBranches) {
  ExpectBound({
      {"flag AND FALSE", "false"},
      {"1 / 0 = 1 AND FALSE", "false"},
      {"flag AND TRUE", "flag"},
      {"flag OR TRUE", "true"},
      {"flag OR (NULL AND TRUE)", "(flag OR NULL)"},
      {"NULL OR flag OR NULL OR FALSE", "(NULL OR flag)"},
      {"flag AND (i8 = 1 AND (i8 = 2))", "(flag AND (i8 = 1) AND (i8 = 2))"},
      {"NOT NOT flag", "flag"},
      {"CASE 1 WHEN 1 THEN i8 ELSE i16 END", "CAST(i8 AS int16)"},
      {"CASE WHEN flag THEN 1 WHEN TRUE THEN 2 ELSE 3 END", "case(flag, 1, 2)"},
      {"CASE WHEN NULL THEN 1 WHEN FALSE THEN 2 END", "NULL"},
      {"coalesce(NULL, i8, 5, i16)", "coalesce(CAST(i8 AS int16), 5)"},
      {"coalesce(NULL, i8)", "i8"},
      {"(1 + 1) BETWEEN i8 AND 3", "(i8 <= 2)"},
      {"CASE coalesce(i8) WHEN 1 THEN TRUE ELSE FALSE END", "case((i8 = 1), true, false)"},
      {"i8 IS DISTINCT FROM 300", "true"},
      {"i8 + 1 IS DISTINCT FROM 300", "((i8 + 1) IS NULL ? TRUE : TRUE)"},
  });
}

TEST(Simplify, ComparesBeforeCasts) {
  ExpectBound({
      {"CAST(i8 AS BIGINT) = 5", "(i8 = 5)"},
      {"CAST(i8 AS BIGINT) > 500", "(i8 IS NULL ? NULL : FALSE)"},
      {"CAST(i8 AS DOUBLE) > 5.5", "(i8 >= 6)"},
      {"CAST(f32 AS DOUBLE) = 0.1", "(f32 IS NULL ? NULL : FALSE)"},
      {"CAST(i64 AS DOUBLE) = 9007199254740993e0",
       "((i64 >= \"9007199254740992\") AND (i64 < \"9007199254740994\"))"},
      {"CAST(u8 AS DECIMAL(10, 2)) <= 7.25", "(u8 < 8)"},
      // Not where the cast may fail, or changes the order.
      {"CAST(i64 AS INTEGER) = 5", "(CAST(i64 AS int32) = 5)"},
      {"CAST(i8 AS VARCHAR) = '5'", "(CAST(i8 AS string) = \"5\")"},
      {"CAST(flag AS INTEGER) = 1", "(CAST(flag AS int32) = 1)"},
      {"CAST(date AS TIMESTAMP) = TIMESTAMP '2024-01-01'",
       "(CAST(date AS timestamp(us)) = \"2024-01-01T00:00:00.000000\")"},
  });
}

// fault S24: what a file has narrower is filtered all the same.
TEST(Simplify, TestsBeforeCasts) {
  ExpectBound({
      {"CAST(i8 AS BIGINT) IN (5, 300, 7)", "(i8 IN {5, 7})"},
      {"CAST(i8 AS BIGINT) NOT IN (5, 300, 7)", "NOT ((i8 IN {5, 7}))"},
      {"CAST(i8 AS BIGINT) IN (5, 300, 7, NULL)", "(i8 IN {5, 7, NULL})"},
      {"CAST(i8 AS BIGINT) IN (300, 400)", "(i8 IS NULL ? NULL : FALSE)"},
      {"CAST(i8 AS BIGINT) IN (300, 400, NULL)", "NULL"},
      {"CAST(CAST(i8 AS INTEGER) AS BIGINT) IN (5, 7)", "(i8 IN {5, 7})"},
      {"CAST(f32 AS DOUBLE) IN (0.1, 0.5, 1.5)", "(f32 IN {0.5, 1.5})"},
      {"i8 + 1 IN (3, 4)", "((i8 + 1) IN {3, 4})"},
      {"CAST(i8 AS BIGINT) BETWEEN 3 AND 300", "((i8 >= 3) AND (i8 IS NULL ? NULL : TRUE))"},
      {"CAST(i64 AS INTEGER) BETWEEN 3 AND 4",
       "let $0 = CAST(i64 AS int32) in (($0 >= 3) AND ($0 <= 4))"},
      {"CAST(i8 AS BIGINT) IS NULL", "(i8 IS NULL)"},
      {"CAST(i8 + 1 AS BIGINT) IS NOT NULL", "((i8 + 1) IS NOT NULL)"},
      {"is_nan(CAST(f32 AS DOUBLE))", "is_nan(f32)"},
      // Not where the cast may fail, or several values become one.
      {"CAST(i64 AS INTEGER) IN (5, 7)", "(CAST(i64 AS int32) IN {5, 7})"},
      {"CAST(i64 AS INTEGER) IS NULL", "(CAST(i64 AS int32) IS NULL)"},
      {"CAST(i64 AS DOUBLE) IN (5e0, 9007199254740993e0)",
       "(CAST(i64 AS double) IN {5, 9007199254740992})"},
      {"is_nan(CAST(i8 AS DOUBLE))", "is_nan(CAST(i8 AS double))"},
  });
}

TEST(Simplify, IsSwitchedOff) {
  engine::BindOptions options;
  options.simplify = false;
  EXPECT_EQ(Bound("i8 < 100 + 2 AND TRUE", support::TypesSchema(), options),
            "((CAST(i8 AS int32) < (100 + 2)) AND true)");
}

}  // namespace
}  // namespace sluice
