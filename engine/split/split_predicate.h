#pragma once

// A predicate as what decoders, the evaluator of evidence, and kernels can each run of it.

#include <sluice/filter.h>

#include <functional>
#include <optional>
#include <vector>

#include "engine/bound/bound_expression.h"

namespace sluice::inline v0::engine {

/// A filter of one leaf column: a column that is not nested, or a field of structs that is not.
struct LeafFilter {
  ColumnPath column;
  ColumnFilter filter;
  bool can_misfit;  ///< As BoundExpression::can_misfit of the column.
};

/// What is evaluated on rows, but for units of which it is known to be TRUE for every row.
struct ResidualConjunct {
  BoundExpression expression;
  FilterNode tree;  ///< The same, as PredicateParts::tree.
  /// Filters of one column that say the same of units in which no value of it misfits. Empty where
  /// none do.
  std::vector<LeafFilter> filters;
};

/// The AND of the conjuncts; absent where there are none.
std::optional<BoundExpression> AllOf(const std::vector<ResidualConjunct>& conjuncts);

/// A predicate in parts; nothing of it is lost. It is TRUE where every filter passes and every
/// conjunct of the residual is TRUE; it is an ERROR where every filter passes and the AND of the
/// residual is an ERROR. Elsewhere it is FALSE or NULL, which are not told apart.
struct PredicateParts {
  /// Those of one column are together, and one where one says it exactly.
  std::vector<LeafFilter> filters;
  std::vector<ResidualConjunct> residual;
  /// The whole predicate, for pruning; its columns are ordinals in `columns`.
  FilterNode tree;
  std::vector<ColumnPath> columns;
};

/// Splits a bound predicate at its ANDs, NOT carried down. An operand becomes a filter where it
/// asks of one leaf column and has a form as filter, an OR where all of its branches ask of the
/// same and join exactly; every other is residual whole, as are those that ask of a column of which
/// `can_filter`, if given, says no. In trees, and filters of residual conjuncts, a column that is
/// widened to a type which lacks counterparts for some of its values stands for itself: it can
/// misfit.
PredicateParts SplitPredicate(const BoundExpression& predicate,
                              const std::function<bool(const ColumnPath&)>& can_filter = nullptr);

}  // namespace sluice::inline v0::engine
