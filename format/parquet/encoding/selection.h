#pragma once

// What all decoders do with the bitmap of selected values.

#include <sluice/bitmap.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sluice::inline v0::parquet {

/// Values that a decoder works on at a time where it needs scratch space. A multiple of 64, so that
/// the chunks of a selection begin at whole words.
inline constexpr int64_t kChunkValues = 1024;

/// The place behind the last of the first `count` bits of `selection` that is set; 0 for none.
inline int64_t SelectedEnd(const uint64_t* selection, int64_t count) {
  for (int64_t word = BitmapWords(count) - 1; word >= 0; --word) {
    const uint64_t bits = selection[word] & LowBits(count - word * 64);
    if (bits != 0) return word * 64 + std::bit_width(bits);
  }
  return 0;
}

/// Copies bits [begin, begin + count) of `selection` to the front of `out`, whose last word is
/// zero behind them; returns how many are set.
inline int64_t CopySelection(const uint64_t* selection, int64_t begin, int64_t count,
                             uint64_t* out) {
  int64_t selected = 0;
  for (int64_t at = 0; at < count; at += 64) {
    const uint64_t bits = LoadBits(selection, begin + at, std::min<int64_t>(64, count - at));
    out[at >> 6] = bits;
    selected += std::popcount(bits);
  }
  return selected;
}

}  // namespace sluice::inline v0::parquet
