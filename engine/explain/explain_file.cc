#include "engine/explain/explain_file.h"

#include <map>
#include <utility>

#include "engine/scan/table_in_file.h"
#include "format/model/path_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::Projection;
using Source = FilePredicate::Source;

/// A file's columns with what can be named behind them.
Schema ColumnsOfFile(const FilePlan& file) {
  static_assert(kRowNumberBehind == 0 && kRowGroupBehind == 1);
  Schema schema = *file.open.reader->schema();
  schema.fields.push_back(
      {"file_row_number", VirtualColumnType(VirtualColumn::kRowNumber), false, std::nullopt});
  schema.fields.push_back(
      {"row_group", VirtualColumnType(VirtualColumn::kRowGroup), false, std::nullopt});
  return schema;
}

void CollectConjuncts(const BoundExpression& node, std::vector<BoundExpression>& conjuncts) {
  if (node.op != BoundOp::kAnd) return conjuncts.push_back(node);
  for (const BoundExpression& child : node.children) CollectConjuncts(child, conjuncts);
}

std::vector<FilterExplanation> FiltersOf(const FilePlan& file, const FilePredicate& predicate) {
  std::vector<FilterExplanation> filters;
  for (const FilePredicate::Filter& filter : predicate.filters) {
    filters.push_back(
        {file.open.reader->tree()->LeafPath(filter.leaf), filter.leaf, filter.filter.ToString()});
  }
  return filters;
}

ConjunctPlacement PlacementOf(const FilePlan& file, const FilePredicate& part,
                              const Schema& schema) {
  ConjunctPlacement placement;
  const FilterNode::Kind kind = part.tree.kind;
  if (kind == FilterNode::Kind::kTrue || kind == FilterNode::Kind::kNotTrue) {
    placement.folded = kind == FilterNode::Kind::kTrue;
    return placement;
  }
  placement.filters = FiltersOf(file, part);
  if (part.residual) placement.residual = part.residual->ToString(schema);
  return placement;
}

void CollectFilters(const FilterNode& node, std::vector<const FilterNode*>& filters) {
  if (node.kind == FilterNode::Kind::kColumn) filters.push_back(&node);
  for (const FilterNode& child : node.children) CollectFilters(child, filters);
}

/// The roles of leaves, by ordinal.
class Roles {
 public:
  explicit Roles(const FilePlan& file) : file_(file) {}

  Status AddOutput() {
    for (const OutputSource& output : file_.output) {
      if (!output.is_read()) continue;
      SLUICE_RETURN_IF_ERROR(AddPaths(FieldPathsOf(output.mapping), &ColumnRoles::is_delivered));
    }
    return Status::Ok();
  }
  Status AddResidual() {
    if (!file_.predicate.residual) return Status::Ok();
    std::vector<ColumnPath> paths;
    for (ColumnPath& path : ColumnsOf(*file_.predicate.residual)) {
      const bool is_of_file = path[0] < std::ssize(file_.open.reader->schema()->fields);
      if (is_of_file) paths.push_back(std::move(path));
    }
    return AddPaths(paths, &ColumnRoles::is_in_residual);
  }
  void AddPredicate() {
    for (const FilePredicate::Filter& filter : file_.predicate.filters) {
      roles_[filter.leaf].is_filtered = true;
    }
    for (const Source& source : file_.predicate.sources) {
      if (source.leaf >= 0) roles_[source.leaf].is_judged = true;
    }
  }
  std::vector<ColumnRoles> Finish() && {
    std::vector<ColumnRoles> columns;
    for (auto& [leaf, roles] : roles_) {
      roles.leaf = leaf;
      roles.path = file_.open.reader->tree()->LeafPath(leaf);
      columns.push_back(std::move(roles));
    }
    return columns;
  }

 private:
  Status AddPaths(const std::vector<ColumnPath>& paths, bool ColumnRoles::*role) {
    SLUICE_TRY(const Projection projection, Projection::OfFields(file_.open.reader->tree(), paths));
    for (const int32_t leaf : projection.leaves()) roles_[leaf].*role = true;
    return Status::Ok();
  }

  const FilePlan& file_;
  std::map<int32_t, ColumnRoles> roles_;
};

}  // namespace

Result<std::vector<BoundExpression>> ExplainPredicate(const ScanPlan& plan,
                                                      Explanation& explanation) {
  std::vector<BoundExpression> conjuncts;
  if (!plan.request.where) return conjuncts;
  const bool has_text = !plan.request.where_text.empty();
  explanation.where = has_text ? plan.request.where_text : plan.request.where->ToSql();
  BindOptions bind = BindOptionsOf(plan);
  bind.simplify = false;
  SLUICE_TRY(const BoundExpression bound, BindPredicate(*plan.request.where, *plan.columns, bind));
  explanation.bound = bound.ToString(*plan.columns);
  explanation.simplified = plan.predicate.ToString(*plan.columns);
  CollectConjuncts(bound, conjuncts);
  for (const BoundExpression& conjunct : conjuncts) {
    explanation.conjuncts.push_back(conjunct.ToString(*plan.columns));
  }
  return conjuncts;
}

std::string NameOfColumn(const Schema& schema, const ColumnPath& path) {
  std::string text;
  const std::vector<Field>* fields = &schema.fields;
  for (const int32_t ordinal : path) {
    const Field& field = (*fields)[static_cast<size_t>(ordinal)];
    AppendPathPart(field.name, text);
    fields = &field.type.children;
  }
  return text;
}

std::vector<std::string> NamesOfSources(const FilePlan& file) {
  const Schema schema = ColumnsOfFile(file);
  std::vector<std::string> names;
  for (const Source& source : file.predicate.sources) {
    names.push_back(NameOfColumn(schema, source.path));
  }
  return names;
}

std::vector<const FilterNode*> PruningFilters(const FilePlan& file) {
  std::vector<const FilterNode*> filters;
  CollectFilters(file.predicate.tree, filters);
  return filters;
}

Status ExplainFile(const FilePlan& file, const std::vector<BoundExpression>& conjuncts,
                   bool is_proven, FileExplanation& explanation) {
  const ScanPlan& scan = *file.scan;
  const parquet::FileReader& reader = *file.open.reader;
  const Schema schema = ColumnsOfFile(file);
  explanation.num_rows = file.first_rows.back();
  explanation.num_leaves = static_cast<int32_t>(reader.tree()->leaves().size());
  SLUICE_TRY(const TableInFile table, TableInFile::Make(scan, *file.file, *reader.schema()));
  for (const BoundExpression& conjunct : conjuncts) {
    const FilePredicate part = PredicateOfFile(
        is_proven ? BoundExpression::Boolean(true) : conjunct,
        [&](const ColumnPath& path) { return ExpressionInFile(scan, table, path); }, *reader.tree(),
        scan.options.use_filters);
    explanation.placement.push_back(PlacementOf(file, part, schema));
  }
  explanation.filters = FiltersOf(file, file.predicate);
  if (file.predicate.residual) explanation.residual = file.predicate.residual->ToString(schema);
  const std::vector<std::string> names = NamesOfSources(file);
  for (const FilterNode* node : PruningFilters(file)) {
    const auto source = static_cast<size_t>(node->column);
    explanation.pruning.push_back(
        {names[source], file.predicate.sources[source].leaf, node->filter.ToString()});
  }
  Roles roles(file);
  SLUICE_RETURN_IF_ERROR(roles.AddOutput());
  SLUICE_RETURN_IF_ERROR(roles.AddResidual());
  roles.AddPredicate();
  explanation.columns = std::move(roles).Finish();
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
