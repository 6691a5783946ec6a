#include "engine/scan/table_in_file.h"

#include <fmt/format.h>

#include <utility>

#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {

namespace {

/// The column with nothing but what the path, from its part `depth` on, leads to.
Field PrunedTo(const Field& field, const ColumnPath& path, size_t depth = 1) {
  if (depth == path.size()) return field;
  Field pruned = field;
  pruned.type.children = {
      PrunedTo(field.type.children[static_cast<size_t>(path[depth])], path, depth + 1)};
  return pruned;
}

}  // namespace

const DataType& TypeAt(const Schema& schema, const ColumnPath& path) {
  const std::vector<Field>* fields = &schema.fields;
  const DataType* type = nullptr;
  for (const int32_t ordinal : path) {
    type = &(*fields)[static_cast<size_t>(ordinal)].type;
    fields = &type->children;
  }
  return *type;
}

std::optional<Value> WidenedValue(const Value& value, const DataType& to) {
  if (value.type == to) return value;
  if (value.is_null()) return Value::Null(to);
  auto bytes = WidenValue(value.type, *value.bytes, to);
  if (!bytes) return std::nullopt;
  return Value{to, std::move(bytes)};
}

Result<TableInFile> TableInFile::Make(const ScanPlan& scan, const ScanFile& file,
                                      const Schema& file_schema) {
  TableInFile table;
  table.path_ = file.path.empty() && file.file ? file.file->name() : file.path;
  table.num_file_columns_ = static_cast<int32_t>(file_schema.fields.size());
  SLUICE_RETURN_IF_ERROR(table.AddConstants(scan, file));
  SLUICE_RETURN_IF_ERROR(table.MapOutput(scan, file_schema));
  SLUICE_RETURN_IF_ERROR(table.MapPredicate(scan, file_schema));
  return table;
}

Status TableInFile::AddConstants(const ScanPlan& scan, const ScanFile& file) {
  const std::vector<Field>& fields = scan.table->fields;
  for (const auto& [name, value] : file.constants) {
    size_t column = 0;
    while (column < fields.size() && fields[column].name != name) ++column;
    if (column == fields.size()) {
      return Status::InvalidArgument(fmt::format("constant '{}': there is no such column", name));
    }
    const DataType& type = fields[column].type;
    // There are no nested values, but NULL.
    const bool has_value = type.is_nested() && !value.is_null();
    auto widened = has_value ? std::nullopt : WidenedValue(value, type);
    if (!widened) {
      return Status::Unsupported(fmt::format("constant '{}': {} of type {} is no value of {}", name,
                                             value.ToString(), value.type.ToString(),
                                             type.ToString()));
    }
    if (!constants_.emplace(static_cast<int32_t>(column), *std::move(widened)).second) {
      return Status::InvalidArgument(fmt::format("constant '{}' is given twice", name));
    }
  }
  return Status::Ok();
}

const Value* TableInFile::ConstantOf(int32_t table_column) const {
  const auto found = constants_.find(table_column);
  return found == constants_.end() ? nullptr : &found->second;
}

Status TableInFile::MapOutput(const ScanPlan& scan, const Schema& file_schema) {
  Schema asked;
  std::vector<int32_t> positions;
  for (const OutputColumn& output : scan.output) {
    if (!IsInFile(scan, output.table_column)) continue;
    asked.fields.push_back(output.field);
    positions.push_back(output.table_column);
  }
  SLUICE_TRY(std::vector<ColumnMapping> mapped,
             MapColumns(asked, positions, file_schema, scan.options.match));
  size_t next = 0;
  for (const OutputColumn& output : scan.output) {
    const bool is_in_file = IsInFile(scan, output.table_column);
    output_.push_back(is_in_file ? std::move(mapped[next++]) : ColumnMapping());
  }
  return Status::Ok();
}

Status TableInFile::MapPredicate(const ScanPlan& scan, const Schema& file_schema) {
  for (const ColumnPath& path : ColumnsOf(scan.predicate)) {
    if (!IsInFile(scan, path[0])) continue;
    const Field& field = scan.columns->fields[static_cast<size_t>(path[0])];
    SLUICE_TRY(
        const std::vector<ColumnMapping> mapped,
        MapColumns({{PrunedTo(field, path)}}, {&path[0], 1}, file_schema, scan.options.match));
    Place place;
    const ColumnMapping* mapping = mapped.data();
    // What is read as nothing but NULL has no fields either.
    for (size_t part = 0; part < path.size() && mapping->is_read(); ++part) {
      place.path.push_back(mapping->ordinal);
      if (part + 1 < path.size()) mapping = mapping->children.data();
    }
    if (place.path.size() < path.size()) continue;
    place.type = TypeAt(file_schema, place.path);
    places_.emplace(path, std::move(place));
  }
  return Status::Ok();
}

bool TableInFile::IsInFile(const ScanPlan& scan, int32_t table_column) const {
  return scan.VirtualColumnOf(table_column) == VirtualColumn::kNone &&
         ConstantOf(table_column) == nullptr;
}

const TableInFile::Place* TableInFile::Find(const ColumnPath& path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? nullptr : &found->second;
}

}  // namespace sluice::inline v0::engine
