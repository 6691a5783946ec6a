#include "tests/support/oracle_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "tests/support/oracle_text.h"

namespace sluice::support {
namespace {

double HalfOfBits(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                  : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <typename T>
T Load(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

DataType SignedOfBytes(int32_t bytes) {
  return DataType::Of(bytes == 2 ? TypeId::kInt16 : bytes == 4 ? TypeId::kInt32 : TypeId::kInt64);
}

std::optional<DataType> CommonOfNumbers(const DataType& a, const DataType& b) {
  if (IsIntegerType(a) && IsIntegerType(b)) {
    if (IsUnsignedType(a) == IsUnsignedType(b)) return a.byte_width > b.byte_width ? a : b;
    const int32_t without_sign = IsUnsignedType(a) ? a.byte_width : b.byte_width;
    const int32_t with_sign = IsUnsignedType(a) ? b.byte_width : a.byte_width;
    if (without_sign == 8) return OracleDecimalType(20, 0);
    return SignedOfBytes(std::max(2 * without_sign, with_sign));
  }
  if (a.id == TypeId::kDouble || b.id == TypeId::kDouble) return DataType::Of(TypeId::kDouble);
  if (IsFloatType(a) || IsFloatType(b)) return DataType::Of(TypeId::kFloat);
  const DataType first = IsIntegerType(a) ? DecimalForInteger(a) : a;
  const DataType second = IsIntegerType(b) ? DecimalForInteger(b) : b;
  const int32_t scale = std::max(first.scale, second.scale);
  const int32_t digits =
      scale + std::max(first.precision - first.scale, second.precision - second.scale);
  if (digits > 76) return std::nullopt;
  DataType common = OracleDecimalType(std::max(1, digits), scale);
  common.byte_width = std::max({common.byte_width, first.byte_width, second.byte_width});
  return common;
}

std::optional<DataType> CommonOfTimes(const DataType& a, const DataType& b) {
  if (a.utc_adjusted != b.utc_adjusted) return std::nullopt;
  const auto unit = [](const DataType& type) {
    return type.id == TypeId::kInt96 ? TimeUnit::kNanoseconds : type.unit;
  };
  const TimeUnit finer = std::max(unit(a), unit(b));
  if (IsTimestampType(a) && IsTimestampType(b)) return DataType::Timestamp(finer, a.utc_adjusted);
  if (a.id == TypeId::kTime && b.id == TypeId::kTime) return DataType::Time(finer, a.utc_adjusted);
  if (a.id == TypeId::kDuration && b.id == TypeId::kDuration) return DataType::Duration(finer);
  if (a.id == TypeId::kDate && IsTimestampType(b)) {
    return DataType::Timestamp(std::max(TimeUnit::kMicroseconds, unit(b)), false);
  }
  if (b.id == TypeId::kDate && IsTimestampType(a)) return CommonOfTimes(b, a);
  return std::nullopt;
}

}  // namespace

OracleValue OracleValue::Error() {
  OracleValue value;
  value.kind = Kind::kError;
  return value;
}

OracleValue OracleValue::Of(LongNumber number) {
  OracleValue value;
  value.kind = Kind::kValue;
  value.number = std::move(number);
  return value;
}

OracleValue OracleValue::OfDouble(double floating) {
  OracleValue value;
  value.kind = Kind::kValue;
  value.floating = floating;
  return value;
}

OracleValue OracleValue::OfText(std::string text) {
  OracleValue value;
  value.kind = Kind::kValue;
  value.text = std::move(text);
  return value;
}

OracleValue OracleValue::OfInterval(const OracleInterval& interval) {
  OracleValue value;
  value.kind = Kind::kValue;
  value.interval = interval;
  return value;
}

OracleValue OracleValueOfBytes(const DataType& type, std::string_view bytes) {
  switch (type.id) {
    case TypeId::kFloat16:
      return OracleValue::OfDouble(HalfOfBits(Load<uint16_t>(bytes)));
    case TypeId::kFloat:
      return OracleValue::OfDouble(static_cast<double>(Load<float>(bytes)));
    case TypeId::kDouble:
      return OracleValue::OfDouble(Load<double>(bytes));
    case TypeId::kInt96: {
      const Wide days = Wide{Load<int32_t>(bytes.substr(8))} - 2'440'588;
      return OracleValue::Of(days * kDay + Load<int64_t>(bytes));
    }
    case TypeId::kInterval:
      return OracleValue::OfInterval({Load<uint32_t>(bytes), Load<uint32_t>(bytes.substr(4)),
                                      int64_t{Load<uint32_t>(bytes.substr(8))} * 1'000'000});
    default:
      break;
  }
  const bool is_number = type.id == TypeId::kBoolean || IsIntegerType(type) ||
                         type.id == TypeId::kDecimal || IsTimeType(type);
  if (!is_number) return OracleValue::OfText(std::string(bytes));
  const bool is_unsigned = IsUnsignedType(type) || type.id == TypeId::kBoolean;
  return OracleValue::Of(LongNumber::OfBytes(bytes, is_unsigned));
}

bool IsSameOracleValue(const DataType& type, const OracleValue& a, const OracleValue& b) {
  if (a.kind != b.kind) return false;
  if (!a.is_value()) return true;
  if (IsFloatType(type)) {
    if (std::isnan(a.floating) || std::isnan(b.floating)) {
      return std::isnan(a.floating) && std::isnan(b.floating);
    }
    return a.floating == b.floating && std::signbit(a.floating) == std::signbit(b.floating);
  }
  return a.number == b.number && a.text == b.text && a.interval == b.interval;
}

std::string OracleValueText(const DataType& type, const OracleValue& value) {
  if (value.is_null()) return "NULL";
  if (value.is_error()) return "ERROR";
  if (IsFloatType(type)) return OracleDoubleText(value.floating);
  if (IsTextType(type) || IsBinaryType(type) || type.id == TypeId::kUuid) {
    return "'" + OracleBinaryText(value.text) + "'";
  }
  return value.number.ToString() + " of " + type.ToString();
}

bool IsIntegerType(const DataType& type) {
  return type.id >= TypeId::kInt8 && type.id <= TypeId::kUint64;
}
bool IsUnsignedType(const DataType& type) {
  return type.id >= TypeId::kUint8 && type.id <= TypeId::kUint64;
}
bool IsFloatType(const DataType& type) {
  return type.id == TypeId::kFloat16 || type.id == TypeId::kFloat || type.id == TypeId::kDouble;
}
bool IsNumberType(const DataType& type) {
  return IsIntegerType(type) || IsFloatType(type) || type.id == TypeId::kDecimal;
}
bool IsTextType(const DataType& type) {
  return type.id == TypeId::kString || type.id == TypeId::kEnum || type.id == TypeId::kJson;
}
bool IsBinaryType(const DataType& type) {
  return type.id == TypeId::kBinary || type.id == TypeId::kBson || type.id == TypeId::kFixedBinary;
}
bool IsTimestampType(const DataType& type) {
  return type.id == TypeId::kTimestamp || type.id == TypeId::kInt96;
}
bool IsTimeType(const DataType& type) {
  return IsTimestampType(type) || type.id == TypeId::kDate || type.id == TypeId::kTime ||
         type.id == TypeId::kDuration;
}
bool IsInstantType(const DataType& type) {
  return type.id == TypeId::kTimestamp && type.utc_adjusted;
}
bool HasOrder(const DataType& type) {
  return type.id == TypeId::kBoolean || IsNumberType(type) || IsTextType(type) ||
         IsBinaryType(type) || type.id == TypeId::kUuid || IsTimeType(type);
}

DataType OracleDecimalType(int64_t precision, int64_t scale) {
  const int32_t bytes = precision > 38 ? 32 : precision > 18 ? 16 : precision > 9 ? 8 : 4;
  return DataType::Decimal(static_cast<int32_t>(precision), static_cast<int32_t>(scale), bytes);
}

DataType DecimalForInteger(const DataType& type) {
  const int digits = type.byte_width == 1   ? 3
                     : type.byte_width == 2 ? 5
                     : type.byte_width == 4 ? 10
                     : IsUnsignedType(type) ? 20
                                            : 19;
  return OracleDecimalType(digits, 0);
}

std::optional<DataType> OracleCommonType(const DataType& a, const DataType& b) {
  if (a.id == TypeId::kFloat16 && b.id == TypeId::kFloat16) return DataType::Of(TypeId::kFloat);
  if (a == b || b.id == TypeId::kNull) return a;
  if (a.id == TypeId::kNull) return b;
  if (IsNumberType(a) && IsNumberType(b)) return CommonOfNumbers(a, b);
  if (IsTextType(a) && IsTextType(b)) return DataType::Of(TypeId::kString);
  if (IsBinaryType(a) && IsBinaryType(b)) return DataType::Of(TypeId::kBinary);
  if (IsTimeType(a) && IsTimeType(b)) return CommonOfTimes(a, b);
  return std::nullopt;
}

bool HasOracleCast(const DataType& from, const DataType& to) {
  if (from == to || from.id == TypeId::kNull) return true;
  const bool to_number = IsNumberType(to);
  if (from.id == TypeId::kBoolean) return to_number || IsTextType(to);
  if (IsNumberType(from)) return to_number || to.id == TypeId::kBoolean || IsTextType(to);
  if (IsTextType(from)) {
    const bool is_time = IsTimeType(to) && to.id != TypeId::kDuration && to.id != TypeId::kInt96;
    return to_number || IsTextType(to) || IsBinaryType(to) || is_time ||
           to.id == TypeId::kBoolean || to.id == TypeId::kUuid;
  }
  if (IsBinaryType(from) || from.id == TypeId::kUuid) {
    return IsTextType(to) || to.id == TypeId::kBinary;
  }
  if (IsTimeType(from) && from.id != TypeId::kDuration && IsTextType(to)) return true;
  if (IsTimestampType(from)) {
    return to.id == TypeId::kTimestamp || to.id == TypeId::kDate ||
           (to.id == TypeId::kTime && !IsInstantType(from));
  }
  if (from.id == TypeId::kDate) return to.id == TypeId::kTimestamp;
  if (from.id == TypeId::kTime) return to.id == TypeId::kTime;
  return from.id == TypeId::kDuration && to.id == TypeId::kDuration;
}

std::optional<DataType> OracleNamedType(const std::string& name) {
  static const std::map<std::string, DataType> kTypes = {
      {"BOOLEAN", DataType::Of(TypeId::kBoolean)},
      {"TINYINT", DataType::Of(TypeId::kInt8)},
      {"SMALLINT", DataType::Of(TypeId::kInt16)},
      {"INTEGER", DataType::Of(TypeId::kInt32)},
      {"BIGINT", DataType::Of(TypeId::kInt64)},
      {"UTINYINT", DataType::Of(TypeId::kUint8)},
      {"USMALLINT", DataType::Of(TypeId::kUint16)},
      {"UINTEGER", DataType::Of(TypeId::kUint32)},
      {"UBIGINT", DataType::Of(TypeId::kUint64)},
      {"FLOAT", DataType::Of(TypeId::kFloat)},
      {"DOUBLE", DataType::Of(TypeId::kDouble)},
      {"VARCHAR", DataType::Of(TypeId::kString)},
      {"BLOB", DataType::Of(TypeId::kBinary)},
      {"UUID", DataType::Of(TypeId::kUuid)},
      {"DATE", DataType::Of(TypeId::kDate)},
      {"TIME", DataType::Time(TimeUnit::kMicroseconds, false)},
      {"TIMESTAMP", DataType::Timestamp(TimeUnit::kMicroseconds, false)},
      {"TIMESTAMP_MS", DataType::Timestamp(TimeUnit::kMilliseconds, false)},
      {"TIMESTAMP_NS", DataType::Timestamp(TimeUnit::kNanoseconds, false)},
      {"TIMESTAMPTZ", DataType::Timestamp(TimeUnit::kMicroseconds, true)},
  };
  const auto known = kTypes.find(name);
  if (known != kTypes.end()) return known->second;
  int precision = 0;
  int scale = 0;
  if (std::sscanf(name.c_str(), "DECIMAL(%d, %d)", &precision, &scale) != 2) return std::nullopt;
  return OracleDecimalType(precision, scale);
}

Wide NanosecondsOfOne(const DataType& type) {
  if (type.id == TypeId::kDate) return kDay;
  if (type.id == TypeId::kInt96) return 1;
  return kSecond / UnitsPerSecond(type.unit);
}

}  // namespace sluice::support
