#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "tests/format/parquet/encoding/bytes.h"

namespace sluice::inline v0::parquet::testing {

/// How a writer of DELTA_BINARY_PACKED lays its blocks out, and what it leaves where nobody looks.
struct DeltaLayout {
  int64_t block_size = 128;
  int64_t num_miniblocks = 4;
  uint8_t unused_width = 0;  ///< Width bytes of miniblocks without values.
  uint64_t padding = 0;      ///< What fills the last miniblock (cut to its width).
  int extra_bits = 0;        ///< Added to each width, up to that of the type.
};

/// Writes `values`, INT32 where `type_bits` is 32. One value at a time, the plainest way.
inline void AppendDelta(Bytes& out, const std::vector<int64_t>& values, int type_bits,
                        const DeltaLayout& layout = {}) {
  const uint64_t mask = LowBits(type_bits);
  const auto sign_extended = [&](uint64_t value) {
    return static_cast<int64_t>(value << (64 - type_bits)) >> (64 - type_bits);
  };
  AppendVarint(out, static_cast<uint64_t>(layout.block_size));
  AppendVarint(out, static_cast<uint64_t>(layout.num_miniblocks));
  AppendVarint(out, values.size());
  AppendZigzag(out, values.empty() ? 0 : values[0]);
  const int64_t per_miniblock = layout.block_size / layout.num_miniblocks;
  for (size_t block = 1; block < values.size(); block += static_cast<size_t>(layout.block_size)) {
    const size_t end = std::min(values.size(), block + static_cast<size_t>(layout.block_size));
    std::vector<int64_t> deltas;
    for (size_t i = block; i < end; ++i) {
      deltas.push_back(
          sign_extended(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1])));
    }
    const int64_t min_delta = *std::min_element(deltas.begin(), deltas.end());
    AppendZigzag(out, min_delta);
    Bytes bodies;
    for (int64_t miniblock = 0; miniblock < layout.num_miniblocks; ++miniblock) {
      std::vector<uint64_t> packed;
      uint64_t any = 0;
      for (int64_t i = miniblock * per_miniblock;
           i < std::min<int64_t>((miniblock + 1) * per_miniblock, int64_t(deltas.size())); ++i) {
        packed.push_back((static_cast<uint64_t>(deltas[i]) - static_cast<uint64_t>(min_delta)) &
                         mask);
        any |= packed.back();
      }
      if (packed.empty()) {
        out.push_back(layout.unused_width);
        continue;
      }
      const int bit_width =
          std::min(type_bits, static_cast<int>(std::bit_width(any)) + layout.extra_bits);
      out.push_back(static_cast<uint8_t>(bit_width));
      packed.resize(static_cast<size_t>(per_miniblock), layout.padding);
      AppendPacked(bodies, packed, bit_width);
    }
    Append(out, bodies);
  }
}

/// `values` as a DELTA_LENGTH_BYTE_ARRAY.
inline void AppendDeltaLength(Bytes& out, const std::vector<std::string>& values,
                              const DeltaLayout& layout = {}) {
  std::vector<int64_t> lengths;
  for (const std::string& value : values) lengths.push_back(static_cast<int64_t>(value.size()));
  AppendDelta(out, lengths, 32, layout);
  for (const std::string& value : values) Append(out, Bytes(value.begin(), value.end()));
}

/// `values` as a DELTA_BYTE_ARRAY that follows `previous`.
inline void AppendDeltaByteArray(Bytes& out, const std::vector<std::string>& values,
                                 std::string previous = {}, const DeltaLayout& layout = {}) {
  std::vector<int64_t> prefixes;
  std::vector<std::string> suffixes;
  for (const std::string& value : values) {
    size_t prefix = 0;
    while (prefix < std::min(value.size(), previous.size()) && value[prefix] == previous[prefix]) {
      ++prefix;
    }
    prefixes.push_back(static_cast<int64_t>(prefix));
    suffixes.push_back(value.substr(prefix));
    previous = value;
  }
  AppendDelta(out, prefixes, 32, layout);
  AppendDeltaLength(out, suffixes, layout);
}

}  // namespace sluice::inline v0::parquet::testing
