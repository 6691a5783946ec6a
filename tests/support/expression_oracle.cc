// Leaves, logic, branches: what stands around arithmetic, comparisons and calls.

#include "tests/support/expression_oracle.h"

#include <algorithm>
#include <cstdlib>

#include "tests/support/oracle_text.h"

namespace sluice::support {
namespace {

using Kind = Expression::Kind;

bool AreConstant(const std::vector<OracleRef>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [](const OracleRef& node) { return node->is_constant; });
}

OracleRef NodeOf(DataType type, const std::vector<OracleRef>& operands,
                 std::function<OracleValue(const OracleRow&)> run) {
  auto node = std::make_shared<OracleNode>();
  node->type = std::move(type);
  node->is_constant = AreConstant(operands);
  node->run = std::move(run);
  return node;
}

/// The four values of logic in the order of OR; AND has TRUE and FALSE exchanged.
int RankOf(const OracleValue& value, bool is_and) {
  if (value.is_null()) return 2;
  if (value.is_error()) return 1;
  return value.is_true() != is_and ? 3 : 0;
}

}  // namespace

OracleRef StrictNode(DataType type, std::vector<OracleRef> operands,
                     std::function<OracleValue(const std::vector<OracleValue>&)> calculate) {
  const std::vector<OracleRef> children = operands;
  return NodeOf(std::move(type), children,
                [operands = std::move(operands),
                 calculate = std::move(calculate)](const OracleRow& row) -> OracleValue {
                  std::vector<OracleValue> values;
                  for (const OracleRef& operand : operands) values.push_back(operand->run(row));
                  for (const OracleValue& value : values) {
                    if (value.is_error()) return value;
                  }
                  for (const OracleValue& value : values) {
                    if (value.is_null()) return value;
                  }
                  return calculate(values);
                });
}

OracleRef ConstantNode(DataType type, OracleValue value, const Expression* literal) {
  auto node = std::make_shared<OracleNode>();
  node->type = std::move(type);
  node->literal = literal;
  node->is_constant = true;
  node->run = [value = std::move(value)](const OracleRow&) { return value; };
  return node;
}

OracleRef ExpressionOracle::MakePredicate(const Expression& expression) const {
  const OracleRef node = Make(expression);
  return node ? Boolean(node) : nullptr;
}

OracleRef ExpressionOracle::Make(const Expression& expression) const {
  if (expression.kind == Kind::kColumn) return MakeColumn(expression);
  if (expression.kind == Kind::kLiteral) return MakeLiteral(expression);
  Nodes operands;
  for (const Expression& child : expression.children) {
    operands.push_back(Make(child));
    if (!operands.back()) return nullptr;
  }
  switch (expression.kind) {
    case Kind::kComparison:
      return Compare(expression.comparison, operands[0], operands[1]);
    case Kind::kArithmetic:
      return MakeArithmetic(expression, operands[0], operands[1]);
    case Kind::kNegate:
      return MakeSign(operands[0], true);
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
      return MakeLogic(expression.kind, operands);
    case Kind::kIsNull: {
      const bool wanted = !expression.negated;
      return NodeOf(DataType::Of(TypeId::kBoolean), operands,
                    [operand = operands[0], wanted](const OracleRow& row) {
                      const OracleValue value = operand->run(row);
                      return value.is_error() ? value
                                              : OracleValue::OfBool(value.is_null() == wanted);
                    });
    }
    case Kind::kBetween: {
      const OracleRef lower = Compare(ComparisonOp::kGreaterEqual, operands[0], operands[1]);
      const OracleRef upper = Compare(ComparisonOp::kLessEqual, operands[0], operands[2]);
      if (!lower || !upper) return nullptr;
      const OracleRef both = MakeLogic(Kind::kAnd, {lower, upper});
      return expression.negated ? MakeLogic(Kind::kNot, {both}) : both;
    }
    case Kind::kIn:
      return MakeIn(operands, expression.negated);
    case Kind::kLike:
      return MakeLike(operands, expression.negated);
    case Kind::kCast: {
      const auto type = OracleNamedType(expression.text);
      if (!type || !HasOracleCast(operands[0]->type, *type)) return nullptr;
      return MakeCast(operands[0], *type);
    }
    case Kind::kCase:
      return MakeCase(expression, operands);
    default:
      return MakeCall(expression, operands);
  }
}

bool IsMisfit(const DataType& type, const Cell& cell) {
  const bool is_fixed = !type.is_nested() && !type.is_view();
  return !cell.is_null && is_fixed && std::ssize(cell.bytes) < type.byte_width;
}

OracleRef ExpressionOracle::MakeColumn(const Expression& expression) const {
  std::vector<size_t> path;
  const std::vector<Field>* fields = &schema_.fields;
  const DataType* type = nullptr;
  for (const std::string& name : expression.path) {
    if (type != nullptr && type->id != TypeId::kStruct) return nullptr;
    size_t found = 0;
    while (found < fields->size() && (*fields)[found].name != name) ++found;
    if (found == fields->size()) return nullptr;
    path.push_back(found);
    type = &(*fields)[found].type;
    fields = &type->children;
  }
  auto node = std::make_shared<OracleNode>();
  node->type = *type;
  node->run = [path, type = *type](const OracleRow& row) -> OracleValue {
    const std::vector<Cell>* cells = &row;
    const Cell* cell = nullptr;
    for (const size_t ordinal : path) {
      cell = &(*cells)[ordinal];
      if (cell->is_null) return {};
      cells = &cell->children;
    }
    if (IsMisfit(type, *cell)) return OracleValue::Error();
    // Of nested values only this is asked, that they are there.
    return type.is_nested() ? OracleValue::OfBool(true) : OracleValueOfBytes(type, cell->bytes);
  };
  return node;
}

OracleRef ExpressionOracle::MakeLogic(Kind kind, const Nodes& operands) const {
  Nodes booleans;
  for (const OracleRef& operand : operands) {
    booleans.push_back(Boolean(operand));
    if (!booleans.back()) return nullptr;
  }
  if (kind == Kind::kNot) {
    return StrictNode(DataType::Of(TypeId::kBoolean), booleans,
                      [](const auto& values) { return OracleValue::OfBool(values[0].is_false()); });
  }
  const bool is_and = kind == Kind::kAnd;
  return NodeOf(DataType::Of(TypeId::kBoolean), booleans, [booleans, is_and](const OracleRow& row) {
    OracleValue best = OracleValue::OfBool(is_and);
    for (const OracleRef& operand : booleans) {
      OracleValue value = operand->run(row);
      if (RankOf(value, is_and) > RankOf(best, is_and)) best = std::move(value);
    }
    return best;
  });
}

OracleRef ExpressionOracle::MakeIn(const Nodes& operands, bool is_negated) const {
  Nodes equals;
  for (size_t i = 1; i < operands.size(); ++i) {
    equals.push_back(Compare(ComparisonOp::kEqual, operands[0], operands[i]));
    if (!equals.back()) return nullptr;
  }
  const OracleRef any = MakeLogic(Kind::kOr, equals);
  return is_negated ? MakeLogic(Kind::kNot, {any}) : any;
}

OracleRef ExpressionOracle::MakeLike(const Nodes& operands, bool is_negated) const {
  Nodes texts;
  for (const OracleRef& operand : operands) {
    if (!operand->is_nothing() && !IsTextType(operand->type)) return nullptr;
    texts.push_back(Coerce(operand, DataType::Of(TypeId::kString)));
  }
  std::string escape;
  if (operands.size() == 3) {
    if (!operands[2]->is_constant || !operands[2]->run({}).is_value()) return nullptr;
    escape = operands[2]->run({}).text;
    if (CharacterEnds(escape).size() > 1) return nullptr;
    texts.pop_back();
  }
  const OracleRef& pattern = operands[1];
  if (pattern->is_string_literal() && !OracleLike("", pattern->literal->text, escape)) {
    return nullptr;
  }
  const OracleRef like = StrictNode(
      DataType::Of(TypeId::kBoolean), texts, [escape](const auto& values) -> OracleValue {
        const auto matches = OracleLike(values[0].text, values[1].text, escape);
        return matches ? OracleValue::OfBool(*matches) : OracleValue::Error();
      });
  return is_negated ? MakeLogic(Kind::kNot, {like}) : like;
}

std::optional<DataType> ExpressionOracle::Unify(const Nodes& branches) const {
  std::optional<DataType> common;
  const auto meet = [&](const DataType& type) {
    common = common ? OracleCommonType(*common, type) : std::optional(type);
    return common.has_value();
  };
  bool has_string = false;
  for (const OracleRef& branch : branches) {
    has_string |= branch->is_string_literal();
    if (branch->literal == nullptr && !meet(branch->type)) return std::nullopt;
  }
  for (const OracleRef& branch : branches) {
    if (branch->literal == nullptr || branch->is_null_literal() || branch->is_string_literal()) {
      continue;
    }
    const bool makes_way = common && IsIntegerType(*common) && IsIntegerType(branch->type) &&
                           ReadLiteral(*branch->literal, *common) != nullptr;
    if (!makes_way && !meet(branch->type)) return std::nullopt;
  }
  if (!common || common->id == TypeId::kNull) {
    return DataType::Of(has_string ? TypeId::kString : TypeId::kNull);
  }
  switch (common->id) {
    case TypeId::kFloat16:
      return DataType::Of(TypeId::kFloat);
    case TypeId::kInt96:
      return DataType::Timestamp(TimeUnit::kNanoseconds, false);
    case TypeId::kFixedBinary:
      return DataType::Of(TypeId::kBinary);
    default:
      if (!HasOrder(*common) && common->id != TypeId::kInterval) return std::nullopt;
      return common;
  }
}

OracleRef ExpressionOracle::MakeCase(const Expression& expression, const Nodes& operands) const {
  const size_t first = expression.has_operand ? 1 : 0;
  const bool has_else = (operands.size() - first) % 2 == 1;
  Nodes conditions;
  Nodes results;
  for (size_t i = first; i + 1 < operands.size(); i += 2) {
    conditions.push_back(expression.has_operand
                             ? Compare(ComparisonOp::kEqual, operands[0], operands[i])
                             : Boolean(operands[i]));
    if (!conditions.back()) return nullptr;
    results.push_back(operands[i + 1]);
  }
  if (has_else) results.push_back(operands.back());
  const auto type = Unify(results);
  if (!type) return nullptr;
  for (OracleRef& result : results) {
    result = Coerce(result, *type);
    if (!result) return nullptr;
  }
  if (!has_else) results.push_back(ConstantNode(*type, {}));
  return NodeOf(*type, operands, [conditions, results](const OracleRow& row) {
    for (size_t i = 0; i < conditions.size(); ++i) {
      const OracleValue condition = conditions[i]->run(row);
      if (condition.is_error()) return condition;
      if (condition.is_true()) return results[i]->run(row);
    }
    return results.back()->run(row);
  });
}

OracleRef ExpressionOracle::MakeCoalesce(const Nodes& operands) const {
  const auto type = Unify(operands);
  if (!type) return nullptr;
  Nodes branches;
  for (const OracleRef& operand : operands) {
    branches.push_back(Coerce(operand, *type));
    if (!branches.back()) return nullptr;
  }
  return NodeOf(*type, operands, [branches](const OracleRow& row) {
    OracleValue value;
    for (const OracleRef& branch : branches) {
      value = branch->run(row);
      if (!value.is_null()) break;
    }
    return value;
  });
}

OracleRef ExpressionOracle::MakeCast(const OracleRef& operand, const DataType& type) const {
  if (operand->type == type) {
    // No literal any more: its type is said.
    return StrictNode(type, {operand}, [](const auto& values) { return values[0]; });
  }
  return StrictNode(type, {operand},
                    [from = operand->type, type, zone = zone_offset_](const auto& values) {
                      return OracleCast(values[0], from, type, zone);
                    });
}

OracleRef ExpressionOracle::Coerce(const OracleRef& operand, const DataType& type) const {
  if (operand->is_null_literal()) return ConstantNode(type, {});
  if (operand->literal != nullptr && operand->type != type) {
    return ReadLiteral(*operand->literal, type);
  }
  if (operand->type == type) return operand;
  return HasOracleCast(operand->type, type) ? MakeCast(operand, type) : nullptr;
}

OracleRef ExpressionOracle::Boolean(const OracleRef& operand) const {
  if (operand->is_nothing()) return MakeCast(operand, DataType::Of(TypeId::kBoolean));
  return operand->type.id == TypeId::kBoolean ? operand : nullptr;
}

}  // namespace sluice::support
