#include "engine/scan/column_stages.h"

#include <algorithm>
#include <set>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::Projection;
using parquet::SchemaNode;
using parquet::SchemaTree;
using Stage = ColumnStages::Place::Stage;
using Paths = std::vector<ColumnPath>;

/// The ordinal of a file's column among those of a projection; -1 where it is not read.
int64_t OrdinalIn(const Projection& projection, int32_t column) {
  const int32_t node = projection.tree()->nodes()[0].children[static_cast<size_t>(column)];
  const auto& columns = projection.columns();
  const auto found = std::find(columns.begin(), columns.end(), node);
  return found == columns.end() ? -1 : found - columns.begin();
}

/// A path of the file's ordinals as one of those that the projection delivers.
Result<ColumnPath> ProjectedPath(const Projection& projection, const ColumnPath& path) {
  const auto& nodes = projection.tree()->nodes();
  const int64_t column = OrdinalIn(projection, path[0]);
  if (column < 0) return Status::Internal("a column of the predicate is not read");
  ColumnPath projected{static_cast<int32_t>(column)};
  int32_t node = projection.columns()[static_cast<size_t>(column)];
  for (size_t part = 1; part < path.size(); ++part) {
    const auto& children = nodes[static_cast<size_t>(node)].children;
    const auto child = children.begin() + path[part];
    projected.push_back(static_cast<int32_t>(std::count_if(
        children.begin(), child, [&](int32_t one) { return projection.Includes(one); })));
    node = *child;
  }
  return projected;
}

/// The residual over what the first stage delivers.
class Rebase {
 public:
  explicit Rebase(ColumnStages* stages) : stages_(stages) {}

  Result<BoundExpression> operator()(BoundExpression expression) {
    if (expression.op == BoundOp::kColumn) {
      SLUICE_TRY(expression.path, PathOf(expression.path));
    }
    for (BoundExpression& child : expression.children) {
      SLUICE_TRY(child, (*this)(std::move(child)));
    }
    return expression;
  }

 private:
  Result<ColumnPath> PathOf(const ColumnPath& path) {
    const auto num_columns =
        static_cast<int32_t>(stages_->first.tree()->nodes()[0].children.size());
    if (path[0] < num_columns) return ProjectedPath(stages_->first, path);
    const int32_t behind = path[0] - num_columns;
    (behind == kRowNumberBehind ? stages_->reads_row_number : stages_->reads_row_group) = true;
    return ColumnPath{static_cast<int32_t>(stages_->first.columns().size()) + behind};
  }

  ColumnStages* stages_;
};

bool IsFiltered(const SchemaTree& tree, int32_t column, const FilePredicate& predicate) {
  const SchemaNode& root = tree.nodes()[0];
  const SchemaNode& node =
      tree.nodes()[static_cast<size_t>(root.children[static_cast<size_t>(column)])];
  return node.is_single_leaf() && std::any_of(predicate.filters.begin(), predicate.filters.end(),
                                              [&](const FilePredicate::Filter& filter) {
                                                return filter.leaf == node.first_leaf;
                                              });
}

/// The leaves that a projection reads of a column of the file.
std::vector<int32_t> LeavesOf(const Projection& projection, int32_t column) {
  const SchemaTree& tree = *projection.tree();
  const SchemaNode& node =
      tree.nodes()[static_cast<size_t>(tree.nodes()[0].children[static_cast<size_t>(column)])];
  std::vector<int32_t> leaves;
  for (const int32_t leaf : projection.leaves()) {
    if (leaf >= node.first_leaf && leaf < node.end_leaf) leaves.push_back(leaf);
  }
  return leaves;
}

void Append(const Paths& paths, Paths& all) { all.insert(all.end(), paths.begin(), paths.end()); }

Paths ResidualPaths(const SchemaTree& tree, const BoundExpression& residual) {
  Paths paths;
  for (ColumnPath& path : ColumnsOf(residual)) {
    if (path[0] < std::ssize(tree.nodes()[0].children)) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace

Result<ColumnStages> PlanStages(const std::shared_ptr<const SchemaTree>& tree,
                                const std::vector<OutputSource>& output,
                                const FilePredicate& predicate,
                                const std::vector<size_t>& conjuncts, Lateness lateness) {
  std::optional<BoundExpression> residual = predicate.ResidualOf(conjuncts);
  Paths first;
  if (residual) first = ResidualPaths(*tree, *residual);
  // With nothing to wait for all is read at once.
  const bool is_whole = lateness == Lateness::kNone || (lateness == Lateness::kRows && !residual);
  for (const OutputSource& source : output) {
    if (!source.is_read()) continue;
    // Values that are decoded for a filter come along.
    if (is_whole || IsFiltered(*tree, source.mapping.ordinal, predicate)) {
      Append(FieldPathsOf(source.mapping), first);
    }
  }
  ColumnStages stages{Projection::None(tree), Projection::None(tree), {}, {}, nullptr};
  SLUICE_TRY(stages.first, Projection::OfFields(tree, first));
  Paths rest;
  for (const OutputSource& source : output) {
    ColumnStages::Place place;
    if (source.is_read()) {
      const Paths paths = FieldPathsOf(source.mapping);
      SLUICE_TRY(const Projection own, Projection::OfFields(tree, paths));
      const int32_t column = source.mapping.ordinal;
      // A struct of which the residual needs other fields is read once more: its forms differ.
      if (own.leaves() == LeavesOf(stages.first, column)) {
        place = {Stage::kFirst, static_cast<size_t>(OrdinalIn(stages.first, column))};
      } else if (lateness == Lateness::kAsked) {
        place = {Stage::kLazy, stages.lazy.size()};
        stages.lazy.push_back(own);
      } else {
        place = {Stage::kRest, 0};
        Append(paths, rest);
      }
    }
    stages.places.push_back(place);
  }
  SLUICE_TRY(stages.rest, Projection::OfFields(tree, rest));
  for (size_t i = 0; i < output.size(); ++i) {
    if (stages.places[i].stage != Stage::kRest) continue;
    stages.places[i].column =
        static_cast<size_t>(OrdinalIn(stages.rest, output[i].mapping.ordinal));
  }
  if (residual) {
    SLUICE_TRY(BoundExpression rebased, Rebase(&stages)(*std::move(residual)));
    stages.residual = std::make_shared<const BoundExpression>(std::move(rebased));
  }
  return stages;
}

}  // namespace sluice::inline v0::engine
