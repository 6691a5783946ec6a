#pragma once

// Values as the oracle of expressions calculates with them, and what it knows of their types.

#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/long_number.h"
#include "tests/support/oracle_time.h"

namespace sluice::support {

struct OracleValue {
  enum class Kind : uint8_t { kNull, kError, kValue } kind = Kind::kNull;
  LongNumber number;    ///< Booleans, integers, unscaled decimals; times in units (INT96: ns).
  double floating = 0;  ///< Of any floating-point type.
  std::string text;     ///< Bytes of any kind.
  OracleInterval interval;

  bool is_value() const { return kind == Kind::kValue; }
  bool is_null() const { return kind == Kind::kNull; }
  bool is_error() const { return kind == Kind::kError; }
  bool is_true() const { return is_value() && !number.is_zero(); }
  bool is_false() const { return is_value() && number.is_zero(); }

  static OracleValue Error();
  static OracleValue Of(LongNumber number);
  static OracleValue OfBool(bool value) { return Of(LongNumber(value ? 1 : 0)); }
  static OracleValue OfDouble(double value);
  static OracleValue OfText(std::string text);
  static OracleValue OfInterval(const OracleInterval& interval);
};

/// A value from the bytes of a column; of kInterval months, days and milliseconds.
OracleValue OracleValueOfBytes(const DataType& type, std::string_view bytes);
/// Whether both are the same value of the type: floating-point numbers by their bits, NaNs as one.
bool IsSameOracleValue(const DataType& type, const OracleValue& a, const OracleValue& b);
/// For messages.
std::string OracleValueText(const DataType& type, const OracleValue& value);

bool IsIntegerType(const DataType& type);
bool IsUnsignedType(const DataType& type);
bool IsFloatType(const DataType& type);
bool IsNumberType(const DataType& type);
bool IsTextType(const DataType& type);
bool IsBinaryType(const DataType& type);
bool IsTimestampType(const DataType& type);  ///< INT96 too.
bool IsTimeType(const DataType& type);       ///< Dates, times, timestamps, durations.
bool IsInstantType(const DataType& type);
bool HasOrder(const DataType& type);

/// Bytes as few as the digits need: 4, 8, 16 or 32.
DataType OracleDecimalType(int64_t precision, int64_t scale);
DataType DecimalForInteger(const DataType& type);
/// The table of engine/bound/type_rules.h.
std::optional<DataType> OracleCommonType(const DataType& a, const DataType& b);
bool HasOracleCast(const DataType& from, const DataType& to);
std::optional<DataType> OracleNamedType(const std::string& name);

/// Nanoseconds of one of what the type counts.
Wide NanosecondsOfOne(const DataType& type);

/// The nearest numbers; a decimal beyond every float is infinite.
double NearestDouble(const OracleValue& value, const DataType& type);
float NearestFloat(const OracleValue& value, const DataType& type);

/// A cast: of NULL and errors they themselves.
OracleValue OracleCast(const OracleValue& value, const DataType& from, const DataType& to,
                       int32_t zone_offset);
/// The number as one of an integer, decimal or time type; an error where it does not fit.
OracleValue FitNumber(LongNumber number, const DataType& type);

}  // namespace sluice::support
