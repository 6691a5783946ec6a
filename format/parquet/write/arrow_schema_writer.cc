#include "format/parquet/write/arrow_schema_writer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "format/parquet/write/bit_packing.h"
#include "format/parquet/write/flat_buffer.h"

namespace sluice::inline v0::parquet {
namespace {

using TableField = FlatBuffer::TableField;

// FlatBuffers' verifiers take 64 tables inside each other: message, schema, fields, a type.
constexpr int kMaxDepth = 60;

// Type of Schema.fbs.
enum ArrowType : uint8_t {
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kList = 12,
  kStruct = 13,
  kFixedSizeBinary = 15,
  kMap = 17,
  kDuration = 18,
};

/// A type's table: its scalar fields in order.
struct ArrowTypeTable {
  ArrowType type;
  std::vector<TableField> fields;
  bool is_utc = false;  ///< kTimestamp: field 1 refers to "UTC".
};

/// TimeUnit of Schema.fbs, whose order ours is.
int64_t UnitOf(TimeUnit unit) { return static_cast<int64_t>(unit); }

ArrowTypeTable Integer(int32_t bits, bool is_signed) {
  return {kInt, {{4, bits}, {1, is_signed ? 1 : 0}}};
}

ArrowTypeTable TypeTable(const DataType& type) {
  switch (type.id) {
    case TypeId::kNull:
      return {kNull, {}};
    case TypeId::kBoolean:
      return {kBool, {}};
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
      return Integer(8 * type.byte_width, true);
    case TypeId::kUint8:
    case TypeId::kUint16:
    case TypeId::kUint32:
    case TypeId::kUint64:
      return Integer(8 * type.byte_width, false);
    case TypeId::kFloat16:
      return {kFloatingPoint, {{2, 0}}};
    case TypeId::kFloat:
      return {kFloatingPoint, {{2, 1}}};
    case TypeId::kDouble:
      return {kFloatingPoint, {{2, 2}}};
    case TypeId::kDecimal:
      return {kDecimal,
              {{4, type.precision}, {4, type.scale}, {4, type.precision > 38 ? 256 : 128}}};
    case TypeId::kDate:
      return {kDate, {{2, 0}}};
    case TypeId::kTime:
      return {kTime, {{2, UnitOf(type.unit)}, {4, 8 * type.byte_width}}};
    case TypeId::kTimestamp:
      return {
          kTimestamp, {{2, UnitOf(type.unit)}, {type.utc_adjusted ? 4 : 0, 0}}, type.utc_adjusted};
    case TypeId::kInt96:
      return {kTimestamp, {{2, UnitOf(TimeUnit::kNanoseconds)}, {0, 0}}};
    case TypeId::kDuration:
      return {kDuration, {{2, UnitOf(type.unit)}}};
    case TypeId::kString:
    case TypeId::kJson:
      return {kUtf8, {}};
    case TypeId::kEnum:
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return {kBinary, {}};
    case TypeId::kInterval:
    case TypeId::kFixedBinary:
    case TypeId::kUuid:
      return {kFixedSizeBinary, {{4, type.byte_width}}};
    case TypeId::kList:
      return {kList, {}};
    case TypeId::kMap:
      if (type.children.size() == 1) return {kList, {}};
      return {kMap, {{1, 0}}};
    case TypeId::kStruct:
    case TypeId::kVariant:
      return {kStruct, {}};
  }
  return {kNull, {}};
}

/// The children as Arrow has them: a map holds one struct of key and value.
std::vector<Field> ArrowChildren(const DataType& type) {
  if (type.id == TypeId::kList) {
    Field element = type.children[0];
    element.name = "element";
    return {element};
  }
  if (type.id != TypeId::kMap) return type.children;
  Field key = type.children[0];
  key.name = "key";
  key.nullable = false;
  if (type.children.size() == 1) return {key};
  Field value = type.children[1];
  value.name = "value";
  return {{"key_value", DataType::Struct({key, value}), false, {}}};
}

size_t AddField(const Field& field, FlatBuffer* out);

/// A vector of fields.
size_t AddFields(const std::vector<Field>& fields, FlatBuffer* out) {
  const size_t vector = out->AddOffsets(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    out->Refer(vector + 4 + 4 * i, AddField(fields[i], out));
  }
  return vector;
}

size_t AddField(const Field& field, FlatBuffer* out) {
  ArrowTypeTable type = TypeTable(field.type);
  // name, nullable, type's id, type, dictionary, children.
  std::array<TableField, 6> fields = {
      {{4}, {1, field.nullable ? 1 : 0}, {1, type.type}, {4}, {0}, {4}}};
  const size_t table = out->AddTable(fields);
  out->Refer(fields[0].place, out->AddString(field.name));
  out->Refer(fields[3].place, out->AddTable(type.fields));
  if (type.is_utc) out->Refer(type.fields[1].place, out->AddString("UTC"));
  out->Refer(fields[5].place, AddFields(ArrowChildren(field.type), out));
  return table;
}

std::string Base64(const std::vector<uint8_t>& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (size_t k = 0; k < 4; ++k) {
      text.push_back(k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=');
    }
  }
  return text;
}

bool HasDuration(const std::vector<Field>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const Field& field) {
    return field.type.id == TypeId::kDuration || HasDuration(field.type.children);
  });
}

int DepthOf(const std::vector<Field>& fields) {
  int depth = 0;
  for (const Field& field : fields) {
    const int map = field.type.id == TypeId::kMap ? 1 : 0;
    depth = std::max(depth, 1 + map + DepthOf(field.type.children));
  }
  return depth;
}

}  // namespace

std::optional<std::string> ArrowSchemaValue(const Schema& schema) {
  if (!HasDuration(schema.fields) || DepthOf(schema.fields) > kMaxDepth) return std::nullopt;
  FlatBuffer flat;
  // Message: version V5, header's type Schema, header, body length.
  std::array<TableField, 4> message = {{{2, 4}, {1, 1}, {4}, {8, 0}}};
  flat.Refer(0, flat.AddTable(message));
  // Schema: little-endian, fields.
  std::array<TableField, 2> header = {{{2, 0}, {4}}};
  flat.Refer(message[2].place, flat.AddTable(header));
  flat.Refer(header[1].place, AddFields(schema.fields, &flat));

  const std::vector<uint8_t>& metadata = flat.Finish();
  std::vector<uint8_t> encapsulated;
  PutLittleEndian(0xffffffff, 4, &encapsulated);
  PutLittleEndian(metadata.size(), 4, &encapsulated);
  encapsulated.insert(encapsulated.end(), metadata.begin(), metadata.end());
  return Base64(encapsulated);
}

}  // namespace sluice::inline v0::parquet
