// Casts, as engine/EXPRESSIONS.md has them.

#include <cmath>
#include <cstdlib>

#include "tests/support/oracle_text.h"
#include "tests/support/oracle_value.h"

namespace sluice::support {
namespace {

/// digits * 10^-scale as a text that strtod reads; zeros keep no sign.
std::string DecimalText(const LongNumber& digits, int64_t scale) {
  return digits.ToString() + "e" + std::to_string(-scale);
}

bool IsExactType(const DataType& type) {
  return IsIntegerType(type) || type.id == TypeId::kDecimal || type.id == TypeId::kBoolean;
}

/// Integers, decimals and booleans to integers and decimals.
OracleValue CastExact(const LongNumber& number, const DataType& from, const DataType& to) {
  LongNumber scaled = number.Scaled(int64_t{to.scale} - from.scale);
  // What a column of a narrower decimal holds, even beyond its digits, is left as it is.
  const bool is_same_number = from.id == TypeId::kDecimal && to.id == TypeId::kDecimal &&
                              from.scale == to.scale && from.precision <= to.precision &&
                              from.byte_width <= to.byte_width;
  if (is_same_number) return OracleValue::Of(std::move(scaled));
  return FitNumber(std::move(scaled), to);
}

OracleValue CastFloating(double value, const DataType& from, const DataType& to) {
  if (to.id == TypeId::kDouble) return OracleValue::OfDouble(value);
  if (IsFloatType(to)) {
    const auto narrow = static_cast<float>(value);
    const bool overflows = std::isinf(narrow) && !std::isinf(value);
    return overflows ? OracleValue::Error() : OracleValue::OfDouble(static_cast<double>(narrow));
  }
  if (to.id == TypeId::kBoolean) return OracleValue::OfBool(value != 0);
  if (IsTextType(to)) {
    return OracleValue::OfText(from.id == TypeId::kDouble
                                   ? OracleDoubleText(value)
                                   : OracleFloatText(static_cast<float>(value)));
  }
  double rounded = 0;
  if (to.id == TypeId::kDecimal) {
    rounded = std::round(value * std::strtod(("1e" + std::to_string(to.scale)).c_str(), nullptr));
  } else {
    // To the nearest, halves to even.
    rounded = std::floor(value);
    const double above = value - rounded;
    if (above > 0.5 || (above == 0.5 && std::fmod(rounded, 2) != 0)) rounded += 1;
  }
  if (!std::isfinite(rounded)) return OracleValue::Error();
  char digits[400];
  std::snprintf(digits, sizeof(digits), "%.0f", std::fabs(rounded));
  return FitNumber(LongNumber::OfDigits(rounded < 0, digits), to);
}

std::string ExactText(const LongNumber& number, int32_t scale) {
  std::string digits = number.digits();
  const auto places = static_cast<size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - places, ".");
  return (number.is_negative() ? "-" : "") + digits;
}

std::string TimeText(const LongNumber& number, const DataType& type, int32_t zone_offset) {
  const Wide nanoseconds = *number.ToWide() * NanosecondsOfOne(type);
  if (type.id == TypeId::kDate) return OracleDateText(*number.ToWide());
  if (!IsTimestampType(type)) return OracleClockText(nanoseconds);
  if (!IsInstantType(type)) return OracleTimestampText(nanoseconds);
  return OracleTimestampText(nanoseconds + zone_offset * kSecond) + OracleZoneText(zone_offset);
}

OracleValue CastTime(const LongNumber& number, const DataType& from, const DataType& to,
                     int32_t zone_offset) {
  if (IsTextType(to)) return OracleValue::OfText(TimeText(number, from, zone_offset));
  Wide nanoseconds = *number.ToWide() * NanosecondsOfOne(from);
  if (IsInstantType(from) && !IsInstantType(to)) nanoseconds += zone_offset * kSecond;
  if (!IsInstantType(from) && IsInstantType(to)) nanoseconds -= zone_offset * kSecond;
  if (to.id == TypeId::kTime && IsTimestampType(from)) {
    nanoseconds -= FloorOf(nanoseconds, kDay) * kDay;
  }
  return FitNumber(FloorOf(nanoseconds, NanosecondsOfOne(to)), to);
}

OracleValue ReadTime(std::string_view text, const DataType& to, int32_t zone_offset) {
  if (to.id == TypeId::kDate) {
    const auto days = ParseOracleDate(text);
    return days ? FitNumber(*days, to) : OracleValue::Error();
  }
  const auto time = to.id == TypeId::kTime ? ParseOracleTime(text) : ParseOracleTimestamp(text);
  if (!time || (time->offset && !IsInstantType(to))) return OracleValue::Error();
  Wide nanoseconds = time->nanoseconds;
  if (IsInstantType(to)) nanoseconds -= time->offset.value_or(zone_offset) * kSecond;
  return FitNumber(FloorOf(nanoseconds, NanosecondsOfOne(to)), to);
}

OracleValue ReadNumber(std::string_view text, const DataType& to) {
  const auto decimal = ParseOracleDecimal(text);
  if (!IsFloatType(to)) {
    if (!decimal) return OracleValue::Error();
    return FitNumber(decimal->digits.Scaled(int64_t{to.scale} - decimal->scale), to);
  }
  const auto word = ParseOracleWord(text);
  if (word) return OracleValue::OfDouble(*word);
  if (!decimal) return OracleValue::Error();
  const std::string written(OracleTrim(text));
  return OracleValue::OfDouble(to.id == TypeId::kDouble
                                   ? std::strtod(written.c_str(), nullptr)
                                   : static_cast<double>(std::strtof(written.c_str(), nullptr)));
}

OracleValue CastText(const std::string& text, const DataType& to, int32_t zone_offset) {
  if (IsTextType(to)) return OracleValue::OfText(text);
  if (IsNumberType(to)) return ReadNumber(text, to);
  if (IsTimeType(to)) return ReadTime(text, to, zone_offset);
  if (to.id == TypeId::kBoolean) {
    const auto value = ParseOracleBoolean(text);
    return value ? OracleValue::OfBool(*value) : OracleValue::Error();
  }
  const auto bytes = to.id == TypeId::kUuid ? ParseOracleUuid(text) : ParseOracleBinary(text);
  return bytes ? OracleValue::OfText(*bytes) : OracleValue::Error();
}

}  // namespace

OracleValue FitNumber(LongNumber number, const DataType& type) {
  const bool fits = type.id == TypeId::kDecimal
                        ? number.num_digits() <= type.precision
                        : number.Fits(type.byte_width * 8, IsUnsignedType(type));
  return fits ? OracleValue::Of(std::move(number)) : OracleValue::Error();
}

double NearestDouble(const OracleValue& value, const DataType& type) {
  if (IsFloatType(type)) return value.floating;
  return std::strtod(DecimalText(value.number, type.scale).c_str(), nullptr);
}

float NearestFloat(const OracleValue& value, const DataType& type) {
  if (IsFloatType(type)) return static_cast<float>(value.floating);
  return std::strtof(DecimalText(value.number, type.scale).c_str(), nullptr);
}

OracleValue OracleCast(const OracleValue& value, const DataType& from, const DataType& to,
                       int32_t zone_offset) {
  if (!value.is_value() || from == to) return value;
  if (IsTextType(from)) return CastText(value.text, to, zone_offset);
  if (from.id == TypeId::kUuid && IsTextType(to)) {
    return OracleValue::OfText(OracleUuidText(value.text));
  }
  if (IsBinaryType(from) && IsTextType(to)) {
    return OracleValue::OfText(OracleBinaryText(value.text));
  }
  if (IsBinaryType(to)) return value;
  if (IsTimeType(from)) return CastTime(value.number, from, to, zone_offset);
  if (IsFloatType(from)) return CastFloating(value.floating, from, to);
  if (to.id == TypeId::kBoolean) return OracleValue::OfBool(!value.number.is_zero());
  if (from.id == TypeId::kBoolean && IsTextType(to)) {
    return OracleValue::OfText(value.is_true() ? "true" : "false");
  }
  if (IsTextType(to)) return OracleValue::OfText(ExactText(value.number, from.scale));
  if (to.id == TypeId::kDouble) return OracleValue::OfDouble(NearestDouble(value, from));
  if (IsFloatType(to)) {
    const float nearest = NearestFloat(value, from);
    if (!std::isfinite(nearest)) return OracleValue::Error();
    return OracleValue::OfDouble(static_cast<double>(nearest));
  }
  return IsExactType(to) ? CastExact(value.number, from, to) : OracleValue::Error();
}

}  // namespace sluice::support
