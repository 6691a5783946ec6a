#include <gtest/gtest.h>
#include <sluice/bitmap.h>

#include <random>
#include <vector>

namespace sluice {
namespace {

std::vector<uint64_t> RandomWords(size_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> words(count);
  for (uint64_t& word : words) word = random();
  return words;
}

TEST(Bitmap, SizesAreWholeWords) {
  EXPECT_EQ(BitmapWords(0), 0);
  EXPECT_EQ(BitmapWords(1), 1);
  EXPECT_EQ(BitmapWords(64), 1);
  EXPECT_EQ(BitmapWords(65), 2);
  EXPECT_EQ(BitmapBytes(65), 16);
  EXPECT_EQ(LowBits(0), 0u);
  EXPECT_EQ(LowBits(3), 7u);
  EXPECT_EQ(LowBits(64), ~uint64_t{0});
}

TEST(Bitmap, BitsAreSetAndCleared) {
  std::vector<uint64_t> words(2);
  SetBit(words.data(), 0);
  SetBit(words.data(), 64);
  SetBit(words.data(), 127);
  EXPECT_EQ(words[0], 1u);
  EXPECT_EQ(words[1], uint64_t{1} << 63 | 1);
  EXPECT_TRUE(GetBit(words.data(), 127));
  EXPECT_FALSE(GetBit(words.data(), 126));
  ClearBit(words.data(), 127);
  EXPECT_EQ(words[1], 1u);
}

// Exactly as many words as the bits need: the sanitizers see a read past them.
TEST(Bitmap, CountsAndLoadsAnyRange) {
  const std::vector<uint64_t> words = RandomWords(3, 1);
  for (int64_t begin = 0; begin <= 192; ++begin) {
    int64_t count = 0;
    uint64_t bits = 0;
    EXPECT_EQ(CountBits(words.data(), begin, 0), 0);
    EXPECT_EQ(CountBits(words.data(), begin, -5), 0);
    for (int64_t length = 1; begin + length <= 192; ++length) {
      const bool bit = GetBit(words.data(), begin + length - 1);
      count += bit;
      ASSERT_EQ(CountBits(words.data(), begin, length), count) << begin << " " << length;
      if (length > 64) continue;
      bits |= uint64_t{bit} << (length - 1);
      ASSERT_EQ(LoadBits(words.data(), begin, length), bits) << begin << " " << length;
    }
  }
}

TEST(Bitmap, AppendsPieces) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<bool> expected;
    std::vector<uint64_t> words(10);
    while (expected.size() < 500) {
      const auto length = static_cast<int64_t>(random() % 65);
      const uint64_t bits = random() & LowBits(length);
      AppendBits(words.data(), static_cast<int64_t>(expected.size()), bits, length);
      for (int64_t i = 0; i < length; ++i) expected.push_back(bits >> i & 1);
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(GetBit(words.data(), static_cast<int64_t>(i)), expected[i]) << i;
    }
  }
}

}  // namespace
}  // namespace sluice
