#include "engine/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

using Kind = Expression::Kind;

/// Every level of a tree may stand in parentheses, which are a level of text.
constexpr int kMaxOpen = 2 * kMaxExpressionDepth;
/// Positions are 32 bits.
constexpr size_t kMaxTextBytes = size_t{1} << 30;

std::optional<ComparisonOp> ComparisonOf(const Token& token) {
  static constexpr std::pair<std::string_view, ComparisonOp> kSymbols[] = {
      {"=", ComparisonOp::kEqual},         {"<>", ComparisonOp::kNotEqual},
      {"!=", ComparisonOp::kNotEqual},     {"<", ComparisonOp::kLess},
      {"<=", ComparisonOp::kLessEqual},    {">", ComparisonOp::kGreater},
      {">=", ComparisonOp::kGreaterEqual},
  };
  for (const auto& [symbol, op] : kSymbols) {
    if (token.IsSymbol(symbol)) return op;
  }
  return std::nullopt;
}

std::optional<ArithmeticOp> ArithmeticOf(const Token& token) {
  static constexpr std::pair<std::string_view, ArithmeticOp> kSymbols[] = {
      {"+", ArithmeticOp::kAdd},    {"-", ArithmeticOp::kSubtract}, {"*", ArithmeticOp::kMultiply},
      {"/", ArithmeticOp::kDivide}, {"%", ArithmeticOp::kModulo},
  };
  for (const auto& [symbol, op] : kSymbols) {
    if (token.IsSymbol(symbol)) return op;
  }
  return std::nullopt;
}

std::string Describe(const Token& token) {
  constexpr size_t kShown = 30;
  const std::string shown =
      token.text.size() > kShown ? token.text.substr(0, kShown) + "..." : token.text;
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end";
    case Token::Kind::kString:
      return "a string";
    case Token::Kind::kBinary:
      return "X'..'";
    default:
      return "'" + shown + "'";
  }
}

}  // namespace

Parser::Parser(std::string_view text) : text_(text), lexer_(text) {
  current_ = lexer_.Next();
  next_ = lexer_.Next();
}

Result<Expression> Parser::Parse() {
  if (text_.size() > kMaxTextBytes) return Fail({1, 1}, "the text is longer than 1 GiB");
  SLUICE_TRY(Node node, ParseOperators(Precedence::kOr));
  if (!AtEnd()) return Unexpected("an operator or the end");
  return std::move(node.expression);
}

Token Parser::Take() {
  Token taken = std::move(current_);
  current_ = std::move(next_);
  next_ = lexer_.Next();
  return taken;
}

bool Parser::TakeWord(std::string_view word) {
  if (!current_.IsWord(word)) return false;
  Take();
  return true;
}

bool Parser::TakeSymbol(std::string_view symbol) {
  if (!current_.IsSymbol(symbol)) return false;
  Take();
  return true;
}

Status Parser::ExpectWord(std::string_view word) {
  if (TakeWord(word)) return Status::Ok();
  std::string upper(word);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return Unexpected(upper);
}

Status Parser::ExpectSymbol(std::string_view symbol) {
  return TakeSymbol(symbol) ? Status::Ok() : Unexpected(fmt::format("'{}'", symbol));
}

Status Parser::Unexpected(std::string_view expected) const {
  if (current_.kind == Token::Kind::kError) return Fail(current_.position, current_.text);
  return Fail(current_.position,
              fmt::format("expected {}, found {}", expected, Describe(current_)));
}

Status Parser::Fail(TextPosition position, std::string_view what) const {
  return Status::InvalidArgument(fmt::format("line {}, column {}: {}\n{}", position.line,
                                             position.column, what, MarkPosition(text_, position)));
}

Status Parser::Adopt(Node* parent, Node child) {
  parent->height = std::max(parent->height, child.height + 1);
  if (parent->height > kMaxExpressionDepth) {
    return Fail(child.expression.position,
                fmt::format("expressions nest at most {} deep", kMaxExpressionDepth));
  }
  parent->expression.children.push_back(std::move(child.expression));
  return Status::Ok();
}

std::optional<Precedence> Parser::CurrentOperator() const {
  if (current_.IsWord("or")) return Precedence::kOr;
  if (current_.IsWord("and")) return Precedence::kAnd;
  if (current_.IsWord("is")) return Precedence::kIs;
  if (ComparisonOf(current_)) return Precedence::kComparison;
  const Token& word = current_.IsWord("not") ? next_ : current_;
  if (word.IsWord("between") || word.IsWord("in") || word.IsWord("like")) {
    return Precedence::kPredicate;
  }
  const auto arithmetic = ArithmeticOf(current_);
  if (!arithmetic) return std::nullopt;
  const bool is_additive =
      *arithmetic == ArithmeticOp::kAdd || *arithmetic == ArithmeticOp::kSubtract;
  return is_additive ? Precedence::kAdditive : Precedence::kMultiplicative;
}

/// An operand and the operators behind it that bind at least as tightly as `loosest`.
Result<Parser::Node> Parser::ParseOperators(Precedence loosest) {
  if (open_ >= kMaxOpen) {
    return Fail(current_.position, fmt::format("the text nests more than {} deep", kMaxOpen));
  }
  ++open_;
  SLUICE_TRY(Node left, ParsePrefix());
  std::optional<Precedence> previous;
  for (auto level = CurrentOperator(); level && *level >= loosest; level = CurrentOperator()) {
    const bool is_chain = level == Precedence::kOr || level == Precedence::kAnd;
    if (is_chain && level == previous) {
      Take();
      SLUICE_TRY(Node right, ParseOperators(Tighter(*level)));
      SLUICE_RETURN_IF_ERROR(Adopt(&left, std::move(right)));
      continue;
    }
    if (level == previous && level == Precedence::kComparison) {
      return Fail(current_.position,
                  "comparisons do not chain: join them by AND, or use parentheses");
    }
    if (level == previous && level == Precedence::kPredicate) {
      return Fail(current_.position, "BETWEEN, IN and LIKE do not chain: use parentheses");
    }
    SLUICE_TRY(left, ParseInfix(std::move(left), *level));
    previous = level;
  }
  --open_;
  return left;
}

Result<Parser::Node> Parser::ParseInfix(Node left, Precedence level) {
  if (level == Precedence::kIs) return ParseIs(std::move(left));
  if (level == Precedence::kPredicate) return ParsePredicate(std::move(left));
  Node node;
  node.expression.position = current_.position;
  if (level == Precedence::kOr || level == Precedence::kAnd) {
    node.expression.kind = level == Precedence::kOr ? Kind::kOr : Kind::kAnd;
  } else if (level == Precedence::kComparison) {
    node.expression.kind = Kind::kComparison;
    node.expression.comparison = *ComparisonOf(current_);
  } else {
    node.expression.kind = Kind::kArithmetic;
    node.expression.arithmetic = *ArithmeticOf(current_);
  }
  Take();
  SLUICE_TRY(Node right, ParseOperators(Tighter(level)));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(left)));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(right)));
  return node;
}

/// IS [NOT] NULL, IS [NOT] DISTINCT FROM.
Result<Parser::Node> Parser::ParseIs(Node left) {
  Node node;
  node.expression.position = Take().position;
  const bool is_negated = TakeWord("not");
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(left)));
  if (TakeWord("null")) {
    node.expression.kind = Kind::kIsNull;
    node.expression.negated = is_negated;
    return node;
  }
  if (!TakeWord("distinct")) {
    return Unexpected(is_negated ? "NULL or DISTINCT FROM" : "NULL, NOT or DISTINCT FROM");
  }
  SLUICE_RETURN_IF_ERROR(ExpectWord("from"));
  node.expression.kind = Kind::kComparison;
  node.expression.comparison = is_negated ? ComparisonOp::kNotDistinct : ComparisonOp::kDistinct;
  SLUICE_TRY(Node right, ParseOperators(Tighter(Precedence::kIs)));
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(right)));
  return node;
}

/// [NOT] BETWEEN, IN, LIKE.
Result<Parser::Node> Parser::ParsePredicate(Node left) {
  Node node;
  node.expression.position = current_.position;
  node.expression.negated = TakeWord("not");
  SLUICE_RETURN_IF_ERROR(Adopt(&node, std::move(left)));
  if (TakeWord("between")) return ParseBetween(std::move(node));
  if (TakeWord("in")) return ParseIn(std::move(node));
  Take();
  return ParseLike(std::move(node));
}

Result<Parser::Node> Parser::ParseBetween(Node predicate) {
  predicate.expression.kind = Kind::kBetween;
  SLUICE_TRY(Node lower, ParseOperators(Precedence::kAdditive));
  SLUICE_RETURN_IF_ERROR(Adopt(&predicate, std::move(lower)));
  SLUICE_RETURN_IF_ERROR(ExpectWord("and"));
  SLUICE_TRY(Node upper, ParseOperators(Precedence::kAdditive));
  SLUICE_RETURN_IF_ERROR(Adopt(&predicate, std::move(upper)));
  return predicate;
}

Result<Parser::Node> Parser::ParseIn(Node predicate) {
  predicate.expression.kind = Kind::kIn;
  SLUICE_RETURN_IF_ERROR(ExpectSymbol("("));
  SLUICE_RETURN_IF_ERROR(ParseCommaList(&predicate));
  return predicate;
}

Result<Parser::Node> Parser::ParseLike(Node predicate) {
  predicate.expression.kind = Kind::kLike;
  SLUICE_TRY(Node pattern, ParseOperators(Precedence::kAdditive));
  SLUICE_RETURN_IF_ERROR(Adopt(&predicate, std::move(pattern)));
  if (TakeWord("escape")) {
    SLUICE_TRY(Node escape, ParseOperators(Precedence::kAdditive));
    SLUICE_RETURN_IF_ERROR(Adopt(&predicate, std::move(escape)));
  }
  return predicate;
}

/// One or more expressions between commas, and the closing parenthesis.
Status Parser::ParseCommaList(Node* parent) {
  do {
    SLUICE_TRY(Node item, ParseOperators(Precedence::kOr));
    SLUICE_RETURN_IF_ERROR(Adopt(parent, std::move(item)));
  } while (TakeSymbol(","));
  return TakeSymbol(")") ? Status::Ok() : Unexpected("',' or ')'");
}

}  // namespace sluice::inline v0::engine

namespace sluice::inline v0 {

Result<Expression> ParseExpression(std::string_view text) { return engine::Parser(text).Parse(); }

}  // namespace sluice::inline v0
