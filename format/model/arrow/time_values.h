#pragma once

#include <sluice/types.h>

#include <cstdint>
#include <optional>

namespace sluice::inline v0::arrow {

/// The units since 1970-01-01T00:00 of an INT96 at `value` (12 bytes, TypeId::kInt96), rounded
/// down; nothing where they do not fit.
std::optional<int64_t> Int96Timestamp(const uint8_t* value, TimeUnit unit);

/// Arrow's interval of months, days and nanoseconds.
struct MonthDayNano {
  int32_t months = 0;
  int32_t days = 0;
  int64_t nanoseconds = 0;
};
static_assert(sizeof(MonthDayNano) == 16);

/// The interval at `value` (12 bytes, TypeId::kInterval); nothing where it does not fit.
std::optional<MonthDayNano> IntervalValue(const uint8_t* value);

}  // namespace sluice::inline v0::arrow
