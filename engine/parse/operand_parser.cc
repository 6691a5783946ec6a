// What stands between operators: literals, columns, calls, CASE, CAST and parentheses.

#include <fmt/format.h>

#include <algorithm>

#include "engine/parse/parser.h"
#include "engine/values/interval_unit.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

using Kind = Expression::Kind;

/// The words that a string may follow, which it is then a literal with.
std::optional<LiteralKind> TypedLiteral(const Token& token) {
  static constexpr std::pair<std::string_view, LiteralKind> kWords[] = {
      {"date", LiteralKind::kDate},           {"time", LiteralKind::kTime},
      {"timestamp", LiteralKind::kTimestamp}, {"timestamptz", LiteralKind::kTimestampTz},
      {"decimal", LiteralKind::kDecimal},     {"uuid", LiteralKind::kUuid},
  };
  for (const auto& [word, kind] : kWords) {
    if (token.IsWord(word)) return kind;
  }
  return std::nullopt;
}

Expression MakeLiteral(LiteralKind kind, TextPosition position, std::string text) {
  Expression literal;
  literal.literal = kind;
  literal.position = position;
  literal.text = std::move(text);
  return literal;
}

}  // namespace

Result<Parser::Node> Parser::ParsePrefix() {
  if (current_.IsSymbol("-")) return ParseMinus();
  if (!current_.IsWord("not")) return ParsePrimary();
  Node node;
  node.expression.kind = Kind::kNot;
  node.expression.position = Take().position;
  SLUICE_TRY(Node operand, ParseOperators(Precedence::kNot));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(operand)));
  return node;
}

/// A minus before digits is part of the number.
Result<Parser::Node> Parser::ParseMinus() {
  Node node;
  node.expression.position = Take().position;
  if (current_.kind == Token::Kind::kNumber) {
    node.expression.literal = LiteralKind::kNumber;
    node.expression.text = "-" + Take().text;
    return node;
  }
  node.expression.kind = Kind::kNegate;
  SLUICE_TRY(Node operand, ParseOperators(Precedence::kUnary));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(operand)));
  return node;
}

Result<Parser::Node> Parser::ParsePrimary() {
  switch (current_.kind) {
    case Token::Kind::kNumber:
    case Token::Kind::kString:
    case Token::Kind::kBinary: {
      const LiteralKind kind = current_.kind == Token::Kind::kNumber   ? LiteralKind::kNumber
                               : current_.kind == Token::Kind::kString ? LiteralKind::kString
                                                                       : LiteralKind::kBinary;
      Token token = Take();
      return Node{MakeLiteral(kind, token.position, std::move(token.text)), 1};
    }
    case Token::Kind::kName:
      return next_.IsSymbol("(") ? ParseCall(Take()) : ParseColumn();
    case Token::Kind::kWord:
      return ParseWord();
    default:
      return current_.IsSymbol("(") ? ParseParentheses() : Unexpected("a value");
  }
}

Result<Parser::Node> Parser::ParseParentheses() {
  Take();
  SLUICE_TRY(Node node, ParseOperators(Precedence::kOr));
  if (!TakeSymbol(")")) return Unexpected("an operator or ')'");
  return node;
}

Result<Parser::Node> Parser::ParseWord() {
  if (next_.kind == Token::Kind::kString || next_.kind == Token::Kind::kNumber) {
    if (current_.IsWord("interval")) return ParseInterval();
    const auto typed = TypedLiteral(current_);
    if (typed && next_.kind == Token::Kind::kString) return ParseTypedLiteral(*typed);
  }
  if (current_.IsWord("null")) {
    return Node{MakeLiteral(LiteralKind::kNull, Take().position, {}), 1};
  }
  if (current_.IsWord("true") || current_.IsWord("false")) {
    const Token word = Take();
    return Node{MakeLiteral(LiteralKind::kBoolean, word.position, LowerAscii(word.text)), 1};
  }
  if (current_.IsWord("case")) return ParseCase();
  if (current_.IsWord("cast")) return ParseCast();
  if (IsReservedWord(LowerAscii(current_.text))) return Unexpected("a value");
  if (next_.IsSymbol("(")) return ParseCall(Take());
  return ParseColumn();
}

Result<Parser::Node> Parser::ParseTypedLiteral(LiteralKind kind) {
  const TextPosition position = Take().position;
  return Node{MakeLiteral(kind, position, Take().text), 1};
}

/// INTERVAL '..', INTERVAL '3' DAY, INTERVAL 3 DAY; the unit becomes part of the text.
Result<Parser::Node> Parser::ParseInterval() {
  const TextPosition position = Take().position;
  const bool needs_unit = current_.kind == Token::Kind::kNumber;
  std::string text = Take().text;
  if (current_.kind == Token::Kind::kWord && FindIntervalUnit(LowerAscii(current_.text))) {
    text += ' ' + LowerAscii(Take().text);
  } else if (needs_unit) {
    return Unexpected("a unit of time");
  }
  return Node{MakeLiteral(LiteralKind::kInterval, position, std::move(text)), 1};
}

Result<Parser::Node> Parser::ParseColumn() {
  Node node;
  node.expression.kind = Kind::kColumn;
  node.expression.position = current_.position;
  node.expression.path.push_back(Take().text);
  while (TakeSymbol(".")) {
    if (current_.kind != Token::Kind::kWord && current_.kind != Token::Kind::kName) {
      return Unexpected("the name of a field");
    }
    node.expression.path.push_back(Take().text);
  }
  return node;
}

Result<Parser::Node> Parser::ParseCall(Token name) {
  Node node;
  node.expression.kind = Kind::kCall;
  node.expression.position = name.position;
  node.expression.text = LowerAscii(name.text);
  Take();
  if (!TakeSymbol(")")) SLUICE_RETURN_IF_ERROR(ParseCommaList(&node));
  return node;
}

Result<Parser::Node> Parser::ParseCase() {
  Node node;
  node.expression.kind = Kind::kCase;
  node.expression.position = Take().position;
  if (!current_.IsWord("when")) {
    node.expression.has_operand = true;
    SLUICE_TRY(Node operand, ParseOperators(Precedence::kOr));
    SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(operand)));
  }
  SLUICE_RETURN_IF_ERROR(ExpectWord("when"));
  do {
    SLUICE_TRY(Node condition, ParseOperators(Precedence::kOr));
    SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(condition)));
    SLUICE_RETURN_IF_ERROR(ExpectWord("then"));
    SLUICE_TRY(Node value, ParseOperators(Precedence::kOr));
    SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(value)));
  } while (TakeWord("when"));
  if (TakeWord("else")) {
    SLUICE_TRY(Node value, ParseOperators(Precedence::kOr));
    SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(value)));
  }
  if (!TakeWord("end")) return Unexpected("WHEN, ELSE or END");
  return node;
}

Result<Parser::Node> Parser::ParseCast() {
  Node node;
  node.expression.kind = Kind::kCast;
  node.expression.position = Take().position;
  SLUICE_RETURN_IF_ERROR(ExpectSymbol("("));
  SLUICE_TRY(Node operand, ParseOperators(Precedence::kOr));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(operand)));
  SLUICE_RETURN_IF_ERROR(ExpectWord("as"));
  SLUICE_RETURN_IF_ERROR(ParseTypeName(&node.expression.text));
  SLUICE_RETURN_IF_ERROR(ExpectSymbol(")"));
  return node;
}

/// Words, and perhaps numbers in parentheses: "DECIMAL(10, 2)". Binding knows which there are.
Status Parser::ParseTypeName(std::string* out) {
  if (current_.kind != Token::Kind::kWord) return Unexpected("the name of a type");
  for (; current_.kind == Token::Kind::kWord; *out += Take().text) {
    if (!out->empty()) *out += ' ';
  }
  std::transform(out->begin(), out->end(), out->begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (!TakeSymbol("(")) return Status::Ok();
  std::string_view separator = "(";
  do {
    if (current_.kind != Token::Kind::kNumber) return Unexpected("a number");
    out->append(separator) += Take().text;
    separator = ", ";
  } while (TakeSymbol(","));
  SLUICE_RETURN_IF_ERROR(ExpectSymbol(")"));
  *out += ')';
  return Status::Ok();
}

std::string CanonicalTypeName(std::string_view name) {
  Parser parser(name);
  std::string canonical;
  const bool is_type = parser.ParseTypeName(&canonical).ok() && parser.AtEnd();
  return is_type ? canonical : std::string(name);
}

}  // namespace sluice::inline v0::engine
