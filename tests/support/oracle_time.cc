#include "tests/support/oracle_time.h"

#include <algorithm>
#include <cstdio>
#include <regex>
#include <utility>

#include "tests/support/oracle_text.h"

namespace sluice::support {
namespace {

constexpr Wide kCycleYears = 400;
constexpr Wide kCycleDays = 146'097;

bool IsLeap(Wide year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
int LengthOfYear(Wide year) { return IsLeap(year) ? 366 : 365; }

int64_t NumberOf(const std::csub_match& digits) {
  return std::strtoll(digits.str().c_str(), nullptr, 10);
}

/// The digits behind a point as billionths; absent where more than nine of them count.
std::optional<Wide> FractionOf(std::string digits, bool* is_fine) {
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  if (digits.size() > 9) return std::nullopt;
  *is_fine = digits.size() > 6;
  digits.resize(9, '0');
  return std::strtoll(digits.c_str(), nullptr, 10);
}

/// H:M[:S[.f]]; hours up to `most_hours`.
std::optional<OracleTimestamp> ClockOf(std::string_view text, int64_t most_hours) {
  static const std::regex kClock(R"((\d{1,8}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?)");
  std::cmatch match;
  if (!std::regex_match(text.data(), text.data() + text.size(), match, kClock)) return std::nullopt;
  OracleTimestamp time;
  const int64_t hours = NumberOf(match[1]);
  const int64_t minutes = NumberOf(match[2]);
  const int64_t seconds = match[3].matched ? NumberOf(match[3]) : 0;
  Wide fraction = 0;
  if (match[4].matched) {
    const auto read = FractionOf(match[4].str(), &time.is_fine);
    if (!read) return std::nullopt;
    fraction = *read;
  }
  if (minutes > 59 || seconds > 59) return std::nullopt;
  time.nanoseconds = hours * kHour + minutes * kMinute + seconds * kSecond + fraction;
  if (time.nanoseconds > most_hours * kHour) return std::nullopt;
  return time;
}

std::optional<int64_t> ZoneOf(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  static const std::regex kZone(R"(([+-])(\d{1,2})(?:(\d{2})|:(\d{2})(?::(\d{2}))?)?)");
  std::cmatch match;
  if (!std::regex_match(text.data(), text.data() + text.size(), match, kZone)) return std::nullopt;
  const auto part = [&](int i) { return match[i].matched ? NumberOf(match[i]) : int64_t{0}; };
  const int64_t minutes = part(3) + part(4);
  if (part(2) > 23 || minutes > 59 || part(5) > 59) return std::nullopt;
  const int64_t seconds = part(2) * 3600 + minutes * 60 + part(5);
  return match[1].str() == "-" ? -seconds : seconds;
}

struct Unit {
  std::string_view names;  ///< Between spaces.
  OracleInterval one;
};

constexpr int64_t kNanosecondsOfSecond = 1'000'000'000;
constexpr Unit kUnits[] = {
    {" millennium millennia millenniums ", {12'000, 0, 0}},
    {" century centuries ", {1'200, 0, 0}},
    {" decade decades ", {120, 0, 0}},
    {" year years y yr yrs ", {12, 0, 0}},
    {" quarter quarters ", {3, 0, 0}},
    {" month months mon mons ", {1, 0, 0}},
    {" week weeks w ", {0, 7, 0}},
    {" day days d ", {0, 1, 0}},
    {" hour hours h hr hrs ", {0, 0, 3600 * kNanosecondsOfSecond}},
    {" minute minutes m min mins ", {0, 0, 60 * kNanosecondsOfSecond}},
    {" second seconds s sec secs ", {0, 0, kNanosecondsOfSecond}},
    {" millisecond milliseconds ms msec msecs ", {0, 0, 1'000'000}},
    {" microsecond microseconds us usec usecs ", {0, 0, 1'000}},
    {" nanosecond nanoseconds ns ", {0, 0, 1}},
};

}  // namespace

OracleDay DayOfEpoch(Wide days) {
  // 1970 is 370 years into a cycle that began in 1600.
  const Wide cycles = FloorOf(days, kCycleDays);
  days -= cycles * kCycleDays;
  OracleDay day{1970 + cycles * kCycleYears, 1, 1};
  while (days >= LengthOfYear(day.year)) days -= LengthOfYear(day.year++);
  while (days >= LengthOfMonth(day.year, day.month)) {
    days -= LengthOfMonth(day.year, day.month++);
  }
  day.day = static_cast<int>(days) + 1;
  return day;
}

Wide DaysSinceEpoch(const OracleDay& day) {
  const Wide cycles = FloorOf(day.year - 1970, kCycleYears);
  Wide days = cycles * kCycleDays + day.day - 1;
  for (Wide year = 1970 + cycles * kCycleYears; year < day.year; ++year) days += LengthOfYear(year);
  for (int month = 1; month < day.month; ++month) days += LengthOfMonth(day.year, month);
  return days;
}

int LengthOfMonth(Wide year, int month) {
  constexpr int kLengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kLengths[month - 1] + (month == 2 && IsLeap(year) ? 1 : 0);
}

Wide AddOracleInterval(Wide nanoseconds, const OracleInterval& interval, int sign) {
  const Wide days = FloorOf(nanoseconds, kDay);
  OracleDay day = DayOfEpoch(days);
  const Wide months = day.year * 12 + (day.month - 1) + Wide{sign} * interval.months;
  day.year = FloorOf(months, 12);
  day.month = static_cast<int>(months - day.year * 12) + 1;
  day.day = std::min(day.day, LengthOfMonth(day.year, day.month));
  const Wide moved = DaysSinceEpoch(day) + Wide{sign} * interval.days;
  return moved * kDay + (nanoseconds - days * kDay) + Wide{sign} * interval.nanoseconds;
}

std::optional<Wide> CutToUnit(Wide nanoseconds, std::string_view unit) {
  constexpr std::pair<std::string_view, Wide> kFixed[] = {{"microsecond", 1'000},
                                                          {"microseconds", 1'000},
                                                          {"millisecond", 1'000'000},
                                                          {"milliseconds", 1'000'000},
                                                          {"second", kSecond},
                                                          {"minute", kMinute},
                                                          {"hour", kHour},
                                                          {"day", kDay}};
  for (const auto& [name, length] : kFixed) {
    if (name == unit) return FloorOf(nanoseconds, length) * length;
  }
  const Wide days = FloorOf(nanoseconds, kDay);
  if (unit == "week") {
    // 1969-12-29 was a Monday.
    return (FloorOf(days + 3, 7) * 7 - 3) * kDay;
  }
  OracleDay day = DayOfEpoch(days);
  day.day = 1;
  if (unit == "month") return DaysSinceEpoch(day) * kDay;
  if (unit == "quarter") {
    while (day.month % 3 != 1) --day.month;
    return DaysSinceEpoch(day) * kDay;
  }
  day.month = 1;
  constexpr std::pair<std::string_view, Wide> kYears[] = {
      {"year", 1}, {"decade", 10}, {"century", 100}, {"millennium", 1000}};
  for (const auto& [name, years] : kYears) {
    if (name != unit) continue;
    day.year = FloorOf(day.year, years) * years;
    return DaysSinceEpoch(day) * kDay;
  }
  return std::nullopt;
}

std::optional<Wide> ParseOracleDate(std::string_view text) {
  text = OracleTrim(text);
  static const std::regex kDate(R"((-?)(\d{1,7})-(\d{1,2})-(\d{1,2}))");
  std::cmatch match;
  if (!std::regex_match(text.data(), text.data() + text.size(), match, kDate)) return std::nullopt;
  const int64_t year = NumberOf(match[2]);
  const OracleDay day{match[1].length() > 0 ? -year : year, static_cast<int>(NumberOf(match[3])),
                      static_cast<int>(NumberOf(match[4]))};
  const bool is_month = day.month >= 1 && day.month <= 12;
  if (!is_month || day.day < 1 || day.day > LengthOfMonth(day.year, day.month)) return std::nullopt;
  return DaysSinceEpoch(day);
}

std::optional<OracleTimestamp> ParseOracleTime(std::string_view text) {
  return ClockOf(OracleTrim(text), 24);
}

std::optional<OracleTimestamp> ParseOracleTimestamp(std::string_view text) {
  text = OracleTrim(text);
  const size_t date_end = text.find_first_of(" \t\n\v\f\rTtZz+", 1);
  size_t end = std::min(date_end, text.size());
  // A date ends behind its second hyphen's digits: a third hyphen begins a zone.
  size_t hyphens = 0;
  for (size_t i = 1; i < end; ++i) {
    if (text[i] == '-' && ++hyphens == 3) end = i;
  }
  const auto days = ParseOracleDate(text.substr(0, end));
  if (!days || (end > 0 && text.substr(0, end) != OracleTrim(text.substr(0, end)))) {
    return std::nullopt;
  }
  OracleTimestamp timestamp{*days * kDay, false, std::nullopt};
  std::string_view rest = text.substr(end);
  const bool is_marked = !rest.empty() && (rest[0] == 'T' || rest[0] == 't');
  const std::string_view trimmed = is_marked ? rest.substr(1) : OracleTrim(rest);
  const bool has_clock = !trimmed.empty() && trimmed[0] >= '0' && trimmed[0] <= '9' &&
                         (is_marked || trimmed.size() < rest.size());
  if (is_marked && !has_clock) return std::nullopt;
  rest = trimmed;
  if (has_clock) {
    const size_t clock_end = std::min(trimmed.find_first_not_of("0123456789:."), trimmed.size());
    const auto clock = ClockOf(trimmed.substr(0, clock_end), 24);
    if (!clock) return std::nullopt;
    timestamp.nanoseconds += clock->nanoseconds;
    timestamp.is_fine = clock->is_fine;
    rest = OracleTrim(trimmed.substr(clock_end));
  }
  if (!rest.empty()) {
    timestamp.offset = ZoneOf(rest);
    if (!timestamp.offset) return std::nullopt;
  }
  return timestamp;
}

std::optional<OracleInterval> ParseOracleInterval(std::string_view text) {
  // Spaces are trimmed from both ends of each part.
  static const std::regex kPart(
      R"(([+-]?)(?:(\d+:[\d:.]+)|(\d{1,18})(?:\.(\d+))?\s*([A-Za-z]+))\s*)");
  text = OracleTrim(text);
  if (text.empty()) return std::nullopt;
  Wide months = 0;
  Wide days = 0;
  Wide nanoseconds = 0;
  while (!text.empty()) {
    std::cmatch match;
    if (!std::regex_search(text.data(), text.data() + text.size(), match, kPart,
                           std::regex_constants::match_continuous)) {
      return std::nullopt;
    }
    text.remove_prefix(static_cast<size_t>(match.length(0)));
    const Wide sign = match[1].str() == "-" ? -1 : 1;
    if (match[2].matched) {
      const std::string clock_text = match[2].str();
      const auto clock = ClockOf(clock_text, 2'000'000);
      if (!clock) return std::nullopt;
      nanoseconds += sign * clock->nanoseconds;
      continue;
    }
    bool is_fine = false;
    const auto fraction = match[4].matched ? FractionOf(match[4].str(), &is_fine) : Wide{0};
    const std::string name = " " + OracleLower(match[5].str()) + " ";
    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& known) {
      return known.names.find(name) != std::string_view::npos;
    });
    if (!fraction || unit == std::end(kUnits)) return std::nullopt;
    if (*fraction != 0 && unit->one.months != 0) return std::nullopt;
    const Wide count = sign * NumberOf(match[3]);
    months += count * unit->one.months;
    days += count * unit->one.days;
    nanoseconds += count * unit->one.nanoseconds;
    nanoseconds += sign * ((unit->one.days * kDay + unit->one.nanoseconds) * *fraction / kSecond);
  }
  const OracleInterval interval{static_cast<int64_t>(months), static_cast<int64_t>(days),
                                static_cast<int64_t>(nanoseconds)};
  if (interval.months != months || interval.days != days || interval.nanoseconds != nanoseconds) {
    return std::nullopt;
  }
  return interval;
}

std::string OracleDateText(Wide days) {
  const OracleDay day = DayOfEpoch(days);
  char text[60];
  const auto year = static_cast<long long>(day.year);
  std::snprintf(text, sizeof(text), "%s%04lld-%02d-%02d", year < 0 ? "-" : "",
                year < 0 ? -year : year, day.month, day.day);
  return text;
}

std::string OracleClockText(Wide nanoseconds) {
  const Wide magnitude = nanoseconds < 0 ? -nanoseconds : nanoseconds;
  const auto seconds = static_cast<long long>(magnitude / kSecond);
  char text[60];
  std::snprintf(text, sizeof(text), "%s%02lld:%02lld:%02lld.%09lld", nanoseconds < 0 ? "-" : "",
                seconds / 3600, seconds / 60 % 60, seconds % 60,
                static_cast<long long>(magnitude % kSecond));
  std::string clock(text);
  while (clock.back() == '0') clock.pop_back();
  if (clock.back() == '.') return clock.substr(0, clock.size() - 1);
  return clock;
}

std::string OracleTimestampText(Wide nanoseconds) {
  const Wide days = FloorOf(nanoseconds, kDay);
  return OracleDateText(days) + " " + OracleClockText(nanoseconds - days * kDay);
}

std::string OracleZoneText(int64_t offset) {
  const int64_t seconds = offset < 0 ? -offset : offset;
  std::string text = offset < 0 ? "-" : "+";
  char part[12];
  std::snprintf(part, sizeof(part), "%02d", static_cast<int>(seconds / 3600));
  text += part;
  if (seconds % 3600 != 0) {
    std::snprintf(part, sizeof(part), ":%02d", static_cast<int>(seconds / 60 % 60));
    text += part;
  }
  if (seconds % 60 != 0) {
    std::snprintf(part, sizeof(part), ":%02d", static_cast<int>(seconds % 60));
    text += part;
  }
  return text;
}

}  // namespace sluice::support
