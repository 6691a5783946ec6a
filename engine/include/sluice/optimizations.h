#pragma once

// The optimisations of a scan, each with its switch.

#include <sluice/export.h>
#include <sluice/scan.h>

#include <span>
#include <string_view>

namespace sluice::inline v0 {

/// What can be switched off without another row coming out.
struct Optimization {
  std::string_view name;     ///< In snake_case, for example "page_index".
  std::string_view without;  ///< What a scan does without it, as a sentence.
  bool& (*option)(ScanOptions& options);
};

/// All of them, in the order in which a scan comes to them.
SLUICE_EXPORT std::span<const Optimization> Optimizations();

}  // namespace sluice::inline v0
