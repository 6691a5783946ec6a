#pragma once

#include <sluice/types.h>

#include <cstring>
#include <string_view>

#include "engine/evaluate/vector.h"
#include "format/model/calendar.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {

/// A value as Value::bytes (of kInterval an Interval) in its native form, which T is. Bytes are
/// viewed, not copied.
template <typename T>
T LoadNative(const char* bytes, size_t size, const DataType& type) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return {bytes, size};
  } else if constexpr (std::is_same_v<T, float>) {
    if (type.id == TypeId::kFloat16) {
      uint16_t bits;
      std::memcpy(&bits, bytes, sizeof(bits));
      return text::WidenFloat16(bits);
    }
  } else if constexpr (std::is_same_v<T, Int128>) {
    if (type.id == TypeId::kInt96) {
      int64_t nanoseconds;
      int32_t julian_day;
      std::memcpy(&nanoseconds, bytes, sizeof(nanoseconds));
      std::memcpy(&julian_day, bytes + sizeof(nanoseconds), sizeof(julian_day));
      return (Int128{julian_day} - kJulianDayOfEpoch) * kNanosecondsPerDay + nanoseconds;
    }
  }
  if constexpr (!std::is_same_v<T, std::string_view>) {
    T value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
  }
}

/// Columns hold intervals as months, days and milliseconds of 32 bits each.
inline Interval LoadInterval(const char* bytes) {
  uint32_t parts[3];
  std::memcpy(parts, bytes, sizeof(parts));
  return {parts[0], parts[1], int64_t{parts[2]} * 1'000'000};
}

/// Whether a column of the type holds its values as vectors do.
inline bool IsNativeLayout(const DataType& type) {
  return type.id != TypeId::kFloat16 && type.id != TypeId::kInt96 && type.id != TypeId::kInterval &&
         NativeOf(type) != Native::kBytes;
}

}  // namespace sluice::inline v0::engine
