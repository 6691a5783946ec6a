#include <gtest/gtest.h>
#include <sluice/expression.h>

#include <string>

namespace sluice {
namespace {

using Kind = Expression::Kind;

Expression Parse(std::string_view text) {
  const auto parsed = ParseExpression(text);
  EXPECT_TRUE(parsed.has_value()) << text << "\n" << parsed.status().ToString();
  return parsed ? *parsed : Expression();
}

/// `text` says what `built` says, which in turn is written as `sql`.
void ExpectSame(std::string_view text, const Expression& built, std::string_view sql) {
  const Expression parsed = Parse(text);
  EXPECT_TRUE(parsed.IsSameAs(built))
      << text << "\nis " << parsed.ToSql() << "\nnot " << built.ToSql();
  EXPECT_EQ(built.ToSql(), sql);
  EXPECT_TRUE(Parse(sql).IsSameAs(built)) << sql;
}
void ExpectSame(std::string_view text, const Expression& built) { ExpectSame(text, built, text); }

TEST(Parser, ReadsLiterals) {
  ExpectSame("NULL", Expression());
  ExpectSame("true", true, "TRUE");
  ExpectSame("False", false, "FALSE");
  ExpectSame("42", 42);
  ExpectSame("-9223372036854775808", INT64_MIN);
  ExpectSame("18446744073709551615", UINT64_MAX);
  ExpectSame("1.50", Lit(LiteralKind::kNumber, "1.50"));
  ExpectSame(".5", Lit(LiteralKind::kNumber, ".5"));
  ExpectSame("5.", Lit(LiteralKind::kNumber, "5."));
  ExpectSame("-1.5E-3", Lit(LiteralKind::kNumber, "-1.5E-3"));
  ExpectSame("1e-01", 0.1);
  ExpectSame("-1.7976931348623157e+308", -1.7976931348623157e308);
  ExpectSame("CAST('nan' AS DOUBLE)", std::numeric_limits<double>::quiet_NaN());
  ExpectSame("'it''s'", "it's");
  ExpectSame("''", "");
  ExpectSame("x'00fF'", Lit(LiteralKind::kBinary, std::string("\0\xff", 2)), "X'00FF'");
  ExpectSame("date '2024-02-29'", Lit(LiteralKind::kDate, "2024-02-29"), "DATE '2024-02-29'");
  ExpectSame("TIME '12:30'", Lit(LiteralKind::kTime, "12:30"));
  ExpectSame("TIMESTAMP '2024-02-29'", Lit(LiteralKind::kTimestamp, "2024-02-29"));
  ExpectSame("TIMESTAMPTZ '2024-02-29+02'", Lit(LiteralKind::kTimestampTz, "2024-02-29+02"));
  ExpectSame("DECIMAL '1.50'", Lit(LiteralKind::kDecimal, "1.50"));
  ExpectSame("UUID 'x'", Lit(LiteralKind::kUuid, "x"));
  ExpectSame("INTERVAL '1 month 3 days'", Lit(LiteralKind::kInterval, "1 month 3 days"));
  ExpectSame("INTERVAL 3 Days", Lit(LiteralKind::kInterval, "3 days"), "INTERVAL '3 days'");
  ExpectSame("INTERVAL '3' month", Lit(LiteralKind::kInterval, "3 month"), "INTERVAL '3 month'");
}

TEST(Parser, ReadsColumns) {
  ExpectSame("price", Col("price"));
  ExpectSame("Price", Col("Price"));
  ExpectSame("a.b . c", Col("a", "b", "c"), "a.b.c");
  // fault F9: a dot in quotes is part of a name.
  ExpectSame(R"("a.b".c."d ""e""")", Col("a.b", "c", "d \"e\""));
  ExpectSame(R"("select me")", Col("select me"));
  ExpectSame(R"("and")", Col("and"));
  ExpectSame(R"("")", Col(""));
  ExpectSame("größe", Col("größe"), "\"größe\"");
  // Words that begin literals or calls are names where nothing else fits.
  ExpectSame("date = DATE '2024-01-01'", Col("date") == Lit(LiteralKind::kDate, "2024-01-01"));
  ExpectSame("interval < year", Col("interval") < Col("year"));
  ExpectSame("x IS NULL", IsNull(Col("x")));
  ExpectSame("escape LIKE escape ESCAPE escape", Like(Col("escape"), Col("escape"), Col("escape")));
}

TEST(Parser, ReadsOperators) {
  const Expression a = Col("a");
  const Expression b = Col("b");
  ExpectSame("a = b", a == b);
  ExpectSame("a <> b", a != b);
  ExpectSame("a != b", a != b, "a <> b");
  ExpectSame("a<b", a < b, "a < b");
  ExpectSame("a <= b", a <= b);
  ExpectSame("a > b", a > b);
  ExpectSame("a >= b", a >= b);
  ExpectSame("a is distinct from b", Distinct(a, b), "a IS DISTINCT FROM b");
  ExpectSame("a IS NOT DISTINCT FROM b", NotDistinct(a, b));
  ExpectSame("a IS NOT NULL", IsNotNull(a));
  ExpectSame("a BETWEEN 1 AND 2", Between(a, 1, 2));
  Expression not_between = Between(a, 1, 2);
  not_between.negated = true;
  ExpectSame("a NOT BETWEEN 1 AND 2", not_between);
  ExpectSame("a IN (1, 'x', NULL)", In(a, {1, "x", Expression()}));
  ExpectSame("a IS NULL AND FALSE", In(a, {}));
  ExpectSame("NOT (a + b IS NULL AND FALSE)", !In(a + b, {}));
  Expression not_in = In(a, {b});
  not_in.negated = true;
  ExpectSame("a NOT IN (b)", not_in);
  ExpectSame("a LIKE 'x%'", Like(a, "x%"));
  Expression not_like = Like(a, "x!%", "!");
  not_like.negated = true;
  ExpectSame("a NOT LIKE 'x!%' ESCAPE '!'", not_like);
  ExpectSame("a - -5", a - -5);
  ExpectSame("-a", -a);
  ExpectSame("- - a", -(-a), "-(-a)");
  ExpectSame("- -5", Expression::Negate(-5), "-(-5)");
  ExpectSame("-(5)", Expression::Unary(Kind::kNegate, 5));
  ExpectSame("a + b - 1", a + b - 1);
  ExpectSame("a * b / 2 % 3", a * b / 2 % 3);
  ExpectSame("NOT a", !a);
  ExpectSame("a AND b AND 1 = 1", a && b && Lit(1) == 1);
  ExpectSame("a OR b OR FALSE", a || b || false);
}

TEST(Parser, ReadsCallsCastsAndCases) {
  const Expression a = Col("a");
  ExpectSame("now()", Call("now", {}));
  ExpectSame("Date_Trunc('month', a)", Call("DATE_TRUNC", {"month", a}), "date_trunc('month', a)");
  ExpectSame("x('a')", Call("x", {"a"}));
  ExpectSame("\"case\"(1)", Call("case", {1}));
  ExpectSame("date(a)", Call("date", {a}));
  ExpectSame("cast(a as decimal ( 10,2 ))", Cast(a, "decimal(10,2)"), "CAST(a AS DECIMAL(10, 2))");
  ExpectSame("CAST(a AS timestamp with time zone)", Cast(a, "Timestamp With Time Zone"),
             "CAST(a AS TIMESTAMP WITH TIME ZONE)");
  ExpectSame("CASE WHEN a THEN 1 END", Case().When(a, 1).End());
  ExpectSame("CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END",
             Case(a).When(1, "x").When(2, "y").Else("z"));
}

TEST(Parser, BindsOperatorsAsSqlDoes) {
  const std::pair<const char*, const char*> kSame[] = {
      {"a OR b AND c", "a OR (b AND c)"},
      {"a AND b OR c AND d", "(a AND b) OR (c AND d)"},
      {"NOT a AND b", "(NOT a) AND b"},
      {"NOT a = b", "NOT (a = b)"},
      {"NOT a IS NULL", "NOT (a IS NULL)"},
      {"NOT NOT a", "NOT (NOT a)"},
      {"a = NOT b AND c", "(a = (NOT b)) AND c"},
      {"a = b IS NULL", "(a = b) IS NULL"},
      {"a IS NULL = b", "(a IS NULL) = b"},
      {"a IS DISTINCT FROM b = c", "a IS DISTINCT FROM (b = c)"},
      {"a = b BETWEEN c AND d", "a = (b BETWEEN c AND d)"},
      {"a BETWEEN b + 1 AND c - 1 AND d", "(a BETWEEN (b + 1) AND (c - 1)) AND d"},
      {"a + 1 IN (b) = c", "((a + 1) IN (b)) = c"},
      {"a = b LIKE c", "a = (b LIKE c)"},
      {"a + b * c", "a + (b * c)"},
      {"a - b - c", "(a - b) - c"},
      {"a / b * c % d", "((a / b) * c) % d"},
      {"-a * b", "(-a) * b"},
      {"a < -b + c", "a < ((-b) + c)"},
      {"2-1", "2 - 1"},
  };
  for (const auto& [text, explicit_text] : kSame) {
    EXPECT_TRUE(Parse(text).IsSameAs(Parse(explicit_text))) << Parse(text).ToSql();
  }
}

TEST(Parser, KeepsTheShapeOfParentheses) {
  for (const char* text : {"a AND (b AND c)", "(a AND b) AND c", "(a = b) = c", "a - (b - c)",
                           "(a IS NULL) IS NULL", "(a LIKE b) LIKE c", "(NOT a) = b",
                           "(a BETWEEN 1 AND 2) BETWEEN 3 AND 4", "-(a + b)", "(a OR b) AND c"}) {
    EXPECT_EQ(Parse(text).ToSql(), text);
  }
}

TEST(Parser, SkipsSpaceAndComments) {
  const Expression expected = Col("a") == 1;
  for (const char* text : {" a\t=\r\n1 ", "a=1", "a -- b\n = 1", "a /* x /* y */ z */ = 1 --"}) {
    EXPECT_TRUE(Parse(text).IsSameAs(expected)) << text;
  }
}

TEST(Parser, NotesPositions) {
  const Expression parsed = Parse("a = 1\n  AND ü.b + 2 IN (3, -4)");
  EXPECT_EQ(parsed.position, (TextPosition{2, 3}));
  const Expression& in = parsed.children[1];
  EXPECT_EQ(parsed.children[0].position, (TextPosition{1, 3}));
  EXPECT_EQ(in.position, (TextPosition{2, 15}));
  EXPECT_EQ(in.children[0].position, (TextPosition{2, 11}));
  EXPECT_EQ(in.children[0].children[0].position, (TextPosition{2, 7}));
  EXPECT_EQ(in.children[2].position, (TextPosition{2, 22}));
}

}  // namespace
}  // namespace sluice
