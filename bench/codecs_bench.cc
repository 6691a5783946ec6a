// Decompression of one page, and the checksum over it: bytes of output per second for each codec,
// next to the library's own one-shot call where ours goes another way, and of what is asked for
// where the page is left after an eighth or a half. 1 MiB pages of numbers and words that compress
// by about half.

#include <benchmark/benchmark.h>
#include <zstd.h>

#include <random>
#include <string_view>
#include <vector>

#include "format/parquet/decompressor.h"

namespace sluice::parquet {
namespace {

constexpr size_t kPageBytes = 1 << 20;

std::vector<uint8_t> Page() {
  std::mt19937_64 random(1);
  constexpr std::string_view kWords[] = {"carefully ", "regular ", "deposits ", "sleep ", "quick "};
  std::vector<uint8_t> page;
  while (page.size() < kPageBytes) {
    if (random() % 2 == 0) {
      const uint64_t number = random() % 100'000;
      const auto* bytes = reinterpret_cast<const uint8_t*>(&number);
      page.insert(page.end(), bytes, bytes + sizeof(number));
    } else {
      const std::string_view word = kWords[random() % std::size(kWords)];
      page.insert(page.end(), word.begin(), word.end());
    }
  }
  page.resize(kPageBytes);
  return page;
}

BufferRef CompressedPage(Codec codec) {
  return *Compress(codec, kDefaultLevel, Page(), *BufferPool::Make());
}

void SetRate(benchmark::State& state, int64_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * bytes);
}

void Advance(benchmark::State& state, Codec codec, int64_t target) {
  const BufferRef input = CompressedPage(codec);
  const auto contexts = MakeCodecContexts(BufferPool::Make());
  std::vector<uint8_t> output(kPageBytes);
  for (auto _ : state) {
    const auto decompressor = MakeDecompressor(codec, input->span(), output, contexts);
    if (!(*decompressor)->Advance(target).has_value()) state.SkipWithError("broken page");
    benchmark::DoNotOptimize(output.data());
  }
  SetRate(state, target);
}

void Whole(benchmark::State& state, Codec codec) { Advance(state, codec, kPageBytes); }
void FirstEighth(benchmark::State& state, Codec codec) { Advance(state, codec, kPageBytes / 8); }
void FirstHalf(benchmark::State& state, Codec codec) { Advance(state, codec, kPageBytes / 2); }

BENCHMARK_CAPTURE(Whole, Uncompressed, Codec::kUncompressed);
BENCHMARK_CAPTURE(Whole, Snappy, Codec::kSnappy);
BENCHMARK_CAPTURE(Whole, Gzip, Codec::kGzip);
BENCHMARK_CAPTURE(Whole, Brotli, Codec::kBrotli);
BENCHMARK_CAPTURE(Whole, Lz4Raw, Codec::kLz4Raw);
BENCHMARK_CAPTURE(Whole, Zstd, Codec::kZstd);
BENCHMARK_CAPTURE(FirstEighth, Brotli, Codec::kBrotli);
BENCHMARK_CAPTURE(FirstEighth, Lz4Raw, Codec::kLz4Raw);
BENCHMARK_CAPTURE(FirstEighth, Zstd, Codec::kZstd);
BENCHMARK_CAPTURE(FirstHalf, Brotli, Codec::kBrotli);
BENCHMARK_CAPTURE(FirstHalf, Lz4Raw, Codec::kLz4Raw);
BENCHMARK_CAPTURE(FirstHalf, Zstd, Codec::kZstd);

void ZstdOneShot(benchmark::State& state) {
  const BufferRef input = CompressedPage(Codec::kZstd);
  std::vector<uint8_t> output(kPageBytes);
  ZSTD_DCtx* context = ZSTD_createDCtx();
  for (auto _ : state) {
    benchmark::DoNotOptimize(ZSTD_decompressDCtx(
        context, output.data(), output.size(), input->data(), static_cast<size_t>(input->size())));
  }
  ZSTD_freeDCtx(context);
  SetRate(state, kPageBytes);
}
BENCHMARK(ZstdOneShot);

void Checksum(benchmark::State& state) {
  const std::vector<uint8_t> page = Page();
  for (auto _ : state) benchmark::DoNotOptimize(Crc32(0, page));
  SetRate(state, kPageBytes);
}
BENCHMARK(Checksum);

}  // namespace
}  // namespace sluice::parquet

BENCHMARK_MAIN();
