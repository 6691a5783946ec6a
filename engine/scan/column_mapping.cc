#include "engine/scan/column_mapping.h"

#include <fmt/format.h>
#include <sluice/value.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/scan/row_columns.h"
#include "format/model/path_text.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {
namespace {

size_t Index(int32_t ordinal) { return static_cast<size_t>(ordinal); }

ColumnMapping NullMapping(const DataType& type) {
  ColumnMapping mapping;
  mapping.type = std::make_shared<const DataType>(type);
  mapping.constant = std::make_shared<const Column>(NullRow(type));
  return mapping;
}

/// The first field below a struct that is a scalar in structs alone, and so costs least; else the
/// first one of any other kind; nothing, where there is no leaf.
std::vector<int32_t> CarrierIn(const DataType& type, bool (*is_carrier)(const DataType&)) {
  for (size_t i = 0; i < type.children.size(); ++i) {
    const DataType& child = type.children[i].type;
    std::vector<int32_t> below;
    if (child.id == TypeId::kStruct) {
      below = CarrierIn(child, is_carrier);
      if (below.empty()) continue;
    } else if (!is_carrier(child)) {
      continue;
    }
    below.insert(below.begin(), static_cast<int32_t>(i));
    return below;
  }
  return {};
}
std::vector<int32_t> CarrierOf(const DataType& type) {
  std::vector<int32_t> carrier =
      CarrierIn(type, [](const DataType& child) { return !child.is_nested(); });
  if (carrier.empty()) carrier = CarrierIn(type, [](const DataType&) { return true; });
  return carrier;
}

/// Where names or ids stand among siblings.
template <typename Key>
using Places = std::unordered_map<Key, std::vector<int32_t>>;

Places<std::string_view> PlacesOfNames(const std::vector<Field>& fields) {
  Places<std::string_view> places;
  for (size_t i = 0; i < fields.size(); ++i) {
    places[fields[i].name].push_back(static_cast<int32_t>(i));
  }
  return places;
}

Places<int32_t> PlacesOfIds(const std::vector<Field>& fields) {
  Places<int32_t> places;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].field_id) places[*fields[i].field_id].push_back(static_cast<int32_t>(i));
  }
  return places;
}

/// Recursion is as deep as the types.
class Mapper {
 public:
  explicit Mapper(ColumnMatch match) : match_(match) {}

  /// The ordinal of each of `wanted` among the file's fields, -1 where it has none. `positions` are
  /// empty below the top level.
  Result<std::vector<int32_t>> Find(const std::vector<Field>& wanted,
                                    std::span<const int32_t> positions,
                                    const std::vector<Field>& file) const;
  /// A field that the file has at `ordinal`, or lacks. `is_whole`: the file's field is delivered
  /// with all that is below it, as what lies in lists is.
  Result<ColumnMapping> Map(const Field& wanted, const std::vector<Field>& file, int32_t ordinal,
                            bool is_whole);

 private:
  Result<std::vector<int32_t>> FindNames(const std::vector<Field>& wanted,
                                         std::span<const int32_t> positions,
                                         const std::vector<Field>& file) const;
  Result<std::vector<int32_t>> FindIds(const std::vector<Field>& wanted,
                                       const std::vector<Field>& file) const;
  Status MapStruct(const DataType& file, bool is_whole, ColumnMapping& mapping);
  Status MapElements(const DataType& file, ColumnMapping& mapping);
  std::string PathOf(const Field& field) const;

  ColumnMatch match_;
  std::vector<const Field*> path_;  ///< Down to the field that is being mapped.
};

std::string Mapper::PathOf(const Field& field) const {
  std::string text;
  for (const Field* parent : path_) AppendPathPart(parent->name, text);
  AppendPathPart(field.name, text);
  return text;
}

Result<std::vector<int32_t>> Mapper::FindNames(const std::vector<Field>& wanted,
                                               std::span<const int32_t> positions,
                                               const std::vector<Field>& file) const {
  const Places<std::string_view> wanted_places = PlacesOfNames(wanted);
  const Places<std::string_view> file_places = PlacesOfNames(file);
  std::vector<int32_t> ordinals;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string& name = wanted[i].name;
    const auto found = file_places.find(name);
    if (found == file_places.end()) {
      ordinals.push_back(-1);
      continue;
    }
    const std::vector<int32_t>& namesakes = wanted_places.find(name)->second;
    if (namesakes.size() == found->second.size()) {
      const auto nth = std::find(namesakes.begin(), namesakes.end(), static_cast<int32_t>(i));
      ordinals.push_back(found->second[static_cast<size_t>(nth - namesakes.begin())]);
      continue;
    }
    const int32_t position = positions.empty() ? -1 : positions[i];
    if (std::find(found->second.begin(), found->second.end(), position) == found->second.end()) {
      return Status::Unsupported(
          fmt::format("column '{}': {} fields of the file have this name, and {} are asked for",
                      PathOf(wanted[i]), found->second.size(), namesakes.size()));
    }
    ordinals.push_back(position);
  }
  return ordinals;
}

Result<std::vector<int32_t>> Mapper::FindIds(const std::vector<Field>& wanted,
                                             const std::vector<Field>& file) const {
  const Places<int32_t> places = PlacesOfIds(file);
  std::vector<int32_t> ordinals;
  for (const Field& field : wanted) {
    if (!field.field_id) {
      return Status::InvalidArgument(fmt::format("column '{}' has no field id", PathOf(field)));
    }
    const auto found = places.find(*field.field_id);
    if (found != places.end() && found->second.size() > 1) {
      return Status::Unsupported(fmt::format("column '{}': {} fields of the file have its id, {}",
                                             PathOf(field), found->second.size(), *field.field_id));
    }
    ordinals.push_back(found == places.end() ? -1 : found->second[0]);
  }
  return ordinals;
}

Result<std::vector<int32_t>> Mapper::Find(const std::vector<Field>& wanted,
                                          std::span<const int32_t> positions,
                                          const std::vector<Field>& file) const {
  std::vector<int32_t> ordinals;
  if (match_ == ColumnMatch::kFieldId) {
    SLUICE_TRY(ordinals, FindIds(wanted, file));
  } else if (match_ == ColumnMatch::kPosition && path_.empty()) {
    for (const int32_t position : positions) {
      ordinals.push_back(Index(position) < file.size() ? position : -1);
    }
  } else {
    SLUICE_TRY(ordinals, FindNames(wanted, positions, file));
  }
  std::vector<bool> is_taken(file.size());
  for (size_t i = 0; i < ordinals.size(); ++i) {
    if (ordinals[i] < 0) continue;
    if (is_taken[Index(ordinals[i])]) {
      return Status::InvalidArgument(
          fmt::format("column '{}' is asked for twice", PathOf(wanted[i])));
    }
    is_taken[Index(ordinals[i])] = true;
  }
  return ordinals;
}

Result<ColumnMapping> Mapper::Map(const Field& wanted, const std::vector<Field>& file,
                                  int32_t ordinal, bool is_whole) {
  if (ordinal < 0) return NullMapping(wanted.type);
  const DataType& type = wanted.type;
  const DataType& file_type = file[Index(ordinal)].type;
  ColumnMapping mapping;
  if (file_type.id == TypeId::kNull && type.id != TypeId::kNull) {
    mapping = NullMapping(type);
    mapping.ordinal = ordinal;
    return mapping;
  }
  mapping.type = std::make_shared<const DataType>(type);
  mapping.ordinal = ordinal;
  mapping.rank = ordinal;
  mapping.is_identity = file_type == type;
  const bool is_scalar = !type.is_nested() && !file_type.is_nested();
  const bool is_exact =
      is_scalar ? CanWiden(file_type, type)
                : type.id == file_type.id && (type.id != TypeId::kVariant || mapping.is_identity);
  if (!is_exact) {
    return Status::Unsupported(fmt::format("column '{}': {} in the file is not exactly a {}",
                                           PathOf(wanted), file_type.ToString(), type.ToString()));
  }
  if (is_scalar) mapping.file_type = std::make_shared<const DataType>(file_type);
  path_.push_back(&wanted);
  if (type.id == TypeId::kStruct) {
    SLUICE_RETURN_IF_ERROR(MapStruct(file_type, is_whole, mapping));
  } else if (type.id == TypeId::kList || type.id == TypeId::kMap) {
    SLUICE_RETURN_IF_ERROR(MapElements(file_type, mapping));
  }
  path_.pop_back();
  return mapping;
}

/// Whether a child of what is projected is the table's, as far as its parent is concerned.
bool IsSameField(const Field& wanted, const Field& file, const ColumnMapping& child, size_t place) {
  return child.is_identity && child.rank == static_cast<int32_t>(place) &&
         wanted.name == file.name && wanted.nullable == file.nullable &&
         wanted.field_id == file.field_id;
}

Status Mapper::MapStruct(const DataType& file, bool is_whole, ColumnMapping& mapping) {
  const std::vector<Field>& wanted = mapping.type->children;
  SLUICE_TRY(const std::vector<int32_t> ordinals, Find(wanted, {}, file.children));
  std::vector<int32_t> read;
  for (size_t i = 0; i < wanted.size(); ++i) {
    SLUICE_TRY(ColumnMapping child, Map(wanted[i], file.children, ordinals[i], is_whole));
    if (child.is_read()) read.push_back(child.ordinal);
    mapping.children.push_back(std::move(child));
  }
  if (is_whole) {
    read.resize(file.children.size());
  } else {
    if (read.empty()) mapping.carrier = CarrierOf(file);
    std::sort(read.begin(), read.end());
    for (ColumnMapping& child : mapping.children) {
      const auto place = std::lower_bound(read.begin(), read.end(), child.ordinal);
      if (child.is_read()) child.rank = static_cast<int32_t>(place - read.begin());
    }
  }
  mapping.is_identity = read.size() == wanted.size() && mapping.carrier.empty();
  for (size_t i = 0; i < wanted.size() && mapping.is_identity; ++i) {
    const ColumnMapping& child = mapping.children[i];
    mapping.is_identity =
        child.is_read() && IsSameField(wanted[i], file.children[Index(child.ordinal)], child, i);
  }
  return Status::Ok();
}

/// Elements, keys and values are found by what they are.
Status Mapper::MapElements(const DataType& file, ColumnMapping& mapping) {
  const std::vector<Field>& wanted = mapping.type->children;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const int32_t ordinal = i < file.children.size() ? static_cast<int32_t>(i) : -1;
    SLUICE_TRY(ColumnMapping child, Map(wanted[i], file.children, ordinal, true));
    mapping.children.push_back(std::move(child));
  }
  mapping.is_identity = wanted.size() == file.children.size();
  for (size_t i = 0; i < wanted.size() && mapping.is_identity; ++i) {
    mapping.is_identity = IsSameField(wanted[i], file.children[i], mapping.children[i], i);
  }
  return Status::Ok();
}

void CollectPaths(const ColumnMapping& mapping, std::vector<int32_t> path,
                  std::vector<std::vector<int32_t>>& paths) {
  if (!mapping.is_read()) return;
  path.push_back(mapping.ordinal);
  const size_t before = paths.size();
  if (mapping.type->id == TypeId::kStruct) {
    for (const ColumnMapping& child : mapping.children) CollectPaths(child, path, paths);
  }
  if (paths.size() > before) return;
  path.insert(path.end(), mapping.carrier.begin(), mapping.carrier.end());
  paths.push_back(std::move(path));
}

}  // namespace

Result<std::vector<ColumnMapping>> MapColumns(const Schema& wanted,
                                              std::span<const int32_t> positions,
                                              const Schema& file, ColumnMatch match) {
  const bool are_positions =
      positions.size() == wanted.fields.size() &&
      std::all_of(positions.begin(), positions.end(), [](int32_t at) { return at >= 0; });
  if (!are_positions) return Status::InvalidArgument("each wanted column needs its position");
  Mapper mapper(match);
  SLUICE_TRY(const std::vector<int32_t> ordinals,
             mapper.Find(wanted.fields, positions, file.fields));
  std::vector<ColumnMapping> mappings;
  for (size_t i = 0; i < wanted.fields.size(); ++i) {
    SLUICE_TRY(ColumnMapping mapping,
               mapper.Map(wanted.fields[i], file.fields, ordinals[i], false));
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

std::vector<std::vector<int32_t>> FieldPathsOf(const ColumnMapping& mapping) {
  std::vector<std::vector<int32_t>> paths;
  CollectPaths(mapping, {}, paths);
  return paths;
}

}  // namespace sluice::inline v0::engine
