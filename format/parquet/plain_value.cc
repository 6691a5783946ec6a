#include "format/parquet/plain_value.h"

#include <algorithm>

#include "format/model/fit_integer.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {
namespace {

bool IsUnsigned(TypeId id) {
  return id == TypeId::kUint8 || id == TypeId::kUint16 || id == TypeId::kUint32 ||
         id == TypeId::kUint64;
}

bool IsByteDecimal(const Leaf& leaf, const DataType& type) {
  return type.id == TypeId::kDecimal && (leaf.physical_type == PhysicalType::kByteArray ||
                                         leaf.physical_type == PhysicalType::kFixedLenByteArray);
}

std::string Reversed(std::string_view bytes) { return {bytes.rbegin(), bytes.rend()}; }

}  // namespace

std::optional<std::string> DeliveredValue(const Leaf& leaf, const DataType& type,
                                          std::string_view plain) {
  if (type.id == TypeId::kNull) return std::nullopt;
  const bool is_byte_array = leaf.physical_type == PhysicalType::kByteArray;
  const bool is_boolean = leaf.physical_type == PhysicalType::kBoolean;
  if (is_boolean) {
    if (plain.size() != 1 || static_cast<uint8_t>(plain[0]) > 1) return std::nullopt;
  } else if (!is_byte_array) {
    const int32_t width = PhysicalWidth(leaf.physical_type, leaf.type_length);
    if (plain.size() != static_cast<size_t>(width)) return std::nullopt;
  }
  const auto width = static_cast<size_t>(type.byte_width);
  if (IsByteDecimal(leaf, type)) {
    // Big-endian, of any length.
    if (plain.empty()) return std::nullopt;
    return FitInteger(Reversed(plain), width, true);
  }
  if (leaf.physical_type == PhysicalType::kInt32 || leaf.physical_type == PhysicalType::kInt64) {
    return FitInteger(plain, width, !IsUnsigned(type.id));
  }
  return std::string(plain);
}

std::optional<std::string> PlainValue(const Leaf& leaf, const DataType& type,
                                      std::string_view value) {
  const auto width = static_cast<size_t>(PhysicalWidth(leaf.physical_type, leaf.type_length));
  switch (leaf.physical_type) {
    case PhysicalType::kBoolean:
    case PhysicalType::kInt96:
      return std::nullopt;
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
      return FitInteger(value, width, !IsUnsigned(type.id));
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
      return std::string(value);
    case PhysicalType::kByteArray:
      if (IsByteDecimal(leaf, type)) return std::nullopt;
      return std::string(value);
    case PhysicalType::kFixedLenByteArray:
      break;
  }
  if (!IsByteDecimal(leaf, type)) return std::string(value);
  const std::optional<std::string> fitted = FitInteger(value, width, true);
  return fitted ? std::optional(Reversed(*fitted)) : std::nullopt;
}

}  // namespace sluice::inline v0::parquet
