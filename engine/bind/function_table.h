#pragma once

// Every function there is: one table.

#include <span>
#include <string_view>

#include "engine/bind/binder.h"

namespace sluice::inline v0::engine {

/// One function; the texts are those of the table in engine/EXPRESSIONS.md, which a test compares.
struct FunctionRule {
  std::string_view name;
  std::string_view arguments;
  std::string_view result;
  std::string_view nulls;   ///< When the result is NULL.
  std::string_view errors;  ///< What is a row's error.
  size_t min_arguments;
  size_t max_arguments;
  Result<BoundExpression> (*bind)(Binder& binder, const Expression& call,
                                  std::vector<Operand> arguments);
};

std::span<const FunctionRule> FunctionTable();

}  // namespace sluice::inline v0::engine
