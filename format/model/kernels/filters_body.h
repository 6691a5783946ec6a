#pragma once

// Comparing values in memory with ranges and points, one body for all levels: 64 values at a time
// become one word of bits.

#include <cstdint>

#include "format/model/kernels/kernels.h"
#include "format/model/kernels/lanes.h"

namespace sluice::inline v0::kernels {
namespace {

/// test(at): the bits of the Level::kCount<T> values at `at`. A last vector may reach past the
/// values, into the padding.
template <class Level, class T, class Test>
[[gnu::always_inline]] inline void TestVectors(const void* values, int64_t count, uint64_t* out,
                                               const Test& test) {
  constexpr int64_t kLanes = Level::template kCount<T>;
  constexpr int64_t kSize = sizeof(T);
  const auto* at = static_cast<const uint8_t*>(values);
  for (; count >= 64; count -= 64, at += 64 * kSize) {
    uint64_t word = 0;
#pragma GCC unroll 2
    for (int64_t i = 0; i < 64; i += kLanes) word |= test(at + i * kSize) << i;
    *out++ = word;
  }
  if (count > 0) {
    uint64_t word = 0;
    for (int64_t i = 0; i < count; i += kLanes) word |= test(at + i * kSize) << i;
    *out = word & ((uint64_t{1} << count) - 1);
  }
}

template <class T>
constexpr T kSignBit = static_cast<T>(T{1} << (8 * sizeof(T) - 1));

/// There are comparisons of signed lanes only: what is to be compared as unsigned is moved by half
/// the circle, the values for nothing as it goes into what is subtracted.
template <class Level, class T, bool kFloating, int kRanges>
void InRangesOf(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out) {
  using Lanes = typename Level::template Lanes<T>;
  Lanes first[kRanges], span[kRanges];
  for (int k = 0; k < kRanges; ++k) {
    first[k] = Level::Set(static_cast<T>(static_cast<T>(ranges.at[k].first) ^ kSignBit<T>));
    span[k] = Level::Set(static_cast<T>(static_cast<T>(ranges.at[k].span) ^ kSignBit<T>));
  }
  const Lanes all_but_sign = Level::Set(static_cast<T>(~kSignBit<T>));
  TestVectors<Level, T>(values, count, out, [&](const uint8_t* at) {
    Lanes keys = Level::template Load<T>(at);
    if constexpr (kFloating) keys = keys ^ (Level::SignMask(keys) & all_but_sign);
    auto is_outside = Level::IsGreater(Lanes(keys - first[0]), span[0]);
    if constexpr (kRanges == 2) {
      is_outside = is_outside & Level::IsGreater(Lanes(keys - first[1]), span[1]);
    }
    return Level::template ClearBits<T>(is_outside);
  });
}

template <class Level, class T>
void InRanges(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out) {
  if (!ranges.is_floating) {
    if (ranges.count == 1) return InRangesOf<Level, T, false, 1>(values, count, ranges, out);
    return InRangesOf<Level, T, false, 2>(values, count, ranges, out);
  }
  if constexpr (sizeof(T) > 1) {
    if (ranges.count == 1) return InRangesOf<Level, T, true, 1>(values, count, ranges, out);
    InRangesOf<Level, T, true, 2>(values, count, ranges, out);
  }
}

template <class Level, class T, int kPoints>
void EqualAnyOf(const void* values, int64_t count, const uint64_t* points, int32_t num_points,
                uint64_t* out) {
  typename Level::template Lanes<T> point[kPoints];
  for (int k = 0; k < kPoints; ++k) {
    point[k] = Level::Set(static_cast<T>(points[k < num_points ? k : 0]));
  }
  TestVectors<Level, T>(values, count, out, [&](const uint8_t* at) {
    const auto lanes = Level::template Load<T>(at);
    auto is_equal = Level::IsEqual(lanes, point[0]);
#pragma GCC unroll 8
    for (int k = 1; k < kPoints; ++k) is_equal = is_equal | Level::IsEqual(lanes, point[k]);
    return Level::template SetBits<T>(is_equal);
  });
}

template <class Level, class T>
void EqualAny(const void* values, int64_t count, const uint64_t* points, int32_t num_points,
              uint64_t* out) {
  if (num_points <= 4) return EqualAnyOf<Level, T, 4>(values, count, points, num_points, out);
  EqualAnyOf<Level, T, 8>(values, count, points, num_points, out);
}

/// Whole vectors of codes are written. code(at): those of the Level::kCount<uint32_t> values at
/// `at`.
template <class Level, class T, class Code>
[[gnu::always_inline]] inline void CodeVectors(const void* values, int64_t count, int32_t* out,
                                               const Code& code) {
  using Lanes = typename Level::template Lanes<T>;
  constexpr int64_t kStep = Level::template kCount<uint32_t>;
  const auto* at = static_cast<const uint8_t*>(values);
  for (int64_t i = 0; i < count; i += kStep, at += kStep * static_cast<int64_t>(sizeof(T))) {
    if constexpr (sizeof(T) == 4) {
      Level::template Store<uint32_t>(out + i, code(Level::template Load<T>(at)));
    } else {
      // The second half may lie wholly behind the values, further than the padding reaches.
      const bool has_high = i + kStep / 2 < count;
      const Lanes low = code(Level::template Load<T>(at));
      const Lanes high = has_high ? code(Level::template Load<T>(at + Level::kBytes)) : low;
      Level::template Store<uint32_t>(out + i, Level::NarrowHalves(low, high));
    }
  }
}

template <class Level, class T>
void HashCodes(const void* values, int64_t count, int32_t shift, int32_t* out) {
  using Lanes = typename Level::template Lanes<T>;
  const Lanes one = Level::Set(static_cast<T>(kHashOne));
  CodeVectors<Level, T>(values, count, out, [&](const Lanes& lanes) -> Lanes {
    if constexpr (sizeof(T) == 4) {
      return (lanes * one) >> shift;
    } else {
      const Lanes other = Level::Set(static_cast<T>(kHashOther));
      const Lanes sum =
          Level::MultiplyLowHalves(lanes, one) + Level::MultiplyLowHalves(lanes >> 32, other);
      return (sum & Level::Set(T{0xFFFFFFFF})) >> shift;
    }
  });
}

template <class Level, class T>
void OffsetCodes(const void* values, int64_t count, uint64_t first, int32_t limit, int32_t* out) {
  using Lanes = typename Level::template Lanes<T>;
  const Lanes begin = Level::Set(static_cast<T>(first));
  const Lanes most = Level::Set(static_cast<T>(limit));
  CodeVectors<Level, T>(values, count, out, [&](const Lanes& lanes) -> Lanes {
    return Level::Min(Lanes(lanes - begin), most);
  });
}

}  // namespace
}  // namespace sluice::inline v0::kernels
