#pragma once

// Values of ordered types as consecutive integers in the same order.

#include <sluice/types.h>

#include <string>
#include <string_view>

#include "engine/values/exact_number.h"
#include "engine/values/int256.h"

namespace sluice::inline v0::engine {

/// Keys from `least` to `greatest`, both included.
struct KeyRange {
  Int256 least;
  Int256 greatest;
};

/// The keys of all values that a column of the type can hold, decimals with more digits than their
/// precision too. Booleans, integers, decimals, floating-point values (one key for both zeros, one
/// for every NaN), dates, times, timestamps (INT96: nanoseconds since 1970) and durations have
/// keys; other types none.
KeyRange KeysOf(const DataType& type);
/// The value of a key, as Value::bytes; the positive zero, a quiet NaN.
std::string BytesOfKey(const Int256& key, const DataType& type);
/// Whether the type's values have keys.
bool HasKeys(const DataType& type);
/// The key of a value.
Int256 KeyOfBytes(std::string_view bytes, const DataType& type);

/// A value of a floating-point type, as Value::bytes.
double FloatingOfBytes(std::string_view bytes, const DataType& type);
/// What a key's value, a number of any type, is when cast to kFloat or kDouble.
double ImageOfKey(const Int256& key, const DataType& type, TypeId image);
/// A finite number to the 17 digits that tell it from its neighbours.
ExactNumber ExactNumberOf(double value);

/// Half the sum, rounded down.
Int256 Midpoint(const Int256& a, const Int256& b);
/// value / 2^bits, rounded down.
Int256 ShiftRight(const Int256& value, int bits);

}  // namespace sluice::inline v0::engine
