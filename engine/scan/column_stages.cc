#include "engine/scan/column_stages.h"

#include <algorithm>
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

const SchemaNode& ColumnNode(const SchemaTree& tree, int32_t column) {
  const int32_t node = tree.nodes()[0].children[static_cast<size_t>(column)];
  return tree.nodes()[static_cast<size_t>(node)];
}

/// The leaves that a projection reads of a column of the file.
std::vector<int32_t> LeavesOf(const Projection& projection, int32_t column) {
  const SchemaNode& node = ColumnNode(*projection.tree(), column);
  std::vector<int32_t> leaves;
  for (const int32_t leaf : projection.leaves()) {
    if (leaf >= node.first_leaf && leaf < node.end_leaf) leaves.push_back(leaf);
  }
  return leaves;
}

/// The ordinals that lead to a leaf that is below structs only.
ColumnPath PathTo(const SchemaTree& tree, int32_t leaf) {
  ColumnPath path;
  int32_t node = tree.leaves()[static_cast<size_t>(leaf)].node;
  while (node > 0) {
    const int32_t parent = tree.nodes()[static_cast<size_t>(node)].parent;
    const auto& children = tree.nodes()[static_cast<size_t>(parent)].children;
    const auto place = std::lower_bound(children.begin(), children.end(), node);
    path.insert(path.begin(), static_cast<int32_t>(place - children.begin()));
    node = parent;
  }
  return path;
}

void Append(const Paths& paths, Paths& all) { all.insert(all.end(), paths.begin(), paths.end()); }

Paths ResidualPaths(const SchemaTree& tree, const BoundExpression& residual) {
  Paths paths;
  for (ColumnPath& path : ColumnsOf(residual)) {
    if (path[0] < std::ssize(tree.nodes()[0].children)) paths.push_back(std::move(path));
  }
  return paths;
}

class StagePlanner {
 public:
  StagePlanner(const std::shared_ptr<const SchemaTree>& tree,
               const std::vector<OutputSource>& output, const FilePredicate& predicate,
               std::optional<BoundExpression> residual, Lateness lateness)
      : tree_(tree),
        output_(output),
        predicate_(predicate),
        residual_(std::move(residual)),
        lateness_(lateness),
        stages_{Projection::None(tree), Projection::None(tree), {}, {}, nullptr} {}

  Result<ColumnStages> Plan() && {
    SLUICE_RETURN_IF_ERROR(PlanFirst());
    for (const OutputSource& source : output_) {
      stages_.places.emplace_back();
      if (source.is_read()) SLUICE_RETURN_IF_ERROR(PlanOutput(source));
    }
    SLUICE_RETURN_IF_ERROR(PlanRest());
    if (residual_) {
      SLUICE_TRY(BoundExpression residual, Rebase(&stages_)(*std::move(residual_)));
      stages_.residual = std::make_shared<const BoundExpression>(std::move(residual));
    }
    return std::move(stages_);
  }

 private:
  Status PlanFirst() {
    Paths first;
    if (residual_) first = ResidualPaths(*tree_, *residual_);
    // With nothing to wait for all is read at once.
    const bool is_whole =
        lateness_ == Lateness::kNone || (lateness_ == Lateness::kRows && !residual_);
    for (const OutputSource& source : output_) {
      if (!source.is_read()) continue;
      if (is_whole) {
        Append(FieldPathsOf(source.mapping), first);
      } else {
        SLUICE_RETURN_IF_ERROR(AddFiltered(source, first));
      }
    }
    SLUICE_TRY(stages_.first, Projection::OfFields(tree_, first));
    return Status::Ok();
  }

  /// Values that are decoded for a filter come along.
  Status AddFiltered(const OutputSource& source, Paths& first) const {
    const int32_t column = source.mapping.ordinal;
    const SchemaNode& node = ColumnNode(*tree_, column);
    if (!node.is_single_leaf() && !CanBeParted(*tree_, column)) return Status::Ok();
    for (const FilePredicate::Filter& filter : predicate_.filters) {
      if (filter.leaf < node.first_leaf || filter.leaf >= node.end_leaf) continue;
      SLUICE_TRY(const Projection own, Projection::OfFields(tree_, FieldPathsOf(source.mapping)));
      const std::vector<int32_t>& leaves = own.leaves();
      if (std::find(leaves.begin(), leaves.end(), filter.leaf) != leaves.end()) {
        first.push_back(PathTo(*tree_, filter.leaf));
      }
    }
    return Status::Ok();
  }

  Status PlanOutput(const OutputSource& source) {
    const int32_t column = source.mapping.ordinal;
    ColumnStages::Place& place = stages_.places.back();
    Paths left = FieldPathsOf(source.mapping);
    SLUICE_TRY(Projection own, Projection::OfFields(tree_, left));
    const std::vector<int32_t> there = LeavesOf(stages_.first, column);
    const bool is_there = own.leaves() == there;
    const bool is_parted = !is_there && CanBeParted(*tree_, column) && HasAny(own, there);
    if (is_parted) left = PathsLeft(own, stages_.first);
    if (is_there || left.empty()) {
      place = {Stage::kFirst, static_cast<size_t>(OrdinalIn(stages_.first, column)), nullptr};
    } else if (lateness_ == Lateness::kAsked) {
      place = {Stage::kLazy, stages_.lazy.size(), nullptr};
      SLUICE_TRY(Projection later, Projection::OfFields(tree_, left));
      stages_.lazy.push_back(std::move(later));
    } else {
      place.stage = Stage::kRest;
      Append(left, rest_);
    }
    if (is_parted) parted_.emplace_back(stages_.places.size() - 1, std::move(own));
    return Status::Ok();
  }

  static bool HasAny(const Projection& own, const std::vector<int32_t>& leaves) {
    return std::any_of(leaves.begin(), leaves.end(), [&](int32_t leaf) {
      return own.Includes(own.tree()->leaves()[static_cast<size_t>(leaf)].node);
    });
  }

  Status PlanRest() {
    SLUICE_TRY(stages_.rest, Projection::OfFields(tree_, rest_));
    for (size_t i = 0; i < output_.size(); ++i) {
      ColumnStages::Place& place = stages_.places[i];
      if (place.stage != Stage::kRest) continue;
      place.column = static_cast<size_t>(OrdinalIn(stages_.rest, output_[i].mapping.ordinal));
    }
    const Projection nothing = Projection::None(tree_);
    for (const auto& [output, own] : parted_) {
      ColumnStages::Place& place = stages_.places[output];
      const Projection& later = place.stage == Stage::kFirst  ? nothing
                                : place.stage == Stage::kRest ? stages_.rest
                                                              : stages_.lazy[place.column];
      place.parts = std::make_shared<const ColumnParts>(PlanParts(own, stages_.first, later));
    }
    return Status::Ok();
  }

  const std::shared_ptr<const SchemaTree>& tree_;
  const std::vector<OutputSource>& output_;
  const FilePredicate& predicate_;
  std::optional<BoundExpression> residual_;
  Lateness lateness_;
  ColumnStages stages_;
  Paths rest_;
  /// Outputs of which the first stage reads a part, and what is read of them in all.
  std::vector<std::pair<size_t, Projection>> parted_;
};

}  // namespace

Result<ColumnStages> PlanStages(const std::shared_ptr<const SchemaTree>& tree,
                                const std::vector<OutputSource>& output,
                                const FilePredicate& predicate,
                                const std::vector<size_t>& conjuncts, Lateness lateness) {
  return StagePlanner(tree, output, predicate, predicate.ResidualOf(conjuncts), lateness).Plan();
}

}  // namespace sluice::inline v0::engine
