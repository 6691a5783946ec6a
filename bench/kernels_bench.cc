// The vector kernels, each at every level of this machine, on 64 KiB of output (of input, where
// the output is smaller). Counter `cycles`: core cycles per value; for bitmaps, per bit.

#include <benchmark/benchmark.h>
#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bench/cycles.h"
#include "format/model/kernels/kernels.h"

namespace sluice {
namespace {

using kernels::KernelTable;

constexpr int64_t kBytes = 64 << 10;

template <class T>
constexpr int64_t kValues = kBytes / static_cast<int64_t>(sizeof(T));

/// Storage with the padding that kernels want, aligned to a cache line.
template <class T>
class Padded {
 public:
  explicit Padded(int64_t count)
      : bytes_(static_cast<size_t>(count) * sizeof(T) + 2 * kReadPadding) {}
  T* data() {
    auto at = reinterpret_cast<uintptr_t>(bytes_.data());
    return reinterpret_cast<T*>((at + 63) / 64 * 64);
  }
  T& operator[](int64_t i) { return data()[i]; }

 private:
  std::vector<uint8_t> bytes_;
};

template <class T>
Padded<T> Random(int64_t count, uint64_t below = 0) {
  std::mt19937_64 random(1);
  Padded<T> values(count);
  for (int64_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(below == 0 ? random() : random() % below);
  }
  return values;
}

Padded<uint64_t> RandomBits(int64_t count, int percent) {
  std::mt19937_64 random(1);
  Padded<uint64_t> words(BitmapWords(count));
  for (int64_t i = 0; i < count; ++i) {
    if (random() % 100 < static_cast<uint64_t>(percent)) SetBit(words.data(), i);
  }
  return words;
}

using Body = void (*)(benchmark::State&, const KernelTable&, int64_t argument);

template <class T, auto kernel>
void UnpackBench(benchmark::State& state, const KernelTable& table, int64_t bit_width) {
  auto in = Random<uint8_t>(kBytes);
  Padded<T> out(kValues<T>);
  bench::Measure(state, kValues<T>, kBytes, [&] {
    (table.*kernel)(in.data(), 0, kValues<T>, static_cast<int32_t>(bit_width), out.data());
  });
}

template <class T, auto kernel>
void GatherBench(benchmark::State& state, const KernelTable& table, int64_t entries) {
  auto dictionary = Random<T>(entries);
  auto codes = Random<int32_t>(kValues<T>, static_cast<uint64_t>(entries));
  Padded<T> out(kValues<T>);
  bench::Measure(state, kValues<T>, kBytes,
                 [&] { (table.*kernel)(dictionary.data(), codes.data(), kValues<T>, out.data()); });
}

void Gather16Bench(benchmark::State& state, const KernelTable& table, int64_t entries) {
  constexpr int64_t kCount = kBytes / 16;
  auto dictionary = Random<uint64_t>(2 * entries);
  auto codes = Random<int32_t>(kCount, static_cast<uint64_t>(entries));
  Padded<uint8_t> out(kBytes);
  bench::Measure(state, kCount, kBytes,
                 [&] { table.gather_16(dictionary.data(), codes.data(), kCount, out.data()); });
}

void MaxCodeBench(benchmark::State& state, const KernelTable& table, int64_t) {
  auto codes = Random<int32_t>(kValues<int32_t>, 1000);
  bench::Measure(state, kValues<int32_t>, kBytes,
                 [&] { benchmark::DoNotOptimize(table.max_code(codes.data(), kValues<int32_t>)); });
}

template <int kWidth, auto kernel>
void JoinStreamsBench(benchmark::State& state, const KernelTable& table, int64_t) {
  constexpr int64_t kCount = kBytes / kWidth;
  auto in = Random<uint8_t>(kBytes);
  Padded<uint8_t> out(kBytes);
  bench::Measure(state, kCount, kBytes,
                 [&] { (table.*kernel)(in.data(), kCount, kCount, out.data()); });
}

template <class T, auto kernel>
void PrefixSumBench(benchmark::State& state, const KernelTable& table, int64_t) {
  auto x = Random<T>(kValues<T>);
  bench::Measure(state, kValues<T>, kBytes,
                 [&] { (table.*kernel)(x.data(), kValues<T>, T{5}, T{7}); });
}

template <auto kernel>
void LevelsBench(benchmark::State& state, const KernelTable& table, int64_t) {
  auto levels = Random<uint16_t>(kValues<uint16_t>, 3);
  Padded<uint64_t> out(BitmapWords(kValues<uint16_t>));
  bench::Measure(state, kValues<uint16_t>, kBytes,
                 [&] { (table.*kernel)(levels.data(), kValues<uint16_t>, 1, out.data()); });
}

// Cycles are per value of the input.
template <int kWidth, auto kernel>
void CompressBench(benchmark::State& state, const KernelTable& table, int64_t percent) {
  constexpr int64_t kCount = kBytes / kWidth;
  auto in = Random<uint8_t>(kBytes);
  auto selection = RandomBits(kCount, static_cast<int>(percent));
  Padded<uint8_t> out(kBytes);
  bench::Measure(state, kCount, kBytes,
                 [&] { (table.*kernel)(in.data(), selection.data(), kCount, out.data()); });
}

template <auto kernel>
void BitsBench(benchmark::State& state, const KernelTable& table, int64_t percent) {
  constexpr int64_t kCount = 8 * kBytes;
  auto in = Random<uint64_t>(BitmapWords(kCount));
  auto mask = RandomBits(kCount, static_cast<int>(percent));
  Padded<uint64_t> out(BitmapWords(kCount));
  bench::Measure(state, kCount, kBytes,
                 [&] { (table.*kernel)(in.data(), mask.data(), kCount, out.data()); });
}

void PositionsBench(benchmark::State& state, const KernelTable& table, int64_t percent) {
  constexpr int64_t kCount = kBytes / 4;
  auto bits = RandomBits(kCount, static_cast<int>(percent));
  Padded<int32_t> out(kCount);
  bench::Measure(state, kCount, kBytes,
                 [&] { table.bit_positions(bits.data(), kCount, 0, out.data()); });
}

/// `argument` is left out of the name where it is empty.
void Add(const std::string& name, const char* argument, std::vector<int64_t> values, Body body) {
  using kernels::SimdLevel;
  for (const int64_t value : values) {
    for (auto level :
         {SimdLevel::kPlain, SimdLevel::kSse42, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      if (!kernels::IsSupported(level)) continue;
      std::string full = name;
      if (*argument != 0) full += std::string("/") + argument + ":" + std::to_string(value);
      full += std::string("/") + kernels::Name(level);
      benchmark::RegisterBenchmark(full.c_str(), [body, level, value](benchmark::State& state) {
        body(state, kernels::Table(level), value);
      });
    }
  }
}

std::vector<int64_t> UpTo(int64_t last) {
  std::vector<int64_t> values;
  for (int64_t value = 1; value <= last; ++value) values.push_back(value);
  return values;
}

void AddAll() {
  using Table = KernelTable;
  Add("unpack_16", "width", UpTo(16), UnpackBench<uint16_t, &Table::unpack_16>);
  Add("unpack_32", "width", UpTo(32), UnpackBench<uint32_t, &Table::unpack_32>);
  Add("unpack_64", "width", UpTo(64), UnpackBench<uint64_t, &Table::unpack_64>);
  Add("gather_4", "entries", {1000}, GatherBench<uint32_t, &Table::gather_4>);
  Add("gather_8", "entries", {1000}, GatherBench<uint64_t, &Table::gather_8>);
  Add("gather_16", "entries", {1000}, Gather16Bench);
  Add("max_code", "", {0}, MaxCodeBench);
  Add("join_streams_2", "", {0}, JoinStreamsBench<2, &Table::join_streams_2>);
  Add("join_streams_4", "", {0}, JoinStreamsBench<4, &Table::join_streams_4>);
  Add("join_streams_8", "", {0}, JoinStreamsBench<8, &Table::join_streams_8>);
  Add("prefix_sum_32", "", {0}, PrefixSumBench<uint32_t, &Table::prefix_sum_32>);
  Add("prefix_sum_64", "", {0}, PrefixSumBench<uint64_t, &Table::prefix_sum_64>);
  Add("levels_equal", "", {0}, LevelsBench<&Table::levels_equal>);
  Add("levels_at_least", "", {0}, LevelsBench<&Table::levels_at_least>);
  const std::vector<int64_t> percents = {1, 5, 10, 50, 90, 99};
  Add("compress_1", "percent", percents, CompressBench<1, &Table::compress_1>);
  Add("compress_2", "percent", percents, CompressBench<2, &Table::compress_2>);
  Add("compress_4", "percent", percents, CompressBench<4, &Table::compress_4>);
  Add("compress_8", "percent", percents, CompressBench<8, &Table::compress_8>);
  Add("compress_16", "percent", percents, CompressBench<16, &Table::compress_16>);
  Add("expand_1", "percent", percents, CompressBench<1, &Table::expand_1>);
  Add("expand_2", "percent", percents, CompressBench<2, &Table::expand_2>);
  Add("expand_4", "percent", percents, CompressBench<4, &Table::expand_4>);
  Add("expand_8", "percent", percents, CompressBench<8, &Table::expand_8>);
  Add("expand_16", "percent", percents, CompressBench<16, &Table::expand_16>);
  Add("extract_bits", "percent", percents, BitsBench<&Table::extract_bits>);
  Add("deposit_bits", "percent", percents, BitsBench<&Table::deposit_bits>);
  Add("bit_positions", "percent", percents, PositionsBench);
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  sluice::AddAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
