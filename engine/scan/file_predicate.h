#pragma once

// A predicate against one file: the table's columns become what the file has for them, constants
// are folded, and the rest is split by the file's leaves.

#include <sluice/filter.h>
#include <sluice/parquet/schema_tree.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/split/split_predicate.h"

namespace sluice::inline v0::engine {

/// In paths of a FilePredicate: ordinals behind the file's own columns.
inline constexpr int32_t kRowNumberBehind = 0;
inline constexpr int32_t kRowGroupBehind = 1;

struct FilePredicate {
  struct Filter {
    int32_t leaf = 0;
    ColumnFilter filter;
    ColumnPath table_column;  ///< What it filters, for what is learnt in one file about the next.
    /// The ordinal of the conjunct of the residual that it stands for, together with the others of
    /// that conjunct, where no value of its column misfits.
    std::optional<size_t> conjunct = std::nullopt;

    /// Whether it holds where these conjuncts of the residual are evaluated on rows.
    bool IsUsed(const std::vector<size_t>& conjuncts) const;
  };
  /// What a column of `tree` is.
  struct Source {
    enum class Kind : uint8_t { kLeaf, kRowNumber, kRowGroup, kNoEvidence };
    Kind kind = Kind::kNoEvidence;
    int32_t leaf = -1;
    ColumnPath path;  ///< As in `residual`.
    /// The type that the predicate has the column in, where some of its values have no counterpart
    /// there: a row with one is an error.
    std::shared_ptr<const DataType> widened = nullptr;
  };
  std::vector<Filter> filters;  ///< Those that always hold, then those of conjuncts.
  /// What filters do not say. Paths are of the file's columns, by their ordinals in the file, with
  /// the row number and the row group's ordinal behind them. Trees are over `sources`.
  std::vector<ResidualConjunct> residual;
  /// The whole predicate, for pruning; its columns are ordinals in `sources`.
  FilterNode tree;
  std::vector<Source> sources;

  /// The AND of some conjuncts of the residual, by their ordinals; absent for none.
  std::optional<BoundExpression> ResidualOf(const std::vector<size_t>& conjuncts) const;
};

/// What a column of the table is in a file: a column of its own type, one that is widened, or a
/// constant.
using FileColumn = std::function<BoundExpression(const ColumnPath&)>;

/// `predicate` is over the table's columns. Without `use_filters` everything is residual.
FilePredicate PredicateOfFile(const BoundExpression& predicate, const FileColumn& file_column,
                              const parquet::SchemaTree& tree, bool use_filters);

}  // namespace sluice::inline v0::engine
