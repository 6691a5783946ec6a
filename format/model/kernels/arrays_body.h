#pragma once

// Kernels over whole arrays, one body for all levels: the largest code, levels to bitmaps, prefix
// sums, joining byte streams.

#include <cstdint>

#include "format/model/kernels/lanes.h"

namespace sluice::inline v0::kernels {
namespace {

template <class Level>
uint32_t MaxCode(const int32_t* codes, int64_t count) {
  constexpr int64_t kLanes = Level::template kCount<uint32_t>;
  constexpr int64_t kStep = 4 * kLanes;  // four maxima at a time hide the latency of one
  typename Level::template Lanes<uint32_t> most[4];
#pragma GCC unroll 4
  for (auto& lanes : most) lanes = Level::template Set<uint32_t>(0);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      most[k] = Level::Max(most[k], Level::template Load<uint32_t>(codes + i + k * kLanes));
    }
  }
  for (; i + kLanes <= count; i += kLanes) {
    most[0] = Level::Max(most[0], Level::template Load<uint32_t>(codes + i));
  }
  uint32_t each[kLanes];
  Level::template Store<uint32_t>(
      each, Level::Max(Level::Max(most[0], most[1]), Level::Max(most[2], most[3])));
  uint32_t max = 0;
  for (const uint32_t code : each) max = code > max ? code : max;
  for (; i < count; ++i) {
    const auto code = static_cast<uint32_t>(codes[i]);
    max = code > max ? code : max;
  }
  return max;
}

/// kEqual: levels[i] == value, otherwise levels[i] >= value.
template <class Level, bool kEqual>
int64_t LevelsToBits(const uint16_t* levels, int64_t count, uint16_t value, uint64_t* out) {
  const auto wanted = Level::template Set<uint16_t>(value);
  const auto word_of = [wanted](const uint16_t* at) {
    uint64_t word = 0;
#pragma GCC unroll 4
    for (int32_t k = 0; k < 64; k += Level::kPairBits) {
      word |= (kEqual ? Level::EqualBits(at + k, wanted) : Level::AtLeastBits(at + k, wanted)) << k;
    }
    return word;
  };
  int64_t set = 0;
  for (; count >= 64; count -= 64, levels += 64) {
    const uint64_t word = word_of(levels);
    *out++ = word;
    set += __builtin_popcountll(word);
  }
  if (count > 0) {
    // 64 levels are longer than the padding.
    uint16_t rest[64];
    __builtin_memcpy(rest, levels, static_cast<size_t>(count) * sizeof(uint16_t));
    const uint64_t word = word_of(rest) & ((uint64_t{1} << count) - 1);
    *out = word;
    set += __builtin_popcountll(word);
  }
  return set;
}

// Within a vector by Scan; from vector to vector only one addition depends on the one before.
template <class Level, class T>
T PrefixSum(T* x, int64_t count, T min_delta, T start) {
  constexpr int64_t kLanes = Level::template kCount<T>;
  const auto least = Level::template Set<T>(min_delta);
  auto carry = Level::template Set<T>(start);
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto sums = Level::Scan(Level::template Load<T>(x + i) + least);
    Level::template Store<T>(x + i, sums + carry);
    carry += Level::Last(sums);
  }
  T last = i == 0 ? start : x[i - 1];
  for (; i < count; ++i) x[i] = last += static_cast<T>(x[i] + min_delta);
  return last;
}

/// Joins kBlock values from each of kWidth streams by interleaving ever longer pieces: bytes, then
/// pairs, then fours.
template <class Level, int kWidth>
[[gnu::always_inline]] inline void JoinBlock(const uint8_t* in, int64_t stride, uint8_t* out) {
  using Bytes = typename Level::template Lanes<uint8_t>;
  Bytes pieces[kWidth];
#pragma GCC unroll 8
  for (int k = 0; k < kWidth; ++k) pieces[k] = Level::template Load<uint8_t>(in + k * stride);
  // Before a step, kWidth / kStreams vectors follow each other for each piece of adjacent streams;
  // it joins the pieces of two neighbours.
  const auto join = [&pieces]<class T>(T) {
    constexpr int kParts = sizeof(T);         // vectors of one piece before the step
    constexpr int kPieces = kWidth / kParts;  // pieces before the step
    Bytes joined[kWidth];
#pragma GCC unroll 8
    for (int piece = 0; piece < kPieces; piece += 2) {
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) {
        const Bytes& a = pieces[piece * kParts + part];
        const Bytes& b = pieces[(piece + 1) * kParts + part];
        joined[piece * kParts + 2 * part] = Level::template InterleaveLow<T>(a, b);
        joined[piece * kParts + 2 * part + 1] = Level::template InterleaveHigh<T>(a, b);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kWidth; ++k) pieces[k] = joined[k];
  };
  join(uint8_t{});
  if constexpr (kWidth >= 4) join(uint16_t{});
  if constexpr (kWidth >= 8) join(uint32_t{});
#pragma GCC unroll 8
  for (int quarter = 0; quarter < Level::kBytes / 16; ++quarter) {
#pragma GCC unroll 8
    for (int k = 0; k < kWidth; k += 2) {
      Level::StoreQuarter(out + 16 * (quarter * kWidth + k), quarter, pieces[k], pieces[k + 1]);
    }
  }
}

/// `join_block` joins kBlock values; for the last ones into a place of its own, as a block is
/// longer than the padding.
template <int kWidth, int kBlock, void (*join_block)(const uint8_t*, int64_t, uint8_t*)>
void JoinStreams(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out) {
  for (; count >= kBlock; count -= kBlock, in += kBlock, out += kBlock * kWidth) {
    join_block(in, stride, out);
  }
  if (count > 0) {
    uint8_t rest[kBlock * kWidth];
    join_block(in, stride, rest);
    __builtin_memcpy(out, rest, static_cast<size_t>(count * kWidth));
  }
}

}  // namespace
}  // namespace sluice::inline v0::kernels
