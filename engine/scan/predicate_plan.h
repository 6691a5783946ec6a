#pragma once

// A predicate against one file: its parts by the file's leaves.

#include <sluice/parquet/projection.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/scan.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/split/split_predicate.h"

namespace sluice::inline v0::engine {

struct PredicatePlan {
  struct Filter {
    int32_t leaf = 0;
    ColumnFilter filter;
  };
  std::vector<Filter> filters;
  /// What filters do not say; its columns are those of residual_columns.
  std::shared_ptr<const BoundExpression> residual;
  /// By names, whole paths.
  std::vector<parquet::ColumnPath> residual_columns;
  /// The whole predicate, for pruning; its columns are ordinals in `leaves`.
  FilterNode tree;
  /// -1 for what is no leaf of rows.
  std::vector<int32_t> leaves;
};

/// Binds `request.where`. Without `use_filters` everything is residual.
Result<PredicatePlan> PlanPredicate(const ScanRequest& request, const ScanOptions& options,
                                    const parquet::SchemaTree& tree);

/// The expression with its columns, which are of `from`, found by name in `to`.
/// Errors: kInternal where one is not there.
Result<BoundExpression> Rebase(BoundExpression expression, const Schema& from, const Schema& to);

}  // namespace sluice::inline v0::engine
