#include "engine/values/interval_unit.h"

namespace sluice::inline v0::engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

constexpr IntervalUnit kUnits[] = {
    {{"millennium", "millennia", "millenniums"}, 12'000, 0, 0},
    {{"century", "centuries"}, 1'200, 0, 0},
    {{"decade", "decades"}, 120, 0, 0},
    {{"year", "years", "y", "yr", "yrs"}, 12, 0, 0},
    {{"quarter", "quarters"}, 3, 0, 0},
    {{"month", "months", "mon", "mons"}, 1, 0, 0},
    {{"week", "weeks", "w"}, 0, 7, 0},
    {{"day", "days", "d"}, 0, 1, 0},
    {{"hour", "hours", "h", "hr", "hrs"}, 0, 0, 3'600 * kSecond},
    {{"minute", "minutes", "m", "min", "mins"}, 0, 0, 60 * kSecond},
    {{"second", "seconds", "s", "sec", "secs"}, 0, 0, kSecond},
    {{"millisecond", "milliseconds", "ms", "msec", "msecs"}, 0, 0, 1'000'000},
    {{"microsecond", "microseconds", "us", "usec", "usecs"}, 0, 0, 1'000},
    {{"nanosecond", "nanoseconds", "ns"}, 0, 0, 1},
};

}  // namespace

const IntervalUnit* FindIntervalUnit(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const IntervalUnit& unit : kUnits) {
    for (const std::string_view known : unit.names) {
      if (known == name) return &unit;
    }
  }
  return nullptr;
}

}  // namespace sluice::inline v0::engine
