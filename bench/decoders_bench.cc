// Every decoder on 64 KiB of output, opened and read once a run. The level of the kernels is the
// best one; SLUICE_SIMD lowers it.

#include <benchmark/benchmark.h>
#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/cycles.h"
#include "format/parquet/encoding/bit_packed_levels.h"
#include "format/parquet/encoding/dictionary_index_decoder.h"
#include "format/parquet/encoding/rle_hybrid.h"
#include "format/parquet/encoding/value_decoder.h"
#include "tests/format/parquet/encoding/delta_bytes.h"
#include "tests/format/parquet/encoding/hybrid_runs.h"

namespace {

using namespace sluice;                    // NOLINT
using namespace sluice::parquet;           // NOLINT
using namespace sluice::parquet::testing;  // NOLINT

constexpr int64_t kOutputBytes = 64 << 10;

std::mt19937_64& Random() {
  static std::mt19937_64 random(1);
  return random;
}

/// A decoder that fails is measured wrong: stop.
void Check(const Status& status) {
  if (!status.ok()) std::abort();
}

Bytes RandomBytes(int64_t count) {
  Bytes bytes(static_cast<size_t>(count));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(Random()());
  return bytes;
}

std::vector<uint64_t> Selection(int64_t count, int64_t one_in) {
  std::vector<uint64_t> selection(static_cast<size_t>(BitmapWords(count)) + 8, 0);
  for (int64_t i = 0; i < count; ++i) {
    if (Random()() % static_cast<uint64_t>(one_in) == 0) SetBit(selection.data(), i);
  }
  return selection;
}

BufferRef Output() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool->Allocate(2 * kOutputBytes).value();
}

/// Reads all values of a fixed-width page, or those that one in `one_in` selects.
void ReadFixedPage(benchmark::State& state, Encoding encoding, PhysicalType type,
                   int32_t type_length, const Bytes& bytes, int64_t one_in = 1) {
  const int64_t width = PhysicalWidth(type, type_length);
  const int64_t count = kOutputBytes / width;
  PageBody body = BodyOf(bytes);
  const BufferRef output = Output();
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const std::vector<uint64_t> selection = Selection(count, one_in);
  bench::Measure(state, count, count * width, [&] {
    auto decoder = MakeValueDecoder(encoding, type, type_length, count, &body, pool.get()).value();
    Check(one_in == 1 ? decoder->ReadFixed(count, output->mutable_data())
                      : decoder->SelectFixed(count, selection.data(), output->mutable_data()));
  });
}

void ReadViewsPage(benchmark::State& state, Encoding encoding, int64_t count, const Bytes& bytes,
                   int64_t one_in) {
  PageBody body = BodyOf(bytes);
  std::vector<StringView> views(static_cast<size_t>(count) + 4);
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const std::vector<uint64_t> selection = Selection(count, one_in);
  bench::Measure(state, count, count * 16, [&] {
    auto decoder =
        MakeValueDecoder(encoding, PhysicalType::kByteArray, 0, count, &body, pool.get()).value();
    ByteArrayOutput out(views.data(), pool.get());
    Check(one_in == 1 ? decoder->ReadViews(count, out)
                      : decoder->SelectViews(count, selection.data(), out));
  });
}

constexpr int64_t kViews = kOutputBytes / 16;

/// Words of about `length` bytes, each sharing about half of them with the one before.
std::vector<std::string> Words(int64_t length) {
  std::vector<std::string> words(static_cast<size_t>(kViews));
  std::string word;
  for (std::string& to : words) {
    word.resize(std::min(word.size(), static_cast<size_t>(length / 2)));
    const size_t size =
        static_cast<size_t>(length * 3 / 4) + Random()() % static_cast<uint64_t>(length / 2 + 1);
    while (word.size() < size) word.push_back(static_cast<char>('a' + Random()() % 26));
    to = word;
  }
  return words;
}

void PlainFixed(benchmark::State& state) {
  const int32_t width = static_cast<int32_t>(state.range(0));
  ReadFixedPage(state, Encoding::kPlain, PhysicalType::kFixedLenByteArray, width,
                RandomBytes(kOutputBytes), state.range(1));
}
BENCHMARK(PlainFixed)->ArgNames({"width", "one_in"})->ArgsProduct({{4, 8, 12, 16}, {1, 2, 50}});

void PlainByteArray(benchmark::State& state) {
  Bytes bytes;
  for (const std::string& word : Words(state.range(0))) {
    AppendInteger(bytes, word.size(), 4);
    Append(bytes, Bytes(word.begin(), word.end()));
  }
  ReadViewsPage(state, Encoding::kPlain, kViews, bytes, state.range(1));
}
BENCHMARK(PlainByteArray)->ArgNames({"length", "one_in"})->ArgsProduct({{8, 30}, {1, 10}});

void DeltaLengthByteArray(benchmark::State& state) {
  Bytes bytes;
  AppendDeltaLength(bytes, Words(state.range(0)));
  ReadViewsPage(state, Encoding::kDeltaLengthByteArray, kViews, bytes, state.range(1));
}
BENCHMARK(DeltaLengthByteArray)->ArgNames({"length", "one_in"})->ArgsProduct({{8, 30}, {1, 10}});

void DeltaByteArray(benchmark::State& state) {
  Bytes bytes;
  AppendDeltaByteArray(bytes, Words(state.range(0)));
  ReadViewsPage(state, Encoding::kDeltaByteArray, kViews, bytes, state.range(1));
}
BENCHMARK(DeltaByteArray)->ArgNames({"length", "one_in"})->ArgsProduct({{8, 30}, {1, 10}});

void DeltaBinaryPacked(benchmark::State& state) {
  const int bits = static_cast<int>(state.range(0));
  const int64_t count = kOutputBytes * 8 / bits;
  std::vector<int64_t> values;
  uint64_t value = 0;
  for (int64_t i = 0; i < count; ++i) {
    // Width -1: another one for each miniblock.
    const int64_t width = state.range(1) < 0 ? i / 32 * 7 % 16 : state.range(1);
    value += Random()() & LowBits(width);
    values.push_back(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
  }
  DeltaLayout layout;
  layout.block_size = state.range(2);
  Bytes bytes;
  AppendDelta(bytes, values, bits, layout);
  ReadFixedPage(state, Encoding::kDeltaBinaryPacked,
                bits == 32 ? PhysicalType::kInt32 : PhysicalType::kInt64, 0, bytes, state.range(3));
}
BENCHMARK(DeltaBinaryPacked)
    ->ArgNames({"bits", "width", "block", "one_in"})
    ->ArgsProduct({{32, 64}, {-1, 0, 7, 13, 20}, {128}, {1}})
    ->ArgsProduct({{64}, {7, 13, 40, 60}, {1024}, {1}})
    ->ArgsProduct({{64}, {13}, {128}, {2, 50}});

void ByteStreamSplit(benchmark::State& state) {
  ReadFixedPage(state, Encoding::kByteStreamSplit, PhysicalType::kFixedLenByteArray,
                static_cast<int32_t>(state.range(0)),
                RandomBytes(kOutputBytes / state.range(0) * state.range(0)), state.range(1));
}
BENCHMARK(ByteStreamSplit)
    ->ArgNames({"width", "one_in"})
    ->ArgsProduct({{2, 4, 8, 12, 16}, {1, 2, 50}});

void DictionaryIndices(benchmark::State& state) {
  const int64_t count = kOutputBytes / 4;
  const int bit_width = static_cast<int>(state.range(0));
  std::vector<uint64_t> codes(static_cast<size_t>(count));
  const uint64_t size = LowBits(bit_width);
  for (uint64_t& code : codes) code = Random()() % size;
  Bytes bytes = {static_cast<uint8_t>(bit_width)};
  // Writers make runs of 63 groups at most.
  for (size_t i = 0; i < codes.size(); i += 504) {
    AppendPackedRun(bytes, {codes.begin() + i, codes.begin() + std::min(i + 504, codes.size())},
                    bit_width);
  }
  PageBody body = BodyOf(bytes);
  const BufferRef output = Output();
  const std::vector<uint64_t> selection = Selection(count, state.range(1));
  bench::Measure(state, count, count * 4, [&] {
    auto decoder = DictionaryIndexDecoder::Open(&body, count, static_cast<int32_t>(size)).value();
    Check(state.range(1) == 1
              ? decoder.Read(count, output->mutable_as<int32_t>())
              : decoder.Select(count, selection.data(), output->mutable_as<int32_t>()));
  });
}
BENCHMARK(DictionaryIndices)
    ->ArgNames({"width", "one_in"})
    ->ArgsProduct({{3, 8, 10, 17}, {1, 2, 50}});

void Levels(benchmark::State& state) {
  const int bit_width = static_cast<int>(state.range(0));
  const int64_t count = kOutputBytes / 2;
  HybridCase made;
  if (state.range(1) == 0) {
    made.values.resize(static_cast<size_t>(count));
    for (uint64_t& value : made.values) value = Random()() & LowBits(bit_width);
    AppendPackedRun(made.bytes, made.values, bit_width);
  } else {
    // Runs of both kinds.
    made = RandomHybrid(Random(), bit_width, static_cast<size_t>(count));
  }
  PageBody body = BodyOf(made.bytes);
  const BufferRef output = Output();
  bench::Measure(state, count, count * 2, [&] {
    auto decoder = RleHybridDecoder::Open(&body, 0, body.size(), bit_width, count).value();
    Check(decoder.Read(count, output->mutable_as<uint16_t>()));
  });
}
BENCHMARK(Levels)->ArgNames({"width", "mixed"})->ArgsProduct({{1, 2, 3, 5}, {0, 1}});

void BitPackedLevels(benchmark::State& state) {
  const int32_t bit_width = static_cast<int32_t>(state.range(0));
  const int64_t count = kOutputBytes / 2;
  PageBody body = BodyOf(RandomBytes(BitPackedLevelDecoder::ByteLength(bit_width, count)));
  const BufferRef output = Output();
  bench::Measure(state, count, count * 2, [&] {
    auto decoder = BitPackedLevelDecoder::Open(&body, 0, bit_width, count).value();
    Check(decoder.Read(count, output->mutable_as<uint16_t>()));
  });
}
BENCHMARK(BitPackedLevels)->ArgName("width")->Arg(1)->Arg(3);

void Booleans(benchmark::State& state) {
  const int64_t count = kOutputBytes * 8;
  const Encoding encoding = state.range(0) == 0 ? Encoding::kPlain : Encoding::kRle;
  Bytes bytes;
  if (encoding == Encoding::kPlain) {
    bytes = RandomBytes(kOutputBytes);
  } else {
    const HybridCase made = RandomHybrid(Random(), 1, static_cast<size_t>(count));
    AppendInteger(bytes, made.bytes.size(), 4);
    Append(bytes, made.bytes);
  }
  PageBody body = BodyOf(bytes);
  const BufferRef output = Output();
  const std::vector<uint64_t> selection = Selection(count, state.range(1));
  bench::Measure(state, count, kOutputBytes, [&] {
    auto decoder =
        MakeValueDecoder(encoding, PhysicalType::kBoolean, 0, count, &body, nullptr).value();
    std::memset(output->mutable_data(), 0, kOutputBytes);
    uint64_t* const bits = output->mutable_as<uint64_t>();
    Check(state.range(1) == 1 ? decoder->ReadBits(count, bits, 0)
                              : decoder->SelectBits(count, selection.data(), bits, 0));
  });
}
BENCHMARK(Booleans)->ArgNames({"rle", "one_in"})->ArgsProduct({{0, 1}, {1, 2}});

void Alp(benchmark::State& state) {
  const int width = static_cast<int>(state.range(0));
  const int64_t count = kOutputBytes / width;
  constexpr int64_t kVector = 1024;
  constexpr int kBits = 20;
  Bytes bytes = {0, 0, 10};
  AppendInteger(bytes, static_cast<uint64_t>(count), 4);
  Bytes vectors;
  for (int64_t begin = 0; begin < count; begin += kVector) {
    AppendInteger(bytes, static_cast<uint64_t>(count / kVector * 4) + vectors.size(), 4);
    Append(vectors, {4, 2, 0, 0});  // Exponent 4, factor 2, no exceptions.
    AppendInteger(vectors, 1000, width);
    vectors.push_back(kBits);
    Append(vectors, RandomBytes(kVector * kBits / 8));
  }
  Append(bytes, vectors);
  ReadFixedPage(state, Encoding::kAlp, width == 4 ? PhysicalType::kFloat : PhysicalType::kDouble, 0,
                bytes, state.range(1));
}
BENCHMARK(Alp)->ArgNames({"width", "one_in"})->ArgsProduct({{4, 8}, {1, 50}});

}  // namespace

BENCHMARK_MAIN();
