#pragma once

// The texts of literals as values of the type that they stand beside.

#include <sluice/expression.h>

#include <optional>
#include <string_view>

#include "engine/bind/placement.h"
#include "engine/values/time_text.h"

namespace sluice::inline v0::engine {

/// Nanoseconds since 1970 in UTC; `zone_offset` is that of texts without one.
Int128 InstantOf(const TimestampText& timestamp, int32_t zone_offset);

/// A number among the values of a numeric type. A number without an exponent is compared with
/// floating-point values as the nearest of them (with kFloat16 as the nearest kFloat), and beyond
/// the greatest as what it is; one with an exponent is a double, and what it is compared with
/// becomes one.
Placement PlaceLiteralNumber(const ExactNumber& number, const DataType& type);

/// A string among the values of a type by what it says: a number exactly, for floating-point types
/// the nearest, nan, inf; a time; an interval among durations; bytes; a UUID; true and false.
/// Absent where the type reads no such string; a naive type none with a zone. Strings without a
/// zone are read in `zone_offset` for instants.
std::optional<Placement> PlaceString(std::string_view text, const DataType& type,
                                     int32_t zone_offset);

}  // namespace sluice::inline v0::engine
