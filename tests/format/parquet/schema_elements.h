#pragma once

// Schemas put together element by element, and what trees make of them, as short texts.

#include <sluice/parquet/schema_tree.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {

using parquet::FileMetadata;
using parquet::LogicalKind;
using parquet::MetadataLimits;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::SchemaElement;
using parquet::SchemaNode;
using parquet::SchemaTree;

/// ConvertedType of parquet.thrift.
inline constexpr int32_t kUtf8 = 0;
inline constexpr int32_t kMap = 1;
inline constexpr int32_t kMapKeyValue = 2;
inline constexpr int32_t kList = 3;
inline constexpr int32_t kDecimal = 5;
inline constexpr int32_t kTimeMillis = 7;
inline constexpr int32_t kTimestampMicros = 10;
inline constexpr int32_t kUint8 = 11;
inline constexpr int32_t kInterval = 21;

/// Elements as a footer has them, depth first; `converted` is the ConvertedType.
inline SchemaElement Leaf(std::string_view name, Repetition repetition, PhysicalType type,
                          std::optional<int32_t> converted = std::nullopt) {
  SchemaElement element;
  element.name = name;
  element.type = type;
  element.repetition = repetition;
  element.converted_type = converted;
  return element;
}

inline SchemaElement Group(std::string_view name, Repetition repetition, int32_t num_children,
                           std::optional<int32_t> converted = std::nullopt) {
  SchemaElement element;
  element.name = name;
  element.repetition = repetition;
  element.num_children = num_children;
  element.converted_type = converted;
  return element;
}

inline SchemaElement WithLogical(SchemaElement element, LogicalKind kind) {
  element.logical.kind = kind;
  return element;
}

inline constexpr auto kRequired = Repetition::kRequired;
inline constexpr auto kOptional = Repetition::kOptional;
inline constexpr auto kRepeated = Repetition::kRepeated;
inline constexpr auto kInt32 = PhysicalType::kInt32;
inline constexpr auto kInt64 = PhysicalType::kInt64;
inline constexpr auto kByteArray = PhysicalType::kByteArray;

/// The tree of these elements below a root of `num_columns` children.
inline Result<std::shared_ptr<const SchemaTree>> Make(std::vector<SchemaElement> elements,
                                                      int32_t num_columns = 1,
                                                      MetadataLimits limits = {}) {
  FileMetadata metadata;
  metadata.schema.push_back(Group("root", kRequired, num_columns));
  metadata.schema.insert(metadata.schema.end(), elements.begin(), elements.end());
  return SchemaTree::Make(metadata, limits);
}

/// The type of the only column, with '?' behind what may be null: "list<int32?>?".
inline std::string Shape(const Field& field) {
  std::string text;
  const DataType& type = field.type;
  if (type.is_nested()) {
    text = std::string(TypeName(type.id)) + "<";
    for (size_t i = 0; i < type.children.size(); ++i) {
      if (i > 0) text += ", ";
      if (type.id == TypeId::kStruct) text += type.children[i].name + ": ";
      text += Shape(type.children[i]);
    }
    text += ">";
  } else {
    text = type.ToString();
  }
  return text + (field.nullable ? "?" : "");
}

/// Shape of the only column, or the error.
inline std::string ShapeOf(std::vector<SchemaElement> elements) {
  const auto tree = Make(std::move(elements));
  if (!tree.has_value()) return tree.error().ToString();
  return Shape((*tree)->schema()->fields[0]);
}

/// The type of the only element, or the error.
inline std::string TypeOf(SchemaElement element) {
  const auto tree = Make({std::move(element)});
  if (!tree.has_value()) return tree.error().ToString();
  return (*tree)->schema()->fields[0].type.ToString();
}

}  // namespace sluice
