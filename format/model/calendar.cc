#include "format/model/calendar.h"

#include <algorithm>

namespace sluice::inline v0 {
namespace {

constexpr int64_t kDaysOfCycle = 146'097;  // 400 years.
constexpr int64_t kDaysToEpoch = 719'468;  // From 0000-03-01 to 1970-01-01.

}  // namespace

// Both count in years that begin in March, so that the leap day ends a year.

int64_t DaysOfCivil(const CivilDay& day) {
  const int64_t year = day.year - (day.month <= 2 ? 1 : 0);
  const int64_t cycle = FloorDivide<int64_t>(year, 400);
  const int64_t year_of_cycle = year - cycle * 400;
  const int64_t month_from_march = day.month + (day.month > 2 ? -3 : 9);
  // Five months from March or August on have 153 days.
  const int64_t day_of_year = (153 * month_from_march + 2) / 5 + day.day - 1;
  const int64_t day_of_cycle =
      year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
  return cycle * kDaysOfCycle + day_of_cycle - kDaysToEpoch;
}

CivilDay CivilOfDays(int64_t days) {
  const int64_t shifted = days + kDaysToEpoch;
  const int64_t cycle = FloorDivide(shifted, kDaysOfCycle);
  const int64_t day_of_cycle = shifted - cycle * kDaysOfCycle;
  // A leap day every 1461 days, none every 36524, one again at the cycle's last day.
  const int64_t year_of_cycle =
      (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36'524 - day_of_cycle / 146'096) / 365;
  const int64_t day_of_year =
      day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {cycle * 400 + year_of_cycle + (month <= 2 ? 1 : 0), month,
          day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

int64_t DaysInMonth(int64_t year, int64_t month) {
  if (month == 2) {
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return is_leap ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

CivilDay AddMonths(CivilDay day, int64_t months) {
  const int64_t count = day.year * 12 + day.month - 1 + months;
  const int64_t year = FloorDivide<int64_t>(count, 12);
  const int64_t month = FloorRemainder<int64_t>(count, 12) + 1;
  return {year, month, std::min(day.day, DaysInMonth(year, month))};
}

}  // namespace sluice::inline v0
