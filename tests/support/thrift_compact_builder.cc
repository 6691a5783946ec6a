#include "tests/support/thrift_compact_builder.h"

namespace sluice::support {

// A field is   | id delta 4 bits, type 4 bits | value |   where the id is 1..15 above the last one,
// else         | 0 and type | id, zigzag varint | value |.  A struct ends with a zero byte.

std::string Varint(uint64_t value) {
  std::string bytes;
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>((value & 0x7f) | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

uint64_t ZigZag(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return (bits << 1) ^ (value < 0 ? ~uint64_t{0} : 0);
}

std::string CompactListHeader(CompactType element_type, uint64_t count) {
  const auto type = static_cast<uint8_t>(element_type);
  if (count < 15) return std::string(1, static_cast<char>((count << 4) | type));
  return std::string(1, static_cast<char>(0xf0 | type)) + Varint(count);
}

std::string CompactList(CompactType element_type, const std::vector<std::string>& elements) {
  std::string bytes = CompactListHeader(element_type, elements.size());
  for (const std::string& element : elements) bytes += element;
  return bytes;
}

std::string CompactString(std::string_view bytes) {
  return Varint(bytes.size()) + std::string(bytes);
}

void ThriftCompactBuilder::Header(int32_t id, CompactType type) {
  const int32_t delta = id - last_id_;
  const auto code = static_cast<uint8_t>(type);
  if (delta >= 1 && delta <= 15) {
    bytes_.push_back(static_cast<char>((delta << 4) | code));
  } else {
    bytes_.push_back(static_cast<char>(code));
    bytes_ += Varint(ZigZag(id));
  }
  last_id_ = id;
}

ThriftCompactBuilder& ThriftCompactBuilder::Raw(int32_t id, CompactType type,
                                                std::string_view bytes) {
  Header(id, type);
  bytes_ += bytes;
  return *this;
}

ThriftCompactBuilder& ThriftCompactBuilder::Bool(int32_t id, bool value) {
  return Raw(id, value ? CompactType::kTrue : CompactType::kFalse, {});
}

ThriftCompactBuilder& ThriftCompactBuilder::I16(int32_t id, int64_t value) {
  return Raw(id, CompactType::kI16, Varint(ZigZag(value)));
}

ThriftCompactBuilder& ThriftCompactBuilder::I32(int32_t id, int64_t value) {
  return Raw(id, CompactType::kI32, Varint(ZigZag(value)));
}

ThriftCompactBuilder& ThriftCompactBuilder::I64(int32_t id, int64_t value) {
  return Raw(id, CompactType::kI64, Varint(ZigZag(value)));
}

ThriftCompactBuilder& ThriftCompactBuilder::Binary(int32_t id, std::string_view bytes) {
  return Raw(id, CompactType::kBinary, CompactString(bytes));
}

ThriftCompactBuilder& ThriftCompactBuilder::Struct(int32_t id, std::string_view inner) {
  return Raw(id, CompactType::kStruct, inner);
}

ThriftCompactBuilder& ThriftCompactBuilder::List(int32_t id, CompactType element_type,
                                                 const std::vector<std::string>& elements) {
  return Raw(id, CompactType::kList, CompactList(element_type, elements));
}

std::string ThriftCompactBuilder::Finish() const { return bytes_ + '\0'; }

}  // namespace sluice::support
