#include "format/parquet/encoding/bit_packed_levels.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

TEST(BitPackedLevels, MostSignificantBitFirst) {
  // fault E14: 1 0 1 1 0 0 1 0 of one bit.
  PageBody body = BodyOf({0xb2});
  BitPackedLevelDecoder decoder = BitPackedLevelDecoder::Open(&body, 0, 1, 8).value();
  uint16_t levels[64];
  ASSERT_TRUE(decoder.Read(8, levels).ok());
  EXPECT_EQ(std::vector<int>(levels, levels + 8), (std::vector<int>{1, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(decoder.Read(1, levels).code(), StatusCode::kInvalidArgument);
}

TEST(BitPackedLevels, SpecificationExample) {
  PageBody body = BodyOf({0xee, 0x05, 0x39, 0x77});
  BitPackedLevelDecoder decoder = BitPackedLevelDecoder::Open(&body, 1, 3, 8).value();
  uint16_t levels[64];
  ASSERT_TRUE(decoder.Read(8, levels).ok());
  EXPECT_EQ(std::vector<int>(levels, levels + 8), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(BitPackedLevels, SizesAreChecked) {
  PageBody body = BodyOf({0x05, 0x39, 0x77});
  EXPECT_EQ(BitPackedLevelDecoder::ByteLength(3, 8), 3);
  EXPECT_EQ(BitPackedLevelDecoder::ByteLength(3, 9), 4);
  EXPECT_EQ(BitPackedLevelDecoder::Open(&body, 0, 3, 9).error().code(), StatusCode::kCorruption);
  EXPECT_EQ(BitPackedLevelDecoder::Open(&body, 1, 3, 8).error().code(), StatusCode::kCorruption);
  EXPECT_EQ(BitPackedLevelDecoder::Open(&body, 0, 17, 1).error().code(), StatusCode::kCorruption);
  EXPECT_EQ(BitPackedLevelDecoder::Open(&body, 0, 16, INT64_MAX).error().code(),
            StatusCode::kCorruption);
}

TEST(BitPackedLevels, EveryWidthReadAndSkipped) {
  std::mt19937_64 random(1);
  for (int bit_width = 0; bit_width <= 16; ++bit_width) {
    std::vector<uint16_t> expected(500);
    Bytes bytes;
    int64_t bit = 0;
    for (uint16_t& level : expected) {
      level = static_cast<uint16_t>(random() & LowBits(bit_width));
      for (int i = bit_width - 1; i >= 0; --i, ++bit) {
        if (bit % 8 == 0) bytes.push_back(0);
        if (level >> i & 1) bytes.back() |= static_cast<uint8_t>(0x80 >> (bit % 8));
      }
    }
    PageBody body = DrippingBodyOf(bytes, 3);
    BitPackedLevelDecoder decoder = BitPackedLevelDecoder::Open(&body, 0, bit_width, 500).value();
    uint16_t levels[100];
    for (int64_t at = 0; at < 500;) {
      const int64_t count = std::min<int64_t>(500 - at, 1 + random() % 20);
      if (random() % 3 == 0) {
        ASSERT_TRUE(decoder.Skip(count).ok());
      } else {
        ASSERT_TRUE(decoder.Read(count, levels).ok());
        for (int64_t i = 0; i < count; ++i) ASSERT_EQ(levels[i], expected[at + i]) << bit_width;
      }
      at += count;
    }
  }
}

}  // namespace
}  // namespace sluice
