#include "format/model/bitmap_words.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sluice {
namespace {

constexpr int64_t kBits = 200;
using Words = std::vector<uint64_t>;

/// As many words as kBits need, in which one bit of four is set.
Words RandomWords(uint32_t seed) {
  std::mt19937_64 random(seed);
  Words words(static_cast<size_t>(BitmapWords(kBits)));
  for (uint64_t& word : words) word = random() & random();
  return words;
}

/// `before`, in which bit begin + i is that of `test(i)`, for i < count.
template <typename Test>
Words WithBits(Words before, int64_t begin, int64_t count, Test test) {
  for (int64_t i = 0; i < count; ++i) {
    (test(i) ? SetBit : ClearBit)(before.data(), begin + i);
  }
  return before;
}

template <typename Check>
void ForEachRange(Check check) {
  for (int64_t begin = 0; begin < kBits; begin += begin < 66 ? 1 : 31) {
    for (int64_t count = 0; begin + count <= kBits; count += count < 66 ? 1 : 23) {
      check(begin, count);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(BitmapWords, PaddingIsWhatBuffersHave) {
  EXPECT_EQ(PaddedWords(0), size_t{kReadPadding / 8});
  EXPECT_EQ(PaddedWords(65), 2 + size_t{kReadPadding / 8});
}

TEST(BitmapWords, CopiesToTheFrontAndCounts) {
  const Words from = RandomWords(1);
  ForEachRange([&](int64_t begin, int64_t count) {
    Words out(static_cast<size_t>(BitmapWords(count)), ~uint64_t{0});
    const Words expected = WithBits(Words(out.size()), 0, count,
                                    [&](int64_t i) { return GetBit(from.data(), begin + i); });
    ASSERT_EQ(CopyBits(from.data(), begin, count, out.data()),
              CountBits(from.data(), begin, count));
    ASSERT_EQ(out, expected) << begin << " " << count;
  });
}

TEST(BitmapWords, StoresAndClearsWithoutTouchingNeighbours) {
  const Words before = RandomWords(2);
  const Words from = RandomWords(3);
  ForEachRange([&](int64_t begin, int64_t count) {
    Words cleared = before;
    ClearBits(cleared.data(), begin, begin + count);
    ASSERT_EQ(cleared, WithBits(before, begin, count, [](int64_t) { return false; }))
        << begin << " " << count;
    if (count < 1 || count > 64) return;
    Words stored = before;
    StoreBits(stored.data(), begin, from[0] & LowBits(count), count);
    ASSERT_EQ(stored,
              WithBits(before, begin, count, [&](int64_t i) { return GetBit(from.data(), i); }))
        << begin << " " << count;
  });
}

TEST(BitmapWords, AppendsBitmapsAndOnes) {
  const Words from = RandomWords(4);
  ForEachRange([&](int64_t begin, int64_t count) {
    const Words before = WithBits(RandomWords(5), begin, BitmapWords(kBits) * 64 - begin,
                                  [](int64_t) { return false; });
    Words appended = before;
    AppendBitmap(appended.data(), begin, from.data(), count);
    ASSERT_EQ(appended,
              WithBits(before, begin, count, [&](int64_t i) { return GetBit(from.data(), i); }))
        << begin << " " << count;
    Words ones = before;
    AppendOnes(ones.data(), begin, count);
    ASSERT_EQ(ones, WithBits(before, begin, count, [](int64_t) { return true; }))
        << begin << " " << count;
  });
}

TEST(BitmapWords, FindsSetBits) {
  const Words words = RandomWords(6);
  ForEachRange([&](int64_t begin, int64_t count) {
    int64_t n = 0;
    for (int64_t i = begin; i < begin + count; ++i) {
      if (!GetBit(words.data(), i)) continue;
      ASSERT_EQ(FindSetBit(words.data(), begin, begin + count, n), i) << begin << " " << count;
      ++n;
    }
    ASSERT_EQ(FindSetBit(words.data(), begin, begin + count, n), begin + count);
  });
}

TEST(BitmapWords, VisitsSetBitsAndFindsTheirEnd) {
  Words words = RandomWords(7);
  words[1] = ~uint64_t{0};
  for (int64_t count = 0; count <= kBits; ++count) {
    std::vector<int64_t> expected;
    for (int64_t i = 0; i < count; ++i) {
      if (GetBit(words.data(), i)) expected.push_back(i);
    }
    std::vector<int64_t> visited;
    ForEachSetBit(words.data(), count, [&](int64_t i) { visited.push_back(i); });
    ASSERT_EQ(visited, expected) << count;
    const Words front = WithBits(words, count, 4 * 64 - count, [](int64_t) { return false; });
    ASSERT_EQ(FirstSetBit(front), expected.empty() ? -1 : expected.front());
    std::vector<int64_t> in_runs;
    int64_t last_end = -1;
    ForEachSetRun(words.data(), count, [&](int64_t begin, int64_t length) {
      EXPECT_GT(begin, last_end) << "runs touch";
      for (int64_t i = 0; i < length; ++i) in_runs.push_back(begin + i);
      last_end = begin + length;
    });
    ASSERT_EQ(in_runs, expected) << count;
    ASSERT_EQ(EndOfSetBits(words.data(), count), expected.empty() ? 0 : expected.back() + 1);
  }
}

}  // namespace
}  // namespace sluice
