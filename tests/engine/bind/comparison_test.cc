// What comparisons with literals become. That the outcomes are right is tested by placement_test;
// here is what is a constant, what a comparison in the column's own type
// (which filters are made of), and what is refused.

#include <gtest/gtest.h>

#include "tests/engine/bind/bind_testing.h"

namespace sluice {
namespace {

using support::Bound;
using Cases = std::vector<std::pair<const char*, const char*>>;

void ExpectBound(const Cases& cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(Bound(text), expected) << text;
}

// fault S17: literals outside the range of the type.
TEST(BindComparison, KeepsNumbersInTheTypeOfTheColumn) {
  ExpectBound({
      {"i8 < 100", "(i8 < 100)"},
      {"100 < i8", "(i8 > 100)"},
      {"i8 < 300", "(i8 IS NULL ? NULL : TRUE)"},
      {"i8 = 300", "(i8 IS NULL ? NULL : FALSE)"},
      {"NOT (i8 < 300)", "NOT ((i8 IS NULL ? NULL : TRUE))"},
      {"i32 < 9223372036854775807", "(i32 IS NULL ? NULL : TRUE)"},
      {"i8 IS DISTINCT FROM 300", "true"},
      {"i8 IS NOT DISTINCT FROM 1.5", "false"},
      {"u8 > -1", "(u8 IS NULL ? NULL : TRUE)"},
      {"i8 <= 1.5", "(i8 < 2)"},
      {"i8 > 1.5", "(i8 >= 2)"},
      {"i8 = '5'", "(i8 = 5)"},
      {"i8 = 5e0", "(i8 = 5)"},
      {"i64 = 9007199254740993e0",
       "((i64 >= \"9007199254740992\") AND (i64 < \"9007199254740994\"))"},
      {"i64 + 1 = 9007199254740993e0",
       "let $0 = (i64 + 1) in (($0 >= \"9007199254740992\") AND ($0 < \"9007199254740994\"))"},
      {"d92 < 1.005", "(d92 < \"1.01\")"},
      {"d92 = 0.1e0", "(d92 = \"0.10\")"},
      {"d760 = 12345678901234567890123456789012345678901234567890",
       "(d760 = \"12345678901234567890123456789012345678901234567890\")"},
      {"f32 = 0.1", "(f32 = 0.1)"},
      {"f32 = 0.1e0", "(f32 IS NULL ? NULL : FALSE)"},
      {"f16 = 0.5", "(f16 = 0.5)"},
      {"f64 < 1e400", "(f64 < \"Infinity\")"},
      {"f64 <= -1e400", "(f64 < -1.7976931348623157e+308)"},
      {"f64 = 'nan'", "(f64 = \"NaN\")"},
      {"flag = 'yes'", "(flag = true)"},
      {"nothing = 5", "NULL"},
      {"i8 = NULL", "NULL"},
      {"i8 IS DISTINCT FROM NULL", "(i8 IS NOT NULL)"},
      {"NULL IS NOT DISTINCT FROM list", "(list IS NULL)"},
  });
}

TEST(BindComparison, ReadsStringsAsWhatTheyStandBeside) {
  ExpectBound({
      {"date = '2024-02-29'", "(date = \"2024-02-29\")"},
      {"ts_us = '2024-02-29'", "(ts_us = \"2024-02-29T00:00:00.000000\")"},
      {"ts_ms = '2024-02-29T01:02:03.0005'", "(ts_ms IS NULL ? NULL : FALSE)"},
      {"utc_us = '2024-01-01 00:00:00'", "(utc_us = \"2024-01-01T00:00:00.000000Z\")"},
      {"utc_us = '2024-01-01 00:00:00 +02:00'", "(utc_us = \"2023-12-31T22:00:00.000000Z\")"},
      {"t_ms >= '12:30'", "(t_ms >= \"12:30:00.000\")"},
      {"dur < '1 hour'", "(dur < 3600000)"},
      {"dur < INTERVAL '1 hour'", "(dur < 3600000)"},
      {"i96 = '2024-01-01'", "(i96 = \"2024-01-01T00:00:00.000000000\")"},
      {"id = '47183823-2574-4bfd-b411-99ed177d3e43'",
       "(id = \"47183823-2574-4bfd-b411-99ed177d3e43\")"},
      {"b = '\\x00a'", "(b = {\"hex\":\"0061\"})"},
      {"js = '{}'", "(js = \"{}\")"},
      {"fix3 = X'00'", "(fix3 IS NULL ? NULL : FALSE)"},
      {"fix3 <= X'0000000001'", "(fix3 < {\"hex\":\"000001\"})"},
      {"'1' = 1", "true"},
  });
}

TEST(BindComparison, MeetsInOneType) {
  ExpectBound({
      {"i8 = i64", "(CAST(i8 AS int64) = i64)"},
      {"i8 = u64", "(CAST(i8 AS decimal(20, 0)) = CAST(u64 AS decimal(20, 0)))"},
      {"f32 = i64", "(f32 = CAST(i64 AS float))"},
      {"d92 = f64", "(CAST(d92 AS double) = f64)"},
      {"d92 = d384", "(CAST(d92 AS decimal(38, 4)) = d384)"},
      {"ts_ms < date", "(CAST(ts_ms AS decimal(38, 9)) < CAST(date AS decimal(38, 9)))"},
      {"date < TIMESTAMP '2024-02-29 12:00:00'", "(date < \"2024-03-01\")"},
      {"ts_ms = TIMESTAMP '2024-01-01 00:00:00.0005'", "(ts_ms IS NULL ? NULL : FALSE)"},
      {"t_us = TIME '12:00:00'", "(t_us = \"12:00:00.000000Z\")"},
      {"s < js", "(s < CAST(js AS string))"},
  });
}

TEST(BindComparison, MakesSets) {
  ExpectBound({
      {"i8 IN (3, 1, 300, 2.5, 1.0, -1)", "(i8 IN {-1, 1, 3})"},
      {"i8 IN (1, NULL)", "(i8 IN {1, NULL})"},
      {"i8 IN (300)", "(i8 IS NULL ? NULL : FALSE)"},
      {"i8 IN (300, NULL)", "NULL"},
      {"i8 NOT IN (1, i16)", "NOT (((i8 IN {1}) OR (CAST(i8 AS int16) = i16)))"},
      {"f64 IN (0.0, -0.0, 'nan')", "(f64 IN {0, \"NaN\"})"},
      {"date IN ('2024-01-02', DATE '2024-01-01')", "(date IN {\"2024-01-01\", \"2024-01-02\"})"},
      {"i8 + 1 BETWEEN 3 AND 4", "let $0 = (i8 + 1) in (($0 >= 3) AND ($0 <= 4))"},
      {"i8 NOT BETWEEN 3 AND 400", "NOT (((i8 >= 3) AND (i8 IS NULL ? NULL : TRUE)))"},
  });
}

TEST(BindComparison, RefusesWhatDoesNotGoTogether) {
  ExpectBound({
      {"i8 = 'abc'", "line 1, column 6: 'abc' is not a value of type int8"},
      {"date = '2024-02-30'", "line 1, column 8: '2024-02-30' is not a value of type date"},
      {"date = '2024-02-29 12:00:00'",
       "line 1, column 8: '2024-02-29 12:00:00' is not a value of type date"},
      {"id = '47'", "line 1, column 6: '47' is not a value of type uuid"},
      {"flag = 1", "line 1, column 6: cannot compare boolean with a number"},
      {"s = 5", "line 1, column 3: cannot compare string with a number"},
      {"s < b", "line 1, column 3: cannot compare string with binary"},
      {"list = 5", "line 1, column 6: cannot compare list<int32> with a number"},
      {"geo = geo", "line 1, column 5: cannot compare geometry with geometry"},
      {"ivl = ivl", "line 1, column 5: cannot compare interval with interval"},
      {"dur < INTERVAL '1 month'", "line 1, column 5: cannot compare duration(ms) with interval"},
      {"i8 IN (1, 'x')", "line 1, column 11: 'x' is not a value of type int8"},
      {"i8 IN (1, s)", "line 1, column 11: cannot compare int8 with string"},
      {"i8 BETWEEN 1 AND date", "line 1, column 4: cannot compare int8 with date"},
  });
}

TEST(BindComparison, MixesNoZonesSilently) {
  ExpectBound({
      {"date = utc_us",
       "line 1, column 6: cannot compare date with timestamp(us, utc) without a cast"},
      {"ts_us = TIMESTAMPTZ '2024-01-01'",
       "line 1, column 7: cannot compare timestamp(us) with timestamp(us, utc) without a cast"},
      {"utc_us > TIMESTAMP '2024-01-01'",
       "line 1, column 8: cannot compare timestamp(us, utc) with timestamp(us) without a cast"},
      {"ts_us = '2024-01-01T00:00:00Z'",
       "line 1, column 9: '2024-01-01T00:00:00Z' is not a value of type timestamp(us): it has a "
       "zone"},
      {"ts_us = TIMESTAMP '2024-01-01+02'",
       "line 1, column 9: a TIMESTAMP has no zone: write TIMESTAMPTZ for an instant"},
      {"t_ms = t_us",
       "line 1, column 6: cannot compare time(ms) with time(us, utc) without a cast"},
      {"CASE WHEN flag THEN ts_us ELSE utc_us END",
       "line 1, column 1: one branch is of type timestamp(us), another of type timestamp(us, utc)"},
      {"CAST(utc_us AS TIMESTAMP) = ts_us", "(CAST(utc_us AS timestamp(us)) = ts_us)"},
  });
  engine::BindOptions options;
  options.zone_offset = 2 * 3600;
  EXPECT_EQ(Bound("utc_us = '2024-01-01'", support::TypesSchema(), options),
            "(utc_us = \"2023-12-31T22:00:00.000000Z\")");
  EXPECT_EQ(Bound("utc_us = TIMESTAMPTZ '2024-01-01Z'", support::TypesSchema(), options),
            "(utc_us = \"2024-01-01T00:00:00.000000Z\")");
}

TEST(BindComparison, ReadsLiterals) {
  ExpectBound({
      {"DATE '2024-02-30'", "line 1, column 1: DATE '2024-02-30' cannot be read"},
      {"DATE '9999999-01-01'", "line 1, column 1: DATE '9999999-01-01' is out of range"},
      {"TIME '25:00'", "line 1, column 1: TIME '25:00' cannot be read"},
      {"TIMESTAMP '2024-01-01 1'", "line 1, column 1: TIMESTAMP '2024-01-01 1' cannot be read"},
      {"TIMESTAMP '300000-01-01'", "line 1, column 1: TIMESTAMP '300000-01-01' is out of range"},
      {"TIMESTAMPTZ '2024-01-01 00:00:00 CET'",
       "line 1, column 1: TIMESTAMPTZ '2024-01-01 00:00:00 CET' cannot be read"},
      {"INTERVAL '1 apple'", "line 1, column 1: INTERVAL '1 apple' cannot be read"},
      {"UUID '1'", "line 1, column 1: '1' is not a UUID"},
      {"DECIMAL '1e3'", "line 1, column 1: '1e3' is not a number"},
      {"DECIMAL '1.50'", "\"1.50\""},
      {"TIMESTAMP '2024-01-01 00:00:00.1234567'", "\"2024-01-01T00:00:00.123456700\""},
      {"INTERVAL '1 year -3 days 04:05:06'", "INTERVAL '12 months -3 days 14706000000000 ns'"},
      {"X'00FF'", "{\"hex\":\"00ff\"}"},
  });
  EXPECT_EQ(support::TypeOf("12"), "int32");
  EXPECT_EQ(support::TypeOf("-2147483649"), "int64");
  EXPECT_EQ(support::TypeOf("9223372036854775808"), "decimal(19, 0)");
  EXPECT_EQ(support::TypeOf("1.50"), "decimal(3, 2)");
  EXPECT_EQ(support::TypeOf(".05"), "decimal(2, 2)");
  EXPECT_EQ(support::TypeOf("5."), "decimal(1, 0)");
  EXPECT_EQ(support::TypeOf("1e3"), "double");
  EXPECT_EQ(support::TypeOf("TIMESTAMPTZ '2024-01-01'"), "timestamp(us, utc)");
  EXPECT_FALSE(engine::Bind(Lit(LiteralKind::kNumber, "x"), {}, {}).has_value());
}

// A NULL of a type of its own was taken for one of any type, and what is NULL in every row for NULL
// itself.
TEST(BindComparison, TellsNullsOfTypesFromOthers) {
  ExpectBound({
      {"i32 = CAST(NULL AS DATE)", "line 1, column 5: cannot compare int32 with date"},
      {"i32 IN (1, CAST(NULL AS DATE))", "line 1, column 12: cannot compare int32 with date"},
      {"i32 = CASE WHEN TRUE THEN CAST(NULL AS DATE) END",
       "line 1, column 5: cannot compare int32 with date"},
      {"i32 = CAST(NULL AS BIGINT)", "NULL"},
      {"i32 IN (1, CAST(NULL AS BIGINT))", "(i32 IN {1, NULL})"},
      {"i32 IS DISTINCT FROM CAST(NULL AS BIGINT)", "(i32 IS NOT NULL)"},
      {"nothing IS DISTINCT FROM 5", "true"},
      {"nothing IS NOT DISTINCT FROM '5'", "false"},
  });
}

// Law 6: what may stand beside what is not a matter of what was folded before.
TEST(BindComparison, TakesCalculatedConstantsAlsoWhereNothingIsSimplified) {
  engine::BindOptions options;
  options.simplify = false;
  for (const char* text : {
           "t_us = CAST('12:00' AS TIME)",
           "t_us IN (TIME '01:00', CAST('12:00' AS TIME))",
           "CAST('12:00' AS TIME) NOT BETWEEN t_us AND TIME '24:00'",
           "t_us = CASE WHEN TRUE THEN CAST(NULL AS TIME) END",
           "dur < INTERVAL '1 day' + INTERVAL '2 days'",
           "s LIKE 'a!_' ESCAPE lower('!')",
           "date_trunc(lower('MONTH'), date) = date",
       }) {
    const auto parsed = ParseExpression(text);
    ASSERT_TRUE(parsed) << text;
    for (const bool simplify : {true, false}) {
      options.simplify = simplify;
      const auto bound = engine::BindPredicate(*parsed, support::TypesSchema(), options);
      EXPECT_TRUE(bound) << text << ": " << bound.error().message();
    }
  }
  // Columns that are folded away were written all the same.
  for (const char* text : {
           "t_us = CASE WHEN TRUE THEN TIME '12:00' ELSE t_ms END",
           "s LIKE 'a!_' ESCAPE CASE WHEN TRUE THEN '!' ELSE s END",
       }) {
    for (const bool simplify : {true, false}) {
      options.simplify = simplify;
      const auto bound =
          engine::BindPredicate(*ParseExpression(text), support::TypesSchema(), options);
      EXPECT_FALSE(bound) << text;
    }
  }
}

TEST(BindComparison, ReadsLongListsAndNumbersInLinearTime) {
  std::string list = "i64 IN (0";
  for (int i = 1; i < 100'000; ++i) list += ", " + std::to_string(100'000 - i);
  const auto bound = engine::Bind(*ParseExpression(list + ")"), support::TypesSchema(), {});
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->set->size(), 100'000u);
  const std::string digits(1 << 20, '9');
  EXPECT_EQ(Bound("i8 < " + digits), "(i8 IS NULL ? NULL : TRUE)");
  EXPECT_EQ(Bound("f64 < 0." + digits), "(f64 < 1)");
  EXPECT_EQ(Bound("i8 < 1e" + digits), "(i8 IS NULL ? NULL : TRUE)");
}

}  // namespace
}  // namespace sluice
