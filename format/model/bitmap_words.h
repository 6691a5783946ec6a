#pragma once

// Stretches of bitmaps, word by word. <sluice/bitmap.h> says how bitmaps lie in memory.

#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::inline v0 {

/// Words behind a bitmap that kernels may read, or write.
inline constexpr int64_t kPaddingWords = kReadPadding / 8;

/// The words of a bitmap that kernels are given.
inline constexpr size_t PaddedWords(int64_t bits) {
  return static_cast<size_t>(BitmapWords(bits) + kPaddingWords);
}

/// Copies bits [begin, begin + count) of `from` to the front of `out`, whose last word is zero
/// behind them; returns how many are set.
inline int64_t CopyBits(const uint64_t* from, int64_t begin, int64_t count, uint64_t* out) {
  int64_t set = 0;
  for (int64_t at = 0; at < count; at += 64) {
    const uint64_t bits = LoadBits(from, begin + at, std::min<int64_t>(64, count - at));
    out[at >> 6] = bits;
    set += std::popcount(bits);
  }
  return set;
}

/// Replaces bits [begin, begin + length), length 1 to 64, by the low bits of `bits`, the rest of
/// which is zero.
inline void StoreBits(uint64_t* words, int64_t begin, uint64_t bits, int64_t length) {
  const int64_t shift = begin & 63;
  uint64_t* word = words + (begin >> 6);
  word[0] = (word[0] & ~(LowBits(length) << shift)) | (bits << shift);
  if (shift + length > 64) {
    word[1] = (word[1] & ~LowBits(shift + length - 64)) | (bits >> (64 - shift));
  }
}

/// Clears bits [begin, end).
inline void ClearBits(uint64_t* words, int64_t begin, int64_t end) {
  for (; begin < end; begin += 64) {
    StoreBits(words, begin, 0, std::min<int64_t>(64, end - begin));
  }
}

/// Appends the first `count` bits of `from` at place `end` of `words`, which are zero from there
/// on.
inline void AppendBitmap(uint64_t* words, int64_t end, const uint64_t* from, int64_t count) {
  for (int64_t at = 0; at < count; at += 64) {
    const int64_t length = std::min<int64_t>(64, count - at);
    AppendBits(words, end + at, from[at >> 6] & LowBits(length), length);
  }
}

/// Sets bits [end, end + count), which are zero.
inline void AppendOnes(uint64_t* words, int64_t end, int64_t count) {
  for (; count > 64; end += 64, count -= 64) AppendBits(words, end, ~uint64_t{0}, 64);
  AppendBits(words, end, LowBits(count), count);
}

/// The place of the n-th (from 0) set bit at or after `begin`, of `end` bits; `end` if there are
/// fewer.
inline int64_t FindSetBit(const uint64_t* words, int64_t begin, int64_t end, int64_t n) {
  for (int64_t at = begin; at < end;) {
    const int64_t length = std::min<int64_t>(64 - (at & 63), end - at);
    uint64_t bits = LoadBits(words, at, length);
    const int64_t count = std::popcount(bits);
    if (n < count) {
      for (; n > 0; --n) bits &= bits - 1;
      return at + std::countr_zero(bits);
    }
    n -= count;
    at += length;
  }
  return end;
}

/// The place of the first set bit of all words; -1 if there is none.
inline int64_t FirstSetBit(std::span<const uint64_t> words) {
  for (size_t word = 0; word < words.size(); ++word) {
    if (words[word] != 0) return static_cast<int64_t>(word * 64) + std::countr_zero(words[word]);
  }
  return -1;
}

/// The place behind the last of the first `count` bits that is set; 0 for none.
inline int64_t EndOfSetBits(const uint64_t* words, int64_t count) {
  for (int64_t word = BitmapWords(count) - 1; word >= 0; --word) {
    const uint64_t bits = words[word] & LowBits(count - word * 64);
    if (bits != 0) return word * 64 + std::bit_width(bits);
  }
  return 0;
}

/// Calls visit(i) for each of the first `count` bits that is set, ascending. The bits of a word may
/// be changed once it is gone to.
template <typename Visit>
inline void ForEachSetBit(const uint64_t* words, int64_t count, Visit&& visit) {
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    uint64_t bits = words[word] & LowBits(count - word * 64);
    for (; bits != 0; bits &= bits - 1) visit(word * 64 + std::countr_zero(bits));
  }
}

/// Calls `visit(begin, length)` for each stretch of set bits among the first `count`.
template <typename Visit>
inline void ForEachSetRun(const uint64_t* words, int64_t count, Visit&& visit) {
  int64_t begin = 0;  // Of the stretch that is open,
  bool open = false;  // where there is one.
  for (int64_t base = 0; base < count; base += 64) {
    const int64_t length = std::min<int64_t>(64, count - base);
    const uint64_t bits = words[base >> 6] & LowBits(length);
    int64_t at = 0;
    while (at < length) {
      const uint64_t rest = (open ? ~bits : bits) >> at;
      const int64_t step = std::min<int64_t>(rest == 0 ? 64 : std::countr_zero(rest), length - at);
      at += step;
      if (at == length) break;
      if (open) visit(begin, base + at - begin);
      begin = base + at;
      open = !open;
    }
  }
  if (open) visit(begin, count - begin);
}

}  // namespace sluice::inline v0
