#include <fmt/format.h>
#include <sluice/types.h>

namespace sluice::inline v0 {

std::string_view TypeName(TypeId id) {
  switch (id) {
    case TypeId::kNull:
      return "null";
    case TypeId::kBoolean:
      return "boolean";
    case TypeId::kInt8:
      return "int8";
    case TypeId::kInt16:
      return "int16";
    case TypeId::kInt32:
      return "int32";
    case TypeId::kInt64:
      return "int64";
    case TypeId::kUint8:
      return "uint8";
    case TypeId::kUint16:
      return "uint16";
    case TypeId::kUint32:
      return "uint32";
    case TypeId::kUint64:
      return "uint64";
    case TypeId::kFloat16:
      return "float16";
    case TypeId::kFloat:
      return "float";
    case TypeId::kDouble:
      return "double";
    case TypeId::kDecimal:
      return "decimal";
    case TypeId::kDate:
      return "date";
    case TypeId::kTime:
      return "time";
    case TypeId::kTimestamp:
      return "timestamp";
    case TypeId::kInt96:
      return "int96";
    case TypeId::kDuration:
      return "duration";
    case TypeId::kInterval:
      return "interval";
    case TypeId::kString:
      return "string";
    case TypeId::kEnum:
      return "enum";
    case TypeId::kJson:
      return "json";
    case TypeId::kBinary:
      return "binary";
    case TypeId::kBson:
      return "bson";
    case TypeId::kGeometry:
      return "geometry";
    case TypeId::kGeography:
      return "geography";
    case TypeId::kFixedBinary:
      return "fixed_binary";
    case TypeId::kUuid:
      return "uuid";
    case TypeId::kList:
      return "list";
    case TypeId::kMap:
      return "map";
    case TypeId::kStruct:
      return "struct";
    case TypeId::kVariant:
      return "variant";
  }
  return "unknown";
}

namespace {

int32_t FixedWidth(TypeId id) {
  switch (id) {
    case TypeId::kInt8:
    case TypeId::kUint8:
      return 1;
    case TypeId::kInt16:
    case TypeId::kUint16:
    case TypeId::kFloat16:
      return 2;
    case TypeId::kInt32:
    case TypeId::kUint32:
    case TypeId::kFloat:
    case TypeId::kDate:
      return 4;
    case TypeId::kInt64:
    case TypeId::kUint64:
    case TypeId::kDouble:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return 8;
    case TypeId::kInt96:
    case TypeId::kInterval:
      return 12;
    case TypeId::kUuid:
      return 16;
    default:
      return 0;
  }
}

std::string_view UnitName(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSeconds:
      return "s";
    case TimeUnit::kMilliseconds:
      return "ms";
    case TimeUnit::kMicroseconds:
      return "us";
    case TimeUnit::kNanoseconds:
      return "ns";
  }
  return "?";
}

}  // namespace

DataType DataType::Of(TypeId id) {
  DataType type;
  type.id = id;
  type.byte_width = FixedWidth(id);
  return type;
}

DataType DataType::Decimal(int32_t precision, int32_t scale, int32_t byte_width) {
  DataType type = Of(TypeId::kDecimal);
  type.precision = precision;
  type.scale = scale;
  type.byte_width = byte_width;
  return type;
}

DataType DataType::Time(TimeUnit unit, bool utc_adjusted) {
  DataType type = Of(TypeId::kTime);
  type.unit = unit;
  type.utc_adjusted = utc_adjusted;
  type.byte_width = unit == TimeUnit::kMilliseconds ? 4 : 8;
  return type;
}

DataType DataType::Timestamp(TimeUnit unit, bool utc_adjusted) {
  DataType type = Of(TypeId::kTimestamp);
  type.unit = unit;
  type.utc_adjusted = utc_adjusted;
  return type;
}

DataType DataType::Duration(TimeUnit unit) {
  DataType type = Of(TypeId::kDuration);
  type.unit = unit;
  return type;
}

DataType DataType::FixedBinary(int32_t byte_width) {
  DataType type = Of(TypeId::kFixedBinary);
  type.byte_width = byte_width;
  return type;
}

DataType DataType::List(Field element) {
  DataType type = Of(TypeId::kList);
  type.children.push_back(std::move(element));
  return type;
}

DataType DataType::Map(Field key, std::optional<Field> value) {
  DataType type = Of(TypeId::kMap);
  type.children.push_back(std::move(key));
  if (value) type.children.push_back(*std::move(value));
  return type;
}

DataType DataType::Struct(std::vector<Field> fields) {
  DataType type = Of(TypeId::kStruct);
  type.children = std::move(fields);
  return type;
}

bool DataType::is_view() const {
  switch (id) {
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return true;
    default:
      return false;
  }
}

bool DataType::operator==(const DataType& other) const {
  return id == other.id && unit == other.unit && utc_adjusted == other.utc_adjusted &&
         byte_width == other.byte_width && precision == other.precision && scale == other.scale &&
         crs == other.crs && edge_algorithm == other.edge_algorithm && children == other.children;
}

std::string DataType::ToString() const {
  std::string text(TypeName(id));
  switch (id) {
    case TypeId::kDecimal:
      return text + fmt::format("({}, {})", precision, scale);
    case TypeId::kTime:
    case TypeId::kTimestamp:
      return text + fmt::format("({}{})", UnitName(unit), utc_adjusted ? ", utc" : "");
    case TypeId::kDuration:
      return text + fmt::format("({})", UnitName(unit));
    case TypeId::kFixedBinary:
      return text + fmt::format("({})", byte_width);
    default:
      break;
  }
  if (!is_nested()) return text;
  text += '<';
  for (size_t i = 0; i < children.size(); ++i) {
    if (i > 0) text += ", ";
    if (id == TypeId::kStruct || id == TypeId::kVariant) text += children[i].name + ": ";
    text += children[i].type.ToString();
  }
  return text + '>';
}

}  // namespace sluice::inline v0
