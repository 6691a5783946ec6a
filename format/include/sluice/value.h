#pragma once

#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/types.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::inline v0 {

/// One value of a type, or null: plain data.
///
/// `bytes` are what a row of a column of that type holds: byte_width little-endian bytes where the
/// width is fixed, one byte 0 or 1 for a boolean, the bytes themselves where columns hold views.
/// Nested types have no values of this kind.
struct SLUICE_EXPORT Value {
  DataType type;
  std::optional<std::string> bytes;

  static Value Null(DataType type) { return {std::move(type), std::nullopt}; }
  /// A value of a type of fixed width; sizeof(T) is that width (a boolean is a uint8_t).
  template <typename T>
  static Value Of(DataType type, T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return {std::move(type), std::move(bytes)};
  }

  bool is_null() const { return !bytes.has_value(); }
  /// The value; of a type of fixed width, not null.
  template <typename T>
  T as() const {
    T value;
    std::memcpy(&value, bytes->data(), sizeof(T));
    return value;
  }
  /// The canonical JSON of text.h.
  std::string ToString() const;
  /// The same type and bytes: NaNs of two payloads differ, and so do the zeros of both signs.
  bool operator==(const Value&) const = default;
};

/// Row `row` of a column that is not nested, whatever its form.
SLUICE_EXPORT Value ValueAt(const Column& column, int64_t row);

/// A flat or view column of the given values, as Value::bytes, in memory that no pool counts: for
/// constants and small lists of values. Together they have less than 2 GiB.
SLUICE_EXPORT Column ColumnOf(const DataType& type,
                              std::span<const std::optional<std::string>> values);

/// Whether values of the type have an order here: every type but kNull, kInterval, kGeometry,
/// kGeography and the nested ones.
SLUICE_EXPORT bool IsOrdered(const DataType& type);

/// Compares two values of an ordered type, as Value::bytes: negative, 0 or positive.
///
/// Integers, decimals (of one scale and width), dates, times, timestamps and durations by number;
/// INT96 by instant; false before true; floating point by number, where -0.0 equals 0.0 and NaN
/// equals NaN, whatever its payload, and is above +infinity; everything else by unsigned bytes, a
/// prefix first. The same order everywhere: in filters, pruning, bloom filters and sets.
SLUICE_EXPORT int CompareValues(const DataType& type, std::string_view a, std::string_view b);

/// Whether the type has NaN: kFloat16, kFloat and kDouble.
SLUICE_EXPORT bool IsFloating(const DataType& type);
/// Whether the value, as Value::bytes, is a NaN of a floating-point type.
SLUICE_EXPORT bool IsNan(const DataType& type, std::string_view value);

}  // namespace sluice::inline v0
