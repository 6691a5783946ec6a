#pragma once

#include <sluice/export.h>

#include <bit>
#include <cstdint>

namespace sluice::inline v0 {

/// Bitmaps are arrays of 64-bit words, bit i of the map in word i / 64 at place i % 64 (the same
/// bytes as Arrow's little-endian bitmaps). A set bit means present, selected or true. Bits past
/// the length are unspecified unless said otherwise.

inline constexpr int64_t BitmapWords(int64_t bits) { return (bits + 63) / 64; }
inline constexpr int64_t BitmapBytes(int64_t bits) { return BitmapWords(bits) * 8; }

inline bool GetBit(const uint64_t* words, int64_t i) { return (words[i >> 6] >> (i & 63)) & 1; }
inline void SetBit(uint64_t* words, int64_t i) { words[i >> 6] |= uint64_t{1} << (i & 63); }
inline void ClearBit(uint64_t* words, int64_t i) { words[i >> 6] &= ~(uint64_t{1} << (i & 63)); }

/// The lowest `count` bits set, count in 0..64.
inline constexpr uint64_t LowBits(int64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

/// The number of set bits in [begin, begin + length).
inline int64_t CountBits(const uint64_t* words, int64_t begin, int64_t length) {
  if (length <= 0) return 0;
  const int64_t end = begin + length;
  int64_t word = begin >> 6;
  const int64_t last = (end - 1) >> 6;
  uint64_t bits = words[word] & ~LowBits(begin & 63);
  int64_t count = 0;
  for (; word < last; bits = words[++word]) count += std::popcount(bits);
  const int64_t tail = end & 63;
  return count + std::popcount(tail ? bits & LowBits(tail) : bits);
}

/// Bits [begin, begin + 64) as one word; reads the word after only where the range needs it.
/// `length` is the number of bits wanted (1..64); the rest of the result is zero.
inline uint64_t LoadBits(const uint64_t* words, int64_t begin, int64_t length) {
  const int64_t shift = begin & 63;
  const uint64_t* word = words + (begin >> 6);
  uint64_t bits = *word >> shift;
  if (shift + length > 64) bits |= word[1] << (64 - shift);
  return bits & LowBits(length);
}

/// Appends the low `length` bits (0..64) of `bits`, the rest of which is zero, at place `end`.
/// Words at and after `end` must be zero from that bit on.
inline void AppendBits(uint64_t* words, int64_t end, uint64_t bits, int64_t length) {
  if (length == 0) return;
  const int64_t shift = end & 63;
  uint64_t* word = words + (end >> 6);
  word[0] |= bits << shift;
  if (shift + length > 64) word[1] |= bits >> (64 - shift);
}

}  // namespace sluice::inline v0
