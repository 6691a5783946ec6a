#pragma once

// The filters among the kernels in plain C++; see kernels_plain.cc.

#include <sluice/bitmap.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "format/model/kernels/each_body.h"
#include "format/model/kernels/kernels.h"

namespace sluice::inline v0::kernels {
namespace {

template <class T>
T ValueAt(const void* values, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(values) + i * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

template <bool kFloating, class T>
T KeyOf(T bits) {
  if constexpr (!kFloating) return bits;
  constexpr T kSign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  return bits & kSign ? static_cast<T>(bits ^ static_cast<T>(~kSign)) : bits;
}

template <class T, bool kFloating>
void InRangesOf(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out) {
  const auto is_in = [](T key, const KeyRange& range) {
    return static_cast<T>(key - static_cast<T>(range.first)) <= static_cast<T>(range.span);
  };
  const KeyRange a = ranges.at[0];
  if (ranges.count == 1) {
    TestEach(count, out,
             [=](int64_t i) { return is_in(KeyOf<kFloating>(ValueAt<T>(values, i)), a); });
    return;
  }
  const KeyRange b = ranges.at[1];
  TestEach(count, out, [=](int64_t i) {
    const T key = KeyOf<kFloating>(ValueAt<T>(values, i));
    const bool is_in_a = is_in(key, a);
    const bool is_in_b = is_in(key, b);
    return is_in_a | is_in_b;
  });
}

template <class T>
void InRanges(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out) {
  if constexpr (sizeof(T) > 1) {
    if (ranges.is_floating) return InRangesOf<T, true>(values, count, ranges, out);
  }
  InRangesOf<T, false>(values, count, ranges, out);
}

template <class T>
void EqualAny(const void* values, int64_t count, const uint64_t* points, int32_t num_points,
              uint64_t* out) {
  TestEach(count, out, [=](int64_t i) {
    const T value = ValueAt<T>(values, i);
    bool is_equal = false;
    for (int32_t k = 0; k < num_points; ++k) is_equal |= value == static_cast<T>(points[k]);
    return is_equal;
  });
}

template <class T>
void HashCodes(const void* values, int64_t count, int32_t shift, int32_t* out) {
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t value = ValueAt<T>(values, i);
    uint32_t hash;
    if constexpr (sizeof(T) == 4) {
      hash = static_cast<uint32_t>(value) * kHashOne;
    } else {
      hash =
          static_cast<uint32_t>(value) * kHashOne + static_cast<uint32_t>(value >> 32) * kHashOther;
    }
    out[i] = static_cast<int32_t>(hash >> shift);
  }
}

template <class T>
void OffsetCodes(const void* values, int64_t count, uint64_t first, int32_t limit, int32_t* out) {
  const auto most = static_cast<T>(limit);
  for (int64_t i = 0; i < count; ++i) {
    const auto offset = static_cast<T>(ValueAt<T>(values, i) - static_cast<T>(first));
    out[i] = static_cast<int32_t>(std::min(offset, most));
  }
}

void LookUp(const int32_t* codes, int64_t count, const uint64_t* table, int64_t, uint64_t* out) {
  LookUpEach(codes, count, table, out);
}

uint32_t LookUpPacked(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                      const uint64_t* table, uint64_t* out) {
  const uint64_t mask = LowBits(bit_width);
  uint64_t largest = 0;
  TestEach(count, out, [&](int64_t i) {
    const int64_t bit = bit_offset + i * bit_width;
    const uint64_t code = ValueAt<uint64_t>(in + (bit >> 3), 0) >> (bit & 7) & mask;
    largest = std::max(largest, code);
    return GetBit(table, static_cast<int64_t>(code));
  });
  return static_cast<uint32_t>(largest);
}

}  // namespace
}  // namespace sluice::inline v0::kernels
