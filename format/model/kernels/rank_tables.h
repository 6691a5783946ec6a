#pragma once

// Tables that tell a shuffle how to pack the lanes selected by a small mask to the front, or to
// spread the lanes at the front to the places selected. For levels without compress and expand.

#include <cstdint>

namespace sluice::inline v0::kernels {
namespace {

constexpr uint8_t kNoLane = 0xFF;

template <int kEntries, int kBytes>
struct ShuffleTable {
  alignas(16) uint8_t at[kEntries][kBytes];
};

// Entry m, lanes of `unit` shuffled places each: the place of the i-th set bit of m at i.
template <int kEntries, int kBytes>
constexpr ShuffleTable<kEntries, kBytes> MakePackTable(int unit) {
  ShuffleTable<kEntries, kBytes> table{};
  for (int mask = 0; mask < kEntries; ++mask) {
    int end = 0;
    for (int lane = 0; lane < kBytes / unit; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (int k = 0; k < unit; ++k) {
        table.at[mask][end++] = static_cast<uint8_t>(lane * unit + k);
      }
    }
  }
  return table;
}

// Entry m: the rank of lane i among the set bits of m at i, kNoLane where bit i is not set.
template <int kEntries, int kBytes>
constexpr ShuffleTable<kEntries, kBytes> MakeSpreadTable(int unit) {
  ShuffleTable<kEntries, kBytes> table{};
  for (int mask = 0; mask < kEntries; ++mask) {
    int next = 0;
    for (int lane = 0; lane < kBytes / unit; ++lane) {
      const bool set = (mask >> lane & 1) != 0;
      for (int k = 0; k < unit; ++k) {
        table.at[mask][lane * unit + k] = set ? static_cast<uint8_t>(next++) : kNoLane;
      }
    }
  }
  return table;
}

}  // namespace
}  // namespace sluice::inline v0::kernels
