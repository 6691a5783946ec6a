#include "engine/bound/bound_expression.h"

#include <algorithm>

#include "engine/bound/type_rules.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {

bool BoundExpression::IsConstant(bool value) const {
  return is_constant() && type.id == TypeId::kBoolean && bytes.has_value() &&
         (bytes->front() != 0) == value;
}

BoundExpression BoundExpression::Column(ColumnPath path, DataType type) {
  BoundExpression node = Make(BoundOp::kColumn, std::move(type), {});
  node.path = std::move(path);
  return node;
}

BoundExpression BoundExpression::Constant(DataType type, std::optional<std::string> bytes) {
  BoundExpression node = Make(BoundOp::kConstant, std::move(type), {});
  node.bytes = std::move(bytes);
  return node;
}

BoundExpression BoundExpression::Boolean(bool value) {
  return Constant(DataType::Of(TypeId::kBoolean), std::string(1, value ? '\1' : '\0'));
}

BoundExpression BoundExpression::NullBoolean() {
  return Constant(DataType::Of(TypeId::kBoolean), std::nullopt);
}

BoundExpression BoundExpression::Make(BoundOp op, DataType type,
                                      std::vector<BoundExpression> children) {
  BoundExpression node;
  node.op = op;
  node.type = std::move(type);
  node.children = std::move(children);
  return node;
}

BoundExpression BoundExpression::Compare(ComparisonOp op, BoundExpression a, BoundExpression b) {
  BoundExpression node = Make(BoundOp::kCompare, DataType::Of(TypeId::kBoolean), {});
  node.comparison = op;
  node.position = a.position;
  node.children.push_back(std::move(a));
  node.children.push_back(std::move(b));
  return node;
}

BoundExpression BoundExpression::Not(BoundExpression a) {
  BoundExpression node = Make(BoundOp::kNot, DataType::Of(TypeId::kBoolean), {});
  node.position = a.position;
  node.children.push_back(std::move(a));
  return node;
}

BoundExpression BoundExpression::NullTest(BoundExpression a, Truth when_null, Truth when_value) {
  BoundExpression node = Make(BoundOp::kNullTest, DataType::Of(TypeId::kBoolean), {});
  node.when_null = when_null;
  node.when_value = when_value;
  node.position = a.position;
  node.children.push_back(std::move(a));
  return node;
}

BoundExpression BoundExpression::Cast(BoundExpression a, DataType type) {
  if (a.type == type) return a;
  BoundExpression node = Make(BoundOp::kCast, std::move(type), {});
  node.position = a.position;
  node.children.push_back(std::move(a));
  return node;
}

BoundExpression BoundExpression::Widen(BoundExpression a, DataType type) {
  const bool is_same = a.type == type;
  BoundExpression node = Cast(std::move(a), std::move(type));
  if (!is_same) node.op = BoundOp::kWiden;
  return node;
}

bool CanFail(const BoundExpression& expression) {
  switch (expression.op) {
    case BoundOp::kColumn:
      return expression.can_misfit;
    case BoundOp::kAdd:
    case BoundOp::kSubtract:
    case BoundOp::kMultiply:
    case BoundOp::kNegate:
    case BoundOp::kAbs:
      if (!IsFloatingType(expression.type)) return true;
      break;
    case BoundOp::kDivide:
    case BoundOp::kModulo:
    case BoundOp::kAddDays:
    case BoundOp::kSubtractDays:
    case BoundOp::kDateTrunc:
    case BoundOp::kSlot:  // It stands for what is not below this node.
      return true;
    case BoundOp::kCast:
      if (CastRuleOf(expression.children[0].type, expression.type).can_fail) return true;
      break;
    case BoundOp::kWiden:
      if (!IsTotalWidening(expression.children[0].type, expression.type)) return true;
      break;
    case BoundOp::kLike:
      if (expression.bytes.has_value()) return true;
      break;
    default:
      break;
  }
  return std::any_of(expression.children.begin(), expression.children.end(), CanFail);
}

bool IsPartlyWidened(const BoundExpression& expression) {
  return expression.op == BoundOp::kWiden && expression.children[0].op == BoundOp::kColumn &&
         !IsTotalWidening(expression.children[0].type, expression.type);
}

void VisitNodes(const BoundExpression& expression,
                const std::function<void(const BoundExpression&)>& visit) {
  visit(expression);
  for (const BoundExpression& child : expression.children) VisitNodes(child, visit);
}

std::vector<ColumnPath> ColumnsOf(const BoundExpression& expression) {
  std::vector<ColumnPath> columns;
  VisitNodes(expression, [&](const BoundExpression& node) {
    if (node.op != BoundOp::kColumn) return;
    if (std::find(columns.begin(), columns.end(), node.path) == columns.end()) {
      columns.push_back(node.path);
    }
  });
  return columns;
}

}  // namespace sluice::inline v0::engine
