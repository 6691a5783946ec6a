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

/// A predicate in parts; nothing of it is lost. It is TRUE where every filter passes and the
/// residual, if there is one, is TRUE; it is an ERROR where every filter passes and the residual is
/// an ERROR. Elsewhere it is FALSE or NULL, which are not told apart.
struct PredicateParts {
  /// Those of one column are together, and one where one says it exactly.
  std::vector<LeafFilter> filters;
  std::optional<BoundExpression> residual;
  /// The whole predicate, for pruning; its columns are ordinals in `columns`.
  FilterNode tree;
  std::vector<ColumnPath> columns;
};

/// Splits a bound predicate at its ANDs, NOT carried down. An operand becomes a filter where it
/// asks of one leaf column and has a form as filter, an OR where all of its branches ask of the
/// same and join exactly; every other is residual whole, as are those that ask of a column of which
/// `can_filter`, if given, says no.
PredicateParts SplitPredicate(const BoundExpression& predicate,
                              const std::function<bool(const ColumnPath&)>& can_filter = nullptr);

}  // namespace sluice::inline v0::engine
