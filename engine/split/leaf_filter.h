#pragma once

#include <optional>

#include "engine/split/split_predicate.h"

namespace sluice::inline v0::engine {

/// The filter that passes exactly the rows for which a boolean expression, or NOT of it, is TRUE;
/// absent where the expression asks of no column or of several, can be an error, or has no form as
/// filter.
std::optional<LeafFilter> LeafFilterOf(const BoundExpression& node, bool negated);

}  // namespace sluice::inline v0::engine
