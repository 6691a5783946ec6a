#include <sluice/expression.h>

#include "engine/parse/lexer.h"
#include "engine/parse/parser.h"

namespace sluice::inline v0 {
namespace {

using engine::Precedence;
using Kind = Expression::Kind;

constexpr std::string_view kComparisons[] = {
    " = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ",
};
constexpr std::string_view kArithmetic[] = {" + ", " - ", " * ", " / ", " % "};

bool IsNumber(const Expression& expression) {
  return expression.kind == Kind::kLiteral && expression.literal == LiteralKind::kNumber;
}

Precedence LevelOf(const Expression& expression) {
  switch (expression.kind) {
    case Kind::kOr:
      return Precedence::kOr;
    case Kind::kAnd:
      return Precedence::kAnd;
    case Kind::kNot:
      return Precedence::kNot;
    case Kind::kIsNull:
      return Precedence::kIs;
    case Kind::kComparison:
      return expression.comparison >= ComparisonOp::kDistinct ? Precedence::kIs
                                                              : Precedence::kComparison;
    case Kind::kBetween:
    case Kind::kIn:
    case Kind::kLike:
      return Precedence::kPredicate;
    case Kind::kArithmetic:
      return expression.arithmetic <= ArithmeticOp::kSubtract ? Precedence::kAdditive
                                                              : Precedence::kMultiplicative;
    case Kind::kNegate:
      return Precedence::kUnary;
    default:
      return Precedence::kPrimary;
  }
}

void AppendQuoted(std::string_view text, char quote, std::string& out) {
  out += quote;
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  out += quote;
}

void AppendName(std::string_view name, std::string& out) {
  bool is_word = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name) {
    is_word = is_word && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_');
  }
  if (is_word && !engine::IsReservedWord(engine::LowerAscii(name))) {
    out += name;
  } else {
    AppendQuoted(name, '"', out);
  }
}

void AppendBinary(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += "X'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  out += '\'';
}

void AppendLiteral(const Expression& literal, std::string& out) {
  switch (literal.literal) {
    case LiteralKind::kNull:
      out += "NULL";
      return;
    case LiteralKind::kBoolean:
      out += literal.text == "true" ? "TRUE" : "FALSE";
      return;
    case LiteralKind::kNumber:
      out += literal.text;
      return;
    case LiteralKind::kBinary:
      return AppendBinary(literal.text, out);
    case LiteralKind::kString:
      break;
    case LiteralKind::kDate:
      out += "DATE ";
      break;
    case LiteralKind::kTime:
      out += "TIME ";
      break;
    case LiteralKind::kTimestamp:
      out += "TIMESTAMP ";
      break;
    case LiteralKind::kTimestampTz:
      out += "TIMESTAMPTZ ";
      break;
    case LiteralKind::kInterval:
      out += "INTERVAL ";
      break;
    case LiteralKind::kDecimal:
      out += "DECIMAL ";
      break;
    case LiteralKind::kUuid:
      out += "UUID ";
      break;
  }
  AppendQuoted(literal.text, '\'', out);
}

/// Appends `expression`, in parentheses where it binds more loosely than `loosest`.
void Append(const Expression& expression, Precedence loosest, std::string& out);

void AppendList(const Expression& expression, size_t begin, std::string_view separator,
                Precedence loosest, std::string& out) {
  for (size_t i = begin; i < expression.children.size(); ++i) {
    if (i > begin) out += separator;
    Append(expression.children[i], loosest, out);
  }
}

void AppendPredicate(const Expression& expression, std::string& out) {
  const auto& children = expression.children;
  Append(children[0], Precedence::kAdditive, out);
  if (expression.negated) out += " NOT";
  switch (expression.kind) {
    case Kind::kBetween:
      out += " BETWEEN ";
      return AppendList(expression, 1, " AND ", Precedence::kAdditive, out);
    case Kind::kLike:
      out += " LIKE ";
      return AppendList(expression, 1, " ESCAPE ", Precedence::kAdditive, out);
    default:
      out += " IN (";
      AppendList(expression, 1, ", ", Precedence::kOr, out);
      out += ')';
  }
}

void AppendCase(const Expression& expression, std::string& out) {
  const auto& children = expression.children;
  out += "CASE";
  size_t i = 0;
  if (expression.has_operand && !children.empty()) {
    out += ' ';
    Append(children[i++], Precedence::kOr, out);
  }
  for (; i + 1 < children.size(); i += 2) {
    out += " WHEN ";
    Append(children[i], Precedence::kOr, out);
    out += " THEN ";
    Append(children[i + 1], Precedence::kOr, out);
  }
  if (i < children.size()) {
    out += " ELSE ";
    Append(children[i], Precedence::kOr, out);
  }
  out += " END";
}

/// The children without which a node of the kind means nothing.
size_t MinChildren(Kind kind) {
  switch (kind) {
    case Kind::kColumn:
    case Kind::kLiteral:
    case Kind::kCall:
    case Kind::kCase:
    case Kind::kAnd:
    case Kind::kOr:
      return 0;
    case Kind::kComparison:
    case Kind::kArithmetic:
    case Kind::kIn:
    case Kind::kLike:
      return 2;
    case Kind::kBetween:
      return 3;
    default:
      return 1;
  }
}

void AppendNode(const Expression& expression, std::string& out) {
  const auto& children = expression.children;
  if (children.size() < MinChildren(expression.kind)) {
    out += '?';
    return;
  }
  const Precedence level = LevelOf(expression);
  switch (expression.kind) {
    case Kind::kColumn:
      for (size_t i = 0; i < expression.path.size(); ++i) {
        if (i > 0) out += '.';
        AppendName(expression.path[i], out);
      }
      return;
    case Kind::kLiteral:
      return AppendLiteral(expression, out);
    case Kind::kComparison:
      Append(children[0], Precedence::kPredicate, out);
      out += kComparisons[static_cast<size_t>(expression.comparison)];
      return Append(children[1], Precedence::kPredicate, out);
    case Kind::kArithmetic:
      Append(children[0], level, out);
      out += kArithmetic[static_cast<size_t>(expression.arithmetic)];
      return Append(children[1], engine::Tighter(level), out);
    case Kind::kNegate:
      // Two minuses side by side begin a comment, and a minus before digits is part of the number.
      out += '-';
      return Append(children[0], Precedence::kPrimary, out);
    case Kind::kAnd:
      return AppendList(expression, 0, " AND ", engine::Tighter(level), out);
    case Kind::kOr:
      return AppendList(expression, 0, " OR ", engine::Tighter(level), out);
    case Kind::kNot:
      out += "NOT ";
      return Append(children[0], level, out);
    case Kind::kIsNull:
      Append(children[0], Precedence::kPredicate, out);
      out += expression.negated ? " IS NOT NULL" : " IS NULL";
      return;
    case Kind::kBetween:
    case Kind::kIn:
    case Kind::kLike:
      return AppendPredicate(expression, out);
    case Kind::kCast:
      out += "CAST(";
      Append(children[0], Precedence::kOr, out);
      out += " AS " + expression.text + ")";
      return;
    case Kind::kCase:
      return AppendCase(expression, out);
    case Kind::kCall:
      AppendName(expression.text, out);
      out += '(';
      AppendList(expression, 0, ", ", Precedence::kOr, out);
      out += ')';
      return;
  }
}

void Append(const Expression& expression, Precedence loosest, std::string& out) {
  const bool is_operand_of_minus = loosest == Precedence::kPrimary;
  const bool needs_parentheses =
      LevelOf(expression) < loosest || (is_operand_of_minus && IsNumber(expression));
  if (needs_parentheses) out += '(';
  AppendNode(expression, out);
  if (needs_parentheses) out += ')';
}

}  // namespace

std::string Expression::ToSql() const {
  std::string sql;
  Append(*this, Precedence::kOr, sql);
  return sql;
}

}  // namespace sluice::inline v0
