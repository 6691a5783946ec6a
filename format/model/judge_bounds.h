#pragma once

#include <sluice/filter.h>

#include <string>
#include <utility>
#include <vector>

#include "format/model/value_knowledge.h"

namespace sluice::inline v0 {

/// What bounds prove of a filter for the values between them, none of which is null or NaN.
struct BoundsJudgement {
  bool none = false;  ///< None passes.
  bool all = false;   ///< All pass.
};

/// The filter looks at values, and the bounds are of its type. One bound serves alone. Where a
/// floating-point bound is missing, the infinity stands in its place.
BoundsJudgement JudgeBounds(const ColumnFilter& filter, const ValueKnowledge& knowledge);

using SetIterator = std::vector<std::string>::const_iterator;
/// The members of a filter's set between the bounds, found by bisection.
std::pair<SetIterator, SetIterator> MembersInside(const ColumnFilter& filter,
                                                  const ValueKnowledge& knowledge);

}  // namespace sluice::inline v0
