#include "engine/scan/predicate_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/bind/bind.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

/// The names on the way to a column.
parquet::ColumnPath NamesOf(const ColumnPath& path, const Schema& schema) {
  parquet::ColumnPath names;
  const std::vector<Field>* fields = &schema.fields;
  for (const int32_t ordinal : path) {
    const Field& field = (*fields)[static_cast<size_t>(ordinal)];
    names.push_back(field.name);
    fields = &field.type.children;
  }
  return names;
}

/// The leaf that a path of ordinals ends at; -1 where it ends at something nested.
int32_t LeafOf(const ColumnPath& path, const parquet::SchemaTree& tree) {
  const parquet::SchemaNode* node = &tree.nodes()[0];
  for (const int32_t ordinal : path) {
    node = &tree.nodes()[static_cast<size_t>(node->children[static_cast<size_t>(ordinal)])];
  }
  const bool is_leaf = node->role == parquet::SchemaNode::Role::kLeaf && !node->is_bare_repeated;
  return is_leaf ? node->first_leaf : -1;
}

Result<ColumnPath> PathOf(const parquet::ColumnPath& names, const Schema& schema) {
  ColumnPath path;
  const std::vector<Field>* fields = &schema.fields;
  for (const std::string& name : names) {
    const auto field = std::find_if(fields->begin(), fields->end(),
                                    [&](const Field& one) { return one.name == name; });
    if (field == fields->end()) return Status::Internal("no column is named " + name);
    path.push_back(static_cast<int32_t>(field - fields->begin()));
    fields = &field->type.children;
  }
  return path;
}

}  // namespace

Result<BoundExpression> Rebase(BoundExpression expression, const Schema& from, const Schema& to) {
  if (expression.op == BoundOp::kColumn) {
    SLUICE_TRY(expression.path, PathOf(NamesOf(expression.path, from), to));
  }
  for (BoundExpression& child : expression.children) {
    SLUICE_TRY(child, Rebase(std::move(child), from, to));
  }
  return expression;
}

Result<PredicatePlan> PlanPredicate(const ScanRequest& request, const ScanOptions& options,
                                    const parquet::SchemaTree& tree) {
  PredicatePlan plan;
  if (!request.where) return plan;
  const Schema& schema = *tree.schema();
  BindOptions bind;
  bind.ignore_case = options.ignore_case;
  bind.zone_offset = options.zone_offset;
  bind.text = request.where_text;
  SLUICE_TRY(const BoundExpression predicate, BindPredicate(*request.where, schema, bind));
  PredicateParts parts = SplitPredicate(predicate);
  const bool are_leaves =
      std::all_of(parts.filters.begin(), parts.filters.end(),
                  [&](const LeafFilter& filter) { return LeafOf(filter.column, tree) >= 0; });
  if (!options.use_filters || !are_leaves) {
    parts.filters.clear();
    parts.residual = predicate;
  }
  plan.tree = std::move(parts.tree);
  for (const ColumnPath& column : parts.columns) plan.leaves.push_back(LeafOf(column, tree));
  for (LeafFilter& filter : parts.filters) {
    plan.filters.push_back({LeafOf(filter.column, tree), std::move(filter.filter)});
  }
  if (parts.residual) {
    for (const ColumnPath& column : ColumnsOf(*parts.residual)) {
      plan.residual_columns.push_back(NamesOf(column, schema));
    }
    plan.residual = std::make_shared<const BoundExpression>(*std::move(parts.residual));
  }
  return plan;
}

}  // namespace sluice::inline v0::engine
