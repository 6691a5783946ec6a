#pragma once

#include <cstdint>

namespace sluice::inline v0::parquet {

/// The most bytes that an integer of 64 bits takes as ULEB128.
inline constexpr int64_t kMaxVarintBytes = 10;

/// Reads the ULEB128 integer at `*position` of `bytes`, which end at `end`, and moves `*position`
/// behind it. False, with nothing moved, where it is cut short or has more than 64 bits.
inline bool ReadVarint(const uint8_t* bytes, int64_t end, int64_t* position, uint64_t* value) {
  uint64_t result = 0;
  int64_t at = *position;
  for (int shift = 0; shift < 64 && at < end; shift += 7) {
    const uint64_t byte = bytes[at++];
    if (shift == 63 && byte > 1) return false;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      *position = at;
      return true;
    }
  }
  return false;
}

/// The signed integer that zigzag coding made `value` of: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
/// In two's complement, as unsigned.
inline uint64_t DecodeZigzag(uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

}  // namespace sluice::inline v0::parquet
