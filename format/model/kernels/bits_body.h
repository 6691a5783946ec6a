#pragma once

// Extracting and depositing the bits of bitmaps, for any way to do so with one word.

#include <sluice/bitmap.h>

#include <cstdint>

namespace sluice::inline v0::kernels {
namespace {

/// extract_word(word, mask): the bits of `word` at the places set in `mask`, packed to the low end.
template <uint64_t (*extract_word)(uint64_t, uint64_t)>
[[gnu::flatten]] int64_t ExtractBits(const uint64_t* in, const uint64_t* mask, int64_t count,
                                     uint64_t* out) {
  const int64_t words = BitmapWords(count);
  for (int64_t word = 0; word < words; ++word) out[word] = 0;
  int64_t taken = 0;
  for (int64_t word = 0; word < words; ++word) {
    const uint64_t bits = mask[word] & LowBits(count - word * 64);
    const int64_t wanted = __builtin_popcountll(bits);
    AppendBits(out, taken, wanted == 64 ? in[word] : extract_word(in[word], bits), wanted);
    taken += wanted;
  }
  return taken;
}

/// deposit_word(word, mask): the low bits of `word` spread to the places set in `mask`.
template <uint64_t (*deposit_word)(uint64_t, uint64_t)>
[[gnu::flatten]] int64_t DepositBits(const uint64_t* in, const uint64_t* mask, int64_t count,
                                     uint64_t* out) {
  int64_t taken = 0;
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    const uint64_t bits = mask[word] & LowBits(count - word * 64);
    const int64_t wanted = __builtin_popcountll(bits);
    const uint64_t packed = wanted == 0 ? 0 : LoadBits(in, taken, wanted);
    out[word] = wanted == 64 ? packed : deposit_word(packed, bits);
    taken += wanted;
  }
  return taken;
}

}  // namespace
}  // namespace sluice::inline v0::kernels
