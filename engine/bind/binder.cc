#include "engine/bind/binder.h"

#include <fmt/format.h>

#include "engine/bind/simplify.h"
#include "engine/bound/type_rules.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

/// So much of an expression without a place in a text is shown.
constexpr size_t kShownBytes = 80;

}  // namespace

Status Binder::Fail(const Expression& at, std::string_view what) const {
  if (at.position.line == 0) {
    std::string sql = at.ToSql();
    if (sql.size() > kShownBytes) sql = sql.substr(0, kShownBytes) + "...";
    return Status::InvalidArgument(fmt::format("in {}: {}", sql, what));
  }
  std::string message =
      fmt::format("line {}, column {}: {}", at.position.line, at.position.column, what);
  const std::string mark = MarkPosition(options_.text, at.position);
  if (!options_.text.empty() && !mark.empty()) message += '\n' + mark;
  return Status::InvalidArgument(std::move(message));
}

Result<Operand> Binder::Bind(const Expression& expression) {
  if (depth_ >= kMaxExpressionDepth) {
    return Status::InvalidArgument(
        fmt::format("expressions nest at most {} deep", kMaxExpressionDepth));
  }
  ++depth_;
  const int64_t columns_before = num_columns_;
  SLUICE_TRY(Operand operand, BindNode(expression));
  operand.has_columns = num_columns_ > columns_before;
  --depth_;
  operand.node.position = expression.position;
  if (options_.simplify) operand.node = Simplify(std::move(operand.node));
  return operand;
}

Result<Operand> Binder::BindNode(const Expression& expression) {
  using Kind = Expression::Kind;
  Result<BoundExpression> (Binder::*bind)(const Expression&) = nullptr;
  switch (expression.kind) {
    case Kind::kColumn:
      return BindColumn(expression);
    case Kind::kLiteral:
      return BindLiteral(expression);
    case Kind::kComparison:
      bind = &Binder::BindComparison;
      break;
    case Kind::kArithmetic:
      bind = &Binder::BindArithmetic;
      break;
    case Kind::kNegate:
      bind = &Binder::BindNegate;
      break;
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
      bind = &Binder::BindLogic;
      break;
    case Kind::kIsNull:
      bind = &Binder::BindNullTest;
      break;
    case Kind::kBetween:
      bind = &Binder::BindBetween;
      break;
    case Kind::kIn:
      bind = &Binder::BindIn;
      break;
    case Kind::kLike:
      bind = &Binder::BindLike;
      break;
    case Kind::kCast:
      bind = &Binder::BindCast;
      break;
    case Kind::kCase:
      bind = &Binder::BindCase;
      break;
    case Kind::kCall:
      bind = &Binder::BindCall;
      break;
  }
  if (bind == nullptr) return Fail(expression, "an expression of no known kind");
  SLUICE_TRY(BoundExpression node, (this->*bind)(expression));
  return Operand{std::move(node), nullptr};
}

Result<std::vector<Operand>> Binder::BindChildren(const Expression& expression) {
  std::vector<Operand> operands;
  operands.reserve(expression.children.size());
  for (const Expression& child : expression.children) {
    SLUICE_TRY(Operand operand, Bind(child));
    operands.push_back(std::move(operand));
  }
  return operands;
}

BoundExpression Binder::NothingAs(Operand operand, DataType type) {
  if (operand.node.is_null()) return BoundExpression::Constant(std::move(type), std::nullopt);
  return BoundExpression::Cast(std::move(operand.node), std::move(type));
}

Result<BoundExpression> Binder::Boolean(Operand operand, const Expression& at) {
  if (operand.is_nothing()) return NothingAs(std::move(operand), BooleanType());
  if (operand.node.type.id != TypeId::kBoolean) {
    return Fail(at, fmt::format("a boolean is needed here, not {}", operand.node.type.ToString()));
  }
  return std::move(operand.node);
}

Result<BoundExpression> Bind(const Expression& expression, const Schema& schema,
                             const BindOptions& options) {
  SLUICE_TRY(Operand operand, Binder(schema, options).Bind(expression));
  return std::move(operand.node);
}

Result<BoundExpression> BindPredicate(const Expression& expression, const Schema& schema,
                                      const BindOptions& options) {
  Binder binder(schema, options);
  SLUICE_TRY(Operand operand, binder.Bind(expression));
  return binder.Boolean(std::move(operand), expression);
}

}  // namespace sluice::inline v0::engine
