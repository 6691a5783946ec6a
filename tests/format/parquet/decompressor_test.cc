#include "format/parquet/decompressor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/format/parquet/compressed_pages.h"

namespace sluice::parquet {
namespace {

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

// A page that is advanced in steps is the page.
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

TEST(MakeDecompressor, NamesWhatItLacks) {
  const auto lzo = MakeDecompressor(Codec::kLzo, {}, {});
  EXPECT_EQ(lzo.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(lzo.status().message().find("LZO"), std::string::npos);
  const auto unknown = MakeDecompressor(static_cast<Codec>(99), {}, {});
  EXPECT_EQ(unknown.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(unknown.status().message().find("99"), std::string::npos);
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
