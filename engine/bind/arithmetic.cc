// Arithmetic. EXPRESSIONS.md has the table of results, and of what makes a row an error.

#include <fmt/format.h>

#include <algorithm>

#include "engine/bind/binder.h"
#include "engine/bound/type_rules.h"
#include "engine/values/int256.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

BoundOp OpOf(ArithmeticOp op) {
  switch (op) {
    case ArithmeticOp::kAdd:
      return BoundOp::kAdd;
    case ArithmeticOp::kSubtract:
      return BoundOp::kSubtract;
    case ArithmeticOp::kMultiply:
      return BoundOp::kMultiply;
    case ArithmeticOp::kDivide:
      return BoundOp::kDivide;
    case ArithmeticOp::kModulo:
      return BoundOp::kModulo;
  }
  return BoundOp::kAdd;
}

std::string_view SymbolOf(ArithmeticOp op) {
  constexpr std::string_view kSymbols[] = {"+", "-", "*", "/", "%"};
  return kSymbols[static_cast<size_t>(op)];
}

bool IsNumber(const DataType& type) {
  const TypeClass kind = TypeClassOf(type);
  return kind == TypeClass::kInteger || kind == TypeClass::kDecimal || kind == TypeClass::kFloating;
}

BoundExpression MakeBinary(BoundOp op, DataType type, BoundExpression a, BoundExpression b) {
  std::vector<BoundExpression> children;
  children.push_back(std::move(a));
  children.push_back(std::move(b));
  return BoundExpression::Make(op, std::move(type), std::move(children));
}

/// Of 16 bytes, which every calculation has room in.
DataType WideDecimal(int32_t precision, int32_t scale) {
  return DataType::Decimal(std::min(precision, kMaxDigits128), scale, 16);
}

BoundExpression AsDecimal(BoundExpression operand) {
  if (TypeClassOf(operand.type) != TypeClass::kInteger) return operand;
  const DataType type = DecimalOfInteger(operand.type);
  return BoundExpression::Cast(std::move(operand), type);
}

bool IsInt(const Operand& operand) { return TypeClassOf(operand.node.type) == TypeClass::kInteger; }
bool IsDate(const Operand& operand) { return operand.node.type.id == TypeId::kDate; }
bool IsInterval(const Operand& operand) { return operand.node.type.id == TypeId::kInterval; }

}  // namespace

Result<BoundExpression> Binder::BindArithmetic(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 2) return Fail(expression, "arithmetic has two operands");
  Operand& a = operands[0];
  Operand& b = operands[1];
  const ArithmeticOp op = expression.arithmetic;
  if (a.is_nothing() && b.is_nothing()) {
    a = {NothingAs(std::move(a), Int64Type()), nullptr};
    b = {NothingAs(std::move(b), Int64Type()), nullptr};
  }
  const auto is_time = [](const Operand& operand) {
    return IsTimeLike(operand.node.type) || IsInterval(operand);
  };
  if (is_time(a) || is_time(b)) {
    return CalculateTimes(op, std::move(a), std::move(b), expression);
  }
  SLUICE_TRY(DataType type, CalculationType(a, b, expression));
  if (op == ArithmeticOp::kDivide && type.id != TypeId::kFloat) type = DoubleType();
  if (type.id == TypeId::kDecimal) {
    const auto as_number = [&](Operand operand) {
      // What is NULL in every row has no digits of its own.
      return operand.is_nothing() ? NothingAs(std::move(operand), type) : std::move(operand.node);
    };
    return CalculateDecimals(op, as_number(std::move(a)), as_number(std::move(b)), expression);
  }
  SLUICE_TRY(BoundExpression first, Coerce(std::move(a), type, expression));
  SLUICE_TRY(BoundExpression second, Coerce(std::move(b), type, expression));
  return MakeBinary(OpOf(op), type, std::move(first), std::move(second));
}

/// The common type of two numbers, for which a literal makes way.
Result<DataType> Binder::CalculationType(const Operand& a, const Operand& b,
                                         const Expression& at) const {
  const auto is_usable = [](const Operand& operand) {
    return IsNumber(operand.node.type) || operand.node.type.id == TypeId::kNull;
  };
  const auto common = CommonType(a.node.type, b.node.type);
  if (!is_usable(a) || !is_usable(b) || !common || common->id == TypeId::kNull) {
    return Fail(at, fmt::format("cannot calculate {} {} {}", a.node.type.ToString(),
                                SymbolOf(at.arithmetic), b.node.type.ToString()));
  }
  const auto fits = [&](const Operand& literal, const Operand& other) {
    return literal.literal != nullptr && other.literal == nullptr && IsInt(literal) &&
           IsInt(other) && ReadNumberAs(*literal.literal, other.node.type).has_value();
  };
  if (fits(a, b)) return b.node.type;
  if (fits(b, a)) return a.node.type;
  if (common->id == TypeId::kFloat16) return DataType::Of(TypeId::kFloat);
  return *common;
}

Result<BoundExpression> Binder::CalculateDecimals(ArithmeticOp op, BoundExpression a,
                                                  BoundExpression b, const Expression& at) const {
  a = AsDecimal(std::move(a));
  b = AsDecimal(std::move(b));
  for (const BoundExpression* operand : {&a, &b}) {
    if (operand->type.precision > kMaxDigits128) {
      return Fail(at, fmt::format("cannot calculate with {}: more than 38 digits",
                                  operand->type.ToString()));
    }
  }
  const DataType& first = a.type;
  const DataType& second = b.type;
  const int32_t whole = std::max(first.precision - first.scale, second.precision - second.scale);
  const int32_t scale = std::max(first.scale, second.scale);
  if (op == ArithmeticOp::kMultiply) {
    const int32_t digits = first.scale + second.scale;
    if (digits > kMaxDigits128) {
      return Fail(at, fmt::format("{} * {} has {} digits behind the point, more than 38",
                                  first.ToString(), second.ToString(), digits));
    }
    const DataType type = WideDecimal(first.precision + second.precision, digits);
    const DataType first_wide = WideDecimal(first.precision, first.scale);
    const DataType second_wide = WideDecimal(second.precision, second.scale);
    return MakeBinary(BoundOp::kMultiply, type, BoundExpression::Cast(std::move(a), first_wide),
                      BoundExpression::Cast(std::move(b), second_wide));
  }
  const DataType type = WideDecimal(whole + scale + (op == ArithmeticOp::kModulo ? 0 : 1), scale);
  return MakeBinary(OpOf(op), type, BoundExpression::Cast(std::move(a), type),
                    BoundExpression::Cast(std::move(b), type));
}

Result<BoundExpression> Binder::CalculateTimes(ArithmeticOp op, Operand a, Operand b,
                                               const Expression& at) {
  const bool is_sum = op == ArithmeticOp::kAdd;
  if (is_sum && (IsInterval(a) || IsInt(a) || a.is_nothing())) std::swap(a, b);
  if (a.is_nothing()) a = {NothingAs(std::move(a), b.node.type), nullptr};
  if (b.is_nothing()) {
    const DataType none = IsDate(a) ? Int64Type() : DataType::Of(TypeId::kInterval);
    b = {NothingAs(std::move(b), none), nullptr};
  }
  const DataType type = a.node.type;
  if (!is_sum && op != ArithmeticOp::kSubtract) {
    return Fail(at, fmt::format("cannot calculate {} {} {}", type.ToString(), SymbolOf(op),
                                b.node.type.ToString()));
  }
  if (IsInterval(a) && IsInterval(b)) {
    return MakeBinary(OpOf(op), type, std::move(a.node), std::move(b.node));
  }
  const bool is_timestamp = TypeClassOf(type) == TypeClass::kTimestamp;
  if (IsInterval(b) && (IsDate(a) || is_timestamp)) {
    const bool is_fine =
        type.id == TypeId::kInt96 || (is_timestamp && type.unit == TimeUnit::kNanoseconds);
    const DataType result = DataType::Timestamp(
        is_fine ? TimeUnit::kNanoseconds : TimeUnit::kMicroseconds, IsInstant(type));
    BoundExpression sum = MakeBinary(
        OpOf(op), result, BoundExpression::Cast(std::move(a.node), result), std::move(b.node));
    sum.zone_offset = options_.zone_offset;
    return sum;
  }
  if (IsDate(a) && IsDate(b) && !is_sum) {
    return MakeBinary(BoundOp::kDaysBetween, Int64Type(), std::move(a.node), std::move(b.node));
  }
  const bool is_small = IsInt(b) && b.node.type.id != TypeId::kUint64;
  if (IsDate(a) && is_small) {
    BoundExpression days = BoundExpression::Cast(std::move(b.node), Int64Type());
    return MakeBinary(is_sum ? BoundOp::kAddDays : BoundOp::kSubtractDays, type, std::move(a.node),
                      std::move(days));
  }
  return Fail(at, fmt::format("cannot calculate {} {} {}", type.ToString(), SymbolOf(op),
                              b.node.type.ToString()));
}

Result<BoundExpression> Binder::BindNegate(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 1) return Fail(expression, "a minus has one operand");
  if (operands[0].is_nothing()) return NothingAs(std::move(operands[0]), Int64Type());
  BoundExpression operand = std::move(operands[0].node);
  if (!IsNumber(operand.type) && operand.type.id != TypeId::kInterval) {
    return Fail(expression, fmt::format("cannot negate {}", operand.type.ToString()));
  }
  const DataType type =
      operand.type.id == TypeId::kFloat16 ? DataType::Of(TypeId::kFloat) : operand.type;
  operand = BoundExpression::Cast(std::move(operand), type);
  return BoundExpression::Make(BoundOp::kNegate, type, {std::move(operand)});
}

}  // namespace sluice::inline v0::engine
