#include "tests/support/page_bytes.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "tests/support/thrift_compact_builder.h"

namespace sluice::support {

std::string LittleEndian(uint64_t value, int32_t bytes) {
  std::string out;
  for (int32_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
  return out;
}

std::string BigEndian(uint64_t value, int32_t bytes) {
  std::string out = LittleEndian(value, bytes);
  std::reverse(out.begin(), out.end());
  return out;
}

std::string Hex(std::string_view digits) {
  std::string out;
  std::string pair;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    pair.push_back(digit);
    if (pair.size() == 2) {
      out.push_back(static_cast<char>(std::strtoul(pair.c_str(), nullptr, 16)));
      pair.clear();
    }
  }
  return out;
}

std::string PackBits(const std::vector<uint64_t>& values, int32_t bit_width) {
  const size_t bits = values.size() * static_cast<size_t>(bit_width);
  std::string out((bits + 7) / 8, '\0');
  size_t place = 0;
  for (const uint64_t value : values) {
    for (int32_t bit = 0; bit < bit_width; ++bit, ++place) {
      if ((value >> bit) & 1) out[place / 8] = static_cast<char>(out[place / 8] | (1 << place % 8));
    }
  }
  return out;
}

std::string BitPackedLevels(const std::vector<uint64_t>& values, int32_t bit_width) {
  const size_t bits = values.size() * static_cast<size_t>(bit_width);
  std::string out((bits + 7) / 8, '\0');
  size_t place = 0;
  for (const uint64_t value : values) {
    for (int32_t bit = bit_width - 1; bit >= 0; --bit, ++place) {
      if ((value >> bit) & 1) {
        out[place / 8] = static_cast<char>(out[place / 8] | (0x80 >> place % 8));
      }
    }
  }
  return out;
}

std::string RleRun(uint64_t count, uint64_t value, int32_t bit_width) {
  return Varint(count << 1) + LittleEndian(value, (bit_width + 7) / 8);
}

std::string BitPackedRun(std::vector<uint64_t> values, int32_t bit_width, uint64_t padding) {
  while (values.size() % 8 != 0) values.push_back(padding);
  return Varint((values.size() / 8 << 1) | 1) + PackBits(values, bit_width);
}

std::string RleRuns(const std::vector<uint64_t>& values, int32_t bit_width) {
  std::string out;
  for (size_t begin = 0; begin < values.size();) {
    size_t end = begin;
    while (end < values.size() && values[end] == values[begin]) ++end;
    out += RleRun(end - begin, values[begin], bit_width);
    begin = end;
  }
  return out;
}

std::string WithLength(std::string_view bytes) {
  return LittleEndian(bytes.size(), 4) + std::string(bytes);
}

std::string PlainInt32(const std::vector<int64_t>& values) {
  std::string out;
  for (const int64_t value : values) out += LittleEndian(static_cast<uint64_t>(value), 4);
  return out;
}

std::string PlainInt64(const std::vector<int64_t>& values) {
  std::string out;
  for (const int64_t value : values) out += LittleEndian(static_cast<uint64_t>(value), 8);
  return out;
}

std::string PlainFloat(const std::vector<float>& values) {
  std::string out;
  for (const float value : values) out += LittleEndian(std::bit_cast<uint32_t>(value), 4);
  return out;
}

std::string PlainDouble(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += LittleEndian(std::bit_cast<uint64_t>(value), 8);
  return out;
}

std::string PlainBoolean(const std::vector<bool>& values) {
  return PackBits(std::vector<uint64_t>(values.begin(), values.end()), 1);
}

std::string PlainByteArray(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += WithLength(value);
  return out;
}

std::string PlainInt96(int64_t nanoseconds, int32_t julian_day) {
  return LittleEndian(static_cast<uint64_t>(nanoseconds), 8) +
         LittleEndian(static_cast<uint32_t>(julian_day), 4);
}

std::string DictionaryIndices(int32_t bit_width, std::string_view runs) {
  return std::string(1, static_cast<char>(bit_width)) + std::string(runs);
}

std::string DictionaryIndices(int32_t bit_width, const std::vector<uint64_t>& indices) {
  return DictionaryIndices(bit_width, BitPackedRun(indices, bit_width));
}

// header:  block size, miniblocks a block, number of values (varints), first value (zigzag varint)
// block:   smallest delta (zigzag varint), a width a miniblock, then the miniblocks: deltas less
// the
//          smallest one, packed, a miniblock that holds any value being written whole.
std::string DeltaBinaryPacked(const std::vector<int64_t>& values, const DeltaLayout& layout) {
  const uint64_t mask = layout.bits == 32 ? 0xffffffff : ~uint64_t{0};
  // A delta wraps around at the type's width; as a signed number of that width it is compared.
  const auto as_signed = [&](uint64_t bits) {
    return layout.bits == 32 ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
  };
  std::string out = Varint(layout.block_size) + Varint(layout.miniblocks) + Varint(values.size()) +
                    Varint(ZigZag(values.empty() ? 0 : values[0]));
  std::vector<int64_t> deltas;
  for (size_t i = 1; i < values.size(); ++i) {
    deltas.push_back(
        as_signed(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1])));
  }
  const size_t per_miniblock = layout.block_size / layout.miniblocks;
  for (size_t begin = 0; begin < deltas.size(); begin += layout.block_size) {
    const size_t end = std::min(begin + layout.block_size, deltas.size());
    const int64_t smallest = *std::min_element(deltas.begin() + static_cast<ptrdiff_t>(begin),
                                               deltas.begin() + static_cast<ptrdiff_t>(end));
    std::string widths;
    std::string bodies;
    for (size_t miniblock = 0; miniblock < layout.miniblocks; ++miniblock) {
      const size_t from = begin + miniblock * per_miniblock;
      if (from >= end) {
        widths.push_back(static_cast<char>(layout.unused_width));
        continue;
      }
      std::vector<uint64_t> packed(per_miniblock, 0);
      int32_t width = 0;
      for (size_t i = from; i < std::min(from + per_miniblock, end); ++i) {
        packed[i - from] =
            (static_cast<uint64_t>(deltas[i]) - static_cast<uint64_t>(smallest)) & mask;
        width = std::max(width, static_cast<int32_t>(std::bit_width(packed[i - from])));
      }
      widths.push_back(static_cast<char>(width));
      bodies += PackBits(packed, width);
    }
    out += Varint(ZigZag(smallest)) + widths + bodies;
  }
  return out;
}

std::string DeltaLengthByteArray(const std::vector<std::string>& values) {
  std::vector<int64_t> lengths;
  std::string bytes;
  for (const std::string& value : values) {
    lengths.push_back(static_cast<int64_t>(value.size()));
    bytes += value;
  }
  return DeltaBinaryPacked(lengths, {.bits = 32}) + bytes;
}

std::string DeltaByteArray(const std::vector<std::string>& values, std::string_view previous) {
  std::vector<int64_t> prefixes;
  std::vector<std::string> suffixes;
  for (const std::string& value : values) {
    const auto differs =
        std::mismatch(value.begin(), value.end(), previous.begin(), previous.end());
    const auto prefix = differs.first - value.begin();
    prefixes.push_back(prefix);
    suffixes.push_back(value.substr(static_cast<size_t>(prefix)));
    previous = value;
  }
  return DeltaBinaryPacked(prefixes, {.bits = 32}) + DeltaLengthByteArray(suffixes);
}

std::string ByteStreamSplit(std::string_view plain, int32_t width) {
  const auto step = static_cast<size_t>(width);
  std::string out;
  for (size_t stream = 0; stream < step; ++stream) {
    for (size_t i = stream; i < plain.size(); i += step) out.push_back(plain[i]);
  }
  return out;
}

}  // namespace sluice::support
