// What the codecs' libraries take counts against the pool's budget, whatever a page says of itself.

#include <brotli/encode.h>
#include <gtest/gtest.h>
#include <lz4frame.h>
#include <malloc.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "format/parquet/codec/codec_families.h"
#include "format/parquet/decompressor.h"
#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::kDefaultLevel;
using parquet::MakeCodecContexts;
using parquet::MakeDecompressor;
using parquet::Projection;

constexpr int64_t kMebibyte = 1 << 20;
constexpr int64_t kSlack = 64 << 10;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHeapIsKnown = false;
#else
constexpr bool kHeapIsKnown = true;
#endif

/// Bytes of the heap that are handed out.
int64_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

/// Bytes that hardly repeat.
std::string Noise(size_t size) {
  std::string bytes(size, '\0');
  uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

std::string Lz4FrameOf(std::string_view plain, LZ4F_blockSizeID_t block_size) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = block_size;
  std::string out(LZ4F_compressFrameBound(plain.size(), &preferences), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), &preferences));
  return out;
}

/// One frame of one stored block, with a window of 2^31 bytes.
std::string ZstdFrameOfAHugeWindow(std::string_view plain) {
  std::string frame = Hex("28 b5 2f fd 00 a8");
  frame += LittleEndian(plain.size() << 3 | 1, 3);
  return frame + std::string(plain);
}

struct Framing {
  std::string name;
  Codec codec;
  std::string page;
  std::string plain;
};

std::vector<Framing> Framings() {
  const std::string plain = Noise(9 * kMebibyte);
  const std::string small = Noise(100'000);
  return {
      {"zstd", Codec::kZstd, Compress(Codec::kZstd, plain), plain},
      {"zstd, huge window", Codec::kZstd, ZstdFrameOfAHugeWindow(small), small},
      {"brotli", Codec::kBrotli, Compress(Codec::kBrotli, plain), plain},
      {"lz4 frame, 64 KiB", Codec::kLz4, Lz4FrameOf(plain, LZ4F_max64KB), plain},
      {"lz4 frame, 4 MiB", Codec::kLz4, Lz4FrameOf(plain, LZ4F_max4MB), plain},
      {"lz4 hadoop", Codec::kLz4, HadoopLz4({plain}), plain},
      {"gzip", Codec::kGzip, Compress(Codec::kGzip, plain), plain},
      {"snappy", Codec::kSnappy, Compress(Codec::kSnappy, plain), plain},
      {"lz4 raw", Codec::kLz4Raw, Compress(Codec::kLz4Raw, plain), plain},
  };
}

TEST(CodecMemory, PoolsCountWhatLibrariesTake) {
  if (!kHeapIsKnown) GTEST_SKIP() << "the sanitizer's heap tells nothing";
  for (const Framing& framing : Framings()) {
    SCOPED_TRACE(framing.name);
    const BufferRef input = PaddedBuffer(framing.page);
    std::string output(framing.plain.size(), '\0');
    const auto pool = BufferPool::Make();
    const auto contexts = MakeCodecContexts(pool);
    const int64_t heap_before = HeapBytes();
    const auto decompressor =
        MakeDecompressor(framing.codec, input->span(),
                         {reinterpret_cast<uint8_t*>(output.data()), output.size()}, contexts)
            .value();
    for (int64_t target = 1; target < static_cast<int64_t>(output.size()); target *= 3) {
      ASSERT_TRUE(decompressor->Advance(target).has_value());
      EXPECT_LE(HeapBytes() - heap_before, pool->bytes_in_use() + kSlack) << target;
    }
    ASSERT_TRUE(decompressor->Advance(INT64_MAX).has_value());
    EXPECT_LE(HeapBytes() - heap_before, pool->bytes_in_use() + kSlack);
    EXPECT_EQ(output, framing.plain);
  }
}

TEST(CodecMemory, BudgetsAreKept) {
  for (const Framing& framing : Framings()) {
    SCOPED_TRACE(framing.name);
    const BufferRef input = PaddedBuffer(framing.page);
    for (const int64_t budget : {int64_t{1000}, int64_t{16} << 10, int64_t{100} << 10, kMebibyte,
                                 4 * kMebibyte, 12 * kMebibyte, 64 * kMebibyte}) {
      const auto pool = BufferPool::Make(budget);
      std::string output(framing.plain.size(), '\0');
      const auto decompress = [&]() -> Status {
        auto made = MakeDecompressor(framing.codec, input->span(),
                                     {reinterpret_cast<uint8_t*>(output.data()), output.size()},
                                     MakeCodecContexts(pool));
        if (!made) return made.error();
        return (*made)->Advance(INT64_MAX).status();
      };
      const Status status = decompress();
      EXPECT_LE(pool->peak_bytes(), budget);
      EXPECT_EQ(pool->bytes_in_use(), 0);
      if (status.ok()) {
        EXPECT_EQ(output, framing.plain);
      } else {
        EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status.ToString();
      }
      EXPECT_TRUE(status.ok() || budget < 64 * kMebibyte) << status.ToString();
    }
  }
}

TEST(CodecMemory, AWindowThatAFrameClaimsIsNotAllocated) {
  const std::string plain = Noise(100'000);
  const std::string frame = ZstdFrameOfAHugeWindow(plain);
  const auto pool = BufferPool::Make(256 << 10);
  std::string output(plain.size(), '\0');
  const BufferRef input = PaddedBuffer(frame);
  const auto decompressor =
      MakeDecompressor(Codec::kZstd, input->span(),
                       {reinterpret_cast<uint8_t*>(output.data()), output.size()},
                       MakeCodecContexts(pool))
          .value();
  const auto available = decompressor->Advance(INT64_MAX);
  ASSERT_TRUE(available.has_value()) << available.status().ToString();
  EXPECT_EQ(output, plain);
}

TEST(CodecMemory, FewIdleStatesAreKept) {
  const std::string plain = Noise(300'000);
  for (const auto& [codec, page] : {std::pair(Codec::kZstd, Compress(Codec::kZstd, plain)),
                                    std::pair(Codec::kLz4, Lz4FrameOf(plain, LZ4F_max4MB))}) {
    SCOPED_TRACE(static_cast<int>(codec));
    const BufferRef input = PaddedBuffer(page);
    const auto pool = BufferPool::Make();
    const auto contexts = MakeCodecContexts(pool);
    std::vector<std::string> outputs(50, std::string(plain.size(), '\0'));
    std::vector<std::unique_ptr<parquet::Decompressor>> open;
    for (std::string& output : outputs) {
      open.push_back(MakeDecompressor(codec, input->span(),
                                      {reinterpret_cast<uint8_t*>(output.data()), output.size()},
                                      contexts)
                         .value());
      ASSERT_TRUE(open.back()->Advance(1).has_value());
    }
    const int64_t in_use = pool->bytes_in_use();
    open.clear();
    EXPECT_LE(pool->bytes_in_use(), in_use / 10);
    EXPECT_GT(pool->bytes_in_use(), 0);
  }
}

/// 200 columns of one page each, which is left open between batches.
TEST(CodecMemory, WideRowGroupsHoldFewStates) {
  constexpr int64_t kColumns = 200;
  constexpr int64_t kRows = 1000;
  FileSpec file;
  RowGroupSpec group{kRows, {}};
  for (int64_t i = 0; i < kColumns; ++i) {
    file.schema.push_back(Required("c" + std::to_string(i), PhysicalType::kInt64));
    group.chunks.push_back(
        Chunk({DataPage(Encoding::kPlain, kRows, Noise(8 * kRows))}, Codec::kZstd));
  }
  file.row_groups = {group};
  const std::string bytes = BuildFile(file).bytes;
  parquet::ReadOptions options;
  options.batch_rows = 7;
  // The pages, and a state of some 225 KiB for 33 of them.
  options.pool = BufferPool::Make(kColumns * (8 * kRows + 2048) + 33 * (240 << 10));
  const auto reader = OpenBytes(bytes, options).value();
  const auto cursor = reader->RowGroup(0, Projection::All(reader->tree())).value();
  const auto rows = ReadOn(*cursor);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, kRows);
}

TEST(CodecMemory, CompressedPagesHoldNoMoreThanTheirBytes) {
  const std::string plain(kMebibyte, 'x');
  const std::string noise = Noise(kMebibyte);
  for (const Codec codec : {Codec::kUncompressed, Codec::kSnappy, Codec::kGzip, Codec::kBrotli,
                            Codec::kZstd, Codec::kLz4Raw}) {
    SCOPED_TRACE(static_cast<int>(codec));
    for (const std::string& bytes : {plain, noise}) {
      const auto pool = BufferPool::Make();
      const BufferRef page =
          parquet::Compress(codec, kDefaultLevel,
                            {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, *pool)
              .value();
      EXPECT_LE(pool->bytes_in_use(), page->size() + page->size() / 4 + 256);
    }
  }
}

TEST(CodecMemory, CompressorsCountTheirStates) {
  const std::string plain = Noise(kMebibyte);
  const auto refused = [&](Codec codec, int level, int64_t budget) {
    const auto pool = BufferPool::Make(budget);
    const auto page = parquet::Compress(
        codec, level, {reinterpret_cast<const uint8_t*>(plain.data()), plain.size()}, *pool);
    EXPECT_LE(pool->peak_bytes(), budget);
    return page.status().code() == StatusCode::kResourceExhausted;
  };
  struct Case {
    Codec codec;
    int level;
    int64_t least;  ///< What the library takes, less than that.
  };
  for (const Case& c : {Case{Codec::kZstd, 19, 8 * kMebibyte}, Case{Codec::kZstd, 3, kMebibyte},
                        Case{Codec::kGzip, 6, 600'000}, Case{Codec::kGzip, 12, 9'000'000},
                        Case{Codec::kLz4Raw, 9, 250'000}}) {
    SCOPED_TRACE(static_cast<int>(c.codec));
    EXPECT_TRUE(refused(c.codec, c.level, c.least + kMebibyte));
    EXPECT_FALSE(refused(c.codec, c.level, 2 * c.least + 4 * kMebibyte));
  }
}

/// Counts what the encoder takes.
struct CountingHeap {
  int64_t held = 0;
  int64_t peak = 0;

  static void* Allocate(void* heap, size_t size) {
    auto* self = static_cast<CountingHeap*>(heap);
    auto* place = static_cast<int64_t*>(std::malloc(size + 16));
    place[0] = static_cast<int64_t>(size);
    self->held += place[0];
    self->peak = std::max(self->peak, self->held);
    return place + 2;
  }
  static void Free(void* heap, void* address) {
    if (address == nullptr) return;
    auto* place = static_cast<int64_t*>(address) - 2;
    static_cast<CountingHeap*>(heap)->held -= place[0];
    std::free(place);
  }
};

TEST(CodecMemory, TheBoundOfBrotliCompressorsHolds) {
  for (int level = BROTLI_MIN_QUALITY; level <= BROTLI_MAX_QUALITY; ++level) {
    for (const size_t size : {0, 100, 5000, 60'000, 70'000, 300'000, 1'500'000}) {
      if (size > 1'000'000 && level > 9) continue;  // Slow.
      for (const std::string& plain : {Noise(size), std::string(size, 'x')}) {
        SCOPED_TRACE("level " + std::to_string(level) + ", bytes " + std::to_string(size));
        const auto pool = BufferPool::Make();
        ASSERT_TRUE(parquet::Compress(Codec::kBrotli, level,
                                      {reinterpret_cast<const uint8_t*>(plain.data()), size}, *pool)
                        .has_value());
        CountingHeap heap;
        BrotliEncoderState* encoder =
            BrotliEncoderCreateInstance(CountingHeap::Allocate, CountingHeap::Free, &heap);
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, static_cast<uint32_t>(level));
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_SIZE_HINT, static_cast<uint32_t>(size));
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN,
                                  static_cast<uint32_t>(parquet::BrotliWindowBits(size)));
        std::string out(size * 2 + 2048, '\0');
        size_t in_left = size;
        const auto* in = reinterpret_cast<const uint8_t*>(plain.data());
        size_t out_left = out.size();
        auto* next = reinterpret_cast<uint8_t*>(out.data());
        ASSERT_TRUE(BrotliEncoderCompressStream(encoder, BROTLI_OPERATION_FINISH, &in_left, &in,
                                                &out_left, &next, nullptr));
        BrotliEncoderDestroyInstance(encoder);
        EXPECT_LE(heap.peak, pool->peak_bytes() - static_cast<int64_t>(size));
      }
    }
  }
}

}  // namespace
}  // namespace sluice::support
