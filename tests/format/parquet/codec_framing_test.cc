// What single codecs make of their framings: blocks, members, frames, and their checksums.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/format/parquet/compressed_pages.h"

namespace sluice::parquet {
namespace {

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

}  // namespace
}  // namespace sluice::parquet
