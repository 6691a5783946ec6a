#include <sluice/expression.h>

#include <charconv>
#include <cmath>

#include "engine/parse/lexer.h"
#include "engine/parse/parser.h"

namespace sluice::inline v0 {

Expression::Expression(double value) {
  literal = LiteralKind::kNumber;
  if (!std::isfinite(value)) {
    *this = Cast(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf", "DOUBLE");
    return;
  }
  char digits[40];
  const auto end =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::scientific);
  text.assign(digits, end.ptr);
}

Expression::Expression(std::string string) {
  literal = LiteralKind::kString;
  text = std::move(string);
}

Expression::Expression(std::string_view string) : Expression(std::string(string)) {}

void Expression::SetBoolean(bool value) {
  literal = LiteralKind::kBoolean;
  text = value ? "true" : "false";
}

void Expression::SetInteger(int64_t value) {
  literal = LiteralKind::kNumber;
  text = std::to_string(value);
}

void Expression::SetInteger(uint64_t value) {
  literal = LiteralKind::kNumber;
  text = std::to_string(value);
}

bool Expression::IsSameAs(const Expression& other) const {
  if (kind != other.kind || literal != other.literal || comparison != other.comparison ||
      arithmetic != other.arithmetic || negated != other.negated ||
      has_operand != other.has_operand || text != other.text || path != other.path ||
      children.size() != other.children.size()) {
    return false;
  }
  for (size_t i = 0; i < children.size(); ++i) {
    if (!children[i].IsSameAs(other.children[i])) return false;
  }
  return true;
}

Expression Expression::Compare(ComparisonOp op, Expression a, Expression b) {
  Expression node = Unary(Kind::kComparison, std::move(a));
  node.comparison = op;
  node.children.push_back(std::move(b));
  return node;
}

Expression Expression::Calculate(ArithmeticOp op, Expression a, Expression b) {
  Expression node = Unary(Kind::kArithmetic, std::move(a));
  node.arithmetic = op;
  node.children.push_back(std::move(b));
  return node;
}

Expression Expression::Negate(Expression a) {
  const bool is_unsigned_number = a.kind == Kind::kLiteral && a.literal == LiteralKind::kNumber &&
                                  !a.text.empty() && a.text[0] != '-';
  if (!is_unsigned_number) return Unary(Kind::kNegate, std::move(a));
  a.text.insert(0, 1, '-');
  return a;
}

Expression Expression::Unary(Kind kind, Expression a) {
  Expression node;
  node.kind = kind;
  node.children.push_back(std::move(a));
  return node;
}

Expression Expression::Chain(Kind kind, Expression a, Expression b) {
  if (a.kind != kind) a = Unary(kind, std::move(a));
  if (b.kind != kind) {
    a.children.push_back(std::move(b));
  } else {
    for (Expression& child : b.children) a.children.push_back(std::move(child));
  }
  return a;
}

Expression Lit(LiteralKind kind, std::string text) {
  Expression literal;
  literal.literal = kind;
  literal.text = std::move(text);
  return literal;
}

Expression IsNotNull(Expression a) {
  Expression node = IsNull(std::move(a));
  node.negated = true;
  return node;
}

Expression Between(Expression a, Expression lower, Expression upper) {
  Expression node = Expression::Unary(Expression::Kind::kBetween, std::move(a));
  node.children.push_back(std::move(lower));
  node.children.push_back(std::move(upper));
  return node;
}

Expression In(Expression a, std::vector<Expression> items) {
  if (items.empty()) return IsNull(std::move(a)) && Expression(false);
  Expression node = Expression::Unary(Expression::Kind::kIn, std::move(a));
  for (Expression& item : items) node.children.push_back(std::move(item));
  return node;
}

Expression Like(Expression a, Expression pattern) {
  Expression node = Expression::Unary(Expression::Kind::kLike, std::move(a));
  node.children.push_back(std::move(pattern));
  return node;
}

Expression Like(Expression a, Expression pattern, Expression escape) {
  Expression node = Like(std::move(a), std::move(pattern));
  node.children.push_back(std::move(escape));
  return node;
}

Expression Cast(Expression a, std::string_view type) {
  Expression node = Expression::Unary(Expression::Kind::kCast, std::move(a));
  node.text = engine::CanonicalTypeName(type);
  return node;
}

Expression Call(std::string function, std::vector<Expression> arguments) {
  Expression node;
  node.kind = Expression::Kind::kCall;
  node.text = engine::LowerAscii(function);
  node.children = std::move(arguments);
  return node;
}

CaseBuilder&& CaseBuilder::When(Expression condition, Expression value) && {
  expression_.children.push_back(std::move(condition));
  expression_.children.push_back(std::move(value));
  return std::move(*this);
}

Expression CaseBuilder::Else(Expression value) && {
  expression_.children.push_back(std::move(value));
  return std::move(expression_);
}

}  // namespace sluice::inline v0
