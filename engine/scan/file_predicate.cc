#include "engine/scan/file_predicate.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/bind/simplify.h"

namespace sluice::inline v0::engine {

namespace {

using Source = FilePredicate::Source;

/// Table columns by what they are in the file.
using TableColumns = std::map<ColumnPath, ColumnPath>;

/// Puts the file's columns in the place of the table's.
BoundExpression Translate(BoundExpression node, const FileColumn& file_column,
                          TableColumns& table_columns) {
  if (node.op == BoundOp::kColumn) {
    BoundExpression translated = file_column(node.path);
    translated.position = node.position;
    const BoundExpression* column = &translated;
    while (column->op == BoundOp::kWiden) column = &column->children[0];
    if (column->op == BoundOp::kColumn) table_columns.emplace(column->path, node.path);
    return translated;
  }
  for (BoundExpression& child : node.children) {
    child = Translate(std::move(child), file_column, table_columns);
  }
  // What was simple by the table's columns may become simpler.
  if (!node.children.empty()) node.is_simple = false;
  return node;
}

Source SourceOf(const ColumnPath& path, const parquet::SchemaTree& tree) {
  const auto& nodes = tree.nodes();
  const auto behind = path[0] - static_cast<int32_t>(nodes[0].children.size());
  if (behind == kRowNumberBehind) return {Source::Kind::kRowNumber, -1, path};
  if (behind == kRowGroupBehind) return {Source::Kind::kRowGroup, -1, path};
  const parquet::SchemaNode* node = &nodes[0];
  for (const int32_t ordinal : path) {
    node = &nodes[static_cast<size_t>(node->children[static_cast<size_t>(ordinal)])];
  }
  if (!node->is_single_leaf()) return {Source::Kind::kNoEvidence, -1, path};
  return {Source::Kind::kLeaf, node->first_leaf, path};
}

}  // namespace

bool FilePredicate::Filter::IsUsed(const std::vector<size_t>& conjuncts) const {
  return !conjunct || std::find(conjuncts.begin(), conjuncts.end(), *conjunct) == conjuncts.end();
}

std::optional<BoundExpression> FilePredicate::ResidualOf(
    const std::vector<size_t>& conjuncts) const {
  std::vector<ResidualConjunct> chosen;
  for (const size_t conjunct : conjuncts) chosen.push_back(residual[conjunct]);
  return AllOf(chosen);
}

FilePredicate PredicateOfFile(const BoundExpression& predicate, const FileColumn& file_column,
                              const parquet::SchemaTree& tree, bool use_filters) {
  TableColumns table_columns;
  const BoundExpression translated = Simplify(Translate(predicate, file_column, table_columns));
  const auto is_leaf = [&](const ColumnPath& path) {
    return use_filters && SourceOf(path, tree).kind == Source::Kind::kLeaf;
  };
  PredicateParts parts = SplitPredicate(translated, is_leaf);
  FilePredicate result;
  result.tree = std::move(parts.tree);
  for (const ColumnPath& column : parts.columns) result.sources.push_back(SourceOf(column, tree));
  VisitNodes(translated, [&](const BoundExpression& node) {
    if (!IsPartlyWidened(node)) return;
    for (Source& source : result.sources) {
      if (source.path != node.children[0].path) continue;
      source.widened = std::make_shared<const DataType>(node.type);
    }
  });
  const auto add = [&](LeafFilter& filter, std::optional<size_t> conjunct) {
    result.filters.push_back({SourceOf(filter.column, tree).leaf, std::move(filter.filter),
                              table_columns[filter.column], conjunct});
  };
  for (LeafFilter& filter : parts.filters) add(filter, std::nullopt);
  for (size_t i = 0; i < parts.residual.size(); ++i) {
    for (LeafFilter& filter : parts.residual[i].filters) add(filter, i);
  }
  result.residual = std::move(parts.residual);
  return result;
}

}  // namespace sluice::inline v0::engine
