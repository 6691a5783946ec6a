#pragma once

// Packing selected values to the front, spreading them out again, and positions of bits: one body
// for all levels, by words of 64 values. Words that select nothing or all cost next to nothing;
// words with few bits go bit by bit, the others Level::kPackCount values at a time.

#include <cstdint>

#include "format/model/kernels/lanes.h"

namespace sluice::inline v0::kernels {
namespace {

/// Up to so many bits in a word are taken one by one: one costs about as much as a step of a
/// vector.
template <class Level, int kWidth>
constexpr int kFewBits = 64 / Level::template kPackCount<kWidth>;

/// Word `word` of a map of `count` bits, the bits past the end cleared.
inline uint64_t WordWithin(const uint64_t* words, int64_t word, int64_t count) {
  const int64_t rest = count - word * 64;
  return rest >= 64 ? words[word] : words[word] & ((uint64_t{1} << rest) - 1);
}

template <int kWidth>
void CopyOne(const uint8_t* from, uint8_t* to) {
  __builtin_memcpy(to, from, kWidth);
}

/// Forward by vectors, so that `to` may lie before `from` and overlap it.
template <class Level, int kWidth>
void CopyWord(const uint8_t* from, uint8_t* to) {
  for (int k = 0; k < 64 * kWidth; k += Level::kBytes) {
    Level::template Store<uint8_t>(to + k, Level::template Load<uint8_t>(from + k));
  }
}

template <class Level, int kWidth>
void ClearWord(uint8_t* to) {
  const auto zero = Level::template Set<uint8_t>(0);
  for (int k = 0; k < 64 * kWidth; k += Level::kBytes) Level::template Store<uint8_t>(to + k, zero);
}

/// Up to 64 bytes are written past the values packed so far; in place they have been read already.
template <class Level, int kWidth>
int64_t Compress(const void* in, const uint64_t* selection, int64_t count, void* out) {
  constexpr int64_t kStep = Level::template kPackCount<kWidth>;
  constexpr uint64_t kStepBits = ~uint64_t{0} >> (64 - kStep);
  const auto* from = static_cast<const uint8_t*>(in);
  auto* const begin = static_cast<uint8_t*>(out);
  uint8_t* to = begin;
  const int64_t words = (count + 63) / 64;
  for (int64_t word = 0; word < words; ++word, from += 64 * kWidth) {
    uint64_t bits = WordWithin(selection, word, count);
    if (bits == 0) continue;
    if (bits == ~uint64_t{0}) {
      CopyWord<Level, kWidth>(from, to);
      to += 64 * kWidth;
      continue;
    }
    if (__builtin_popcountll(bits) <= kFewBits<Level, kWidth>) {
      for (; bits != 0; bits &= bits - 1, to += kWidth) {
        CopyOne<kWidth>(from + __builtin_ctzll(bits) * kWidth, to);
      }
      continue;
    }
    const int64_t values = count - word * 64 < 64 ? count - word * 64 : 64;
    for (int64_t i = 0; i < values; i += kStep) {
      const uint64_t step = bits >> i & kStepBits;
      Level::template Pack<kWidth>(from + i * kWidth, step, to);
      to += __builtin_popcountll(step) * kWidth;
    }
  }
  return (to - begin) / kWidth;
}

template <class Level, int kWidth>
void Expand(const void* in, const uint64_t* mask, int64_t count, void* out) {
  constexpr int64_t kStep = Level::template kPackCount<kWidth>;
  constexpr uint64_t kStepBits = ~uint64_t{0} >> (64 - kStep);
  const auto* from = static_cast<const uint8_t*>(in);
  auto* to = static_cast<uint8_t*>(out);
  const int64_t words = (count + 63) / 64;
  for (int64_t word = 0; word < words; ++word, to += 64 * kWidth) {
    uint64_t bits = WordWithin(mask, word, count);
    const int64_t values = count - word * 64 < 64 ? count - word * 64 : 64;
    if (bits == ~uint64_t{0}) {
      CopyWord<Level, kWidth>(from, to);
      from += 64 * kWidth;
      continue;
    }
    if (values == 64 && __builtin_popcountll(bits) <= kFewBits<Level, kWidth>) {
      ClearWord<Level, kWidth>(to);
      for (; bits != 0; bits &= bits - 1, from += kWidth) {
        CopyOne<kWidth>(from, to + __builtin_ctzll(bits) * kWidth);
      }
      continue;
    }
    for (int64_t i = 0; i < values; i += kStep) {
      const uint64_t step = bits >> i & kStepBits;
      Level::template Spread<kWidth>(from, step, to + i * kWidth);
      from += __builtin_popcountll(step) * kWidth;
    }
  }
}

/// kStep bits at a time by Level::StorePositions, which writes kStep numbers.
template <class Level, int kStep>
int64_t BitPositions(const uint64_t* bits, int64_t count, int32_t base, int32_t* out) {
  constexpr uint32_t kStepBits = (uint32_t{1} << kStep) - 1;
  int32_t* end = out;
  const int64_t words = (count + 63) / 64;
  for (int64_t word = 0; word < words; ++word, base += 64) {
    uint64_t rest = WordWithin(bits, word, count);
    if (__builtin_popcountll(rest) <= 64 / kStep) {
      for (; rest != 0; rest &= rest - 1) *end++ = base + __builtin_ctzll(rest);
      continue;
    }
    for (int32_t i = 0; i < 64; i += kStep) {
      const uint32_t step = static_cast<uint32_t>(rest >> i) & kStepBits;
      Level::StorePositions(step, base + i, end);
      end += __builtin_popcountll(step);
    }
  }
  return end - out;
}

}  // namespace
}  // namespace sluice::inline v0::kernels
