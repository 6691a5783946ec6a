// Literals to constants: alone, and as values of a type that they stand beside.

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "engine/bind/binder.h"
#include "engine/bind/literal_text.h"
#include "engine/bind/value_keys.h"
#include "engine/bound/type_rules.h"
#include "engine/values/byte_text.h"
#include "engine/values/float_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

template <typename T>
std::string BytesOf(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// The words in front of a literal of this kind.
std::string_view KindName(LiteralKind kind) {
  switch (kind) {
    case LiteralKind::kDate:
      return "DATE";
    case LiteralKind::kTime:
      return "TIME";
    case LiteralKind::kTimestamp:
      return "TIMESTAMP";
    case LiteralKind::kTimestampTz:
      return "TIMESTAMPTZ";
    case LiteralKind::kInterval:
      return "INTERVAL";
    case LiteralKind::kUuid:
      return "UUID";
    default:
      return "DECIMAL";
  }
}

DataType TypeOfTimestamp(int fraction_digits, bool utc_adjusted) {
  return DataType::Timestamp(fraction_digits > 6 ? TimeUnit::kNanoseconds : TimeUnit::kMicroseconds,
                             utc_adjusted);
}

/// Whether the constant is a value that the type says it has: decimals of files may have more
/// digits, which is for comparisons only.
bool IsValueOf(const Placement& placement, const DataType& type) {
  if (!placement.is_exact) return false;
  return type.id != TypeId::kDecimal ||
         HasAtMostDigits(KeyOfBytes(*placement.at_least, type), type.precision);
}

}  // namespace

Result<Operand> Binder::BindLiteral(const Expression& literal) {
  switch (literal.literal) {
    case LiteralKind::kNull:
      return Operand{BoundExpression::Constant(DataType::Of(TypeId::kNull), std::nullopt),
                     &literal};
    case LiteralKind::kBoolean:
      return Operand{BoundExpression::Boolean(literal.text == "true"), nullptr};
    case LiteralKind::kNumber:
    case LiteralKind::kDecimal: {
      SLUICE_TRY(BoundExpression node, BindNumber(literal));
      return Operand{std::move(node), &literal};
    }
    case LiteralKind::kString:
      return Operand{BoundExpression::Constant(StringType(), literal.text), &literal};
    case LiteralKind::kBinary:
      return Operand{BoundExpression::Constant(DataType::Of(TypeId::kBinary), literal.text),
                     nullptr};
    case LiteralKind::kUuid: {
      const auto uuid = ParseUuid(literal.text);
      if (!uuid) return Fail(literal, fmt::format("'{}' is not a UUID", literal.text));
      return Operand{BoundExpression::Constant(DataType::Of(TypeId::kUuid),
                                               std::string(uuid->data(), uuid->size())),
                     nullptr};
    }
    default: {
      SLUICE_TRY(BoundExpression node, BindTime(literal));
      return Operand{std::move(node), nullptr};
    }
  }
}

/// With an exponent a double; else the first of int32, int64 and decimal that holds it exactly.
Result<BoundExpression> Binder::BindNumber(const Expression& literal) const {
  const auto number = ExactNumber::Parse(literal.text);
  if (!number || (literal.literal == LiteralKind::kDecimal && number->has_exponent)) {
    return Fail(literal, fmt::format("'{}' is not a number", literal.text));
  }
  if (number->has_exponent) {
    return BoundExpression::Constant(DoubleType(), BytesOf(number->ToDouble()));
  }
  const bool is_integer = number->scale == 0 && literal.literal == LiteralKind::kNumber &&
                          literal.text.find('.') == std::string::npos;
  const auto value = number->RoundAtScale(static_cast<int32_t>(number->scale));
  if (is_integer && value && value->FitsInt128()) {
    const Int128 integer = value->ToInt128();
    if (const auto narrow = static_cast<int32_t>(integer); narrow == integer) {
      return BoundExpression::Constant(DataType::Of(TypeId::kInt32), BytesOf(narrow));
    }
    if (const auto wide = static_cast<int64_t>(integer); wide == integer) {
      return BoundExpression::Constant(Int64Type(), BytesOf(wide));
    }
  }
  if (!value || number->precision() > kMaxDigits256) {
    // It can still be compared with a column; see PlaceLiteral.
    return BoundExpression::Constant(DoubleType(), BytesOf(number->ToDouble()));
  }
  const DataType type =
      DecimalType(static_cast<int32_t>(number->precision()), static_cast<int32_t>(number->scale));
  return BoundExpression::Constant(type,
                                   BytesOf(*value).substr(0, static_cast<size_t>(type.byte_width)));
}

Result<BoundExpression> Binder::BindTime(const Expression& literal) const {
  const std::string_view name = KindName(literal.literal);
  const auto unreadable = [&] {
    return Fail(literal, fmt::format("{} '{}' cannot be read", name, literal.text));
  };
  const auto outside = [&] {
    return Fail(literal, fmt::format("{} '{}' is out of range", name, literal.text));
  };
  switch (literal.literal) {
    case LiteralKind::kDate: {
      const auto days = ParseDate(literal.text);
      if (!days) return unreadable();
      const auto narrow = static_cast<int32_t>(*days);
      if (narrow != *days) return outside();
      return BoundExpression::Constant(DataType::Of(TypeId::kDate), BytesOf(narrow));
    }
    case LiteralKind::kTime: {
      const auto time = ParseTime(literal.text);
      if (!time) return unreadable();
      const bool is_fine = time->fraction_digits > 6;
      const DataType type =
          DataType::Time(is_fine ? TimeUnit::kNanoseconds : TimeUnit::kMicroseconds, false);
      return BoundExpression::Constant(
          type, BytesOf<int64_t>(time->nanoseconds / NanosecondsPerUnit(type.unit)));
    }
    case LiteralKind::kInterval: {
      const auto interval = ParseInterval(literal.text);
      if (!interval) return unreadable();
      return BoundExpression::Constant(DataType::Of(TypeId::kInterval), BytesOf(*interval));
    }
    default:
      break;
  }
  const bool is_instant = literal.literal == LiteralKind::kTimestampTz;
  const auto timestamp = ParseTimestamp(literal.text);
  if (!timestamp) return unreadable();
  if (!is_instant && timestamp->offset) {
    return Fail(literal, "a TIMESTAMP has no zone: write TIMESTAMPTZ for an instant");
  }
  const DataType type = TypeOfTimestamp(timestamp->fraction_digits, is_instant);
  const Int128 value =
      InstantOf(*timestamp, is_instant ? options_.zone_offset : 0) / NanosecondsPerUnit(type.unit);
  const auto narrow = static_cast<int64_t>(value);
  if (narrow != value) return outside();
  return BoundExpression::Constant(type, BytesOf(narrow));
}

Result<BoundExpression> Binder::ReadNumberAs(const Expression& literal,
                                             const DataType& type) const {
  const auto number = ExactNumber::Parse(literal.text);
  if (type.id == TypeId::kDouble) {
    return BoundExpression::Constant(type, BytesOf(number->ToDouble()));
  }
  if (type.id == TypeId::kFloat) {
    return BoundExpression::Constant(type, BytesOf(number->ToFloat()));
  }
  const TypeClass kind = TypeClassOf(type);
  if (kind == TypeClass::kInteger || kind == TypeClass::kDecimal) {
    const Placement placement = PlaceNumber(*number, type);
    if (IsValueOf(placement, type)) return BoundExpression::Constant(type, placement.at_least);
  }
  return Fail(literal, fmt::format("{} is not a value of type {}", literal.text, type.ToString()));
}

Result<BoundExpression> Binder::ReadStringAs(const Expression& literal,
                                             const DataType& type) const {
  if (TypeClassOf(type) == TypeClass::kText) return BoundExpression::Constant(type, literal.text);
  const auto placement = PlaceString(literal.text, type, options_.zone_offset);
  if (placement && placement->is_exact && IsFloatingType(type)) {
    // The placement does not tell the zeros apart.
    if (type.id == TypeId::kFloat) {
      return BoundExpression::Constant(type, BytesOf(*ParseFloat(literal.text)));
    }
    return BoundExpression::Constant(type, BytesOf(*ParseDouble(literal.text)));
  }
  if (placement && IsValueOf(*placement, type)) {
    return BoundExpression::Constant(type, placement->at_least);
  }
  return Fail(literal,
              fmt::format("'{}' is not a value of type {}", literal.text, type.ToString()));
}

Result<BoundExpression> Binder::Coerce(Operand operand, const DataType& type,
                                       const Expression& at) {
  if (operand.is_null_literal()) return BoundExpression::Constant(type, std::nullopt);
  if (operand.literal != nullptr && operand.node.type != type) {
    return operand.literal->literal == LiteralKind::kString ? ReadStringAs(*operand.literal, type)
                                                            : ReadNumberAs(*operand.literal, type);
  }
  if (!CastRuleOf(operand.node.type, type).exists) {
    return Fail(at, fmt::format("a value of type {} is needed, not {}", type.ToString(),
                                operand.node.type.ToString()));
  }
  return BoundExpression::Cast(std::move(operand.node), type);
}

}  // namespace sluice::inline v0::engine
