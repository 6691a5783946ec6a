#include "tests/support/random_columns.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace sluice::support {
namespace {

template <typename T>
std::string Plain(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

// Bit patterns of binary64, binary32 and binary16 that are special.
constexpr uint64_t kDoubles[] = {0,
                                 0x8000000000000000,
                                 0x7ff8000000000000,
                                 0xfff8000000000001,
                                 0x7ff0000000000001,
                                 0x7ff0000000000000,
                                 0xfff0000000000000,
                                 1,
                                 0x7fefffffffffffff,
                                 0x3ff8000000000000};
constexpr uint32_t kFloats[] = {0,          0x80000000, 0x7fc00000, 0xffc00001, 0x7f800001,
                                0x7f800000, 0xff800000, 1,          0x7f7fffff, 0x3fc00000};
constexpr uint16_t kHalves[] = {0, 0x8000, 0x7e00, 0xfe01, 0x7c00, 0xfc00, 1, 0x7bff, 0x3e00};

}  // namespace

DataType RandomColumns::ScalarType() {
  static constexpr TypeId kPlainTypes[] = {
      TypeId::kBoolean, TypeId::kInt8,   TypeId::kInt16,   TypeId::kInt32,  TypeId::kInt64,
      TypeId::kUint8,   TypeId::kUint16, TypeId::kUint32,  TypeId::kUint64, TypeId::kFloat16,
      TypeId::kFloat,   TypeId::kDouble, TypeId::kDate,    TypeId::kInt96,  TypeId::kInterval,
      TypeId::kString,  TypeId::kEnum,   TypeId::kJson,    TypeId::kBinary, TypeId::kBson,
      TypeId::kUuid,    TypeId::kString, TypeId::kGeometry};
  const int64_t pick = Below(static_cast<int64_t>(std::size(kPlainTypes)) + 7);
  const auto unit = static_cast<TimeUnit>(1 + Below(3));
  switch (pick) {
    case 0:
    case 1: {
      const auto precision = static_cast<int32_t>(1 + Below(76));
      const int32_t width = precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
      return DataType::Decimal(precision, static_cast<int32_t>(Below(precision + 1)), width);
    }
    case 2:
      return DataType::Time(unit, Chance(0.5));
    case 3:
      return DataType::Timestamp(unit, Chance(0.5));
    case 4:
      return DataType::FixedBinary(static_cast<int32_t>(1 + Below(20)));
    case 5:
      return DataType::Of(TypeId::kNull);
    case 6:
      return DataType::Duration(Chance(0.2) ? TimeUnit::kSeconds : unit);
    default:
      return DataType::Of(kPlainTypes[pick - 7]);
  }
}

DataType RandomColumns::Type(int depth) {
  const int64_t pick = depth <= 1 ? 0 : Below(6);
  const auto nullable = [this](const DataType& type) {
    return type.id == TypeId::kNull || Chance(0.7);
  };
  if (pick <= 2) return ScalarType();
  if (pick == 3) {
    DataType element = Type(depth - 1);
    const bool is_nullable = nullable(element);
    return DataType::List({"element", std::move(element), is_nullable, {}});
  }
  if (pick == 4) {
    DataType key = ScalarType();
    while (key.id == TypeId::kNull) key = ScalarType();
    DataType value = Type(depth - 1);
    const bool is_nullable = nullable(value);
    return DataType::Map({"key", std::move(key), false, {}},
                         Field{"value", std::move(value), is_nullable, {}});
  }
  std::vector<Field> fields;
  for (int64_t i = 1 + Below(3); i > 0; --i) {
    DataType type = Type(depth - 1);
    const bool is_nullable = nullable(type);
    fields.push_back({"f" + std::to_string(i), std::move(type), is_nullable, {}});
  }
  return DataType::Struct(std::move(fields));
}

Schema RandomColumns::RandomSchema(int num_fields, int depth) {
  Schema schema;
  for (int i = 0; i < num_fields; ++i) {
    DataType type = Type(depth);
    const bool is_nullable = type.id == TypeId::kNull || Chance(0.7);
    schema.fields.push_back({"c" + std::to_string(i), std::move(type), is_nullable, i});
  }
  return schema;
}

std::string RandomColumns::Bytes() {
  static constexpr std::string_view kTexts[] = {
      "",
      "a",
      "exactly 12 b",
      "exactly 13 by",
      "\xff\xfe",
      "\xc3\xa9\xc3\xa9",
      "\xf4\x8f\xbf\xbf",
      "a text that is well beyond what a view holds inline, and beyond sixty-four bytes as well"};
  if (Chance(0.4)) return std::string(kTexts[Below(static_cast<int64_t>(std::size(kTexts)))]);
  std::string text(static_cast<size_t>(Below(Chance(0.02) ? 3000 : 20)), '\0');
  const bool is_any = Chance(0.2);
  for (char& byte : text) byte = static_cast<char>(is_any ? Below(256) : 'a' + Below(4));
  return text;
}

std::string RandomColumns::Decimal(const DataType& type) {
  // At most precision digits, of either sign, or the extremes 10^precision - 1.
  const bool is_extreme = Chance(0.1);
  const int64_t digits = is_extreme ? type.precision : 1 + Below(type.precision);
  std::string value(static_cast<size_t>(type.byte_width), '\0');
  for (int64_t i = 0; i < digits; ++i) {
    int carry = static_cast<int>(is_extreme ? 9 : Below(10));
    for (char& byte : value) {
      const int product = static_cast<uint8_t>(byte) * 10 + carry;
      byte = static_cast<char>(product);
      carry = product >> 8;
    }
  }
  if (Chance(0.5)) return value;
  int carry = 1;
  for (char& byte : value) {
    const int sum = (static_cast<uint8_t>(byte) ^ 0xff) + carry;
    byte = static_cast<char>(sum);
    carry = sum >> 8;
  }
  return value;
}

std::string RandomColumns::Scalar(const DataType& type) {
  const auto special = [this](const auto& values) {
    return Plain(values[static_cast<size_t>(Below(static_cast<int64_t>(std::size(values))))]);
  };
  if (type.is_view()) return Bytes();
  if (type.id == TypeId::kDecimal) return Decimal(type);
  if (type.id == TypeId::kBoolean) return Plain(static_cast<uint8_t>(Below(2)));
  if (Chance(0.4)) {
    if (type.id == TypeId::kDouble) return special(kDoubles);
    if (type.id == TypeId::kFloat) return special(kFloats);
    if (type.id == TypeId::kFloat16) return special(kHalves);
  }
  if (type.id == TypeId::kDouble && Chance(0.5)) {
    return Plain(static_cast<double>(Below(100000)) / 100);
  }
  std::string bytes(static_cast<size_t>(type.byte_width), '\0');
  // Small, any, lowest and highest numbers.
  const int64_t kind = Below(6);
  for (char& byte : bytes) {
    byte = static_cast<char>(kind <= 2 ? Below(256) : kind == 3 ? 0xff : 0);
  }
  if (kind == 4 && !bytes.empty()) bytes.back() = static_cast<char>(0x80);
  if (kind == 3 && !bytes.empty() && Chance(0.5)) bytes.back() = 0x7f;
  if (kind == 5 && !bytes.empty()) bytes[0] = static_cast<char>(Below(10));
  return bytes;
}

Cell RandomColumns::NewCell(const DataType& type, double null_chance) {
  if (type.id == TypeId::kNull) return Null();
  if (!type.is_nested()) return Text(Scalar(type));
  Cell cell;
  if (type.id == TypeId::kStruct || type.id == TypeId::kVariant) {
    for (const Field& field : type.children) cell.children.push_back(MaybeNull(field, null_chance));
    return cell;
  }
  const int64_t size = Chance(0.3) ? 0 : Below(5);
  for (int64_t i = 0; i < size; ++i) {
    if (type.id == TypeId::kList) {
      cell.children.push_back(MaybeNull(type.children[0], null_chance));
      continue;
    }
    Cell entry;
    for (const Field& part : type.children) entry.children.push_back(MaybeNull(part, null_chance));
    cell.children.push_back(std::move(entry));
  }
  return cell;
}

Cell RandomColumns::MaybeNull(const Field& field, double null_chance) {
  return field.nullable && Chance(null_chance) ? Null() : NewCell(field.type, null_chance);
}

std::vector<Cell> RandomColumns::Cells(const Field& field, int64_t count, double null_chance) {
  std::vector<Cell> cells;
  const bool repeats = Chance(0.5);
  while (static_cast<int64_t>(cells.size()) < count) {
    if (repeats && !cells.empty() && Chance(0.7)) {
      const Cell again = cells[static_cast<size_t>(Below(static_cast<int64_t>(cells.size())))];
      const int64_t times =
          std::min(1 + (Chance(0.2) ? Below(40) : 0), count - static_cast<int64_t>(cells.size()));
      cells.insert(cells.end(), static_cast<size_t>(times), again);
    } else {
      cells.push_back(MaybeNull(field, null_chance));
    }
  }
  return cells;
}

}  // namespace sluice::support
