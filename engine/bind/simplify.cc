#include "engine/bind/simplify.h"

#include <algorithm>
#include <utility>

#include "engine/bind/placement.h"
#include "engine/bound/type_rules.h"
#include "engine/evaluate/constant_value.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {
namespace {

using Children = std::vector<BoundExpression>;

/// Whether it is a cast that is no error of its own.
bool IsTotalCast(const BoundExpression& node) {
  if (node.op != BoundOp::kCast && node.op != BoundOp::kWiden) return false;
  const DataType& inner = node.children[0].type;
  if (inner.id == TypeId::kNull) return false;
  if (node.op == BoundOp::kCast) return !CastRuleOf(inner, node.type).can_fail;
  return node.children[0].can_misfit || IsTotalWidening(inner, node.type);
}

/// Whether it is a cast that keeps the order and never fails.
bool KeepsOrder(const BoundExpression& node) {
  if (!IsTotalCast(node)) return false;
  const DataType& inner = node.children[0].type;
  return ComparisonType(inner, node.type) && IsTimeLike(inner) == IsTimeLike(node.type);
}

/// Casts that keep the order are, since tests of them become tests of what is cast.
bool IsCheap(const BoundExpression& node) {
  if (KeepsOrder(node)) return IsCheap(node.children[0]);
  return node.is_at_hand();
}

bool IsUsedAtMostOnce(int32_t slot, const BoundExpression& body) {
  int64_t uses = 0;
  VisitNodes(body, [&](const BoundExpression& node) {
    if (node.op == BoundOp::kSlot && node.slot == slot) ++uses;
  });
  return uses <= 1;
}

/// Puts `value` in the place of the slot; whether there was one.
bool Substitute(BoundExpression& node, int32_t slot, const BoundExpression& value) {
  if (node.op == BoundOp::kSlot) {
    if (node.slot != slot) return false;
    const TextPosition position = node.position;
    node = value;
    node.position = position;
    return true;
  }
  bool is_changed = false;
  for (BoundExpression& child : node.children) is_changed |= Substitute(child, slot, value);
  if (is_changed) node.is_simple = false;
  return is_changed;
}

BoundExpression SimplifyLet(BoundExpression node) {
  if (!IsCheap(node.children[0]) && !IsUsedAtMostOnce(node.slot, node.children[1])) return node;
  Substitute(node.children[1], node.slot, node.children[0]);
  BoundExpression body = std::move(node.children[1]);
  return Simplify(std::move(body));
}

/// AND and OR: constants that decide the outcome, or that do not count.
BoundExpression SimplifyChain(BoundExpression node) {
  const bool is_and = node.op == BoundOp::kAnd;
  Children kept;
  bool has_null = false;
  const auto add = [&](BoundExpression child) {
    if (child.IsConstant(is_and)) return;
    if (child.is_null() && std::exchange(has_null, true)) return;
    kept.push_back(std::move(child));
  };
  for (BoundExpression& child : node.children) {
    if (child.op == node.op) {
      for (BoundExpression& inner : child.children) add(std::move(inner));
    } else {
      add(std::move(child));
    }
  }
  // FALSE is the least of all, ERROR included, and TRUE the greatest.
  const bool is_decided = std::any_of(kept.begin(), kept.end(), [&](const BoundExpression& child) {
    return child.IsConstant(!is_and);
  });
  if (is_decided) return BoundExpression::Boolean(!is_and);
  if (kept.empty()) return BoundExpression::Boolean(is_and);
  if (kept.size() == 1) return std::move(kept[0]);
  node.children = std::move(kept);
  return node;
}

BoundExpression SimplifyCase(BoundExpression node) {
  Children kept;
  for (size_t i = 0; i + 1 < node.children.size(); i += 2) {
    BoundExpression& condition = node.children[i];
    if (condition.IsConstant(true)) {
      node.children.back() = std::move(node.children[i + 1]);
      break;
    }
    if (condition.IsConstant(false) || condition.is_null()) continue;
    kept.push_back(std::move(condition));
    kept.push_back(std::move(node.children[i + 1]));
  }
  if (kept.empty()) return std::move(node.children.back());
  kept.push_back(std::move(node.children.back()));
  node.children = std::move(kept);
  return node;
}

BoundExpression SimplifyCoalesce(BoundExpression node) {
  Children kept;
  for (BoundExpression& child : node.children) {
    if (child.is_null()) continue;
    const bool is_last = child.is_constant();
    kept.push_back(std::move(child));
    if (is_last) break;
  }
  if (kept.empty()) return BoundExpression::Constant(node.type, std::nullopt);
  if (kept.size() == 1) return std::move(kept[0]);
  node.children = std::move(kept);
  return node;
}

/// A comparison of a cast that keeps the order with a constant.
BoundExpression SimplifyComparison(BoundExpression node) {
  BoundExpression& cast = node.children[0];
  const BoundExpression& constant = node.children[1];
  if (!constant.is_constant() || constant.is_null() || !KeepsOrder(cast)) return node;
  const Placement placement = PlaceConstant(constant, cast.children[0].type);
  const bool is_one_value = placement.is_exact || placement.at_least == placement.above;
  if (!is_one_value && !IsCheap(cast.children[0])) return node;
  return Simplify(ComparePlaced(node.comparison, std::move(cast.children[0]), placement));
}

/// The same of a set, unless one of its members is what several values are cast to.
BoundExpression SimplifyInSet(BoundExpression node) {
  const BoundExpression& cast = node.children[0];
  if (!KeepsOrder(cast)) return node;
  std::vector<std::string> values;
  for (const std::string& member : *node.set) {
    Placement placement =
        PlaceConstant(BoundExpression::Constant(cast.type, member), cast.children[0].type);
    if (placement.is_exact) {
      values.push_back(*std::move(placement.at_least));
    } else if (placement.at_least != placement.above) {
      return node;
    }
  }
  BoundExpression operand = std::move(node.children[0].children[0]);
  if (values.empty()) {
    const Truth otherwise = node.set_has_null ? Truth::kNull : Truth::kFalse;
    return Simplify(BoundExpression::NullTest(std::move(operand), Truth::kNull, otherwise));
  }
  node.children[0] = std::move(operand);
  node.set = std::make_shared<const std::vector<std::string>>(std::move(values));
  return Simplify(std::move(node));
}

/// A test of what a cast, which keeps the outcome of such tests and never fails, is made of.
BoundExpression WithoutCast(BoundExpression node) {
  BoundExpression operand = std::move(node.children[0].children[0]);
  node.children[0] = std::move(operand);
  return Simplify(std::move(node));
}

BoundExpression SimplifyNullTest(BoundExpression node) {
  if (IsTotalCast(node.children[0])) return WithoutCast(std::move(node));
  if (node.when_null != node.when_value || CanFail(node.children[0])) return node;
  if (node.when_null == Truth::kNull) return BoundExpression::NullBoolean();
  return BoundExpression::Boolean(node.when_null == Truth::kTrue);
}

/// Whether a NULL among the operands makes a NULL, unless another is an error.
bool IsStrict(const BoundExpression& node) {
  switch (node.op) {
    case BoundOp::kColumn:
    case BoundOp::kConstant:
    case BoundOp::kSlot:
    case BoundOp::kLet:
    case BoundOp::kAnd:
    case BoundOp::kOr:
    case BoundOp::kNullTest:
    case BoundOp::kCase:
    case BoundOp::kCoalesce:
      return false;
    case BoundOp::kCompare:
      return node.comparison < ComparisonOp::kDistinct;
    default:
      return true;
  }
}

BoundExpression SimplifyNode(BoundExpression node) {
  const Children& children = node.children;
  const auto is_constant = [](const BoundExpression& child) { return child.is_constant(); };
  if (!children.empty() && std::all_of(children.begin(), children.end(), is_constant)) {
    if (auto value = ConstantValue(node)) {
      return BoundExpression::Constant(node.type, *std::move(value));
    }
    return node;
  }
  if (IsStrict(node) && std::any_of(children.begin(), children.end(),
                                    [](const auto& child) { return child.is_null(); })) {
    const bool can_fail = std::any_of(children.begin(), children.end(), CanFail);
    if (!can_fail) return BoundExpression::Constant(node.type, std::nullopt);
  }
  switch (node.op) {
    case BoundOp::kLet:
      return SimplifyLet(std::move(node));
    case BoundOp::kAnd:
    case BoundOp::kOr:
      return SimplifyChain(std::move(node));
    case BoundOp::kNot:
      if (children[0].op != BoundOp::kNot) return node;
      return BoundExpression(std::move(node.children[0].children[0]));
    case BoundOp::kCase:
      return SimplifyCase(std::move(node));
    case BoundOp::kCoalesce:
      return SimplifyCoalesce(std::move(node));
    case BoundOp::kCompare:
      return SimplifyComparison(std::move(node));
    case BoundOp::kInSet:
      return SimplifyInSet(std::move(node));
    case BoundOp::kNullTest:
      return SimplifyNullTest(std::move(node));
    case BoundOp::kIsNan:
      if (!IsTotalCast(children[0]) || !IsFloatingType(children[0].children[0].type)) return node;
      return WithoutCast(std::move(node));
    default:
      return node;
  }
}

}  // namespace

BoundExpression Simplify(BoundExpression node) {
  if (node.is_simple) return node;
  for (BoundExpression& child : node.children) child = Simplify(std::move(child));
  const TextPosition position = node.position;
  BoundExpression simple = SimplifyNode(std::move(node));
  if (simple.position.line == 0) simple.position = position;
  simple.is_simple = true;
  return simple;
}

}  // namespace sluice::inline v0::engine
