#include "format/parquet/decompressor.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace sluice::parquet {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr Codec kWrittenCodecs[] = {Codec::kUncompressed, Codec::kSnappy, Codec::kGzip,
                                    Codec::kBrotli,       Codec::kZstd,   Codec::kLz4Raw};

Bytes BytesOf(std::string_view text) { return Bytes(text.begin(), text.end()); }

Bytes Concatenate(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes BigEndian(uint32_t value) {
  return {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
          static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

// Numbers that repeat here and there: some of everything that a codec can do.
Bytes Compressible(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes;
  bytes.reserve(size + 300);
  while (bytes.size() < size) {
    const size_t run = random() % 300;
    switch (random() % 4) {
      case 0:
        bytes.insert(bytes.end(), run, static_cast<uint8_t>(random()));
        break;
      case 1:
        for (size_t i = 0; i < run; ++i) bytes.push_back(static_cast<uint8_t>(random()));
        break;
      case 2:
        for (size_t i = 0; i < run; ++i) bytes.push_back(static_cast<uint8_t>("lineitem"[i % 8]));
        break;
      default: {
        if (bytes.empty()) break;
        const size_t from = random() % bytes.size();
        for (size_t i = 0; i < run; ++i) bytes.push_back(bytes[from + i % (bytes.size() - from)]);
      }
    }
  }
  bytes.resize(size);
  return bytes;
}

Bytes Random(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// `input` with the padding that decompressors may read, and not a byte more of the heap.
class Padded {
 public:
  explicit Padded(const Bytes& bytes) : bytes_(bytes.size() + kReadPadding), size_(bytes.size()) {
    if (!bytes.empty()) std::memcpy(bytes_.data(), bytes.data(), bytes.size());
  }
  std::span<const uint8_t> span() const { return {bytes_.data(), size_}; }

 private:
  Bytes bytes_;
  size_t size_;
};

constexpr uint8_t kFence = 0xA5;
constexpr size_t kFenceBytes = 64;

// Decompresses to `declared` bytes by asking for `targets` in turn, then for everything. Checks on
// the way that bytes given once stay as they are and that nothing after the output is touched.
Result<Bytes> DecompressInSteps(Codec codec, const Bytes& input, size_t declared,
                                const std::vector<int64_t>& targets,
                                std::shared_ptr<CodecContexts> contexts = nullptr) {
  const Padded padded(input);
  Bytes output(declared + kFenceBytes, kFence);
  auto made = MakeDecompressor(codec, padded.span(), {output.data(), declared}, contexts);
  if (!made.has_value()) return std::move(made).error();
  Bytes given;
  Status error;
  for (size_t i = 0; i <= targets.size() && error.ok(); ++i) {
    const int64_t target = i < targets.size() ? targets[i] : static_cast<int64_t>(declared);
    auto available = (*made)->Advance(target);
    EXPECT_TRUE(std::equal(given.begin(), given.end(), output.begin()));
    if (!available.has_value()) {
      error = std::move(available).error();
      EXPECT_EQ((*made)->Advance(target).status().ToString(), error.ToString());
      break;
    }
    EXPECT_GE(*available, std::min<int64_t>(target, static_cast<int64_t>(declared)));
    EXPECT_LE(*available, static_cast<int64_t>(declared));
    given.assign(output.begin(), output.begin() + *available);
  }
  for (size_t i = declared; i < output.size(); ++i) EXPECT_EQ(output[i], kFence) << i;
  if (!error.ok()) return error;
  output.resize(declared);
  return output;
}

Result<Bytes> Decompress(Codec codec, const Bytes& input, size_t declared) {
  return DecompressInSteps(codec, input, declared, {});
}

StatusCode CodeOf(const Result<Bytes>& result) { return result.status().code(); }

Bytes Compressed(Codec codec, const Bytes& input, int level = kDefaultLevel) {
  const auto pool = BufferPool::Make();
  const BufferRef buffer = Compress(codec, level, input, *pool).value();
  return Bytes(buffer->data(), buffer->data() + buffer->size());
}

Bytes Lz4Block(const Bytes& input) { return Compressed(Codec::kLz4Raw, input); }

Bytes HadoopBlock(uint32_t output_size, std::initializer_list<Bytes> lz4_blocks) {
  Bytes all = BigEndian(output_size);
  for (const Bytes& block : lz4_blocks) {
    all = Concatenate({all, BigEndian(static_cast<uint32_t>(block.size())), block});
  }
  return all;
}

Bytes Lz4Frame(const Bytes& input, LZ4F_blockSizeID_t block_size = LZ4F_max64KB,
               LZ4F_blockMode_t mode = LZ4F_blockLinked) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = block_size;
  preferences.frameInfo.blockMode = mode;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  Bytes out(LZ4F_compressFrameBound(input.size(), &preferences));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), input.data(), input.size(), &preferences));
  return out;
}

Bytes ZstdFrame(const Bytes& input, bool content_size, bool checksum = false, int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content_size);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  if (window_log != 0) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  Bytes out(ZSTD_compressBound(input.size()));
  out.resize(ZSTD_compress2(context, out.data(), out.size(), input.data(), input.size()));
  ZSTD_freeCCtx(context);
  return out;
}

Bytes Part(const Bytes& bytes, size_t begin, size_t end) {
  return Bytes(bytes.begin() + static_cast<int64_t>(begin),
               bytes.begin() + static_cast<int64_t>(end));
}

// One page of every framing of every codec that decodes to `plain`.
struct Sample {
  std::string name;
  Codec codec;
  Bytes page;
};

std::vector<Sample> SamplesOf(const Bytes& plain) {
  std::vector<Sample> samples;
  for (Codec codec : kWrittenCodecs) {
    samples.push_back(
        {"codec " + std::to_string(static_cast<int>(codec)), codec, Compressed(codec, plain)});
  }
  const size_t half = plain.size() / 2;
  const Bytes front = Part(plain, 0, half);
  const Bytes back = Part(plain, half, plain.size());
  const auto size = static_cast<uint32_t>(plain.size());
  const auto front_size = static_cast<uint32_t>(front.size());
  const auto back_size = static_cast<uint32_t>(back.size());
  samples.push_back(
      {"gzip members", Codec::kGzip,
       Concatenate({Compressed(Codec::kGzip, front), Compressed(Codec::kGzip, back)})});
  samples.push_back({"zstd frames", Codec::kZstd,
                     Concatenate({ZstdFrame(front, false, true), ZstdFrame(back, true)})});
  samples.push_back({"lz4 hadoop, one block", Codec::kLz4, HadoopBlock(size, {Lz4Block(plain)})});
  samples.push_back({"lz4 hadoop, two blocks", Codec::kLz4,
                     Concatenate({HadoopBlock(front_size, {Lz4Block(front)}),
                                  HadoopBlock(back_size, {Lz4Block(back)})})});
  samples.push_back({"lz4 hadoop, two chunks", Codec::kLz4,
                     HadoopBlock(size, {Lz4Block(front), Lz4Block(back)})});
  samples.push_back({"lz4 frame", Codec::kLz4, Lz4Frame(plain)});
  samples.push_back(
      {"lz4 frames", Codec::kLz4,
       Concatenate({Lz4Frame(front, LZ4F_max256KB, LZ4F_blockIndependent), Lz4Frame(back)})});
  samples.push_back({"lz4 bare", Codec::kLz4, Lz4Block(plain)});
  return samples;
}

TEST(Decompressor, GivesWhatWasCompressed) {
  const std::vector<Bytes> inputs = {
      {7},
      BytesOf("a page"),
      Bytes(100000, 0),
      Compressible(1000, 1),
      Compressible(3'000'000, 2),
      Random(5000, 3),
      Random(1'000'000, 4),
  };
  for (const Bytes& plain : inputs) {
    for (const Sample& sample : SamplesOf(plain)) {
      if (plain.size() < 2 && sample.name.find("chunks") != std::string::npos) continue;
      SCOPED_TRACE(sample.name + ", bytes: " + std::to_string(plain.size()));
      const auto result = Decompress(sample.codec, sample.page, plain.size());
      ASSERT_TRUE(result.has_value()) << result.status().ToString();
      EXPECT_TRUE(*result == plain);
    }
  }
}

TEST(Decompressor, EmptyPages) {
  for (Codec codec : kWrittenCodecs) {
    SCOPED_TRACE(static_cast<int>(codec));
    EXPECT_EQ(Decompress(codec, Compressed(codec, {}), 0).value(), Bytes{});
    // A V2 page without values may have no bytes at all.
    EXPECT_EQ(Decompress(codec, {}, 0).value(), Bytes{});
    EXPECT_EQ(CodeOf(Decompress(codec, {}, 1)), StatusCode::kCorruption);
  }
  for (const Bytes& page : {Bytes{}, Bytes{0}, BigEndian(0), HadoopBlock(0, {{0}}), Lz4Frame({})}) {
    EXPECT_EQ(Decompress(Codec::kLz4, page, 0).value(), Bytes{});
    EXPECT_EQ(CodeOf(Decompress(Codec::kLz4, page, 1)), StatusCode::kCorruption);
  }
}

// contract V-05: a page that is advanced in steps is the page.
TEST(Decompressor, StepsGiveTheSameAsTheWhole) {
  std::mt19937 random(5);
  for (size_t size : {100, 70'000, 1'500'000}) {
    const Bytes plain = Compressible(size, static_cast<uint32_t>(size));
    for (const Sample& sample : SamplesOf(plain)) {
      for (int round = 0; round < 10; ++round) {
        std::vector<int64_t> targets;
        for (size_t at = 0; at < size; at += 1 + random() % (round < 5 ? size : size / 10 + 1)) {
          targets.push_back(static_cast<int64_t>(at));
        }
        SCOPED_TRACE(sample.name + ", bytes: " + std::to_string(size));
        const auto result = DecompressInSteps(sample.codec, sample.page, size, targets);
        ASSERT_TRUE(result.has_value()) << result.status().ToString();
        ASSERT_TRUE(*result == plain);
      }
    }
  }
}

TEST(Decompressor, StreamingStopsEarly) {
  const Bytes plain = Compressible(4'000'000, 6);
  for (const Sample& sample : SamplesOf(plain)) {
    if (sample.codec == Codec::kBrotli) continue;  // Runs ahead by its window.
    SCOPED_TRACE(sample.name);
    const Padded padded(sample.page);
    Bytes output(plain.size());
    const auto decompressor =
        MakeDecompressor(sample.codec, padded.span(), {output.data(), output.size()}).value();
    const int64_t available = decompressor->Advance(1000).value();
    const bool is_all_or_nothing = sample.codec == Codec::kGzip || sample.codec == Codec::kSnappy ||
                                   sample.name == "lz4 hadoop, one block";
    if (!is_all_or_nothing) {
      EXPECT_LE(available, static_cast<int64_t>(plain.size() / 2));
    } else {
      EXPECT_EQ(available, static_cast<int64_t>(plain.size()));
    }
  }
}

// fault C5: no byte outside the buffer is written, and the size must be met exactly.
TEST(Decompressor, DeclaredSizeIsExact) {
  const Bytes plain = Compressible(1024, 7);
  for (const Sample& sample : SamplesOf(plain)) {
    SCOPED_TRACE(sample.name);
    for (size_t declared : {0, 1, 8, 511, 512, 513, 1000, 1023, 1025, 1100, 100'000}) {
      const auto whole = Decompress(sample.codec, sample.page, declared);
      EXPECT_EQ(CodeOf(whole), StatusCode::kCorruption) << declared;
      const auto stepped = DecompressInSteps(sample.codec, sample.page, declared, {1, 100, 600});
      EXPECT_EQ(CodeOf(stepped), StatusCode::kCorruption) << declared;
    }
  }
}

TEST(Decompressor, BytesAfterTheEndAreAnError) {
  const Bytes plain = Compressible(1024, 8);
  for (const Sample& sample : SamplesOf(plain)) {
    SCOPED_TRACE(sample.name);
    for (const Bytes& extra : {Bytes{0}, Bytes{1, 2, 3}, Bytes(40, 0), Bytes(40, 0xFF)}) {
      // A Hadoop block of nothing is legal, so zero words may follow.
      if (sample.name.starts_with("lz4 hadoop") && extra == Bytes(40, 0)) continue;
      const auto result = Decompress(sample.codec, Concatenate({sample.page, extra}), plain.size());
      EXPECT_EQ(CodeOf(result), StatusCode::kCorruption) << extra.size();
    }
  }
}

TEST(Decompressor, TruncationIsAnErrorAtEveryByte) {
  const Bytes plain = Compressible(700, 9);
  for (const Sample& sample : SamplesOf(plain)) {
    SCOPED_TRACE(sample.name);
    for (size_t size = 0; size < sample.page.size(); ++size) {
      const Bytes cut = Part(sample.page, 0, size);
      EXPECT_EQ(CodeOf(Decompress(sample.codec, cut, plain.size())), StatusCode::kCorruption)
          << size;
      const auto stepped = DecompressInSteps(sample.codec, cut, plain.size(), {10, 350});
      EXPECT_EQ(CodeOf(stepped), StatusCode::kCorruption) << size;
    }
  }
}

// Any answer will do that keeps inside its buffers; the sanitizers and the fence watch.
TEST(Decompressor, SurvivesMutations) {
  const auto contexts = MakeCodecContexts(BufferPool::Make());
  std::mt19937 random(10);
  const Bytes plain = Compressible(2000, 11);
  for (const Sample& sample : SamplesOf(plain)) {
    SCOPED_TRACE(sample.name);
    for (int round = 0; round < 2000; ++round) {
      Bytes page = sample.page;
      for (size_t flips = 1 + random() % 4; flips > 0; --flips) {
        page[random() % page.size()] ^= static_cast<uint8_t>(1 << random() % 8);
      }
      if (random() % 4 == 0) page.resize(random() % page.size());
      const size_t declared = random() % 4 == 0 ? random() % 4000 : plain.size();
      std::vector<int64_t> targets;
      if (random() % 2 == 0) targets = {static_cast<int64_t>(random() % 2000)};
      const auto result = DecompressInSteps(sample.codec, page, declared, targets, contexts);
      if (!result.has_value()) {
        ASSERT_EQ(CodeOf(result), StatusCode::kCorruption) << result.status().ToString();
      }
    }
  }
}

TEST(Decompressor, ContextsServeOnePageAfterTheOther) {
  const auto contexts = MakeCodecContexts(BufferPool::Make());
  const Bytes plain = Compressible(300'000, 12);
  const std::vector<Sample> samples = SamplesOf(plain);
  for (int round = 0; round < 3; ++round) {
    for (const Sample& sample : samples) {
      // One that is left in the middle must not trouble the next.
      const Padded padded(sample.page);
      Bytes output(plain.size());
      const auto left =
          MakeDecompressor(sample.codec, padded.span(), {output.data(), output.size()}, contexts)
              .value();
      ASSERT_TRUE(left->Advance(1).has_value());
      const auto result =
          DecompressInSteps(sample.codec, sample.page, plain.size(), {5000}, contexts);
      ASSERT_TRUE(result.has_value()) << sample.name << ": " << result.status().ToString();
      EXPECT_TRUE(*result == plain);
    }
  }
}

// fault C1: the same page as Hadoop-framed LZ4, as a raw block, and as LZ4_RAW.
TEST(Lz4, FramingsAreToldApart) {
  const Bytes plain = BytesOf("the same page in every framing, the same page in every framing");
  const Bytes block = Lz4Block(plain);
  const Bytes hadoop = HadoopBlock(static_cast<uint32_t>(plain.size()), {block});
  EXPECT_EQ(Decompress(Codec::kLz4, hadoop, plain.size()).value(), plain);
  EXPECT_EQ(Decompress(Codec::kLz4, block, plain.size()).value(), plain);
  EXPECT_EQ(Decompress(Codec::kLz4, Lz4Frame(plain), plain.size()).value(), plain);
  EXPECT_EQ(Decompress(Codec::kLz4Raw, block, plain.size()).value(), plain);
  // LZ4_RAW is always a bare block.
  EXPECT_EQ(CodeOf(Decompress(Codec::kLz4Raw, hadoop, plain.size())), StatusCode::kCorruption);
  EXPECT_EQ(CodeOf(Decompress(Codec::kLz4Raw, Lz4Frame(plain), plain.size())),
            StatusCode::kCorruption);
}

TEST(Lz4, HadoopSizesMustAddUp) {
  const Bytes plain = Compressible(500, 13);
  const Bytes block = Lz4Block(plain);
  for (uint32_t wrong : {1u, 499u, 501u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    EXPECT_EQ(CodeOf(Decompress(Codec::kLz4, HadoopBlock(wrong, {block}), 500)),
              StatusCode::kCorruption);
    EXPECT_EQ(CodeOf(Decompress(Codec::kLz4, Concatenate({BigEndian(500), BigEndian(wrong), block}),
                                500)),
              StatusCode::kCorruption);
  }
  // An LZ4 block without output would never end its Hadoop block.
  EXPECT_EQ(CodeOf(Decompress(Codec::kLz4, HadoopBlock(500, {{0}, block}), 500)),
            StatusCode::kCorruption);
}

// Pages this large are the only ones whose first byte does not tell Hadoop from a bare block.
TEST(Lz4, HadoopAndBareBlocksOf256MiB) {
  constexpr size_t kFront = 0x10000000;
  constexpr size_t kBack = 5;
  const Bytes whole = Lz4Block(Bytes(kFront + kBack, 'x'));
  const Bytes front = Lz4Block(Bytes(kFront, 'x'));
  const Bytes back = Lz4Block(Bytes(kBack, 'x'));
  Bytes output(kFront + kBack);
  for (const Bytes& page :
       {whole, HadoopBlock(kFront + kBack, {whole}), HadoopBlock(kFront + kBack, {front, back}),
        Concatenate({HadoopBlock(kFront, {front}), HadoopBlock(kBack, {back})})}) {
    const Padded padded(page);
    std::memset(output.data(), 0, output.size());
    const auto decompressor = MakeDecompressor(Codec::kLz4, padded.span(), output).value();
    EXPECT_EQ(decompressor->Advance(INT64_MAX).value(), static_cast<int64_t>(output.size()));
    // Every byte is 'x': the first is, and each is as the one before it.
    EXPECT_EQ(output[0], 'x');
    EXPECT_EQ(0, std::memcmp(output.data(), output.data() + 1, output.size() - 1));
  }
}

// The decoder that stops early must repeat bytes as the library does, whatever the offset.
TEST(Lz4, EarlyStopRepeatsShortOffsets) {
  for (int offset = 1; offset <= 40; ++offset) {
    Bytes plain;
    for (int i = 0; i < 5000; ++i) plain.push_back(static_cast<uint8_t>(i % offset));
    const Bytes tail = Random(4000, static_cast<uint32_t>(offset));
    plain.insert(plain.end(), tail.begin(), tail.end());
    const auto result =
        DecompressInSteps(Codec::kLz4Raw, Lz4Block(plain), plain.size(), {10, 3000, 6000});
    ASSERT_TRUE(result.has_value()) << result.status().ToString();
    EXPECT_TRUE(*result == plain) << offset;
  }
}

// The library takes it for zeros; the format says that such a block is corrupted.
TEST(Lz4, DistanceOfZeroIsRefused) {
  Bytes page = {0x4F, 'a', 'b', 'c', 'd', 0, 0, 60};
  page.insert(page.end(), {0x50, 'v', 'w', 'x', 'y', 'z'});
  constexpr size_t kSize = 4 + 4 + 15 + 60 + 5;
  Bytes good = page;
  good[5] = 4;
  Bytes hadoop = HadoopBlock(kSize, {page});
  Bytes good_hadoop = HadoopBlock(kSize, {good});
  for (const std::vector<int64_t>& targets : {std::vector<int64_t>{}, std::vector<int64_t>{6}}) {
    EXPECT_TRUE(DecompressInSteps(Codec::kLz4Raw, good, kSize, targets).has_value());
    EXPECT_EQ(CodeOf(DecompressInSteps(Codec::kLz4Raw, page, kSize, targets)),
              StatusCode::kCorruption);
    EXPECT_EQ(CodeOf(DecompressInSteps(Codec::kLz4, page, kSize, targets)),
              StatusCode::kCorruption);
    EXPECT_TRUE(DecompressInSteps(Codec::kLz4, good_hadoop, kSize, targets).has_value());
    EXPECT_EQ(CodeOf(DecompressInSteps(Codec::kLz4, hadoop, kSize, targets)),
              StatusCode::kCorruption);
  }
}

TEST(Lz4, BlockMustEndInLiterals) {
  // One literal, then 99 times the same byte, and no last sequence.
  const Bytes page = {0x1F, 'x', 1, 0, 80};
  for (const std::vector<int64_t>& targets : {std::vector<int64_t>{}, std::vector<int64_t>{10}}) {
    EXPECT_EQ(CodeOf(DecompressInSteps(Codec::kLz4Raw, page, 100, targets)),
              StatusCode::kCorruption);
  }
}

// fault C3: 513 UINT64 values in one page stored as two gzip members.
TEST(Gzip, SeveralMembers) {
  const Bytes plain = Compressible(513 * 8, 14);
  const Bytes page =
      Concatenate({Compressed(Codec::kGzip, Part(plain, 0, 4096)), Compressed(Codec::kGzip, {}),
                   Compressed(Codec::kGzip, Part(plain, 4096, plain.size()))});
  EXPECT_EQ(Decompress(Codec::kGzip, page, plain.size()).value(), plain);
  // The first member alone leaves the page short.
  EXPECT_EQ(CodeOf(Decompress(Codec::kGzip, Compressed(Codec::kGzip, Part(plain, 0, 4096)),
                              plain.size())),
            StatusCode::kCorruption);
}

TEST(Gzip, ChecksItsOwnChecksum) {
  const Bytes plain = Compressible(500, 15);
  Bytes page = Compressed(Codec::kGzip, plain);
  page[page.size() - 6] ^= 1;
  EXPECT_EQ(CodeOf(Decompress(Codec::kGzip, page, plain.size())), StatusCode::kCorruption);
}

// fault C4: several frames, one without a content size, and skippable ones.
TEST(Zstd, SeveralFrames) {
  const Bytes plain = Compressible(400'000, 16);
  const Bytes skippable = {0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 9, 9, 9};
  const Bytes page =
      Concatenate({skippable, ZstdFrame(Part(plain, 0, 150'000), false), ZstdFrame({}, true),
                   skippable, ZstdFrame(Part(plain, 150'000, 400'000), true, true), skippable});
  EXPECT_TRUE(Decompress(Codec::kZstd, page, plain.size()).value() == plain);
  EXPECT_TRUE(DecompressInSteps(Codec::kZstd, page, plain.size(), {1, 150'000, 150'001}).value() ==
              plain);
}

TEST(Zstd, ChecksItsOwnChecksumAtTheEnd) {
  const Bytes plain = Compressible(500, 17);
  Bytes page = ZstdFrame(plain, true, true);
  page.back() ^= 1;
  EXPECT_EQ(CodeOf(Decompress(Codec::kZstd, page, plain.size())), StatusCode::kCorruption);
}

TEST(Zstd, WindowLargerThanThePage) {
  const Bytes plain = Compressible(5000, 18);
  // No content size, so that the window is not cut down to it: 2 GiB are claimed, not taken.
  EXPECT_EQ(Decompress(Codec::kZstd, ZstdFrame(plain, false, false, 27), plain.size()).value(),
            plain);
  const Bytes claims_two_gib = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x09, 0x00, 0x00, 'x'};
  EXPECT_EQ(Decompress(Codec::kZstd, claims_two_gib, 1).value(), BytesOf("x"));
}

TEST(MakeDecompressor, NamesWhatItLacks) {
  const auto lzo = MakeDecompressor(Codec::kLzo, {}, {});
  EXPECT_EQ(lzo.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(lzo.status().message().find("LZO"), std::string::npos);
  const auto unknown = MakeDecompressor(static_cast<Codec>(99), {}, {});
  EXPECT_EQ(unknown.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(unknown.status().message().find("99"), std::string::npos);
}

TEST(Compress, ChecksLevels) {
  const auto pool = BufferPool::Make();
  const Bytes plain = Compressible(3000, 19);
  const struct {
    Codec codec;
    std::vector<int> good;
    std::vector<int> bad;
  } cases[] = {
      {Codec::kUncompressed, {}, {0, 1}},
      {Codec::kSnappy, {}, {0, 1}},
      {Codec::kGzip, {0, 1, 6, 9, 12}, {-1, 13}},
      {Codec::kBrotli, {0, 1, 5, 11}, {-1, 12}},
      {Codec::kZstd, {-5, 1, 3, 22}, {23, INT32_MIN + 1}},
      {Codec::kLz4Raw, {1, 2, 3, 12}, {0, 13}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.codec));
    for (int level : c.good) {
      EXPECT_EQ(Decompress(c.codec, Compressed(c.codec, plain, level), plain.size()).value(), plain)
          << level;
    }
    for (int level : c.bad) {
      EXPECT_EQ(Compress(c.codec, level, plain, *pool).status().code(),
                StatusCode::kInvalidArgument)
          << level;
    }
  }
  for (Codec codec : {Codec::kLz4, Codec::kLzo, static_cast<Codec>(99)}) {
    EXPECT_EQ(Compress(codec, kDefaultLevel, plain, *pool).status().code(),
              StatusCode::kUnsupported);
  }
}

TEST(Compress, KeepsTheBudget) {
  const auto pool = BufferPool::Make(1000);
  EXPECT_EQ(Compress(Codec::kZstd, kDefaultLevel, Bytes(10'000), *pool).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(Crc32, IsThatOfGzip) {
  const Bytes check = BytesOf("123456789");
  EXPECT_EQ(Crc32(0, check), 0xCBF43926u);
  EXPECT_EQ(Crc32(Crc32(0, Part(check, 0, 4)), Part(check, 4, 9)), 0xCBF43926u);
  EXPECT_EQ(Crc32(0, {}), 0u);
  EXPECT_EQ(Crc32(0xCBF43926u, {}), 0xCBF43926u);
}

TEST(PageBody, ExtendsBehindItsLevels) {
  const auto pool = BufferPool::Make();
  const Bytes plain = Compressible(500'000, 20);
  const BufferRef input = Compress(Codec::kZstd, kDefaultLevel, plain, *pool).value();
  const BufferRef output = pool->Allocate(static_cast<int64_t>(plain.size())).value();
  auto decompressor =
      MakeDecompressor(Codec::kZstd, input->span(), {output->mutable_data(), plain.size()}).value();
  const int64_t offset = 1000;
  const int64_t size = static_cast<int64_t>(plain.size()) - offset;
  const int64_t there = decompressor->Advance(offset).value();
  PageBody body(output, offset, size, there - offset, std::move(decompressor), input);
  ASSERT_TRUE(body.Require(200'000).ok());
  EXPECT_GE(body.available(), 200'000);
  EXPECT_LT(body.available(), size);
  EXPECT_EQ(0, std::memcmp(body.data(), plain.data() + offset, 200'000));
  ASSERT_TRUE(body.RequireAll().ok());
  EXPECT_EQ(body.available(), size);
  EXPECT_EQ(0, std::memcmp(body.data(), plain.data() + offset, static_cast<size_t>(size)));
  // The page's input is let go once it is not needed.
  EXPECT_EQ(input.use_count(), 1);
}

}  // namespace
}  // namespace sluice::parquet
