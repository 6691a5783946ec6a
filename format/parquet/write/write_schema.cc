#include "format/parquet/write/write_schema.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/converted_type.h"
#include "format/parquet/write/stored_values.h"

namespace sluice::inline v0::parquet {
namespace {

/// What a leaf of the model is stored as.
struct Storage {
  Storage(PhysicalType type, BoundOrder bound_order, int32_t length = 0)
      : physical_type(type), order(bound_order), type_length(length) {}

  PhysicalType physical_type;
  BoundOrder order;
  int32_t type_length;
  std::optional<int32_t> converted_type;
  LogicalAnnotation logical;

  Storage& Is(LogicalKind kind) {
    logical.kind = kind;
    return *this;
  }
  Storage& Converts(int32_t type) {
    converted_type = type;
    return *this;
  }
  Storage& Integer(int32_t bits, bool is_signed, int32_t type) {
    logical.bit_width = bits;
    logical.is_signed = is_signed;
    return Is(LogicalKind::kInteger).Converts(type);
  }
};

Result<Storage> DecimalStorage(const DataType& type) {
  const int32_t width = type.byte_width;
  if (width != 4 && width != 8 && width != 16 && width != 32) {
    return Status::InvalidArgument(fmt::format("a decimal has no layout of {} bytes", width));
  }
  if (type.precision < 1 || type.precision > 76 || type.scale < 0 || type.scale > type.precision) {
    return Status::InvalidArgument("precision or scale out of range: " + type.ToString());
  }
  Storage storage{PhysicalType::kInt32, BoundOrder::kInt32};
  if (type.precision > kMaxInt64Precision) {
    storage = {PhysicalType::kFixedLenByteArray, BoundOrder::kSignedBytes,
               DecimalBytes(type.precision)};
  } else if (type.precision > kMaxInt32Precision) {
    storage = {PhysicalType::kInt64, BoundOrder::kInt64};
  }
  storage.logical.precision = type.precision;
  storage.logical.scale = type.scale;
  return storage.Is(LogicalKind::kDecimal).Converts(ConvertedType::kDecimal);
}

Storage TimeStorage(const DataType& type) {
  const bool is_time = type.id == TypeId::kTime;
  const bool is_short = is_time && type.unit == TimeUnit::kMilliseconds;
  Storage storage{is_short ? PhysicalType::kInt32 : PhysicalType::kInt64,
                  is_short ? BoundOrder::kInt32 : BoundOrder::kInt64};
  storage.Is(is_time ? LogicalKind::kTime : LogicalKind::kTimestamp);
  storage.logical.unit = type.unit;
  storage.logical.utc_adjusted = type.utc_adjusted;
  // The specification wants these also for local times, for readers that know nothing else.
  if (type.unit == TimeUnit::kMilliseconds) {
    storage.Converts(is_time ? ConvertedType::kTimeMillis : ConvertedType::kTimestampMillis);
  } else if (type.unit == TimeUnit::kMicroseconds) {
    storage.Converts(is_time ? ConvertedType::kTimeMicros : ConvertedType::kTimestampMicros);
  }
  return storage;
}

Result<Storage> GeographyStorage(const DataType& type) {
  Storage storage{PhysicalType::kByteArray, BoundOrder::kNone};
  storage.Is(LogicalKind::kGeography);
  if (type.edge_algorithm.empty()) return storage;
  for (int32_t i = 0; EdgeAlgorithmName(i) != "UNKNOWN"; ++i) {
    if (type.edge_algorithm == EdgeAlgorithmName(i)) storage.logical.edge_algorithm = i;
  }
  if (storage.logical.edge_algorithm < 0) {
    return Status::InvalidArgument("unknown edge algorithm: " + type.edge_algorithm);
  }
  return storage;
}

Result<Storage> StorageOf(const DataType& type) {
  using enum PhysicalType;
  using Order = BoundOrder;
  switch (type.id) {
    case TypeId::kNull:
      return Storage{kInt32, Order::kNone}.Is(LogicalKind::kUnknown);
    case TypeId::kBoolean:
      return Storage{kBoolean, Order::kBoolean};
    case TypeId::kInt8:
      return Storage{kInt32, Order::kInt32}.Integer(8, true, ConvertedType::kInt8);
    case TypeId::kInt16:
      return Storage{kInt32, Order::kInt32}.Integer(16, true, ConvertedType::kInt16);
    case TypeId::kInt32:
      return Storage{kInt32, Order::kInt32};
    case TypeId::kInt64:
    case TypeId::kDuration:
      return Storage{kInt64, Order::kInt64};
    case TypeId::kUint8:
      return Storage{kInt32, Order::kUint32}.Integer(8, false, ConvertedType::kUint8);
    case TypeId::kUint16:
      return Storage{kInt32, Order::kUint32}.Integer(16, false, ConvertedType::kUint16);
    case TypeId::kUint32:
      return Storage{kInt32, Order::kUint32}.Integer(32, false, ConvertedType::kUint32);
    case TypeId::kUint64:
      return Storage{kInt64, Order::kUint64}.Integer(64, false, ConvertedType::kUint64);
    case TypeId::kFloat16:
      return Storage{kFixedLenByteArray, Order::kFloat16, 2}.Is(LogicalKind::kFloat16);
    case TypeId::kFloat:
      return Storage{kFloat, Order::kFloat};
    case TypeId::kDouble:
      return Storage{kDouble, Order::kDouble};
    case TypeId::kDecimal:
      return DecimalStorage(type);
    case TypeId::kDate:
      return Storage{kInt32, Order::kInt32}.Is(LogicalKind::kDate).Converts(ConvertedType::kDate);
    case TypeId::kTime:
    case TypeId::kTimestamp:
      if (type.unit == TimeUnit::kSeconds) break;
      return TimeStorage(type);
    case TypeId::kInt96:
      return Storage{kInt96, Order::kNone};
    case TypeId::kInterval:
      return Storage{kFixedLenByteArray, Order::kNone, 12}.Converts(ConvertedType::kInterval);
    case TypeId::kString:
      return Storage{kByteArray, Order::kBytes}
          .Is(LogicalKind::kString)
          .Converts(ConvertedType::kUtf8);
    case TypeId::kEnum:
      return Storage{kByteArray, Order::kBytes}
          .Is(LogicalKind::kEnum)
          .Converts(ConvertedType::kEnum);
    case TypeId::kJson:
      return Storage{kByteArray, Order::kBytes}
          .Is(LogicalKind::kJson)
          .Converts(ConvertedType::kJson);
    case TypeId::kBson:
      return Storage{kByteArray, Order::kBytes}
          .Is(LogicalKind::kBson)
          .Converts(ConvertedType::kBson);
    case TypeId::kBinary:
      return Storage{kByteArray, Order::kBytes};
    case TypeId::kGeometry:
      return Storage{kByteArray, Order::kNone}.Is(LogicalKind::kGeometry);
    case TypeId::kGeography:
      return GeographyStorage(type);
    case TypeId::kFixedBinary:
      if (type.byte_width < 1) {
        return Status::InvalidArgument(fmt::format("fixed width is {} bytes", type.byte_width));
      }
      return Storage{kFixedLenByteArray, Order::kBytes, type.byte_width};
    case TypeId::kUuid:
      return Storage{kFixedLenByteArray, Order::kBytes, 16}.Is(LogicalKind::kUuid);
    case TypeId::kList:
    case TypeId::kMap:
    case TypeId::kStruct:
    case TypeId::kVariant:
      break;
  }
  return Status::InvalidArgument("type cannot be written: " + type.ToString());
}

/// Builds the elements depth first.
class Builder {
 public:
  explicit Builder(WriteSchema* schema) : schema_(schema) {}

  /// Adds `field` under `name`. `is_variant_part`: a direct child of a variant.
  Result<WriteNode> Add(const Field& field, std::string_view name, bool is_nullable,
                        bool is_variant_part);

 private:
  SchemaElement& Group(std::string_view name, Repetition repetition, size_t num_children);
  Status AddLeaf(WriteNode& node, SchemaElement& element, bool is_variant_part);
  Status AddList(WriteNode& node, const Field& field);
  Status AddStruct(WriteNode& node, const Field& field);

  WriteSchema* schema_;
  ColumnPath path_;
  uint16_t definition_level_ = 0;
  uint16_t repetition_level_ = 0;
};

SchemaElement& Builder::Group(std::string_view name, Repetition repetition, size_t num_children) {
  SchemaElement& element = schema_->elements.emplace_back();
  element.name = schema_->names.emplace_back(name);
  element.repetition = repetition;
  element.num_children = static_cast<int32_t>(num_children);
  return element;
}

Result<WriteNode> Builder::Add(const Field& field, std::string_view name, bool is_nullable,
                               bool is_variant_part) {
  path_.emplace_back(name);
  if (path_.size() > kMaxWriteDepth) {
    return Status::InvalidArgument("schema is nested deeper than the limit: " +
                                   std::to_string(kMaxWriteDepth));
  }
  const uint16_t definition_level = definition_level_;
  const uint16_t repetition_level = repetition_level_;
  definition_level_ = static_cast<uint16_t>(definition_level_ + (is_nullable ? 1 : 0));

  WriteNode node;
  node.is_nullable = is_nullable;
  node.definition_level = definition_level_;
  node.repetition_level = repetition_level_;
  for (const std::string& part : path_) node.path += (node.path.empty() ? "" : ".") + part;
  node.type = field.type;
  node.type.children.clear();

  SchemaElement& element = Group(name, is_nullable ? Repetition::kOptional : Repetition::kRequired,
                                 field.type.id == TypeId::kList || field.type.id == TypeId::kMap
                                     ? 1
                                     : field.type.children.size());
  element.field_id = field.field_id;
  Status status;
  if (field.type.id == TypeId::kList || field.type.id == TypeId::kMap) {
    status = AddList(node, field);
  } else if (field.type.is_nested()) {
    status = AddStruct(node, field);
  } else {
    status = AddLeaf(node, element, is_variant_part);
  }
  if (!status.ok()) return status;
  path_.pop_back();
  definition_level_ = definition_level;
  repetition_level_ = repetition_level;
  return node;
}

Status Builder::AddLeaf(WriteNode& node, SchemaElement& element, bool is_variant_part) {
  Result<Storage> made = StorageOf(node.type);
  if (!made.has_value()) return made.error().In("column '" + node.path + "'");
  const Storage& storage = *made;
  element.type = storage.physical_type;
  element.type_length = storage.type_length;
  element.converted_type = storage.converted_type;
  element.logical = storage.logical;
  if (storage.logical.kind == LogicalKind::kDecimal) {
    element.scale = storage.logical.scale;
    element.precision = storage.logical.precision;
  }
  if (!node.type.crs.empty()) element.logical.crs = schema_->names.emplace_back(node.type.crs);

  node.leaf = static_cast<int32_t>(schema_->leaves.size());
  WriteLeaf& leaf = schema_->leaves.emplace_back();
  leaf.path = path_;
  leaf.physical_type = storage.physical_type;
  leaf.type_length = storage.type_length;
  leaf.type = node.type;
  leaf.max_definition_level = definition_level_;
  leaf.max_repetition_level = repetition_level_;
  // The bytes of a variant's metadata and value have no order.
  leaf.order =
      is_variant_part && node.type.id == TypeId::kBinary ? BoundOrder::kNone : storage.order;
  return Status::Ok();
}

Status Builder::AddList(WriteNode& node, const Field& field) {
  const bool is_map = field.type.id == TypeId::kMap;
  const std::vector<Field>& children = field.type.children;
  if (is_map ? children.size() != 1 && children.size() != 2 : children.size() != 1) {
    return Status::InvalidArgument(fmt::format("column '{}': {} has {} children", node.path,
                                               TypeName(field.type.id), children.size()));
  }
  SchemaElement& element = schema_->elements.back();
  element.converted_type = is_map ? ConvertedType::kMap : ConvertedType::kList;
  element.logical.kind = is_map ? LogicalKind::kMap : LogicalKind::kList;

  const std::string_view middle = is_map ? "key_value" : "list";
  Group(middle, Repetition::kRepeated, children.size());
  path_.emplace_back(middle);
  ++definition_level_;
  ++repetition_level_;
  node.kind = WriteNode::Kind::kList;
  node.repetition_level = repetition_level_;
  for (size_t i = 0; i < children.size(); ++i) {
    const std::string_view name = !is_map ? "element" : i == 0 ? "key" : "value";
    // A map's key is required by the specification, whatever the model's field says.
    const bool is_nullable = children[i].nullable && !(is_map && i == 0);
    SLUICE_TRY(WriteNode child, Add(children[i], name, is_nullable, false));
    node.children.push_back(std::move(child));
  }
  path_.pop_back();
  return Status::Ok();
}

Status Builder::AddStruct(WriteNode& node, const Field& field) {
  const bool is_variant = field.type.id == TypeId::kVariant;
  if (field.type.children.empty()) {
    return Status::InvalidArgument("column '" + node.path + "': a struct without fields");
  }
  if (is_variant) {
    SchemaElement& element = schema_->elements.back();
    element.logical.kind = LogicalKind::kVariant;
    element.logical.specification_version = 1;
  }
  node.kind = WriteNode::Kind::kStruct;
  for (const Field& child : field.type.children) {
    SLUICE_TRY(WriteNode made, Add(child, child.name, child.nullable, is_variant));
    node.children.push_back(std::move(made));
  }
  return Status::Ok();
}

}  // namespace

Result<WriteSchema> WriteSchema::Make(const Schema& schema) {
  if (schema.fields.empty()) return Status::InvalidArgument("schema without columns");
  WriteSchema made;
  SchemaElement& root = made.elements.emplace_back();
  root.name = made.names.emplace_back("schema");
  root.num_children = static_cast<int32_t>(schema.fields.size());
  Builder builder(&made);
  for (const Field& field : schema.fields) {
    SLUICE_TRY(WriteNode node, builder.Add(field, field.name, field.nullable, false));
    made.columns.push_back(std::move(node));
  }
  return made;
}

}  // namespace sluice::inline v0::parquet
