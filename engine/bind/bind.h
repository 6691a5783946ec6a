#pragma once

// An expression and a schema to an expression with types: names become places, literals take the
// type of what they stand beside, and every mistake that can be known without data is an error
// here.

#include <sluice/expression.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <string_view>

#include "engine/bound/bound_expression.h"

namespace sluice::inline v0::engine {

struct BindOptions {
  /// Names match without regard to the case of ASCII letters, where none matches exactly.
  bool ignore_case = false;
  /// Seconds east of UTC, less than a day either way: the zone of texts of instants that have none,
  /// and the one that instants are cut and cast in.
  int32_t zone_offset = 0;
  /// Makes constants of what is constant, and comparisons without casts. Off, rows and errors are
  /// the same.
  bool simplify = true;
  /// Files may have columns in narrower types, of which not every value has a counterpart: rows of
  /// such a value are errors, also where the outcome is the same for every other.
  bool columns_can_misfit = false;
  /// The text that the expression was parsed from, if any: errors then show the place in it.
  std::string_view text;
};

/// Binds an expression of any type.
///
/// Comparisons of a column with a constant are made in the column's type. A constant that the type
/// does not hold becomes one that it does, or an outcome that is the same for every value; NULL
/// stays NULL. What two operands of other types are compared and calculated in is said in
/// type_rules.h, the results of arithmetic in arithmetic.cc, functions in function_table.h. Errors:
/// kInvalidArgument, with line and column where the expression has them: unknown and ambiguous
/// names, operands that do not go together, literals that cannot be read.
Result<BoundExpression> Bind(const Expression& expression, const Schema& schema,
                             const BindOptions& options);
/// The same of what must be boolean.
Result<BoundExpression> BindPredicate(const Expression& expression, const Schema& schema,
                                      const BindOptions& options);

}  // namespace sluice::inline v0::engine
