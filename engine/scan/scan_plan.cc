#include "engine/scan/scan_plan.h"

#include <fmt/format.h>
#include <sluice/text.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/scan/counted_schema.h"
#include "engine/split/split_predicate.h"
#include "format/model/path_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

/// More are an error of the caller, which the system should not meet.
constexpr int32_t kMostThreads = 1024;

struct NamedVirtualColumn {
  VirtualColumn column;
  const char* name;
};
constexpr NamedVirtualColumn kVirtualColumns[] = {{VirtualColumn::kFilePath, "file_path"},
                                                  {VirtualColumn::kRowNumber, "file_row_number"},
                                                  {VirtualColumn::kRowGroup, "row_group"}};

using Fields = std::vector<Field>;

Fields::const_iterator FindField(const Fields& fields, const std::string& name) {
  return std::find_if(fields.begin(), fields.end(),
                      [&](const Field& field) { return field.name == name; });
}

/// A real column of the name wins.
std::shared_ptr<const Schema> WithVirtualColumns(const Schema& table) {
  Schema columns = table;
  for (const NamedVirtualColumn& one : kVirtualColumns) {
    if (FindField(table.fields, one.name) != table.fields.end()) continue;
    columns.fields.push_back({one.name, VirtualColumnType(one.column), false, std::nullopt});
  }
  return std::make_shared<const Schema>(std::move(columns));
}

std::string PathText(const parquet::ColumnPath& path) {
  std::string text;
  for (const std::string& part : path) AppendPathPart(part, text);
  return text;
}

/// The part of `type` that paths into it, from their part `depth` on, name. A path that ends here
/// names all of it.
Result<DataType> PruneType(const DataType& type,
                           const std::vector<const parquet::ColumnPath*>& paths, size_t depth) {
  for (const parquet::ColumnPath* path : paths) {
    if (path->size() == depth) return type;
  }
  if (type.id != TypeId::kStruct && type.id != TypeId::kVariant) {
    return Status::InvalidArgument(fmt::format("column '{}': '{}' is not a struct",
                                               PathText(*paths.front()),
                                               (*paths.front())[depth - 1]));
  }
  DataType pruned = type;
  pruned.children.clear();
  size_t found = 0;
  std::set<std::string> taken;
  for (const Field& child : type.children) {
    std::vector<const parquet::ColumnPath*> below;
    for (const parquet::ColumnPath* path : paths) {
      if ((*path)[depth] == child.name) below.push_back(path);
    }
    if (below.empty() || !taken.insert(child.name).second) continue;
    found += below.size();
    Field field = child;
    SLUICE_TRY(field.type, PruneType(child.type, below, depth + 1));
    pruned.children.push_back(std::move(field));
  }
  if (found == paths.size()) return pruned;
  for (const parquet::ColumnPath* path : paths) {
    if (taken.count((*path)[depth]) > 0) continue;
    return Status::InvalidArgument(
        fmt::format("column '{}': no field named '{}'", PathText(*path), (*path)[depth]));
  }
  return Status::Internal("a path that is there was not found");
}

Result<OutputColumn> OutputOf(const Schema& columns, const parquet::ColumnPath& first,
                              const std::vector<const parquet::ColumnPath*>& paths) {
  const auto field = FindField(columns.fields, first.front());
  if (field == columns.fields.end()) {
    std::string message =
        fmt::format("column '{}': no field named '{}'", PathText(first), first.front());
    const std::string joined = fmt::format("{}", fmt::join(first, "."));
    if (FindField(columns.fields, joined) != columns.fields.end()) {
      message += fmt::format(" (the column of that name is written {}, in double quotes)",
                             PathText({joined}));
    }
    return Status::InvalidArgument(std::move(message));
  }
  OutputColumn output;
  output.table_column = static_cast<int32_t>(field - columns.fields.begin());
  output.field = *field;
  SLUICE_TRY(output.field.type, PruneType(field->type, paths, 1));
  output.is_whole = output.field.type == field->type;
  return output;
}

Status PlanOutput(ScanPlan& plan) {
  const ScanRequest& request = plan.request;
  if (!request.columns) {
    for (size_t i = 0; i < plan.table->fields.size(); ++i) {
      plan.output.push_back({static_cast<int32_t>(i), plan.table->fields[i], true});
    }
  } else {
    std::set<parquet::ColumnPath> seen;
    std::vector<std::string> order;
    std::map<std::string, std::vector<const parquet::ColumnPath*>> by_name;
    for (const parquet::ColumnPath& path : *request.columns) {
      if (path.empty()) return Status::InvalidArgument("column path is empty");
      // contract V-20
      if (!seen.insert(path).second) {
        return Status::InvalidArgument(fmt::format("column '{}' is named twice", PathText(path)));
      }
      auto& paths = by_name[path.front()];
      if (paths.empty()) order.push_back(path.front());
      paths.push_back(&path);
    }
    for (const std::string& name : order) {
      const auto& paths = by_name[name];
      SLUICE_TRY(OutputColumn output, OutputOf(*plan.columns, *paths.front(), paths));
      plan.output.push_back(std::move(output));
    }
  }
  if (!request.names.empty() && request.names.size() != plan.output.size()) {
    return Status::InvalidArgument(
        fmt::format("{} names are given for {} columns", request.names.size(), plan.output.size()));
  }
  Schema schema;
  for (size_t i = 0; i < plan.output.size(); ++i) {
    Field& field = schema.fields.emplace_back(plan.output[i].field);
    if (!request.names.empty()) field.name = request.names[i];
    // Files may lack a column of a schema that was given, or have nulls in it, whatever that says.
    const bool is_of_files = plan.output[i].table_column < std::ssize(plan.table->fields);
    field.nullable |= request.schema != nullptr && is_of_files;
  }
  SLUICE_TRY(plan.output_schema, CountSchema(std::make_shared<const Schema>(std::move(schema)),
                                             *plan.options.read.pool));
  return Status::Ok();
}

Status PlanPredicate(ScanPlan& plan) {
  plan.predicate = BoundExpression::Boolean(true);
  if (plan.request.where) {
    SLUICE_TRY(plan.predicate,
               BindPredicate(*plan.request.where, *plan.columns, BindOptionsOf(plan)));
  }
  PredicateParts parts = SplitPredicate(plan.predicate);
  plan.tree = std::move(parts.tree);
  plan.tree_columns = std::move(parts.columns);
  return Status::Ok();
}

Status CheckOptions(const ScanRequest& request, const ScanOptions& options) {
  if (request.limit < 0) return Status::InvalidArgument("limit must not be negative");
  if (options.threads < 1 || options.threads > kMostThreads) {
    return Status::InvalidArgument(fmt::format("threads must be from 1 to {}", kMostThreads));
  }
  if (options.read.rows_are_pushed) {
    return Status::InvalidArgument("a scan pushes rows itself");
  }
  if (options.lazy_columns && options.threads > 1) {
    return Status::InvalidArgument("columns are lazy with one thread only");
  }
  if (options.lazy_columns && options.read.read_everything) {
    return Status::InvalidArgument("columns are not lazy where everything is read");
  }
  if (options.match != ColumnMatch::kName && !request.schema) {
    return Status::InvalidArgument("columns are matched by name where no schema is given");
  }
  return Status::Ok();
}

}  // namespace

DataType VirtualColumnType(VirtualColumn column) {
  switch (column) {
    case VirtualColumn::kFilePath:
      return DataType::Of(TypeId::kString);
    case VirtualColumn::kRowNumber:
      return DataType::Of(TypeId::kInt64);
    case VirtualColumn::kRowGroup:
      return DataType::Of(TypeId::kInt32);
    case VirtualColumn::kNone:
      break;
  }
  return DataType::Of(TypeId::kNull);
}

BindOptions BindOptionsOf(const ScanPlan& plan) {
  BindOptions bind;
  bind.ignore_case = plan.options.ignore_case;
  bind.zone_offset = plan.options.zone_offset;
  bind.text = plan.request.where_text;
  bind.columns_can_misfit = true;
  return bind;
}

VirtualColumn ScanPlan::VirtualColumnOf(int32_t table_column) const {
  if (table_column < std::ssize(table->fields)) return VirtualColumn::kNone;
  const std::string& name = columns->fields[static_cast<size_t>(table_column)].name;
  for (const NamedVirtualColumn& one : kVirtualColumns) {
    if (name == one.name) return one.column;
  }
  return VirtualColumn::kNone;
}

Result<std::shared_ptr<ScanPlan>> MakeScanPlan(std::shared_ptr<const Schema> table,
                                               ScanRequest request, ScanOptions options) {
  SLUICE_RETURN_IF_ERROR(CheckOptions(request, options));
  auto plan = std::make_shared<ScanPlan>();
  plan->request = std::move(request);
  plan->options = std::move(options);
  plan->filters = std::make_shared<FilterCache>(plan->options.read.pool);
  SLUICE_TRY(plan->columns, CountSchema(WithVirtualColumns(*table), *plan->options.read.pool));
  plan->table = std::move(table);
  SLUICE_RETURN_IF_ERROR(PlanOutput(*plan));
  SLUICE_RETURN_IF_ERROR(PlanPredicate(*plan));
  plan->wants_statistics = plan->request.where.has_value() && plan->options.use_statistics;
  return plan;
}

}  // namespace sluice::inline v0::engine
