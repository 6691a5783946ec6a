#include "engine/bound/type_rules.h"

#include <sluice/value.h>

#include <algorithm>

#include "engine/values/int256.h"

namespace sluice::inline v0::engine {
namespace {

/// Bits of the magnitude of an integer type.
int32_t IntegerBits(const DataType& type) { return type.byte_width * 8; }

DataType SignedInteger(int32_t bytes) {
  switch (bytes) {
    case 1:
      return DataType::Of(TypeId::kInt8);
    case 2:
      return DataType::Of(TypeId::kInt16);
    case 4:
      return DataType::Of(TypeId::kInt32);
    default:
      return DataType::Of(TypeId::kInt64);
  }
}

DataType CommonInteger(const DataType& a, const DataType& b) {
  if (IsUnsigned(a) == IsUnsigned(b)) return IntegerBits(a) >= IntegerBits(b) ? a : b;
  const DataType& unsigned_type = IsUnsigned(a) ? a : b;
  const DataType& signed_type = IsUnsigned(a) ? b : a;
  if (unsigned_type.byte_width == 8) return DecimalType(20, 0);
  return SignedInteger(std::max(unsigned_type.byte_width * 2, signed_type.byte_width));
}

std::optional<DataType> CommonDecimal(const DataType& a, const DataType& b) {
  const int32_t whole = std::max(a.precision - a.scale, b.precision - b.scale);
  const int32_t scale = std::max(a.scale, b.scale);
  if (whole + scale > kMaxDigits256) return std::nullopt;
  DataType common = DecimalType(std::max(1, whole + scale), scale);
  // Files may hold decimals in more bytes than their digits need, and use them.
  common.byte_width = std::max({common.byte_width, a.byte_width, b.byte_width});
  return common;
}

bool IsNumeric(TypeClass kind) {
  return kind == TypeClass::kInteger || kind == TypeClass::kDecimal || kind == TypeClass::kFloating;
}

std::optional<DataType> CommonNumber(const DataType& a, const DataType& b) {
  const TypeClass first = TypeClassOf(a);
  const TypeClass second = TypeClassOf(b);
  if (first == TypeClass::kInteger && second == TypeClass::kInteger) return CommonInteger(a, b);
  if (a.id == TypeId::kDouble || b.id == TypeId::kDouble) return DoubleType();
  if (first == TypeClass::kFloating || second == TypeClass::kFloating) {
    return DataType::Of(TypeId::kFloat);
  }
  return CommonDecimal(first == TypeClass::kInteger ? DecimalOfInteger(a) : a,
                       second == TypeClass::kInteger ? DecimalOfInteger(b) : b);
}

TimeUnit UnitOf(const DataType& type) {
  return type.id == TypeId::kInt96 ? TimeUnit::kNanoseconds : type.unit;
}

std::optional<DataType> CommonTime(const DataType& a, const DataType& b) {
  const TypeClass first = TypeClassOf(a);
  const TypeClass second = TypeClassOf(b);
  if (a.utc_adjusted != b.utc_adjusted) return std::nullopt;
  if (first == second) {
    const TimeUnit unit = std::max(UnitOf(a), UnitOf(b));
    if (first == TypeClass::kTime) return DataType::Time(unit, a.utc_adjusted);
    if (first == TypeClass::kDuration) return DataType::Duration(unit);
    return DataType::Timestamp(unit, a.utc_adjusted);
  }
  const bool is_date = first == TypeClass::kDate || second == TypeClass::kDate;
  const bool is_timestamp = first == TypeClass::kTimestamp || second == TypeClass::kTimestamp;
  if (!is_date || !is_timestamp) return std::nullopt;
  const TimeUnit unit = UnitOf(first == TypeClass::kTimestamp ? a : b);
  return DataType::Timestamp(std::max(unit, TimeUnit::kMicroseconds), false);
}

}  // namespace

TypeClass TypeClassOf(const DataType& type) {
  switch (type.id) {
    case TypeId::kNull:
      return TypeClass::kNull;
    case TypeId::kBoolean:
      return TypeClass::kBoolean;
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUint8:
    case TypeId::kUint16:
    case TypeId::kUint32:
    case TypeId::kUint64:
      return TypeClass::kInteger;
    case TypeId::kFloat16:
    case TypeId::kFloat:
    case TypeId::kDouble:
      return TypeClass::kFloating;
    case TypeId::kDecimal:
      return TypeClass::kDecimal;
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
      return TypeClass::kText;
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kFixedBinary:
      return TypeClass::kBinary;
    case TypeId::kUuid:
      return TypeClass::kUuid;
    case TypeId::kDate:
      return TypeClass::kDate;
    case TypeId::kTime:
      return TypeClass::kTime;
    case TypeId::kTimestamp:
    case TypeId::kInt96:
      return TypeClass::kTimestamp;
    case TypeId::kDuration:
      return TypeClass::kDuration;
    case TypeId::kInterval:
      return TypeClass::kInterval;
    case TypeId::kGeometry:
    case TypeId::kGeography:
    case TypeId::kList:
    case TypeId::kMap:
    case TypeId::kStruct:
    case TypeId::kVariant:
      return TypeClass::kOther;
  }
  return TypeClass::kOther;
}

bool IsFloatingType(const DataType& type) { return TypeClassOf(type) == TypeClass::kFloating; }

bool IsUnsigned(const DataType& type) {
  return type.id == TypeId::kUint8 || type.id == TypeId::kUint16 || type.id == TypeId::kUint32 ||
         type.id == TypeId::kUint64;
}

bool IsInstant(const DataType& type) { return type.id == TypeId::kTimestamp && type.utc_adjusted; }

bool IsTimeLike(const DataType& type) {
  const TypeClass kind = TypeClassOf(type);
  return kind == TypeClass::kDate || kind == TypeClass::kTime || kind == TypeClass::kTimestamp ||
         kind == TypeClass::kDuration;
}

DataType BooleanType() { return DataType::Of(TypeId::kBoolean); }
DataType StringType() { return DataType::Of(TypeId::kString); }
DataType Int64Type() { return DataType::Of(TypeId::kInt64); }
DataType DoubleType() { return DataType::Of(TypeId::kDouble); }

DataType DecimalType(int32_t precision, int32_t scale) {
  const int32_t width = precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
  return DataType::Decimal(precision, scale, width);
}

DataType SecondsType() { return DataType::Decimal(38, 9, 16); }

DataType DecimalOfInteger(const DataType& type) {
  switch (type.byte_width) {
    case 1:
      return DecimalType(3, 0);
    case 2:
      return DecimalType(5, 0);
    case 4:
      return DecimalType(10, 0);
    default:
      return DecimalType(IsUnsigned(type) ? 20 : 19, 0);
  }
}

std::optional<DataType> CommonType(const DataType& a, const DataType& b) {
  if (a.id == TypeId::kFloat16 && b.id == TypeId::kFloat16) return DataType::Of(TypeId::kFloat);
  if (a == b || b.id == TypeId::kNull) return a;
  if (a.id == TypeId::kNull) return b;
  const TypeClass first = TypeClassOf(a);
  const TypeClass second = TypeClassOf(b);
  if (IsNumeric(first) && IsNumeric(second)) return CommonNumber(a, b);
  if (first == TypeClass::kText && second == TypeClass::kText) return StringType();
  if (first == TypeClass::kBinary && second == TypeClass::kBinary) {
    return DataType::Of(TypeId::kBinary);
  }
  if (IsTimeLike(a) && IsTimeLike(b)) return CommonTime(a, b);
  return std::nullopt;
}

std::optional<DataType> ComparisonType(const DataType& a, const DataType& b) {
  auto common = a == b ? a : CommonType(a, b);
  if (!common) return std::nullopt;
  const bool is_mixed = a != b && a.id != TypeId::kNull && b.id != TypeId::kNull;
  if (IsTimeLike(*common) && is_mixed) return SecondsType();
  if (common->id != TypeId::kNull && !IsOrdered(*common)) return std::nullopt;
  return common;
}

}  // namespace sluice::inline v0::engine
