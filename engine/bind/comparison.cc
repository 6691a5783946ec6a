// Comparisons, and what is made of them: BETWEEN and IN.

#include <fmt/format.h>
#include <sluice/value.h>

#include <algorithm>
#include <cstring>

#include "engine/bind/binder.h"
#include "engine/bind/literal_text.h"
#include "engine/bind/simplify.h"
#include "engine/bound/type_rules.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

/// The operator that says the same with its operands exchanged.
ComparisonOp Exchanged(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kLess:
      return ComparisonOp::kGreater;
    case ComparisonOp::kLessEqual:
      return ComparisonOp::kGreaterEqual;
    case ComparisonOp::kGreater:
      return ComparisonOp::kLess;
    case ComparisonOp::kGreaterEqual:
      return ComparisonOp::kLessEqual;
    default:
      return op;
  }
}

BoundExpression CompareWithNull(ComparisonOp op, BoundExpression operand) {
  if (op == ComparisonOp::kDistinct) {
    return BoundExpression::NullTest(std::move(operand), Truth::kFalse, Truth::kTrue);
  }
  if (op == ComparisonOp::kNotDistinct) {
    return BoundExpression::NullTest(std::move(operand), Truth::kTrue, Truth::kFalse);
  }
  return BoundExpression::NullTest(std::move(operand), Truth::kNull, Truth::kNull);
}

/// Of an operand whose every value is NULL, with something that is not.
BoundExpression CompareNothing(ComparisonOp op, BoundExpression operand) {
  const Truth truth = op == ComparisonOp::kDistinct      ? Truth::kTrue
                      : op == ComparisonOp::kNotDistinct ? Truth::kFalse
                                                         : Truth::kNull;
  return BoundExpression::NullTest(std::move(operand), truth, truth);
}

/// Whether a constant without a ComparisonType with the type is comparable all the same: an
/// interval without months among durations, a time among times that are adjusted to UTC or are not.
bool IsTimeConstant(const BoundExpression& constant, const DataType& type) {
  if (!constant.is_constant()) return false;
  if (type.id == TypeId::kTime) return constant.type.id == TypeId::kTime;
  if (type.id != TypeId::kDuration || constant.type.id != TypeId::kInterval || constant.is_null()) {
    return false;
  }
  Interval value;
  std::memcpy(&value, constant.bytes->data(), sizeof(value));
  return value.months == 0;
}

Placement PlaceTimeConstant(const BoundExpression& constant, const DataType& type) {
  if (constant.type.id != TypeId::kInterval) return PlaceConstant(constant, type);
  Interval value;
  std::memcpy(&value, constant.bytes->data(), sizeof(value));
  return PlaceNanoseconds(Int128{value.days} * kNanosecondsPerDay + value.nanoseconds, type);
}

/// What types allow must not depend on what is simplified: times without columns are constants in
/// any case.
void FoldTime(Operand* operand) {
  const DataType& type = operand->node.type;
  const bool is_time = IsTimeLike(type) || type.id == TypeId::kInterval;
  if (is_time && !operand->has_columns) operand->node = Simplify(std::move(operand->node));
}

/// Whether values of both types are compared as `type` without errors of their own.
bool AreCastsTotal(const DataType& a, const DataType& b, const DataType& type) {
  return !CastRuleOf(a, type).can_fail && !CastRuleOf(b, type).can_fail;
}

std::string_view KindOfLiteral(const Expression& literal) {
  return literal.literal == LiteralKind::kString ? "a string" : "a number";
}

BoundExpression Any(std::vector<BoundExpression> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  return BoundExpression::Make(BoundOp::kOr, BooleanType(), std::move(parts));
}

/// Sorts the values and drops those that occur before.
std::shared_ptr<const std::vector<std::string>> MakeSet(std::vector<std::string> values,
                                                        const DataType& type) {
  std::sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  });
  values.erase(std::unique(values.begin(), values.end(),
                           [&](const std::string& a, const std::string& b) {
                             return CompareValues(type, a, b) == 0;
                           }),
               values.end());
  return std::make_shared<const std::vector<std::string>>(std::move(values));
}

}  // namespace

Operand Binder::Share(Operand operand, std::optional<BoundExpression>* shared) {
  FoldTime(&operand);
  if (operand.literal != nullptr || operand.node.is_at_hand()) return operand;
  Operand slot{BoundExpression::Make(BoundOp::kSlot, operand.node.type, {}), nullptr};
  slot.has_columns = operand.has_columns;
  slot.node.slot = num_slots_++;
  slot.node.position = operand.node.position;
  BoundExpression let = slot.node;
  let.op = BoundOp::kLet;
  let.children.push_back(std::move(operand.node));
  *shared = std::move(let);
  return slot;
}

BoundExpression Binder::InLet(std::optional<BoundExpression> shared, BoundExpression body) {
  if (!shared) return body;
  shared->type = body.type;
  shared->children.push_back(std::move(body));
  return *std::move(shared);
}

Result<BoundExpression> Binder::BindComparison(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 2) return Fail(expression, "a comparison has two operands");
  return Compare(expression.comparison, std::move(operands[0]), std::move(operands[1]), expression);
}

Result<BoundExpression> Binder::Compare(ComparisonOp op, Operand a, Operand b,
                                        const Expression& at) {
  if (a.is_null_literal()) std::swap(a, b), op = Exchanged(op);
  if (b.is_null_literal()) return CompareWithNull(op, std::move(a.node));
  // Of a string and a number the number says what the string is.
  const bool a_is_text = a.literal != nullptr && a.literal->literal == LiteralKind::kString;
  if (a.literal != nullptr && (b.literal == nullptr || a_is_text)) {
    std::swap(a, b), op = Exchanged(op);
  }
  const bool b_is_text = b.literal != nullptr && b.literal->literal == LiteralKind::kString;
  if (b.literal != nullptr && (a.literal == nullptr || b_is_text)) {
    return CompareWithLiteral(op, std::move(a.node), *b.literal, at);
  }
  FoldTime(&a);
  FoldTime(&b);
  const bool is_first_constant = a.node.is_constant() && !(b.node.is_constant() && a.has_columns);
  if (is_first_constant || a.node.type.id == TypeId::kInterval) {
    std::swap(a, b), op = Exchanged(op);
  }
  const bool is_time_constant = !b.has_columns && IsTimeConstant(b.node, a.node.type);
  const auto type = ComparisonType(a.node.type, b.node.type);
  if (!type && !is_time_constant) {
    return Fail(
        at,
        fmt::format("cannot compare {} with {}{}", a.node.type.ToString(), b.node.type.ToString(),
                    IsTimeLike(a.node.type) && IsTimeLike(b.node.type) ? " without a cast" : ""));
  }
  if (b.node.is_null()) return CompareWithNull(op, std::move(a.node));
  if (is_time_constant) {
    const Placement placement = PlaceTimeConstant(b.node, a.node.type);
    return CompareWithPlacement(op, std::move(a.node), placement);
  }
  if (options_.simplify && b.node.is_constant() && a.node.type.id != TypeId::kNull &&
      AreCastsTotal(a.node.type, b.node.type, *type)) {
    return CompareWithPlacement(op, std::move(a.node), PlaceConstant(b.node, a.node.type));
  }
  return BoundExpression::Compare(op, BoundExpression::Cast(std::move(a.node), *type),
                                  BoundExpression::Cast(std::move(b.node), *type));
}

Result<BoundExpression> Binder::CompareWithLiteral(ComparisonOp op, BoundExpression operand,
                                                   const Expression& literal,
                                                   const Expression& at) {
  if (operand.type.id == TypeId::kNull) return CompareNothing(op, std::move(operand));
  SLUICE_TRY(const Placement placement, PlaceLiteral(literal, operand.type, at));
  return CompareWithPlacement(op, std::move(operand), placement);
}

BoundExpression Binder::CompareWithPlacement(ComparisonOp op, BoundExpression operand,
                                             const Placement& placement) {
  std::optional<BoundExpression> shared;
  const bool is_one_value = placement.is_exact || placement.at_least == placement.above;
  Operand repeated{std::move(operand), nullptr};
  if (!is_one_value) repeated = Share(std::move(repeated), &shared);
  return InLet(std::move(shared), ComparePlaced(op, std::move(repeated.node), placement));
}

Result<Placement> Binder::PlaceLiteral(const Expression& literal, const DataType& type,
                                       const Expression& at) const {
  const TypeClass kind = TypeClassOf(type);
  const bool is_numeric =
      kind == TypeClass::kInteger || kind == TypeClass::kDecimal || kind == TypeClass::kFloating;
  const bool is_text = literal.literal == LiteralKind::kString;
  if (!IsOrdered(type) || (!is_text && !is_numeric)) {
    return Fail(at,
                fmt::format("cannot compare {} with {}", type.ToString(), KindOfLiteral(literal)));
  }
  if (!is_text) return PlaceLiteralNumber(*ExactNumber::Parse(literal.text), type);
  const auto placement = PlaceString(literal.text, type, options_.zone_offset);
  if (placement) return *placement;
  const bool has_zone =
      kind == TypeClass::kTimestamp && !IsInstant(type) && ParseTimestamp(literal.text).has_value();
  return Fail(literal, fmt::format("'{}' is not a value of type {}{}", literal.text,
                                   type.ToString(), has_zone ? ": it has a zone" : ""));
}

Result<BoundExpression> Binder::BindBetween(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 3) return Fail(expression, "BETWEEN has three operands");
  std::optional<BoundExpression> shared;
  const Operand operand = Share(std::move(operands[0]), &shared);
  SLUICE_TRY(BoundExpression lower,
             Compare(ComparisonOp::kGreaterEqual, operand, std::move(operands[1]), expression));
  SLUICE_TRY(BoundExpression upper,
             Compare(ComparisonOp::kLessEqual, operand, std::move(operands[2]), expression));
  std::vector<BoundExpression> both;
  both.push_back(std::move(lower));
  both.push_back(std::move(upper));
  BoundExpression between = InLet(
      std::move(shared), BoundExpression::Make(BoundOp::kAnd, BooleanType(), std::move(both)));
  return expression.negated ? BoundExpression::Not(std::move(between)) : between;
}

Result<std::optional<Placement>> Binder::PlaceItem(const Operand& item, const DataType& type,
                                                   const Expression& at) const {
  if (!item.node.is_constant() || type.id == TypeId::kNull) return std::optional<Placement>();
  if (item.literal != nullptr) {
    SLUICE_TRY(Placement placement, PlaceLiteral(*item.literal, type, at));
    return std::optional(std::move(placement));
  }
  const auto common = ComparisonType(item.node.type, type);
  // Compare knows what to do, or fails.
  if (!common || !AreCastsTotal(item.node.type, type, *common)) return std::optional<Placement>();
  return std::optional(PlaceConstant(item.node, type));
}

/// Constants become a set in the operand's type; those that it has no value for match nothing.
Result<BoundExpression> Binder::BindIn(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> items, BindChildren(expression));
  if (items.size() < 2) return Fail(expression, "IN needs at least one item");
  std::optional<BoundExpression> shared;
  const Operand operand = Share(std::move(items[0]), &shared);
  std::vector<std::string> values;
  std::vector<BoundExpression> parts;
  bool has_null = false;
  bool has_unmatched = false;  // Items that no value equals, and that NULL is not unequal to.
  for (size_t i = 1; i < items.size(); ++i) {
    const Expression& at = expression.children[i];
    if (items[i].node.is_null()) {
      has_null = true;
      // Of a type of its own it must still be one that the operand is compared with.
      SLUICE_TRY(const BoundExpression ignored,
                 Compare(ComparisonOp::kEqual, operand, std::move(items[i]), at));
      continue;
    }
    std::optional<Placement> placement;
    if (operand.literal == nullptr) {
      SLUICE_TRY(placement, PlaceItem(items[i], operand.node.type, at));
    }
    if (placement && placement->is_exact) {
      values.push_back(*std::move(placement->at_least));
    } else if (placement && placement->at_least == placement->above) {
      has_unmatched = true;
    } else {
      SLUICE_TRY(BoundExpression part,
                 Compare(ComparisonOp::kEqual, operand, std::move(items[i]), at));
      parts.push_back(std::move(part));
    }
  }
  if (!values.empty()) {
    BoundExpression in_set = BoundExpression::Make(BoundOp::kInSet, BooleanType(), {operand.node});
    in_set.set = MakeSet(std::move(values), operand.node.type);
    in_set.set_has_null = has_null;
    parts.insert(parts.begin(), std::move(in_set));
  } else if (has_null || has_unmatched) {
    parts.push_back(BoundExpression::NullTest(operand.node, Truth::kNull,
                                              has_null ? Truth::kNull : Truth::kFalse));
  }
  BoundExpression in = InLet(std::move(shared), Any(std::move(parts)));
  return expression.negated ? BoundExpression::Not(std::move(in)) : in;
}

Result<BoundExpression> Binder::BindNullTest(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 1) return Fail(expression, "IS NULL has one operand");
  const Truth when_null = expression.negated ? Truth::kFalse : Truth::kTrue;
  const Truth when_value = expression.negated ? Truth::kTrue : Truth::kFalse;
  return BoundExpression::NullTest(std::move(operands[0].node), when_null, when_value);
}

}  // namespace sluice::inline v0::engine
