#pragma once

// Values as text, as a cast to VARCHAR gives it.

#include <sluice/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/values/int256.h"
#include "engine/values/time_text.h"

namespace sluice::inline v0::engine {

/// Appends a value of the type: numbers in decimal, decimals with all digits of their scale,
/// YYYY-MM-DD, HH:MM:SS with the fraction that there is, timestamps with a space between, instants
/// in the zone of `zone_offset` seconds with +HH[:MM[:SS]] behind, binary with \xHH, UUIDs with
/// hyphens. Integers are those of integer and time-like types, and the unscaled ones of decimals.
void AppendValueText(int64_t value, const DataType& type, int32_t zone_offset, std::string* out);
void AppendValueText(uint64_t value, const DataType& type, int32_t zone_offset, std::string* out);
void AppendValueText(double value, const DataType& type, int32_t zone_offset, std::string* out);
void AppendValueText(float value, const DataType& type, int32_t zone_offset, std::string* out);
/// A decimal, or nanoseconds of INT96.
void AppendValueText(Int128 value, const DataType& type, int32_t zone_offset, std::string* out);
void AppendValueText(const Int256& value, const DataType& type, int32_t zone_offset,
                     std::string* out);
void AppendValueText(std::string_view value, const DataType& type, int32_t zone_offset,
                     std::string* out);
void AppendValueText(const Interval& value, const DataType& type, int32_t zone_offset,
                     std::string* out);

inline void AppendValueText(int8_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(int64_t{value}, type, zone_offset, out);
}
inline void AppendValueText(int16_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(int64_t{value}, type, zone_offset, out);
}
inline void AppendValueText(int32_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(int64_t{value}, type, zone_offset, out);
}
inline void AppendValueText(uint8_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(uint64_t{value}, type, zone_offset, out);
}
inline void AppendValueText(uint16_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(uint64_t{value}, type, zone_offset, out);
}
inline void AppendValueText(uint32_t value, const DataType& type, int32_t zone_offset,
                            std::string* out) {
  AppendValueText(uint64_t{value}, type, zone_offset, out);
}

}  // namespace sluice::inline v0::engine
