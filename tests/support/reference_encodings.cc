#include "tests/support/reference_encodings.h"

#include <algorithm>

namespace sluice::support {
namespace {

using parquet::Encoding;
using parquet::PhysicalType;

/// `width` bits from bit `place` on, least significant first; bits past the end are zero.
uint64_t BitsAt(std::string_view bytes, uint64_t place, int32_t width) {
  uint64_t value = 0;
  for (int32_t bit = 0; bit < width; ++bit, ++place) {
    if (place / 8 >= bytes.size()) break;
    value |= ((static_cast<uint64_t>(bytes[place / 8]) >> (place % 8)) & 1) << bit;
  }
  return value;
}

std::string Bytes(uint64_t value, int32_t count) {
  std::string out;
  for (int32_t i = 0; i < count; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
  return out;
}

int32_t ByteWidth(PhysicalType type, int32_t type_length) {
  switch (type) {
    case PhysicalType::kBoolean:
      return 1;
    case PhysicalType::kInt32:
    case PhysicalType::kFloat:
      return 4;
    case PhysicalType::kInt64:
    case PhysicalType::kDouble:
      return 8;
    case PhysicalType::kInt96:
      return 12;
    case PhysicalType::kFixedLenByteArray:
      return type_length;
    case PhysicalType::kByteArray:
      break;
  }
  throw ReferenceError("a type without a fixed width");
}

std::vector<std::string> ReadPlain(ByteCursor& in, PhysicalType type, int32_t type_length,
                                   uint64_t count) {
  std::vector<std::string> values;
  if (type == PhysicalType::kBoolean) {
    const std::string_view bits = in.Take((count + 7) / 8);
    for (uint64_t i = 0; i < count; ++i) values.push_back(Bytes(BitsAt(bits, i, 1), 1));
    return values;
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t size = type == PhysicalType::kByteArray
                              ? in.LittleEndian(4)
                              : static_cast<uint64_t>(ByteWidth(type, type_length));
    values.emplace_back(in.Take(size));
  }
  return values;
}

std::vector<int64_t> ReadDeltas(ByteCursor& in) {
  const uint64_t block_size = in.Varint();
  const uint64_t miniblocks = in.Varint();
  const uint64_t count = in.Varint();
  auto value = static_cast<uint64_t>(in.ZigZagVarint());
  if (miniblocks == 0 || block_size % miniblocks != 0) throw ReferenceError("bad delta block");
  const uint64_t per_miniblock = block_size / miniblocks;
  std::vector<int64_t> values;
  if (count != 0) values.push_back(static_cast<int64_t>(value));
  while (values.size() < count) {
    const auto smallest = static_cast<uint64_t>(in.ZigZagVarint());
    const std::string_view widths = in.Take(miniblocks);
    for (uint64_t i = 0; i < miniblocks && values.size() < count; ++i) {
      const auto width = static_cast<uint8_t>(widths[i]);
      if (width > 64) throw ReferenceError("bad delta width");
      const std::string_view packed = in.Take(per_miniblock * width / 8);
      for (uint64_t j = 0; j < per_miniblock && values.size() < count; ++j) {
        value += smallest + BitsAt(packed, j * width, width);
        values.push_back(static_cast<int64_t>(value));
      }
    }
  }
  return values;
}

std::vector<std::string> ReadDeltaLengths(ByteCursor& in) {
  std::vector<std::string> values;
  for (const int64_t length : ReadDeltas(in)) {
    values.emplace_back(in.Take(static_cast<uint32_t>(length)));
  }
  return values;
}

std::vector<std::string> ReadDeltaStrings(ByteCursor& in) {
  const std::vector<int64_t> prefixes = ReadDeltas(in);
  std::vector<std::string> values = ReadDeltaLengths(in);
  if (values.size() != prefixes.size()) throw ReferenceError("prefixes and suffixes differ");
  std::string previous;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto prefix = static_cast<uint64_t>(prefixes[i]);
    if (prefix > previous.size()) throw ReferenceError("prefix is too long");
    previous = values[i] = previous.substr(0, prefix) + values[i];
  }
  return values;
}

std::vector<std::string> ReadByteStreamSplit(std::string_view body, int32_t width) {
  const size_t count = body.size() / static_cast<size_t>(width);
  std::vector<std::string> values(count);
  for (int32_t stream = 0; stream < width; ++stream) {
    for (size_t i = 0; i < count; ++i) {
      values[i].push_back(body[static_cast<size_t>(stream) * count + i]);
    }
  }
  return values;
}

std::vector<std::string> ReadDictionaryIndices(ByteCursor& in, uint64_t count,
                                               const std::vector<std::string>& dictionary) {
  std::vector<std::string> values;
  if (count == 0) return values;
  const uint8_t width = in.Byte();
  if (width > 32) throw ReferenceError("bad dictionary index width");
  for (const uint64_t index : ReadHybrid(in, width, count)) {
    if (index >= dictionary.size()) throw ReferenceError("dictionary index out of range");
    values.push_back(dictionary[index]);
  }
  return values;
}

}  // namespace

std::vector<uint64_t> ReadHybrid(ByteCursor& in, int32_t bit_width, uint64_t count) {
  std::vector<uint64_t> values;
  while (values.size() < count) {
    const uint64_t header = in.Varint();
    const uint64_t run = header >> 1;
    if (run == 0) continue;
    if ((header & 1) == 0) {
      const uint64_t value = in.LittleEndian((bit_width + 7) / 8);
      for (uint64_t i = 0; i < run && values.size() < count; ++i) values.push_back(value);
      continue;
    }
    const uint64_t wanted = std::min(run, (count - values.size() + 7) / 8) * 8;
    const uint64_t bytes =
        std::min<uint64_t>(wanted * static_cast<uint64_t>(bit_width) / 8, in.Rest().size());
    const std::string_view packed = in.Take(bytes);
    for (uint64_t i = 0; i < wanted && values.size() < count; ++i) {
      if ((i + 1) * static_cast<uint64_t>(bit_width) > bytes * 8) {
        throw ReferenceError("bit-packed run ends early");
      }
      values.push_back(BitsAt(packed, i * static_cast<uint64_t>(bit_width), bit_width));
    }
  }
  return values;
}

std::vector<uint64_t> ReadBitPackedLevels(ByteCursor& in, int32_t bit_width, uint64_t count) {
  const auto width = static_cast<uint64_t>(bit_width);
  const std::string_view bytes = in.Take((count * width + 7) / 8);
  std::vector<uint64_t> values(count, 0);
  for (uint64_t place = 0; place < count * width; ++place) {
    const uint64_t bit = (static_cast<uint8_t>(bytes[place / 8]) >> (7 - place % 8)) & 1;
    values[place / width] = values[place / width] << 1 | bit;
  }
  return values;
}

std::vector<std::string> ReadValues(std::string_view body, Encoding encoding, PhysicalType type,
                                    int32_t type_length, uint64_t count,
                                    const std::vector<std::string>& dictionary) {
  ByteCursor in(body);
  std::vector<std::string> values;
  switch (encoding) {
    case Encoding::kPlain:
      return ReadPlain(in, type, type_length, count);
    case Encoding::kPlainDictionary:
    case Encoding::kRleDictionary:
      return ReadDictionaryIndices(in, count, dictionary);
    case Encoding::kRle:
      in.Take(4);
      for (const uint64_t bit : ReadHybrid(in, 1, count)) values.push_back(Bytes(bit, 1));
      return values;
    case Encoding::kDeltaBinaryPacked:
      for (const int64_t value : ReadDeltas(in)) {
        values.push_back(Bytes(static_cast<uint64_t>(value), ByteWidth(type, type_length)));
      }
      break;
    case Encoding::kDeltaLengthByteArray:
      values = ReadDeltaLengths(in);
      break;
    case Encoding::kDeltaByteArray:
      values = ReadDeltaStrings(in);
      break;
    case Encoding::kByteStreamSplit:
      values = ReadByteStreamSplit(body, ByteWidth(type, type_length));
      break;
    case Encoding::kBitPacked:
    case Encoding::kAlp:
      throw ReferenceError("an encoding that the reference reader lacks");
  }
  if (values.size() != count) throw ReferenceError("number of values differs from the levels");
  return values;
}

}  // namespace sluice::support
