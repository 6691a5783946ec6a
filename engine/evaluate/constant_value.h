#pragma once

#include <optional>
#include <string>

#include "engine/bound/bound_expression.h"

namespace sluice::inline v0::engine {

/// The value of an expression without columns, as BoundExpression::bytes has it; absent where it is
/// an error, or of a nested type.
std::optional<std::optional<std::string>> ConstantValue(const BoundExpression& expression);

}  // namespace sluice::inline v0::engine
