// Which casts there are, and the names of their targets.

#include <algorithm>
#include <charconv>

#include "engine/bound/type_rules.h"
#include "engine/values/int256.h"

namespace sluice::inline v0::engine {
namespace {

constexpr CastRule kNever{};
constexpr CastRule kTotal{true, false};
constexpr CastRule kPartial{true, true};

CastRule FromInteger(const DataType& from, const DataType& to) {
  switch (TypeClassOf(to)) {
    case TypeClass::kInteger: {
      const bool fits = IsUnsigned(from) == IsUnsigned(to)
                            ? to.byte_width >= from.byte_width
                            : to.byte_width > from.byte_width && IsUnsigned(from);
      return fits ? kTotal : kPartial;
    }
    case TypeClass::kDecimal:
      return to.precision - to.scale >= DecimalOfInteger(from).precision ? kTotal : kPartial;
    case TypeClass::kBoolean:
    case TypeClass::kFloating:
    case TypeClass::kText:
      return kTotal;
    default:
      return kNever;
  }
}

CastRule FromFloating(const DataType& from, const DataType& to) {
  switch (TypeClassOf(to)) {
    case TypeClass::kFloating:
      return from.id == TypeId::kDouble && to.id == TypeId::kFloat ? kPartial : kTotal;
    case TypeClass::kInteger:
    case TypeClass::kDecimal:
      return kPartial;
    case TypeClass::kBoolean:
    case TypeClass::kText:
      return kTotal;
    default:
      return kNever;
  }
}

CastRule FromDecimal(const DataType& from, const DataType& to) {
  switch (TypeClassOf(to)) {
    case TypeClass::kDecimal:
      // What a file holds may have more digits than its type: only room in bytes is sure.
      return from.scale == to.scale && from.precision <= to.precision &&
                     from.byte_width <= to.byte_width
                 ? kTotal
                 : kPartial;
    case TypeClass::kInteger:
      return kPartial;
    case TypeClass::kFloating:
      return from.byte_width > 16 && to.id == TypeId::kFloat ? kPartial : kTotal;
    case TypeClass::kBoolean:
    case TypeClass::kText:
      return kTotal;
    default:
      return kNever;
  }
}

CastRule FromText(const DataType& to) {
  switch (TypeClassOf(to)) {
    case TypeClass::kText:
      return kTotal;
    case TypeClass::kDuration:
    case TypeClass::kInterval:
    case TypeClass::kOther:
    case TypeClass::kNull:
      return kNever;
    default:
      return to.id == TypeId::kInt96 ? kNever : kPartial;
  }
}

CastRule FromTimestamp(const DataType& from, const DataType& to) {
  switch (TypeClassOf(to)) {
    case TypeClass::kTimestamp:
      return to.id == TypeId::kInt96 ? kNever : kPartial;
    case TypeClass::kDate:
      return kPartial;
    case TypeClass::kTime:
      return IsInstant(from) ? kNever : kPartial;
    case TypeClass::kText:
      return kTotal;
    default:
      return kNever;
  }
}

CastRule FromTimeLike(const DataType& from, const DataType& to) {
  const TypeClass target = TypeClassOf(to);
  switch (TypeClassOf(from)) {
    case TypeClass::kTimestamp:
      return FromTimestamp(from, to);
    case TypeClass::kDate:
      if (target == TypeClass::kText) return kTotal;
      return to.id == TypeId::kTimestamp ? kPartial : kNever;
    case TypeClass::kTime:
      if (target == TypeClass::kText) return kTotal;
      return target == TypeClass::kTime ? kPartial : kNever;
    default:
      return target == TypeClass::kDuration ? kPartial : kNever;
  }
}

struct NamedType {
  std::string_view name;
  DataType type;
};

const std::vector<NamedType>& NamedTypes() {
  static const std::vector<NamedType> kTypes = [] {
    const DataType timestamptz = DataType::Timestamp(TimeUnit::kMicroseconds, true);
    return std::vector<NamedType>{
        {"BOOLEAN", BooleanType()},
        {"BOOL", BooleanType()},
        {"TINYINT", DataType::Of(TypeId::kInt8)},
        {"SMALLINT", DataType::Of(TypeId::kInt16)},
        {"INTEGER", DataType::Of(TypeId::kInt32)},
        {"INT", DataType::Of(TypeId::kInt32)},
        {"BIGINT", Int64Type()},
        {"UTINYINT", DataType::Of(TypeId::kUint8)},
        {"USMALLINT", DataType::Of(TypeId::kUint16)},
        {"UINTEGER", DataType::Of(TypeId::kUint32)},
        {"UBIGINT", DataType::Of(TypeId::kUint64)},
        {"FLOAT", DataType::Of(TypeId::kFloat)},
        {"REAL", DataType::Of(TypeId::kFloat)},
        {"DOUBLE", DoubleType()},
        {"DOUBLE PRECISION", DoubleType()},
        {"DECIMAL", DecimalType(18, 3)},
        {"NUMERIC", DecimalType(18, 3)},
        {"VARCHAR", StringType()},
        {"TEXT", StringType()},
        {"STRING", StringType()},
        {"BLOB", DataType::Of(TypeId::kBinary)},
        {"BINARY", DataType::Of(TypeId::kBinary)},
        {"VARBINARY", DataType::Of(TypeId::kBinary)},
        {"BYTEA", DataType::Of(TypeId::kBinary)},
        {"UUID", DataType::Of(TypeId::kUuid)},
        {"DATE", DataType::Of(TypeId::kDate)},
        {"TIME", DataType::Time(TimeUnit::kMicroseconds, false)},
        {"TIMESTAMP", DataType::Timestamp(TimeUnit::kMicroseconds, false)},
        {"TIMESTAMP_MS", DataType::Timestamp(TimeUnit::kMilliseconds, false)},
        {"TIMESTAMP_US", DataType::Timestamp(TimeUnit::kMicroseconds, false)},
        {"TIMESTAMP_NS", DataType::Timestamp(TimeUnit::kNanoseconds, false)},
        {"TIMESTAMPTZ", timestamptz},
        {"TIMESTAMP WITH TIME ZONE", timestamptz},
    };
  }();
  return kTypes;
}

/// "p" or "p, s" in parentheses.
std::optional<DataType> DecimalOfParameters(std::string_view text) {
  int32_t precision = 0;
  int32_t scale = 0;
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, precision);
  if (read.ec != std::errc()) return std::nullopt;
  const std::string_view rest(read.ptr, static_cast<size_t>(end - read.ptr));
  if (!rest.empty()) {
    if (!rest.starts_with(", ")) return std::nullopt;
    read = std::from_chars(rest.data() + 2, end, scale);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  }
  if (precision < 1 || precision > kMaxDigits128 || scale < 0 || scale > precision) {
    return std::nullopt;
  }
  return DecimalType(precision, scale);
}

}  // namespace

CastRule CastRuleOf(const DataType& from, const DataType& to) {
  if (from == to || from.id == TypeId::kNull) return kTotal;
  if (IsTimeLike(from) && to == SecondsType()) return kTotal;
  return ExplicitCastRuleOf(from, to);
}

CastRule ExplicitCastRuleOf(const DataType& from, const DataType& to) {
  if (from == to || from.id == TypeId::kNull) return kTotal;
  const TypeClass target = TypeClassOf(to);
  switch (TypeClassOf(from)) {
    case TypeClass::kBoolean:
      if (target == TypeClass::kDecimal) return to.precision > to.scale ? kTotal : kPartial;
      return target == TypeClass::kInteger || target == TypeClass::kFloating ||
                     target == TypeClass::kText
                 ? kTotal
                 : kNever;
    case TypeClass::kInteger:
      return FromInteger(from, to);
    case TypeClass::kFloating:
      return FromFloating(from, to);
    case TypeClass::kDecimal:
      return FromDecimal(from, to);
    case TypeClass::kText:
      return FromText(to);
    case TypeClass::kBinary:
    case TypeClass::kUuid:
      return target == TypeClass::kText || to.id == TypeId::kBinary ? kTotal : kNever;
    case TypeClass::kDate:
    case TypeClass::kTime:
    case TypeClass::kTimestamp:
    case TypeClass::kDuration:
      return FromTimeLike(from, to);
    case TypeClass::kNull:
    case TypeClass::kInterval:
    case TypeClass::kOther:
      return kNever;
  }
  return kNever;
}

std::optional<DataType> TypeOfSqlName(std::string_view name) {
  for (const NamedType& known : NamedTypes()) {
    if (known.name == name) return known.type;
  }
  for (const std::string_view word : {"DECIMAL(", "NUMERIC("}) {
    if (!name.starts_with(word) || !name.ends_with(')')) continue;
    return DecimalOfParameters(name.substr(word.size(), name.size() - word.size() - 1));
  }
  return std::nullopt;
}

}  // namespace sluice::inline v0::engine
