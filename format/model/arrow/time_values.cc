#include "format/model/arrow/time_values.h"

#include <cstring>

namespace sluice::inline v0::arrow {

namespace {

__extension__ typedef __int128 Int128;

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kJulianDayOfEpoch = 2'440'588;
constexpr int64_t kNanosPerMilli = 1'000'000;

template <typename T>
T LoadAt(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

}  // namespace

// | nanoseconds of the day, int64 | Julian day, int32 |; the nanoseconds may lie outside the day.
std::optional<int64_t> Int96Timestamp(const uint8_t* value, TimeUnit unit) {
  const auto nanoseconds = LoadAt<int64_t>(value);
  const int64_t days = LoadAt<int32_t>(value + 8) - kJulianDayOfEpoch;
  const int64_t per_unit = kNanosPerSecond / UnitsPerSecond(unit);
  const int64_t of_day = nanoseconds / per_unit - (nanoseconds % per_unit < 0 ? 1 : 0);
  // The first day that 64 bits of nanoseconds reach begins where they do not.
  const Int128 units = Int128{days} * (kSecondsPerDay * UnitsPerSecond(unit)) + of_day;
  const auto narrow = static_cast<int64_t>(units);
  if (narrow != units) return std::nullopt;
  return narrow;
}

// | months, uint32 | days, uint32 | milliseconds, uint32 |
std::optional<MonthDayNano> IntervalValue(const uint8_t* value) {
  const auto months = LoadAt<uint32_t>(value);
  const auto days = LoadAt<uint32_t>(value + 4);
  const auto milliseconds = LoadAt<uint32_t>(value + 8);
  if (months > INT32_MAX || days > INT32_MAX) return std::nullopt;
  return MonthDayNano{static_cast<int32_t>(months), static_cast<int32_t>(days),
                      milliseconds * kNanosPerMilli};
}

}  // namespace sluice::inline v0::arrow
