#include <cstdlib>

#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::text {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kJulianDayOfEpoch = 2'440'588;

int FractionDigits(TimeUnit unit) {
  return unit == TimeUnit::kMilliseconds ? 3 : unit == TimeUnit::kMicroseconds ? 6 : 9;
}

/// The largest multiple of `divisor` not above `value`, divided by it.
int64_t FloorDivide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// `value` less that multiple. Not by multiplying it: the least integers' product has no room.
int64_t FloorRemainder(int64_t value, int64_t divisor) {
  const int64_t remainder = value % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

/// `value` (not negative) in at least `digits` digits.
void AppendPadded(int64_t value, int digits, std::string& out) {
  char text[20];
  int begin = sizeof(text);
  for (; value > 0; value /= 10, --digits) text[--begin] = static_cast<char>('0' + value % 10);
  for (; digits > 0; --digits) text[--begin] = '0';
  out.append(text + begin, sizeof(text) - static_cast<size_t>(begin));
}

/// HH:MM:SS.fff of `units` inside the day.
void AppendClock(int64_t units, TimeUnit unit, std::string& out) {
  const int64_t per_second = UnitsPerSecond(unit);
  const int64_t seconds = units / per_second;
  AppendPadded(seconds / 3600, 2, out);
  out += ':';
  AppendPadded(seconds / 60 % 60, 2, out);
  out += ':';
  AppendPadded(seconds % 60, 2, out);
  out += '.';
  AppendPadded(units % per_second, FractionDigits(unit), out);
}

}  // namespace

/// Counts in years that begin in March, so that the leap day ends a year, and in the 400-year cycle
/// of the calendar, 146097 days.
void AppendDate(int64_t days, std::string& out) {
  constexpr int64_t kDaysOfCycle = 146'097;
  constexpr int64_t kDaysToEpoch = 719'468;  // From 0000-03-01.
  const int64_t shifted = days + kDaysToEpoch;
  const int64_t cycle = FloorDivide(shifted, kDaysOfCycle);
  const int64_t day_of_cycle = shifted - cycle * kDaysOfCycle;
  // A leap day every 1461 days, none every 36524, one again at the cycle's last day.
  const int64_t year_of_cycle =
      (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36'524 - day_of_cycle / 146'096) / 365;
  const int64_t day_of_year =
      day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
  // Five months from March or August on have 153 days.
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = cycle * 400 + year_of_cycle + (month <= 2 ? 1 : 0);
  if (year < 0) out += '-';
  AppendPadded(std::abs(year), 4, out);
  out += '-';
  AppendPadded(month, 2, out);
  out += '-';
  AppendPadded(day, 2, out);
}

void AppendTimestamp(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out) {
  const int64_t per_day = kSecondsPerDay * UnitsPerSecond(unit);
  AppendDate(FloorDivide(value, per_day), out);
  out += 'T';
  AppendTime(FloorRemainder(value, per_day), unit, utc_adjusted, out);
}

void AppendInt96(int64_t nanoseconds, int32_t julian_day, std::string& out) {
  const int64_t per_day = kSecondsPerDay * UnitsPerSecond(TimeUnit::kNanoseconds);
  const int64_t carried = FloorDivide(nanoseconds, per_day);
  AppendDate(julian_day - kJulianDayOfEpoch + carried, out);
  out += 'T';
  AppendClock(FloorRemainder(nanoseconds, per_day), TimeUnit::kNanoseconds, out);
}

void AppendTime(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out) {
  AppendClock(value, unit, out);
  if (utc_adjusted) out += 'Z';
}

bool IsInsideDay(int64_t value, TimeUnit unit) {
  return value >= 0 && value < kSecondsPerDay * UnitsPerSecond(unit);
}

}  // namespace sluice::inline v0::text
