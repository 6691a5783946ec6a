#pragma once

// Testing values one by one, for every level: what vectors do not help with still gains from the
// instructions that a level has besides.

#include <cstdint>

namespace sluice::inline v0::kernels {
namespace {

/// test(i): 1 or 0, bit i of `out`. By eights, as shifts by constants are cheaper.
template <class Test>
[[gnu::always_inline]] inline void TestEach(int64_t count, uint64_t* out, const Test& test) {
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t word = 0;
    for (int64_t k = 0; k < 64; k += 8) {
      uint64_t bits = 0;
#pragma GCC unroll 8
      for (int64_t j = 0; j < 8; ++j) bits |= static_cast<uint64_t>(test(i + k + j)) << j;
      word |= bits << k;
    }
    *out++ = word;
  }
  if (i == count) return;
  uint64_t word = 0;
  for (int64_t k = 0; i + k < count; ++k) word |= static_cast<uint64_t>(test(i + k)) << k;
  *out = word;
}

/// In a table of any size.
void LookUpEach(const int32_t* codes, int64_t count, const uint64_t* table, uint64_t* out) {
  const auto* words = reinterpret_cast<const uint8_t*>(table);
  TestEach(count, out, [=](int64_t i) {
    const auto code = static_cast<uint32_t>(codes[i]);
    return uint32_t{words[code >> 3]} >> (code & 7) & 1;
  });
}

}  // namespace
}  // namespace sluice::inline v0::kernels
