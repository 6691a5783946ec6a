#include "engine/explain/explain_file.h"

#include <map>
#include <optional>
#include <utility>

#include "engine/scan/table_in_file.h"
#include "format/model/path_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::Projection;
using Source = FilePredicate::Source;

void CollectOperands(const Expression& expression, std::vector<const Expression*>& operands) {
  if (expression.kind != Expression::Kind::kAnd) return operands.push_back(&expression);
  for (const Expression& child : expression.children) CollectOperands(child, operands);
}

/// Of a file, or a part of its predicate.
std::string TextOfResidual(const FilePredicate& predicate, const Schema& schema) {
  const std::optional<BoundExpression> residual = AllOf(predicate.residual);
  return residual ? residual->ToString(schema) : std::string();
}

std::vector<FilterExplanation> FiltersOf(const FilePlan& file, const FilePredicate& predicate) {
  std::vector<FilterExplanation> filters;
  for (const FilePredicate::Filter& filter : predicate.filters) {
    filters.push_back({file.open.reader->tree()->LeafPath(filter.leaf), filter.leaf,
                       filter.filter.ToString(), filter.conjunct.has_value()});
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
  // Another part is the same for every row, and this one not asked.
  if (file.predicate.tree.kind == FilterNode::Kind::kNotTrue) return placement;
  placement.filters = FiltersOf(file, part);
  placement.residual = TextOfResidual(part, schema);
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
    std::vector<ColumnPath> paths;
    for (const ResidualConjunct& conjunct : file_.predicate.residual) {
      for (ColumnPath& path : ColumnsOf(conjunct.expression)) {
        const bool is_of_file = path[0] < std::ssize(file_.open.reader->schema()->fields);
        if (is_of_file) paths.push_back(std::move(path));
      }
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

Schema ColumnsOfFile(const FilePlan& file) {
  static_assert(kRowNumberBehind == 0 && kRowGroupBehind == 1);
  Schema schema = *file.open.reader->schema();
  schema.fields.push_back(
      {"file_row_number", VirtualColumnType(VirtualColumn::kRowNumber), false, std::nullopt});
  schema.fields.push_back(
      {"row_group", VirtualColumnType(VirtualColumn::kRowGroup), false, std::nullopt});
  return schema;
}

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
  std::vector<const Expression*> operands;
  CollectOperands(*plan.request.where, operands);
  for (const Expression* operand : operands) {
    // What it says is shown as it was given, and what is done with it is done as by the scan.
    SLUICE_TRY(const BoundExpression given, BindPredicate(*operand, *plan.columns, bind));
    explanation.conjuncts.push_back(given.ToString(*plan.columns));
    SLUICE_TRY(BoundExpression conjunct,
               BindPredicate(*operand, *plan.columns, BindOptionsOf(plan)));
    conjuncts.push_back(std::move(conjunct));
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
  explanation.residual = TextOfResidual(file.predicate, schema);
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
