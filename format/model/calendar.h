#pragma once

// The proleptic Gregorian calendar, and the units that times are counted in.

#include <sluice/types.h>

#include <cstdint>

namespace sluice::inline v0 {

inline constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
inline constexpr int64_t kSecondsPerDay = 86'400;
inline constexpr int64_t kNanosecondsPerDay = kSecondsPerDay * kNanosecondsPerSecond;
/// The Julian day of 1970-01-01, which INT96 counts from.
inline constexpr int64_t kJulianDayOfEpoch = 2'440'588;

constexpr int64_t NanosecondsPerUnit(TimeUnit unit) {
  return kNanosecondsPerSecond / UnitsPerSecond(unit);
}
constexpr int64_t UnitsPerDay(TimeUnit unit) { return kSecondsPerDay * UnitsPerSecond(unit); }

/// The greatest multiple of a positive divisor not above `value`, divided by it.
template <typename T>
constexpr T FloorDivide(T value, T divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}
/// `value` less that multiple.
template <typename T>
constexpr T FloorRemainder(T value, T divisor) {
  const T remainder = value % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

/// A day of the calendar; years before 1 are 0, -1, ...
struct CivilDay {
  int64_t year = 1970;
  int64_t month = 1;  ///< 1..12
  int64_t day = 1;    ///< 1..31
};

/// Days from 1970-01-01, for days of years up to 10^12 either way.
int64_t DaysOfCivil(const CivilDay& day);
CivilDay CivilOfDays(int64_t days);
int64_t DaysInMonth(int64_t year, int64_t month);
/// The same day of the month so many months later, or the last one of a month that is shorter.
CivilDay AddMonths(CivilDay day, int64_t months);

}  // namespace sluice::inline v0
