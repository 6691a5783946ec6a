#pragma once

#include <sluice/evidence.h>

#include <optional>
#include <string_view>

namespace sluice::inline v0 {

/// What evidence says of a column's values, nulls left out, with NaN told apart from the others
/// whatever its bounds cover. Views into the evidence.
struct ValueKnowledge {
  /// Of the values that are not NaN. Neither is NaN, and they are not reversed.
  std::optional<std::string_view> low;
  std::optional<std::string_view> high;
  Occurrence nans;  ///< None for types without NaN.
  Reason low_missing;
  Reason high_missing;
};

/// `evidence` has a type that is ordered, or no bounds.
ValueKnowledge KnowledgeOf(const Evidence& evidence);

}  // namespace sluice::inline v0
