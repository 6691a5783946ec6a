// The types that operators and functions give, what they refuse, and that the README's table is
// that of the code.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/bind/function_table.h"
#include "tests/engine/bind/bind_testing.h"
#include "tests/support/corpus.h"

namespace sluice {
namespace {

using support::Bound;
using support::TypeOf;

TEST(BindFunctions, GiveTypes) {
  const std::pair<const char*, const char*> kTypes[] = {
      {"i8 + 1", "int8"},
      {"i8 + 200", "int32"},
      {"i8 + i16", "int16"},
      {"u8 + i8", "int16"},
      {"u8 + -1", "int32"},
      {"u32 * i32", "int64"},
      {"u64 - i64", "decimal(21, 0)"},
      {"u64 + 1", "uint64"},
      {"1 + 1", "int32"},
      {"i8 + 1.5", "decimal(5, 1)"},
      {"i8 + d92", "decimal(10, 2)"},
      {"d92 * d92", "decimal(18, 4)"},
      {"d92 % 7", "decimal(12, 2)"},
      {"d384 + d384", "decimal(38, 4)"},
      {"d384 * d384", "decimal(38, 8)"},
      {"d92 / 2", "double"},
      {"i8 / i8", "double"},
      {"f32 / 2", "float"},
      {"f32 + i64", "float"},
      {"f32 + f64", "double"},
      {"f32 + 1e0", "double"},
      {"f16 * f16", "float"},
      {"-f16", "float"},
      {"-u8", "uint8"},
      {"-d92", "decimal(9, 2)"},
      {"date + 1", "date"},
      {"1 + date", "date"},
      {"date - date", "int64"},
      {"date + INTERVAL '1 month'", "timestamp(us)"},
      {"INTERVAL '1 month' + ts_ms", "timestamp(us)"},
      {"ts_ns - INTERVAL '1 day'", "timestamp(ns)"},
      {"i96 - INTERVAL '1 day'", "timestamp(ns)"},
      {"utc_us + ivl", "timestamp(us, utc)"},
      {"-INTERVAL '1 day' + ivl", "interval"},
      {"date + NULL", "date"},
      {"NULL + NULL", "int64"},
      {"NULL * f32", "float"},
      {"abs(i8)", "int8"},
      {"abs(u8)", "uint8"},
      {"abs(f16)", "float"},
      {"length(js)", "int64"},
      {"lower(js)", "string"},
      {"substr(s, 2, i8)", "string"},
      {"starts_with(s, 'x')", "boolean"},
      {"is_nan(f16)", "boolean"},
      {"year(i96)", "int64"},
      {"date_trunc('month', date)", "timestamp(us)"},
      {"date_trunc('Hour', ts_ms)", "timestamp(ms)"},
      {"date_trunc('day', utc_us)", "timestamp(us, utc)"},
      {"coalesce(i8, 1)", "int8"},
      {"coalesce(i8, 300)", "int32"},
      {"coalesce(NULL, 1, 2.5)", "decimal(11, 1)"},
      {"coalesce(date, '2024-01-01')", "date"},
      {"coalesce('a', NULL)", "string"},
      {"coalesce(date, ts_ms)", "timestamp(us)"},
      {"coalesce(i96, i96)", "timestamp(ns)"},
      {"coalesce(fix3, b)", "binary"},
      {"coalesce(f16, f16)", "float"},
      {"CASE WHEN flag THEN i8 ELSE 1 END", "int8"},
      {"CASE i8 WHEN 1 THEN 'a' END", "string"},
      {"CASE WHEN flag THEN NULL END", "null"},
      {"CAST(s AS DECIMAL(10, 2))", "decimal(10, 2)"},
      {"CAST(s AS NUMERIC)", "decimal(18, 3)"},
      {"CAST(i8 AS UBIGINT)", "uint64"},
      {"CAST(s AS TIMESTAMP WITH TIME ZONE)", "timestamp(us, utc)"},
      {"CAST(NULL AS BLOB)", "binary"},
  };
  for (const auto& [text, type] : kTypes) EXPECT_EQ(TypeOf(text), type) << text;
}

TEST(BindFunctions, RefuseOtherOperands) {
  const std::pair<const char*, const char*> kErrors[] = {
      {"i8 + 'x'", "line 1, column 4: cannot calculate int8 + string"},
      {"flag + 1", "line 1, column 6: cannot calculate boolean + int32"},
      {"date * 2", "line 1, column 6: cannot calculate date * int32"},
      {"date + '1'", "line 1, column 6: cannot calculate date + string"},
      {"1 - date", "line 1, column 3: cannot calculate int32 - date"},
      {"ts_us - ts_us", "line 1, column 7: cannot calculate timestamp(us) - timestamp(us)"},
      {"t_ms + INTERVAL 1 HOUR", "line 1, column 6: cannot calculate time(ms) + interval"},
      {"INTERVAL '1 day' * 2", "line 1, column 18: cannot calculate interval * int32"},
      {"d760 + 1", "line 1, column 6: cannot calculate with decimal(76, 0): more than 38 digits"},
      {"CAST(s AS DECIMAL(38, 20)) * CAST(s AS DECIMAL(38, 20))",
       "line 1, column 28: decimal(38, 20) * decimal(38, 20) has 40 digits behind the point, more "
       "than 38"},
      {"-s", "line 1, column 1: cannot negate string"},
      {"NOT i8", "line 1, column 5: a boolean is needed here, not int8"},
      {"flag AND 1", "line 1, column 10: a boolean is needed here, not int32"},
      {"CASE WHEN i8 THEN 1 END", "line 1, column 11: a boolean is needed here, not int8"},
      {"CASE WHEN flag THEN 1 ELSE date END",
       "line 1, column 1: one branch is of type date, another of type int32"},
      {"CASE WHEN flag THEN list END", "line 1, column 1: branches cannot be of type list<int32>"},
      {"coalesce(i8, 'x')", "line 1, column 14: 'x' is not a value of type int8"},
      {"length(b)", "line 1, column 1: length takes a string, not binary"},
      {"substr(s, 2.5)", "line 1, column 1: substr takes an integer, not decimal(2, 1)"},
      {"substr(s)", "line 1, column 1: substr takes 2 or 3 arguments, not 1"},
      {"abs(s)", "line 1, column 1: abs takes a number, not string"},
      {"is_nan(i8)", "line 1, column 1: is_nan takes a floating-point number, not int8"},
      {"year(t_ms)", "line 1, column 1: year takes a date or timestamp, not time(ms)"},
      {"date_trunc(s, date)",
       "line 1, column 1: the first argument of date_trunc is the name of a unit, as 'month'"},
      {"date_trunc('fortnight', date)",
       "line 1, column 1: the first argument of date_trunc is the name of a unit, as 'month'"},
      {"coalesce()", "line 1, column 1: coalesce takes at least 1 arguments, not 0"},
      {"now()",
       "line 1, column 1: there is no function now; there are abs, coalesce, date_trunc, day, "
       "is_nan, "
       "length, lower, month, starts_with, substr, upper, year"},
      {"b LIKE 'x'", "line 1, column 3: LIKE takes strings, not binary"},
      {"s LIKE 'x' ESCAPE 'ab'",
       "line 1, column 19: ESCAPE is followed by a string of at most one character"},
      {"s LIKE 'a!' ESCAPE '!'", "line 1, column 8: this pattern ends with its escape character"},
      {"CAST(date AS INTEGER)", "line 1, column 1: there is no cast from date to int32"},
      {"CAST(i8 AS DATE)", "line 1, column 1: there is no cast from int8 to date"},
      {"CAST(utc_us AS TIME)",
       "line 1, column 1: there is no cast from timestamp(us, utc) to time(us)"},
      {"CAST(date AS DECIMAL(38, 9))",
       "line 1, column 1: there is no cast from date to decimal(38, 9)"},
      {"CAST(s AS INT8)", "line 1, column 1: there is no type INT8"},
      {"CAST(s AS DECIMAL(39))", "line 1, column 1: there is no type DECIMAL(39)"},
      {"CAST(s AS DECIMAL(3, 4))", "line 1, column 1: there is no type DECIMAL(3, 4)"},
      {"CAST(list AS VARCHAR)", "line 1, column 1: there is no cast from list<int32> to string"},
  };
  for (const auto& [text, message] : kErrors) EXPECT_EQ(Bound(text), message) << text;
}

// What is NULL in every row goes where NULL goes.
TEST(BindFunctions, TakeNothing) {
  const std::pair<const char*, const char*> kTypes[] = {
      {"NOT %", "boolean"},
      {"flag AND %", "boolean"},
      {"CASE WHEN % THEN i8 END", "int8"},
      {"upper(%)", "string"},
      {"substr(s, %)", "string"},
      {"starts_with(%, s)", "boolean"},
      {"length(%)", "int64"},
      {"s LIKE %", "boolean"},
      {"% LIKE 'a'", "boolean"},
      {"abs(%)", "int64"},
      {"-%", "int64"},
      {"is_nan(%)", "boolean"},
      {"year(%)", "int64"},
      {"date_trunc('day', %)", "timestamp(us)"},
      {"% + %", "int64"},
      {"% / %", "double"},
      {"date + %", "date"},
      {"% - date", "int64"},
      {"ts_us - %", "timestamp(us)"},
      {"% + INTERVAL '1 day'", "interval"},
  };
  for (const auto& [pattern, type] : kTypes) {
    for (const std::string_view nothing : {"NULL", "nothing", "coalesce(NULL, nothing)"}) {
      std::string text = pattern;
      for (size_t at = 0; (at = text.find('%', at)) != std::string::npos; at += nothing.size()) {
        text.replace(at, 1, nothing);
      }
      EXPECT_EQ(support::TypeOf(text), type) << text;
    }
  }
  EXPECT_EQ(support::TypeOf("s LIKE s ESCAPE nothing"),
            "line 1, column 17: ESCAPE is followed by a string of at most one character");
}

// What is NULL in every row calculates as NULL does.
TEST(BindFunctions, CalculateWithNothing) {
  EXPECT_EQ(support::TypeOf("NULL * d92"), "decimal(18, 4)");
  EXPECT_EQ(support::TypeOf("nothing * d92"), "decimal(18, 4)");
  EXPECT_EQ(support::TypeOf("coalesce(NULL) * d92"), "decimal(18, 4)");
  EXPECT_EQ(support::TypeOf("nothing - d92"), "decimal(10, 2)");
}

// Only whole numbers make way for integers, and no branch has more digits than its type.
TEST(BindFunctions, UnifyBranchesWithLiterals) {
  EXPECT_EQ(support::TypeOf("coalesce(i8, 5)"), "int8");
  EXPECT_EQ(support::TypeOf("coalesce(i8, 500)"), "int32");
  EXPECT_EQ(support::TypeOf("coalesce(i32, 1.0)"), "decimal(11, 1)");
  EXPECT_EQ(support::TypeOf("CASE WHEN flag THEN i64 ELSE 9007199254740993e0 END"), "double");
  EXPECT_EQ(support::TypeOf("coalesce(d92, '9999999.99')"), "decimal(9, 2)");
  EXPECT_EQ(support::TypeOf("coalesce(d92, '21474836.47')"),
            "line 1, column 15: '21474836.47' is not a value of type decimal(9, 2)");
}

TEST(BindFunctions, PredicatesAreBoolean) {
  const auto bind = [](std::string_view text) {
    return engine::BindPredicate(*ParseExpression(text), support::TypesSchema(), {});
  };
  EXPECT_TRUE(bind("flag")->type.id == TypeId::kBoolean);
  EXPECT_TRUE(bind("NULL")->is_null());
  EXPECT_TRUE(bind("coalesce(NULL)")->is_null());
  EXPECT_TRUE(bind("nothing")->type.id == TypeId::kBoolean);
  EXPECT_EQ(bind("i8 + 1").error().message(),
            "line 1, column 4: a boolean is needed here, not int8");
}

TEST(BindFunctions, BringPatternsToOneSpelling) {
  EXPECT_EQ(Bound(R"(s LIKE 'a\b%')"), R"((s LIKE "a\\\\b%"))");
  EXPECT_EQ(Bound(R"(s LIKE 'a!%b!!' ESCAPE '!')"), R"((s LIKE "a\\%b!"))");
  EXPECT_EQ(Bound(R"(s NOT LIKE 'aé%é_' ESCAPE 'é')"), R"(NOT ((s LIKE "a\\%\\_")))");
  EXPECT_EQ(Bound(R"(s LIKE 'a%%' ESCAPE '%')"), R"((s LIKE "a\\%"))");
  EXPECT_EQ(Bound(R"(s LIKE '\%' ESCAPE '\')"), R"((s LIKE "\\%"))");
}

TEST(BindFunctions, AreListedForTheirUsers) {
  const char* root = std::getenv("SLUICE_SOURCE_ROOT");
  ASSERT_NE(root, nullptr);
  const std::string page = support::ReadWholeFile(std::string(root) + "/engine/EXPRESSIONS.md");
  for (const engine::FunctionRule& rule : engine::FunctionTable()) {
    const std::string row = fmt::format("| {}({}) | {} | {} | {} |", rule.name, rule.arguments,
                                        rule.result, rule.nulls, rule.errors);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace sluice
