#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tests/format/parquet/encoding/bytes.h"

namespace sluice::inline v0::parquet::testing {

/// A run of the RLE/bit-packing hybrid that repeats `value`.
inline void AppendRepeatedRun(Bytes& out, uint64_t length, uint64_t value, int bit_width) {
  AppendVarint(out, length << 1);
  AppendInteger(out, value, (bit_width + 7) / 8);
}

/// A bit-packed run; the last group is filled up with `padding`.
inline void AppendPackedRun(Bytes& out, std::vector<uint64_t> values, int bit_width,
                            uint64_t padding = 0) {
  while (values.size() % 8 != 0) values.push_back(padding);
  AppendVarint(out, values.size() / 8 << 1 | 1);
  AppendPacked(out, values, bit_width);
}

/// Values and the runs that hold them: short and long, of both kinds, with empty ones between.
struct HybridCase {
  Bytes bytes;
  std::vector<uint64_t> values;
};

inline HybridCase RandomHybrid(std::mt19937_64& random, int bit_width, size_t num_values) {
  HybridCase made;
  const uint64_t mask = LowBits(bit_width);
  while (made.values.size() < num_values) {
    const size_t left = num_values - made.values.size();
    const size_t wish = random() % 3 == 0 ? 1 + random() % 9 : 1 + random() % 600;
    if (random() % 5 == 0) made.bytes.push_back(random() % 2);  // Fault P4: no body.
    if (random() % 2 == 0) {
      const uint64_t value = random() & mask;
      const size_t length = std::min(wish, left);
      AppendRepeatedRun(made.bytes, length, value, bit_width);
      made.values.insert(made.values.end(), length, value);
    } else {
      // Only the last run has padding; the others fill their groups.
      const size_t length = std::min((wish + 7) / 8 * 8, left);
      std::vector<uint64_t> values(length);
      for (uint64_t& value : values) value = random() & mask;
      AppendPackedRun(made.bytes, values, bit_width, mask);
      made.values.insert(made.values.end(), values.begin(), values.end());
    }
  }
  return made;
}

}  // namespace sluice::inline v0::parquet::testing
