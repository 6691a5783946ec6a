#pragma once

#include <sluice/types.h>

#include <optional>
#include <span>

namespace sluice::inline v0::engine {

/// The narrowest type that each of these scalar types is widened to exactly (format/model/widen.h),
/// whatever their order:
///
///   one type                    that type
///   integers                    the narrowest that holds all, signed if any is; else a decimal
///   integers, floating point    the narrowest floating point that holds all
///   integers, decimals          as many digits before and behind the point as any needs, up to 76
///   dates, timestamps, INT96    the finest unit; INT96 counts as nanoseconds
///   times, durations            the finest unit
///   text, binary                string; with any binary, binary
///
/// Absent for all others, in particular for instants with timestamps without a zone, and for 64-bit
/// integers with floating point. kNull is a type like others here: every row of it is null.
std::optional<DataType> LeastCommonType(std::span<const DataType> types);

}  // namespace sluice::inline v0::engine
