#include <cstdlib>

#include "format/model/calendar.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::text {
namespace {

int FractionDigits(TimeUnit unit) {
  return unit == TimeUnit::kMilliseconds ? 3 : unit == TimeUnit::kMicroseconds ? 6 : 9;
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

void AppendDate(int64_t days, std::string& out) {
  const CivilDay day = CivilOfDays(days);
  if (day.year < 0) out += '-';
  AppendPadded(std::abs(day.year), 4, out);
  out += '-';
  AppendPadded(day.month, 2, out);
  out += '-';
  AppendPadded(day.day, 2, out);
}

void AppendTimestamp(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out) {
  const int64_t per_day = UnitsPerDay(unit);
  AppendDate(FloorDivide(value, per_day), out);
  out += 'T';
  AppendTime(FloorRemainder(value, per_day), unit, utc_adjusted, out);
}

void AppendInt96(int64_t nanoseconds, int32_t julian_day, std::string& out) {
  const int64_t per_day = kNanosecondsPerDay;
  const int64_t carried = FloorDivide(nanoseconds, per_day);
  AppendDate(julian_day - kJulianDayOfEpoch + carried, out);
  out += 'T';
  AppendClock(FloorRemainder(nanoseconds, per_day), TimeUnit::kNanoseconds, out);
}

void AppendTime(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out) {
  AppendClock(value, unit, out);
  if (utc_adjusted) out += 'Z';
}

bool IsInsideDay(int64_t value, TimeUnit unit) { return value >= 0 && value < UnitsPerDay(unit); }

}  // namespace sluice::inline v0::text
