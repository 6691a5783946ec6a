#pragma once

#include <sluice/bitmap.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sluice::inline v0::parquet {

/// Appends `count` bits that begin at bit `bit_offset` (0..7) of `in` at bit `end` of `words`,
/// which are zero from there on. Reads up to 9 bytes past the last bit.
inline void AppendPackedBits(const uint8_t* in, int64_t bit_offset, int64_t count, uint64_t* words,
                             int64_t end) {
  for (; count > 0; in += 8, end += 64, count -= 64) {
    uint64_t bits;
    std::memcpy(&bits, in, 8);
    if (bit_offset != 0) bits = bits >> bit_offset | uint64_t{in[8]} << (64 - bit_offset);
    const int64_t length = std::min<int64_t>(64, count);
    AppendBits(words, end, bits & LowBits(length), length);
  }
}

}  // namespace sluice::inline v0::parquet
