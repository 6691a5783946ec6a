#pragma once

// What the oracle of expressions knows of dates, times and intervals. Written from
// engine/EXPRESSIONS.md, and on its own: days are found by counting years and months.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/long_number.h"

namespace sluice::support {

inline constexpr Wide kSecond = 1'000'000'000;  ///< In nanoseconds, as the others.
inline constexpr Wide kMinute = 60 * kSecond;
inline constexpr Wide kHour = 60 * kMinute;
inline constexpr Wide kDay = 24 * kHour;

struct OracleDay {
  Wide year = 1970;
  int month = 1;
  int day = 1;
};
OracleDay DayOfEpoch(Wide days);
Wide DaysSinceEpoch(const OracleDay& day);
int LengthOfMonth(Wide year, int month);

struct OracleInterval {
  int64_t months = 0;
  int64_t days = 0;
  int64_t nanoseconds = 0;
  bool operator==(const OracleInterval&) const = default;
};

/// `nanoseconds` since 1970 of the calendar that the interval is added by: months, the last day of
/// a month that is shorter, then days, then the rest.
Wide AddOracleInterval(Wide nanoseconds, const OracleInterval& interval, int sign);

/// Down to a multiple of the unit, nanoseconds since 1970; the unit in lower case as in
/// date_trunc('month', ..). Absent where there is no such unit.
std::optional<Wide> CutToUnit(Wide nanoseconds, std::string_view unit);

struct OracleTimestamp {
  Wide nanoseconds = 0;
  bool is_fine = false;           ///< More than 6 digits behind the point, zeros at the end aside.
  std::optional<int64_t> offset;  ///< Seconds east of UTC.
};
std::optional<Wide> ParseOracleDate(std::string_view text);
std::optional<OracleTimestamp> ParseOracleTime(std::string_view text);
std::optional<OracleTimestamp> ParseOracleTimestamp(std::string_view text);
std::optional<OracleInterval> ParseOracleInterval(std::string_view text);

std::string OracleDateText(Wide days);
/// HH:MM:SS and the fraction that there is, a minus in front of negative ones.
std::string OracleClockText(Wide nanoseconds);
std::string OracleTimestampText(Wide nanoseconds);
std::string OracleZoneText(int64_t offset);

}  // namespace sluice::support
