#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "tools/file_description.h"

namespace sluice::tools {
namespace {

using parquet::LogicalAnnotation;
using parquet::LogicalKind;
using parquet::SchemaElement;
using parquet::SchemaNode;

/// The specification's name, or the number where it has none.
std::string NameOr(std::string_view name, int32_t id) {
  return name == "UNKNOWN" ? fmt::format("UNKNOWN({})", id) : std::string(name);
}

std::string GeographyArguments(const LogicalAnnotation& annotation) {
  if (annotation.edge_algorithm < 0) return fmt::format("({})", annotation.crs);
  const std::string_view name = parquet::EdgeAlgorithmName(annotation.edge_algorithm);
  return fmt::format("({}, {})", annotation.crs, NameOr(name, annotation.edge_algorithm));
}

std::string TimeArguments(const LogicalAnnotation& annotation) {
  std::string unit = "UNKNOWN";
  if (annotation.unit == TimeUnit::kMilliseconds) unit = "MILLIS";
  if (annotation.unit == TimeUnit::kMicroseconds) unit = "MICROS";
  if (annotation.unit == TimeUnit::kNanoseconds) unit = "NANOS";
  return fmt::format("({}, {})", unit, annotation.utc_adjusted ? "UTC" : "local");
}

std::string AnnotationName(const LogicalAnnotation& annotation) {
  switch (annotation.kind) {
    case LogicalKind::kNone:
      return "";
    case LogicalKind::kString:
      return "STRING";
    case LogicalKind::kMap:
      return "MAP";
    case LogicalKind::kList:
      return "LIST";
    case LogicalKind::kEnum:
      return "ENUM";
    case LogicalKind::kDecimal:
      return fmt::format("DECIMAL({}, {})", annotation.precision, annotation.scale);
    case LogicalKind::kDate:
      return "DATE";
    case LogicalKind::kTime:
      return "TIME" + TimeArguments(annotation);
    case LogicalKind::kTimestamp:
      return "TIMESTAMP" + TimeArguments(annotation);
    case LogicalKind::kInteger:
      return fmt::format("INTEGER({}, {})", annotation.bit_width,
                         annotation.is_signed ? "signed" : "unsigned");
    case LogicalKind::kUnknown:
      return "UNKNOWN";
    case LogicalKind::kJson:
      return "JSON";
    case LogicalKind::kBson:
      return "BSON";
    case LogicalKind::kUuid:
      return "UUID";
    case LogicalKind::kFloat16:
      return "FLOAT16";
    case LogicalKind::kVariant:
      return "VARIANT";
    case LogicalKind::kGeometry:
      return fmt::format("GEOMETRY({})", annotation.crs);
    case LogicalKind::kGeography:
      return "GEOGRAPHY" + GeographyArguments(annotation);
    case LogicalKind::kFile:
      return "FILE";
    case LogicalKind::kUnrecognized:
      return "UNRECOGNIZED";
  }
  return "UNRECOGNIZED";
}

std::string OrderName(parquet::ColumnOrder order) {
  switch (order) {
    case parquet::ColumnOrder::kUndefined:
      return "undefined";
    case parquet::ColumnOrder::kTypeDefined:
      return "type-defined";
    case parquet::ColumnOrder::kIeee754Total:
      return "ieee754-total";
    case parquet::ColumnOrder::kInt96Timestamp:
      return "int96-timestamp";
  }
  return "undefined";
}

Json DescribeElement(const SchemaElement& element) {
  Json json;
  json["name"] = std::string(element.name);
  if (element.repetition.has_value()) json["repetition"] = std::string(Name(*element.repetition));
  if (element.type.has_value()) json["physical_type"] = std::string(Name(*element.type));
  if (element.type == parquet::PhysicalType::kFixedLenByteArray) {
    json["type_length"] = element.type_length;
  }
  if (element.logical.kind != LogicalKind::kNone) {
    json["logical_type"] = AnnotationName(element.logical);
  }
  if (element.converted_type.has_value()) {
    json["converted_type"] =
        NameOr(parquet::ConvertedTypeName(*element.converted_type), *element.converted_type);
  }
  if (element.precision.has_value()) json["precision"] = *element.precision;
  if (element.scale.has_value()) json["scale"] = *element.scale;
  if (element.field_id.has_value()) json["field_id"] = *element.field_id;
  return json;
}

}  // namespace

Json DescribeSchema(const parquet::FileReader& reader) {
  const parquet::FileMetadata& metadata = *reader.metadata();
  const std::vector<SchemaNode>& nodes = reader.tree()->nodes();
  std::vector<int32_t> depths(nodes.size(), -1);
  Json schema = Json::array();
  for (size_t i = 1; i < nodes.size(); ++i) {
    const SchemaNode& node = nodes[i];
    depths[i] = depths[static_cast<size_t>(node.parent)] + 1;
    Json json = DescribeElement(metadata.schema[static_cast<size_t>(node.element)]);
    json["depth"] = depths[i];
    json["max_definition_level"] = node.max_definition_level;
    json["max_repetition_level"] = node.max_repetition_level;
    if (node.role == SchemaNode::Role::kLeaf) {
      json["leaf"] = node.first_leaf;
      const auto leaf = static_cast<size_t>(node.first_leaf);
      if (leaf < metadata.column_orders.size()) {
        json["column_order"] = OrderName(metadata.column_orders[leaf]);
      }
      json["type"] = node.type.ToString();
    }
    schema.push_back(std::move(json));
  }
  return schema;
}

}  // namespace sluice::tools
