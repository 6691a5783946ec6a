#pragma once

// Dates, times and intervals as text. Every function takes a whole text, with spaces around it, and
// gives nothing where the text is not one.

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/model/calendar.h"
#include "format/model/int128.h"

namespace sluice::inline v0::engine {

/// Months, days and nanoseconds, which are added one after the other.
struct Interval {
  int64_t months = 0;
  int64_t days = 0;
  int64_t nanoseconds = 0;
  bool operator==(const Interval&) const = default;
};

struct TimestampText {
  Int128 nanoseconds = 0;         ///< Since 1970-01-01T00:00, in the zone of the text.
  int fraction_digits = 0;        ///< As written, without zeros at the end.
  std::optional<int32_t> offset;  ///< Seconds east of UTC.
};

struct TimeText {
  int64_t nanoseconds = 0;  ///< Since midnight; 24:00:00 at most.
  int fraction_digits = 0;
};

/// [-]YYYY-MM-DD; fewer digits will do. Days since 1970-01-01.
std::optional<int64_t> ParseDate(std::string_view text);
/// HH:MM[:SS[.f]], up to 9 fraction digits.
std::optional<TimeText> ParseTime(std::string_view text);
/// A date, and perhaps T or a space, a time, and a zone: Z, +HH, +HH:MM[:SS] or +HHMM.
std::optional<TimestampText> ParseTimestamp(std::string_view text);
/// Numbers with units, and [+-]HH:MM[:SS[.f]]: "1 year 3 days 04:05:06". Days, and what is shorter,
/// may have fractions.
std::optional<Interval> ParseInterval(std::string_view text);
/// Z or a number as in a timestamp; seconds east of UTC, less than a day.
std::optional<int32_t> ParseZone(std::string_view text);

}  // namespace sluice::inline v0::engine
