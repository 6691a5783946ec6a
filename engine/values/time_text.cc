#include "engine/values/time_text.h"

#include <algorithm>

#include "engine/parse/lexer.h"
#include "engine/values/interval_unit.h"

namespace sluice::inline v0::engine {
namespace {

/// What is left of a text that is read front to back.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_[0]; }
  bool Take(char c) {
    if (Peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool TakeSpaces() {
    const size_t before = rest_.size();
    while (Peek() == ' ' || (Peek() >= '\t' && Peek() <= '\r')) rest_.remove_prefix(1);
    return rest_.size() < before;
  }
  /// The sign in front, 1 where there is none.
  int64_t TakeSign() { return Take('-') ? -1 : (Take('+'), 1); }
  bool PeekDigit() const { return Peek() >= '0' && Peek() <= '9'; }
  std::string_view TakeDigits() {
    size_t count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') ++count;
    const std::string_view digits = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return digits;
  }
  /// A number of `least` to `most` digits in [0, limit].
  std::optional<int64_t> TakeNumber(size_t least, size_t most, int64_t limit) {
    const std::string_view digits = TakeDigits();
    if (digits.size() < least || digits.size() > most) return std::nullopt;
    int64_t value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    if (value > limit) return std::nullopt;
    return value;
  }
  std::string_view TakeLetters() {
    size_t count = 0;
    while (count < rest_.size() && ((rest_[count] | 0x20) >= 'a') &&
           ((rest_[count] | 0x20) <= 'z')) {
      ++count;
    }
    const std::string_view letters = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return letters;
  }

 private:
  std::string_view rest_;
};

/// The digits behind a point as a number of 9 digits; absent where further ones are not zero.
std::optional<int64_t> TakeFraction(Reader* reader, int* digits) {
  std::string_view text = reader->TakeDigits();
  if (text.empty()) return std::nullopt;
  while (!text.empty() && text.back() == '0') text.remove_suffix(1);
  if (text.size() > 9) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  for (size_t i = text.size(); i < 9; ++i) value *= 10;
  *digits = static_cast<int>(text.size());
  return value;
}

std::optional<int64_t> TakeDate(Reader* reader) {
  const int64_t sign = reader->Take('-') ? -1 : 1;
  const auto year = reader->TakeNumber(1, 7, INT64_MAX);
  if (!year || !reader->Take('-')) return std::nullopt;
  const auto month = reader->TakeNumber(1, 2, 12);
  if (!month || *month == 0 || !reader->Take('-')) return std::nullopt;
  const auto day = reader->TakeNumber(1, 2, DaysInMonth(sign * *year, *month));
  if (!day || *day == 0) return std::nullopt;
  return DaysOfCivil({sign * *year, *month, *day});
}

/// HH:MM[:SS[.f]] with hours up to `most_hours`, whose last has no minutes.
std::optional<TimeText> TakeTime(Reader* reader, int64_t most_hours) {
  TimeText time;
  const auto hours = reader->TakeNumber(1, 8, most_hours);
  if (!hours || !reader->Take(':')) return std::nullopt;
  const auto minutes = reader->TakeNumber(1, 2, 59);
  if (!minutes) return std::nullopt;
  int64_t seconds = 0;
  int64_t fraction = 0;
  if (reader->Take(':')) {
    const auto read = reader->TakeNumber(1, 2, 59);
    if (!read) return std::nullopt;
    seconds = *read;
    if (reader->Take('.')) {
      const auto digits = TakeFraction(reader, &time.fraction_digits);
      if (!digits) return std::nullopt;
      fraction = *digits;
    }
  }
  time.nanoseconds = ((*hours * 60 + *minutes) * 60 + seconds) * kNanosecondsPerSecond + fraction;
  if (time.nanoseconds > most_hours * 3'600 * kNanosecondsPerSecond) return std::nullopt;
  return time;
}

std::optional<int32_t> TakeZone(Reader* reader) {
  if (reader->Take('Z') || reader->Take('z')) return 0;
  if (reader->Peek() != '+' && reader->Peek() != '-') return std::nullopt;
  const int64_t sign = reader->TakeSign();
  const std::string_view digits = reader->TakeDigits();
  Reader hours(digits.substr(0, std::min<size_t>(digits.size(), 2)));
  const auto hour = hours.TakeNumber(1, 2, 23);
  if (!hour) return std::nullopt;
  int64_t seconds = *hour * 3'600;
  if (digits.size() > 2) {
    Reader minutes(digits.substr(2));
    const auto minute = minutes.TakeNumber(2, 2, 59);
    if (!minute || !minutes.AtEnd()) return std::nullopt;
    return static_cast<int32_t>(sign * (seconds + *minute * 60));
  }
  for (const int64_t unit : {60, 1}) {
    if (!reader->Take(':')) break;
    const auto part = reader->TakeNumber(2, 2, 59);
    if (!part) return std::nullopt;
    seconds += *part * unit;
  }
  return static_cast<int32_t>(sign * seconds);
}

/// Adds up the parts of an interval in wide integers.
class IntervalSum {
 public:
  bool AddTime(int64_t sign, int64_t nanoseconds) {
    nanoseconds_ += sign * nanoseconds;
    return true;
  }
  /// So many of `unit`, and `fraction` billionths of one.
  bool AddUnits(const IntervalUnit& unit, int64_t sign, int64_t count, int64_t fraction) {
    if (fraction != 0 && unit.months != 0) return false;
    months_ += Int128{sign} * count * unit.months;
    days_ += Int128{sign} * count * unit.days;
    nanoseconds_ += Int128{sign} * count * unit.nanoseconds;
    const Int128 whole = Int128{unit.days} * kNanosecondsPerDay + unit.nanoseconds;
    nanoseconds_ += sign * (whole * fraction / kNanosecondsPerSecond);
    return true;
  }
  std::optional<Interval> Get() const {
    const Interval interval{static_cast<int64_t>(months_), static_cast<int64_t>(days_),
                            static_cast<int64_t>(nanoseconds_)};
    const bool fits = interval.months == months_ && interval.days == days_ &&
                      interval.nanoseconds == nanoseconds_;
    return fits ? std::optional(interval) : std::nullopt;
  }

 private:
  Int128 months_ = 0;
  Int128 days_ = 0;
  Int128 nanoseconds_ = 0;
};

/// One part of an interval: a time of the day's shape, or a number with its unit.
bool TakeIntervalPart(Reader* reader, IntervalSum* sum) {
  const int64_t sign = reader->TakeSign();
  constexpr int64_t kMostHours = 2'000'000;
  Reader ahead = *reader;
  ahead.TakeDigits();
  if (ahead.Peek() == ':') {
    const auto time = TakeTime(reader, kMostHours);
    return time && sum->AddTime(sign, time->nanoseconds);
  }
  const auto count = reader->TakeNumber(1, 18, INT64_MAX);
  if (!count) return false;
  int64_t fraction = 0;
  int fraction_digits = 0;
  if (reader->Take('.')) {
    const auto digits = TakeFraction(reader, &fraction_digits);
    if (!digits) return false;
    fraction = *digits;
  }
  reader->TakeSpaces();
  const IntervalUnit* unit = FindIntervalUnit(LowerAscii(reader->TakeLetters()));
  return unit != nullptr && sum->AddUnits(*unit, sign, *count, fraction);
}

constexpr int64_t kHoursOfDay = 24;

}  // namespace

std::optional<int64_t> ParseDate(std::string_view text) {
  Reader reader(text);
  reader.TakeSpaces();
  const auto days = TakeDate(&reader);
  reader.TakeSpaces();
  return reader.AtEnd() ? days : std::nullopt;
}

std::optional<TimeText> ParseTime(std::string_view text) {
  Reader reader(text);
  reader.TakeSpaces();
  const auto time = TakeTime(&reader, kHoursOfDay);
  reader.TakeSpaces();
  return reader.AtEnd() ? time : std::nullopt;
}

std::optional<TimestampText> ParseTimestamp(std::string_view text) {
  Reader reader(text);
  reader.TakeSpaces();
  const auto days = TakeDate(&reader);
  if (!days) return std::nullopt;
  TimestampText timestamp;
  timestamp.nanoseconds = Int128{*days} * kNanosecondsPerDay;
  const bool is_marked = reader.Take('T') || reader.Take('t');
  if (is_marked || (reader.TakeSpaces() && reader.PeekDigit())) {
    const auto time = TakeTime(&reader, kHoursOfDay);
    if (!time) return std::nullopt;
    timestamp.nanoseconds += time->nanoseconds;
    timestamp.fraction_digits = time->fraction_digits;
  }
  reader.TakeSpaces();
  if (!reader.AtEnd()) {
    timestamp.offset = TakeZone(&reader);
    if (!timestamp.offset) return std::nullopt;
  }
  reader.TakeSpaces();
  return reader.AtEnd() ? std::optional(timestamp) : std::nullopt;
}

std::optional<Interval> ParseInterval(std::string_view text) {
  Reader reader(text);
  IntervalSum sum;
  reader.TakeSpaces();
  if (reader.AtEnd()) return std::nullopt;
  while (!reader.AtEnd()) {
    if (!TakeIntervalPart(&reader, &sum)) return std::nullopt;
    reader.TakeSpaces();
  }
  return sum.Get();
}

std::optional<int32_t> ParseZone(std::string_view text) {
  Reader reader(text);
  const auto offset = TakeZone(&reader);
  return reader.AtEnd() ? offset : std::nullopt;
}

}  // namespace sluice::inline v0::engine
