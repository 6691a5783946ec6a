#include "format/model/arrow/time_values.h"

#include <cstring>

#include "format/model/calendar.h"
#include "format/model/int128.h"
#include "format/model/load.h"

namespace sluice::inline v0::arrow {

namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;

}  // namespace

// | nanoseconds of the day, int64 | Julian day, int32 |; the nanoseconds may lie outside the day.
std::optional<int64_t> Int96Timestamp(const uint8_t* value, TimeUnit unit) {
  const auto nanoseconds = Load<int64_t>(value);
  const int64_t days = Load<int32_t>(value + 8) - kJulianDayOfEpoch;
  const int64_t of_day = FloorDivide(nanoseconds, NanosecondsPerUnit(unit));
  // The first day that 64 bits of nanoseconds reach begins where they do not.
  const Int128 units = Int128{days} * UnitsPerDay(unit) + of_day;
  const auto narrow = static_cast<int64_t>(units);
  if (narrow != units) return std::nullopt;
  return narrow;
}

// | months, uint32 | days, uint32 | milliseconds, uint32 |
std::optional<MonthDayNano> IntervalValue(const uint8_t* value) {
  const auto months = Load<uint32_t>(value);
  const auto days = Load<uint32_t>(value + 4);
  const auto milliseconds = Load<uint32_t>(value + 8);
  if (months > INT32_MAX || days > INT32_MAX) return std::nullopt;
  return MonthDayNano{static_cast<int32_t>(months), static_cast<int32_t>(days),
                      milliseconds * kNanosPerMilli};
}

}  // namespace sluice::inline v0::arrow
