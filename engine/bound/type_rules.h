#pragma once

// What types do together: which casts there are, and which type two operands meet in.

#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::inline v0::engine {

enum class TypeClass : uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kFloating,
  kDecimal,
  kText,    ///< kString, kEnum, kJson.
  kBinary,  ///< kBinary, kBson, kFixedBinary.
  kUuid,
  kDate,
  kTime,
  kTimestamp,  ///< kTimestamp, kInt96.
  kDuration,
  kInterval,
  kOther,  ///< Nested types and geometry: no operator takes them, but IS NULL does.
};
TypeClass TypeClassOf(const DataType& type);

bool IsFloatingType(const DataType& type);
bool IsUnsigned(const DataType& type);
/// Whether values are instants: a timestamp adjusted to UTC.
bool IsInstant(const DataType& type);
/// Whether values count time: dates, times, timestamps and durations.
bool IsTimeLike(const DataType& type);

DataType BooleanType();
DataType StringType();
DataType Int64Type();
DataType DoubleType();
/// As wide as its digits need, 4, 8, 16 or 32 bytes.
DataType DecimalType(int32_t precision, int32_t scale);
/// Seconds as decimal(38, 9): what times of different units are compared as. No text names it, and
/// no explicit cast leads there.
DataType SecondsType();
/// The decimal without fraction that holds every value of an integer type.
DataType DecimalOfInteger(const DataType& type);

/// The casts between two types.
struct CastRule {
  bool exists = false;
  bool can_fail = false;  ///< For some values of the type.
};
/// Implicit casts included: anything time-like to SecondsType, anything from kNull.
CastRule CastRuleOf(const DataType& from, const DataType& to);
/// Those that CAST makes.
CastRule ExplicitCastRuleOf(const DataType& from, const DataType& to);

/// The type that values of two types meet in, for branches of CASE and COALESCE and for arithmetic:
///
///   a type and itself, or null           the type
///   integers                             the wider; with the signs mixed the signed type that
///   holds
///                                        both; uint64 and a signed type: decimal(20, 0)
///   integer and decimal, decimals        as many digits before and behind the point as either has;
///                                        absent above 76 in all
///   float16 or float, and no double      float (float16 with itself too: it has no arithmetic)
///   double and any number                double
///   text types                           string
///   binary types                         binary
///   date and naive timestamp             timestamp, of microseconds or finer
///   timestamps, times, durations         the finer unit; int96 is a naive timestamp of nanoseconds
///
/// Absent for all others, in particular for naive timestamps with instants.
std::optional<DataType> CommonType(const DataType& a, const DataType& b);
/// The type that two operands are compared in: CommonType, but times of different units in
/// SecondsType, where nothing overflows. Absent also where the type has no order.
std::optional<DataType> ComparisonType(const DataType& a, const DataType& b);

/// The type that CAST names, in upper case: BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, the same
/// with U in front, FLOAT (REAL), DOUBLE, DECIMAL(p, s) (NUMERIC; 18, 3 by default), VARCHAR (TEXT,
/// STRING), BLOB (BINARY, VARBINARY, BYTEA), UUID, DATE, TIME, TIMESTAMP, TIMESTAMP_MS,
/// TIMESTAMP_US, TIMESTAMP_NS, TIMESTAMPTZ (TIMESTAMP WITH TIME ZONE).
std::optional<DataType> TypeOfSqlName(std::string_view name);

}  // namespace sluice::inline v0::engine
