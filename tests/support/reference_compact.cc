#include "tests/support/reference_compact.h"

#include "tests/support/thrift_compact_builder.h"

namespace sluice::support {

std::string_view ByteCursor::Take(uint64_t count) {
  if (count > bytes_.size()) throw ReferenceError("bytes end early");
  const std::string_view taken = bytes_.substr(0, count);
  bytes_.remove_prefix(count);
  return taken;
}

uint64_t ByteCursor::LittleEndian(int32_t bytes) {
  uint64_t value = 0;
  for (int32_t i = 0; i < bytes; ++i) value |= uint64_t{Byte()} << (8 * i);
  return value;
}

uint64_t ByteCursor::Varint() {
  uint64_t value = 0;
  for (int32_t shift = 0; shift < 70; shift += 7) {
    const uint8_t byte = Byte();
    if (shift < 64) value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  throw ReferenceError("varint is too long");
}

int64_t ByteCursor::ZigZagVarint() {
  const uint64_t bits = Varint();
  return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

const CompactValue& CompactValue::At(int64_t id) const {
  const auto found = fields.find(id);
  if (found == fields.end()) throw ReferenceError("field " + std::to_string(id) + " is missing");
  return found->second;
}

int64_t CompactValue::NumberOr(int64_t id, int64_t otherwise) const {
  return Number(id).value_or(otherwise);
}

std::optional<int64_t> CompactValue::Number(int64_t id) const {
  const auto found = fields.find(id);
  if (found == fields.end()) return std::nullopt;
  return found->second.number;
}

namespace {

CompactValue ReadValue(ByteCursor& in, CompactType type, int32_t depth);

CompactValue ReadList(ByteCursor& in, int32_t depth) {
  CompactValue list;
  const uint8_t header = in.Byte();
  const auto type = static_cast<CompactType>(header & 15);
  const uint64_t count = (header >> 4) == 15 ? in.Varint() : header >> 4;
  for (uint64_t i = 0; i < count; ++i) {
    if (type == CompactType::kTrue || type == CompactType::kFalse) {
      list.elements.emplace_back().number = in.Byte() == 1;
    } else {
      list.elements.push_back(ReadValue(in, type, depth));
    }
  }
  return list;
}

void SkipMap(ByteCursor& in, int32_t depth) {
  const uint64_t count = in.Varint();
  if (count == 0) return;
  const uint8_t types = in.Byte();
  for (uint64_t i = 0; i < count; ++i) {
    ReadValue(in, static_cast<CompactType>(types >> 4), depth);
    ReadValue(in, static_cast<CompactType>(types & 15), depth);
  }
}

CompactValue ReadValue(ByteCursor& in, CompactType type, int32_t depth) {
  if (depth > 100) throw ReferenceError("nested too deep");
  CompactValue value;
  switch (type) {
    case CompactType::kTrue:
      value.number = 1;
      return value;
    case CompactType::kFalse:
      return value;
    case CompactType::kByte:
      value.number = static_cast<int8_t>(in.Byte());
      return value;
    case CompactType::kI16:
    case CompactType::kI32:
    case CompactType::kI64:
      value.number = in.ZigZagVarint();
      return value;
    case CompactType::kDouble:
      in.Take(8);
      return value;
    case CompactType::kBinary:
      value.binary = in.Take(in.Varint());
      return value;
    case CompactType::kList:
    case CompactType::kSet:
      return ReadList(in, depth + 1);
    case CompactType::kMap:
      SkipMap(in, depth + 1);
      return value;
    case CompactType::kStruct:
      return ReadCompactStruct(in, depth + 1);
    case CompactType::kStop:
      break;
  }
  throw ReferenceError("unknown compact type");
}

}  // namespace

CompactValue ReadCompactStruct(ByteCursor& in, int32_t depth) {
  CompactValue value;
  int64_t id = 0;
  // The end is any byte without a type, whatever else is in it.
  for (uint8_t header = in.Byte(); (header & 15) != 0; header = in.Byte()) {
    const uint8_t delta = header >> 4;
    id = delta != 0 ? id + delta : in.ZigZagVarint();
    value.fields[id] = ReadValue(in, static_cast<CompactType>(header & 15), depth);
  }
  return value;
}

}  // namespace sluice::support
