#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::inline v0::engine {

/// A unit of an interval: so many months, days or nanoseconds, the other two being 0.
struct IntervalUnit {
  std::string_view names[6];  ///< In lower case; the rest empty.
  int64_t months;
  int64_t days;
  int64_t nanoseconds;
};

/// The unit of this name, given in lower case, or null.
const IntervalUnit* FindIntervalUnit(std::string_view name);

}  // namespace sluice::inline v0::engine
