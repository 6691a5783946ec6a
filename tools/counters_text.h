#pragma once

// The account of a scan in lines for people: what `cat --stats` and `explain` both print.

#include <sluice/scan_counters.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::tools {

/// "1.500 ms".
std::string Milliseconds(int64_t nanoseconds);

/// Files and row groups, and below them how many had which verdict, and why.
std::string UnitCountersText(const ScanCounters& counters, std::string_view indent);

/// Rows, pages, values, bytes and time: all the rest.
std::string WorkCountersText(const ScanCounters& counters, std::string_view indent);

}  // namespace sluice::tools
