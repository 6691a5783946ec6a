#pragma once

// Recursive descent with precedence climbing. From loose to tight:
//
//   OR | AND | NOT | IS .. | = <> < <= > >= | BETWEEN, IN, LIKE | + - | * / % | unary - | primary

#include <sluice/expression.h>

#include <optional>
#include <string_view>

#include "engine/parse/lexer.h"

namespace sluice::inline v0::engine {

/// How tightly an operator binds.
enum class Precedence : uint8_t {
  kOr = 1,
  kAnd,
  kNot,
  kIs,
  kComparison,
  kPredicate,
  kAdditive,
  kMultiplicative,
  kUnary,
  kPrimary,
};
constexpr Precedence Tighter(Precedence level) {
  return static_cast<Precedence>(static_cast<uint8_t>(level) + 1);
}

/// Parses one text.
///
/// Threads: confined. Lifetime: the text must outlive it.
class Parser {
 public:
  explicit Parser(std::string_view text);
  Result<Expression> Parse();
  /// Appends the name of a type as CAST has it: words, and perhaps numbers in parentheses.
  Status ParseTypeName(std::string* out);
  bool AtEnd() const { return current_.kind == Token::Kind::kEnd; }

 private:
  /// An expression and how many nodes are above one another in it.
  struct Node {
    Expression expression;
    int height = 1;
  };

  Result<Node> ParseOperators(Precedence loosest);
  Result<Node> ParsePrefix();
  Result<Node> ParseMinus();
  Result<Node> ParsePrimary();
  Result<Node> ParseWord();
  Result<Node> ParseColumn();
  Result<Node> ParseParentheses();

  Result<Node> ParseInfix(Node left, Precedence level);
  Result<Node> ParseIs(Node left);
  Result<Node> ParsePredicate(Node left);
  Result<Node> ParseBetween(Node predicate);
  Result<Node> ParseIn(Node predicate);
  Result<Node> ParseLike(Node predicate);

  Result<Node> ParseCase();
  Result<Node> ParseCast();
  Result<Node> ParseCall(Token name);
  Result<Node> ParseTypedLiteral(LiteralKind kind);
  Result<Node> ParseInterval();
  Status ParseCommaList(Node* parent);

  /// Puts `child` under `parent`, which must not become too high.
  Status Adopt(Node* parent, Node child);
  /// The operator that the current token begins, if it joins what is on its left.
  std::optional<Precedence> CurrentOperator() const;
  /// The current token, replaced by the next.
  Token Take();
  bool TakeWord(std::string_view word);
  bool TakeSymbol(std::string_view symbol);
  Status ExpectWord(std::string_view word);
  Status ExpectSymbol(std::string_view symbol);
  /// "expected X, found Y" at the current token, or what the lexer says of it.
  Status Unexpected(std::string_view expected) const;
  Status Fail(TextPosition position, std::string_view what) const;

  std::string_view text_;
  Lexer lexer_;
  Token current_;
  Token next_;
  int open_ = 0;  ///< Calls of ParseOperators that have not returned.
};

/// `name` as ParseTypeName spells it, or as it is where that reads none.
std::string CanonicalTypeName(std::string_view name);

}  // namespace sluice::inline v0::engine
