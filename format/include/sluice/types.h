#pragma once

#include <sluice/export.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// What a column means to its reader. The comment gives its layout in a column's `data`.
enum class TypeId : uint8_t {
  kNull,       ///< No data; every row is null.
  kBoolean,    ///< One bit a row, least significant first.
  kInt8,       ///< 1 byte.
  kInt16,      ///< 2 bytes; all integers little-endian.
  kInt32,      ///< 4 bytes.
  kInt64,      ///< 8 bytes.
  kUint8,      ///< 1 byte.
  kUint16,     ///< 2 bytes.
  kUint32,     ///< 4 bytes.
  kUint64,     ///< 8 bytes.
  kFloat16,    ///< 2 bytes, IEEE binary16.
  kFloat,      ///< 4 bytes, IEEE binary32.
  kDouble,     ///< 8 bytes, IEEE binary64.
  kDecimal,    ///< byte_width 4, 8, 16 or 32: two's complement little-endian, scaled by 10^-scale.
  kDate,       ///< 4 bytes: days since 1970-01-01, proleptic Gregorian.
  kTime,       ///< byte_width 4 (milliseconds) or 8 (micro-, nanoseconds) since midnight.
  kTimestamp,  ///< 8 bytes: `unit`s since 1970-01-01T00:00:00 (UTC if utc_adjusted).
  kInt96,      ///< 12 bytes: int64 nanoseconds of the day, then int32 Julian day. Not UTC adjusted.
  kDuration,   ///< 8 bytes, `unit`s.
  kInterval,   ///< 12 bytes: uint32 months, days, milliseconds.
  kString,     ///< 16-byte views; meant as UTF-8, not validated.
  kEnum,       ///< As kString.
  kJson,       ///< As kString.
  kBinary,     ///< 16-byte views.
  kBson,       ///< As kBinary.
  kGeometry,   ///< As kBinary: well-known binary.
  kGeography,  ///< As kBinary: well-known binary.
  kFixedBinary,  ///< byte_width bytes a row.
  kUuid,         ///< 16 bytes, big-endian as written.
  kList,         ///< int32 offsets, one child.
  kMap,          ///< int32 offsets, two children (key, value), or one where the file has no values.
  kStruct,       ///< No data; one child a field.
  kVariant,      ///< As kStruct, over its stored parts (metadata, value, typed_value).
};

/// The fixed lower-case name, for example "timestamp".
SLUICE_EXPORT std::string_view TypeName(TypeId id);

/// Seconds are for durations only: Parquet has no times and timestamps of whole seconds.
enum class TimeUnit : uint8_t { kSeconds, kMilliseconds, kMicroseconds, kNanoseconds };

/// 1, 1 000, 1 000 000 or 1 000 000 000.
constexpr int64_t UnitsPerSecond(TimeUnit unit) {
  constexpr int64_t kUnits[] = {1, 1'000, 1'000'000, 1'000'000'000};
  return kUnits[static_cast<int>(unit)];
}

struct Field;

/// A type with its parameters: plain data, compared by value.
struct SLUICE_EXPORT DataType {
  TypeId id = TypeId::kNull;
  TimeUnit unit = TimeUnit::kMilliseconds;  ///< kTime, kTimestamp, kDuration.
  bool utc_adjusted = false;                ///< kTime, kTimestamp.
  int32_t byte_width = 0;                   ///< Of one value where the layout is fixed, else 0.
  int32_t precision = 0;                    ///< kDecimal: total digits, 1..76.
  int32_t scale = 0;                        ///< kDecimal: digits after the point, 0..precision.
  std::string crs;              ///< kGeometry, kGeography: as in the file, may be empty.
  std::string edge_algorithm;   ///< kGeography: as in the file, may be empty.
  std::vector<Field> children;  ///< kList, kMap, kStruct, kVariant.

  /// A type without parameters; sets byte_width.
  static DataType Of(TypeId id);
  static DataType Decimal(int32_t precision, int32_t scale, int32_t byte_width);
  static DataType Time(TimeUnit unit, bool utc_adjusted);
  static DataType Timestamp(TimeUnit unit, bool utc_adjusted);
  static DataType Duration(TimeUnit unit);
  static DataType FixedBinary(int32_t byte_width);
  static DataType List(Field element);
  /// `value` may be absent: a map stored without values.
  static DataType Map(Field key, std::optional<Field> value);
  static DataType Struct(std::vector<Field> fields);

  bool is_nested() const {
    return id == TypeId::kList || id == TypeId::kMap || id == TypeId::kStruct ||
           id == TypeId::kVariant;
  }
  /// Whether values are 16-byte views of bytes.
  bool is_view() const;

  /// "decimal(9, 2)", "list<int32>", "struct<a: int32, b: string>".
  std::string ToString() const;
  bool operator==(const DataType&) const;
};

/// A named column or child of a nested type.
struct SLUICE_EXPORT Field {
  std::string name;
  DataType type;
  bool nullable = true;
  std::optional<int32_t> field_id = std::nullopt;  ///< By which tables know the column.

  bool operator==(const Field&) const = default;
};

/// The top-level columns, in order. Names may repeat and may hold dots.
struct SLUICE_EXPORT Schema {
  std::vector<Field> fields;

  bool operator==(const Schema&) const = default;
};

}  // namespace sluice::inline v0
