// AND, OR, NOT, CASE, COALESCE and CAST.

#include <fmt/format.h>

#include <algorithm>

#include "engine/bind/binder.h"
#include "engine/bound/type_rules.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

Result<BoundExpression> Binder::BindLogic(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  std::vector<BoundExpression> children;
  children.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    SLUICE_TRY(BoundExpression child, Boolean(std::move(operands[i]), expression.children[i]));
    children.push_back(std::move(child));
  }
  if (expression.kind == Expression::Kind::kNot) {
    if (children.size() != 1) return Fail(expression, "NOT has one operand");
    return BoundExpression::Not(std::move(children[0]));
  }
  const BoundOp op = expression.kind == Expression::Kind::kAnd ? BoundOp::kAnd : BoundOp::kOr;
  return BoundExpression::Make(op, BooleanType(), std::move(children));
}

/// Numbers without point or exponent make way for other integers, as in arithmetic; strings become
/// what the others are.
Result<DataType> Binder::UnifyTypes(const std::vector<Operand>& operands,
                                    const std::vector<size_t>& branches,
                                    const Expression& at) const {
  std::optional<DataType> common;
  const auto unify = [&](const DataType& type) {
    common = common ? CommonType(*common, type) : type;
    return common.has_value();
  };
  const auto is_string = [](const Operand& operand) {
    return operand.literal != nullptr && operand.literal->literal == LiteralKind::kString;
  };
  const auto mismatch = [&](const DataType& before, const DataType& type) {
    return Fail(at, fmt::format("one branch is of type {}, another of type {}", before.ToString(),
                                type.ToString()));
  };
  for (const bool is_literal : {false, true}) {
    for (const size_t branch : branches) {
      const Operand& operand = operands[branch];
      if (operand.node.is_null() && operand.literal != nullptr) continue;
      if (is_string(operand) || (operand.literal != nullptr) != is_literal) continue;
      const bool are_integers = common && TypeClassOf(*common) == TypeClass::kInteger &&
                                TypeClassOf(operand.node.type) == TypeClass::kInteger;
      if (is_literal && are_integers && ReadNumberAs(*operand.literal, *common).has_value()) {
        continue;
      }
      const DataType before = common.value_or(operand.node.type);
      if (!unify(operand.node.type)) return mismatch(before, operand.node.type);
    }
  }
  const bool has_string = std::any_of(branches.begin(), branches.end(),
                                      [&](size_t branch) { return is_string(operands[branch]); });
  if (!common || common->id == TypeId::kNull) {
    return has_string ? StringType() : DataType::Of(TypeId::kNull);
  }
  if (TypeClassOf(*common) == TypeClass::kOther) {
    return Fail(at, fmt::format("branches cannot be of type {}", common->ToString()));
  }
  // Values in these layouts are made by files only.
  if (common->id == TypeId::kFloat16) return DataType::Of(TypeId::kFloat);
  if (common->id == TypeId::kInt96) return DataType::Timestamp(TimeUnit::kNanoseconds, false);
  if (common->id == TypeId::kFixedBinary) return DataType::Of(TypeId::kBinary);
  return *common;
}

Result<BoundExpression> Binder::BindCase(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  const size_t first = expression.has_operand ? 1 : 0;
  if (operands.size() < first + 2) return Fail(expression, "CASE needs a WHEN");
  std::optional<BoundExpression> shared;
  Operand operand;
  if (expression.has_operand) operand = Share(std::move(operands[0]), &shared);
  std::vector<size_t> branches;
  for (size_t i = first; i + 1 < operands.size(); i += 2) branches.push_back(i + 1);
  const bool has_else = (operands.size() - first) % 2 == 1;
  if (has_else) branches.push_back(operands.size() - 1);
  SLUICE_TRY(const DataType type, UnifyTypes(operands, branches, expression));

  std::vector<BoundExpression> children;
  for (size_t i = first; i + 1 < operands.size(); i += 2) {
    const Expression& at = expression.children[i];
    Result<BoundExpression> condition =
        expression.has_operand ? Compare(ComparisonOp::kEqual, operand, std::move(operands[i]), at)
                               : Boolean(std::move(operands[i]), at);
    if (!condition) return std::move(condition).error();
    children.push_back(*std::move(condition));
    SLUICE_TRY(BoundExpression value,
               Coerce(std::move(operands[i + 1]), type, expression.children[i + 1]));
    children.push_back(std::move(value));
  }
  if (has_else) {
    SLUICE_TRY(BoundExpression value,
               Coerce(std::move(operands.back()), type, expression.children.back()));
    children.push_back(std::move(value));
  } else {
    children.push_back(BoundExpression::Constant(type, std::nullopt));
  }
  return InLet(std::move(shared), BoundExpression::Make(BoundOp::kCase, type, std::move(children)));
}

Result<BoundExpression> Binder::BindCoalesce(const Expression& expression,
                                             std::vector<Operand> operands) {
  std::vector<size_t> branches;
  for (size_t i = 0; i < operands.size(); ++i) branches.push_back(i);
  SLUICE_TRY(const DataType type, UnifyTypes(operands, branches, expression));
  std::vector<BoundExpression> children;
  for (size_t i = 0; i < operands.size(); ++i) {
    SLUICE_TRY(BoundExpression child, Coerce(std::move(operands[i]), type, expression.children[i]));
    children.push_back(std::move(child));
  }
  return BoundExpression::Make(BoundOp::kCoalesce, type, std::move(children));
}

Result<BoundExpression> Binder::BindCast(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 1) return Fail(expression, "CAST has one operand");
  const auto type = TypeOfSqlName(expression.text);
  if (!type) return Fail(expression, fmt::format("there is no type {}", expression.text));
  BoundExpression operand = std::move(operands[0].node);
  if (!ExplicitCastRuleOf(operand.type, *type).exists) {
    return Fail(expression, fmt::format("there is no cast from {} to {}", operand.type.ToString(),
                                        type->ToString()));
  }
  if (operand.type.id == TypeId::kNull && operand.is_null()) {
    return BoundExpression::Constant(*type, std::nullopt);
  }
  BoundExpression cast = BoundExpression::Cast(std::move(operand), *type);
  cast.zone_offset = options_.zone_offset;
  return cast;
}

}  // namespace sluice::inline v0::engine
