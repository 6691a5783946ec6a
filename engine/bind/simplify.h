#pragma once

#include "engine/bound/bound_expression.h"

namespace sluice::inline v0::engine {

/// The same outcome for every row, errors included, in fewer nodes: what is constant becomes a
/// constant (errors do not: 1/0 stays the error of each row), constant branches and operands of AND
/// and OR are decided, comparisons of casts with constants are made before the cast where that is
/// the same. Nodes that were simplified before are left as they are.
BoundExpression Simplify(BoundExpression node);

}  // namespace sluice::inline v0::engine
