#pragma once

// Cycles per value for the micro-benchmarks. The clock is the processor's time stamp counter (or
// the steady clock, where there is none), and what one of its ticks is in core cycles is measured
// by a chain of dependent additions, one cycle each: so that the numbers hold at any frequency and
// without access to performance counters.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sluice::bench {

inline uint64_t Ticks() {
#if defined(__x86_64__)
  _mm_lfence();
  const uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Core cycles per tick now: the frequency may change while benchmarks run, so it is asked anew
/// for each.
inline double CyclesPerTick() {
  constexpr int kRounds = 2000;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (int trial = 0; trial < 20; ++trial) {
    uint64_t sum = 0;
    const uint64_t begin = Ticks();
    for (int i = 0; i < kRounds; ++i) {
      // By a register: additions of constants are done for nothing while renaming registers.
#if defined(__x86_64__)
      __asm__ volatile(
          "add %1, %0; add %1, %0; add %1, %0; add %1, %0; add %1, %0;"
          "add %1, %0; add %1, %0; add %1, %0; add %1, %0; add %1, %0"
          : "+r"(sum)
          : "r"(least));
#elif defined(__aarch64__)
      __asm__ volatile(
          "add %0, %0, %1; add %0, %0, %1; add %0, %0, %1; add %0, %0, %1; add %0, %0, %1;"
          "add %0, %0, %1; add %0, %0, %1; add %0, %0, %1; add %0, %0, %1; add %0, %0, %1"
          : "+r"(sum)
          : "r"(least));
#else
#error "no chain of dependent additions for this processor"
#endif
    }
    least = std::min(least, Ticks() - begin);
  }
  return 10.0 * kRounds / static_cast<double>(least);
}

/// Runs `work`, which makes `values` values and `bytes` bytes, as the benchmark's body. Counters:
///   cycles   core cycles per value in the quickest of all runs (others were disturbed)
///   bytes_per_second   by the mean of all runs
template <class Work>
void Measure(benchmark::State& state, int64_t values, int64_t bytes, Work work) {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (auto _ : state) {
    const uint64_t begin = Ticks();
    work();
    benchmark::ClobberMemory();
    least = std::min(least, Ticks() - begin);
  }
  state.counters["cycles"] =
      static_cast<double>(least) * CyclesPerTick() / static_cast<double>(values);
  state.SetBytesProcessed(state.iterations() * bytes);
}

}  // namespace sluice::bench
