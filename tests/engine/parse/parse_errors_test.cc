#include <gtest/gtest.h>
#include <sluice/expression.h>

#include <string>

namespace sluice {
namespace {

std::string Repeat(std::string_view part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(ParseErrors, NameTheFaultAndItsPosition) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "line 1, column 1: expected a value, found the end"},
      {"a =", "line 1, column 4: expected a value, found the end"},
      {"a = )", "line 1, column 5: expected a value, found ')'"},
      {"a b", "line 1, column 3: expected an operator or the end, found 'b'"},
      {"a = 1)", "line 1, column 6: expected an operator or the end, found ')'"},
      {"(a = 1", "line 1, column 7: expected an operator or ')', found the end"},
      {"a\n = 'x' 'y'", "line 2, column 8: expected an operator or the end, found a string"},
      {"ü = = 1", "line 1, column 5: expected a value, found '='"},
      {"a < b < c", "line 1, column 7: comparisons do not chain"},
      {"a = b = c", "line 1, column 7: comparisons do not chain"},
      {"a LIKE b LIKE c", "line 1, column 10: BETWEEN, IN and LIKE do not chain"},
      {"a IS 1", "line 1, column 6: expected NULL, NOT or DISTINCT FROM, found '1'"},
      {"a IS NOT 1", "line 1, column 10: expected NULL or DISTINCT FROM, found '1'"},
      {"a IS DISTINCT 1", "line 1, column 15: expected FROM, found '1'"},
      {"a BETWEEN 1 OR 2", "line 1, column 13: expected AND, found 'OR'"},
      {"a IN 1", "line 1, column 6: expected '(', found '1'"},
      {"a IN ()", "line 1, column 7: expected a value, found ')'"},
      {"a IN (1; 2)", "line 1, column 8: an expression has no ';': leave it out"},
      {"a = 1;", "line 1, column 6: an expression has no ';': leave it out"},
      {"a == 1", "line 1, column 3: equality is written '=', not '=='"},
      {"a = 1 AND b == 1", "line 1, column 13: equality is written '=', not '=='"},
      {"a IN (1 2)", "line 1, column 9: expected ',' or ')', found '2'"},
      {"a NOT 1", "line 1, column 3: expected an operator or the end, found 'NOT'"},
      {"f(1,", "line 1, column 5: expected a value, found the end"},
      {"a.1", "line 1, column 2: expected an operator or the end, found '.1'"},
      {"a.'b'", "line 1, column 3: expected the name of a field, found a string"},
      {"and = 1", "line 1, column 1: expected a value, found 'and'"},
      {"12abc", "line 1, column 1: this is neither a number nor a name"},
      {"1.2.3", "line 1, column 1: this is neither a number nor a name"},
      {"1e+", "line 1, column 1: this number has an exponent without digits"},
      {"a = 'x", "line 1, column 5: this string does not end"},
      {"a = X'0", "line 1, column 5: this string does not end"},
      {"X'0'", "line 1, column 1: X'..' holds pairs of hexadecimal digits"},
      {"X'0g'", "line 1, column 1: X'..' holds pairs of hexadecimal digits"},
      {"\"a", "line 1, column 1: this quoted name does not end"},
      {"a /* b", "line 1, column 3: this comment does not end"},
      {"a # b", "line 1, column 3: this character means nothing here"},
      {"INTERVAL 3", "line 1, column 11: expected a unit of time, found the end"},
      {"INTERVAL 3 apples", "line 1, column 12: expected a unit of time, found 'apples'"},
      {"CASE WHEN a THEN 1", "line 1, column 19: expected WHEN, ELSE or END, found the end"},
      {"CASE WHEN a ELSE 1 END", "line 1, column 13: expected THEN, found 'ELSE'"},
      {"CASE END", "line 1, column 6: expected a value, found 'END'"},
      {"CASE a ELSE 1 END", "line 1, column 8: expected WHEN, found 'ELSE'"},
      {"CAST(a)", "line 1, column 7: expected AS, found ')'"},
      {"CAST(a AS 1)", "line 1, column 11: expected the name of a type, found '1'"},
      {"CAST(a AS DECIMAL(x))", "line 1, column 19: expected a number, found 'x'"},
      {"CAST(a AS DECIMAL(1)", "line 1, column 21: expected ')', found the end"},
      {"CAST a", "line 1, column 6: expected '(', found 'a'"},
  };
  for (const auto& [text, message] : kCases) {
    const auto parsed = ParseExpression(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(parsed.error().message().substr(0, std::string_view(message).size()), message)
        << text;
  }
}

TEST(ParseErrors, PointAtThePlace) {
  EXPECT_EQ(ParseExpression("größe =\n\t5 5").error().message(),
            "line 2, column 4: expected an operator or the end, found '5'\n"
            "   5 5\n"
            "     ^");
  const std::string line = Repeat("é", 100);
  EXPECT_EQ(MarkPosition(line, {1, 51}),
            "  ..." + Repeat("é", 18) + Repeat("é", 18) + "...\n" + Repeat(" ", 5 + 18) + "^");
  EXPECT_EQ(MarkPosition("a", {1, 9}), "  a\n   ^");
  EXPECT_EQ(MarkPosition("a", {2, 1}), "");
  EXPECT_EQ(MarkPosition("a", {}), "");
}

TEST(ParseErrors, BoundNesting) {
  for (const char* part : {"(", "NOT ", "- ", "f(", "CASE ", "CAST(", "a + (", "1 IN (", "-(",
                           "a = NOT ", "CASE WHEN "}) {
    const std::string text = Repeat(part, (1 << 20) / std::string_view(part).size());
    const auto parsed = ParseExpression(text);
    ASSERT_FALSE(parsed.has_value()) << part;
    EXPECT_NE(parsed.error().message().find("the text nests more than 500 deep"), std::string::npos)
        << parsed.error().ToString();
  }
  const auto chain = ParseExpression("1" + Repeat(" + 1", 1 << 18));
  ASSERT_FALSE(chain.has_value());
  EXPECT_NE(chain.error().message().find("expressions nest at most 250 deep"), std::string::npos);
}

TEST(ParseErrors, DeepestTreesComeBack) {
  // Each level in parentheses, which are levels of text.
  std::string text = "a IS NULL";
  for (int i = 2; i < kMaxExpressionDepth; ++i) text = "(" + text + ") IS NULL";
  const auto parsed = ParseExpression(text);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().ToString();
  EXPECT_EQ(parsed->ToSql(), text);
  EXPECT_FALSE(ParseExpression("(" + text + ") IS NULL").has_value());
}

TEST(ParseErrors, LongChainsAndListsAreOneLevel) {
  const auto chain = ParseExpression("a" + Repeat(" AND a", 100'000));
  ASSERT_TRUE(chain.has_value());
  EXPECT_EQ(chain->children.size(), 100'001u);
  Expression built = Col("a");
  std::string items = "0";
  for (int i = 1; i < 100'000; ++i) {
    built = std::move(built) || Col("a");
    items += ", " + std::to_string(i);
  }
  EXPECT_EQ(built.children.size(), 100'000u);
  EXPECT_TRUE(ParseExpression(built.ToSql())->IsSameAs(built));
  const auto list = ParseExpression("a IN (" + items + ")");
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(list->children.size(), 100'001u);
  EXPECT_EQ(list->ToSql(), "a IN (" + items + ")");
}

}  // namespace
}  // namespace sluice
