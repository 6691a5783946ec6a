#include "engine/scan/unite_schemas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/scan/least_common_type.h"
#include "format/model/path_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

/// What one file has at a place of the schema.
struct FieldOf {
  size_t file;
  const Field* field;
};
struct SiblingsOf {
  size_t file;
  const std::vector<Field>* fields;
};

/// The first of `siblings` whose name an earlier one has; null where there is none.
const Field* FindNamesake(const std::vector<Field>& siblings) {
  std::unordered_map<std::string_view, const Field*> known;
  for (const Field& field : siblings) {
    if (!known.emplace(field.name, &field).second) return &field;
  }
  return nullptr;
}

/// The name, where all have one.
std::string CommonName(const std::vector<FieldOf>& fields, std::string_view other) {
  const std::string& name = fields.front().field->name;
  const bool is_common = std::all_of(fields.begin(), fields.end(),
                                     [&](const FieldOf& one) { return one.field->name == name; });
  return is_common ? name : std::string(other);
}

/// Recursion is as deep as the types.
class Uniter {
 public:
  explicit Uniter(const std::function<std::string(size_t)>& place) : place_(place) {}

  Result<std::vector<Field>> UniteSiblings(const std::vector<SiblingsOf>& files);

 private:
  /// One field; `num_files` is the number of files that have its parent.
  Result<Field> Unite(const std::vector<FieldOf>& fields, std::string name, size_t num_files);
  Result<DataType> UniteTypes(const std::vector<FieldOf>& fields);
  Result<DataType> UniteParts(const std::vector<FieldOf>& fields);
  Result<DataType> UniteStructs(const std::vector<FieldOf>& fields);
  Status Disagreement(const FieldOf& one, const FieldOf& other) const;
  std::string Path() const;

  const std::function<std::string(size_t)>& place_;
  std::vector<std::string> path_;  ///< Down to the field that is being united.
};

std::string Uniter::Path() const {
  std::string text;
  for (const std::string& name : path_) AppendPathPart(name, text);
  return text;
}

Status Uniter::Disagreement(const FieldOf& one, const FieldOf& other) const {
  return Status::Unsupported(
      fmt::format("column '{}': no type holds exactly both {} of {} and {} of {}", Path(),
                  one.field->type.ToString(), place_(one.file), other.field->type.ToString(),
                  place_(other.file)));
}

Result<std::vector<Field>> Uniter::UniteSiblings(const std::vector<SiblingsOf>& files) {
  const std::vector<Field>& first = *files.front().fields;
  const bool are_same = std::all_of(files.begin(), files.end(), [&](const SiblingsOf& siblings) {
    return *siblings.fields == first;
  });
  if (are_same) return first;
  std::vector<std::vector<FieldOf>> fields;
  std::unordered_map<std::string_view, size_t> places;
  for (const SiblingsOf& siblings : files) {
    if (const Field* namesake = FindNamesake(*siblings.fields)) {
      path_.push_back(namesake->name);
      return Status::Unsupported(
          fmt::format("column '{}' is there more than once in {}, and other files have other "
                      "columns",
                      Path(), place_(siblings.file)));
    }
    for (const Field& field : *siblings.fields) {
      const auto [found, is_new] = places.emplace(field.name, fields.size());
      if (is_new) fields.emplace_back();
      fields[found->second].push_back({siblings.file, &field});
    }
  }
  std::vector<Field> united;
  for (const std::vector<FieldOf>& one : fields) {
    SLUICE_TRY(Field field, Unite(one, one.front().field->name, files.size()));
    united.push_back(std::move(field));
  }
  return united;
}

Result<Field> Uniter::Unite(const std::vector<FieldOf>& fields, std::string name,
                            size_t num_files) {
  path_.push_back(name);
  Field united;
  united.name = std::move(name);
  united.field_id = fields.front().field->field_id;
  united.nullable = fields.size() < num_files;
  for (const FieldOf& one : fields) {
    united.nullable |= one.field->nullable || one.field->type.id == TypeId::kNull;
    if (one.field->field_id != united.field_id) united.field_id.reset();
  }
  SLUICE_TRY(united.type, UniteTypes(fields));
  path_.pop_back();
  return united;
}

/// Whether two types are united part by part, or as scalars.
bool AreOfOneKind(const DataType& a, const DataType& b) {
  return a.is_nested() || b.is_nested() ? a.id == b.id : true;
}

Result<DataType> Uniter::UniteTypes(const std::vector<FieldOf>& all) {
  std::vector<FieldOf> fields;
  for (const FieldOf& one : all) {
    if (one.field->type.id != TypeId::kNull) fields.push_back(one);
  }
  if (fields.empty()) return all.front().field->type;
  const FieldOf& first = fields.front();
  for (const FieldOf& one : fields) {
    if (!AreOfOneKind(first.field->type, one.field->type)) return Disagreement(first, one);
  }
  if (first.field->type.is_nested()) return UniteParts(fields);
  std::vector<DataType> types;
  for (size_t i = 0; i < fields.size(); ++i) {
    const DataType& type = fields[i].field->type;
    if (std::find(types.begin(), types.end(), type) != types.end()) continue;
    types.push_back(type);
    if (LeastCommonType(types)) continue;
    // One that does not go with this one, for the message.
    const auto other = std::find_if(fields.begin(), fields.begin() + static_cast<int64_t>(i),
                                    [&](const FieldOf& one) {
                                      const DataType pair[] = {one.field->type, type};
                                      return !LeastCommonType(pair);
                                    });
    return Disagreement(*other, fields[i]);
  }
  return *LeastCommonType(types);
}

Result<DataType> Uniter::UniteStructs(const std::vector<FieldOf>& fields) {
  std::vector<SiblingsOf> children;
  for (const FieldOf& one : fields) children.push_back({one.file, &one.field->type.children});
  DataType united = fields.front().field->type;
  SLUICE_TRY(united.children, UniteSiblings(children));
  return united;
}

Result<DataType> Uniter::UniteParts(const std::vector<FieldOf>& fields) {
  DataType united = fields.front().field->type;
  if (united.id == TypeId::kStruct) return UniteStructs(fields);
  if (united.id == TypeId::kVariant) {
    for (const FieldOf& one : fields) {
      if (one.field->type != united) return Disagreement(fields.front(), one);
    }
    return united;
  }
  const bool is_map = united.id == TypeId::kMap;
  united.children.clear();
  for (size_t part = 0; part < 2; ++part) {
    std::vector<FieldOf> parts;
    for (const FieldOf& one : fields) {
      const std::vector<Field>& children = one.field->type.children;
      if (part < children.size()) parts.push_back({one.file, &children[part]});
    }
    if (parts.empty()) break;
    const std::string_view name = !is_map ? "element" : part == 0 ? "key" : "value";
    SLUICE_TRY(Field field, Unite(parts, CommonName(parts, name), fields.size()));
    united.children.push_back(std::move(field));
  }
  return united;
}

}  // namespace

Result<Schema> UniteSchemas(std::span<const std::shared_ptr<const Schema>> schemas,
                            const std::function<std::string(size_t)>& place) {
  std::vector<SiblingsOf> files;
  for (size_t i = 0; i < schemas.size(); ++i) {
    // Files mostly come in runs of one schema, of which one says all.
    if (!files.empty() && *files.back().fields == schemas[i]->fields) continue;
    files.push_back({i, &schemas[i]->fields});
  }
  if (files.empty()) return Schema();
  SLUICE_TRY(std::vector<Field> fields, Uniter(place).UniteSiblings(files));
  return Schema{std::move(fields)};
}

}  // namespace sluice::inline v0::engine
