// Kernels that make bitmaps or read them alone: levels, bit extract, bit deposit, positions.

#include "tests/format/model/kernels/kernel_test.h"

namespace sluice {
namespace {

int64_t WordsOf(int64_t count) { return (count + 63) / 64; }

class LevelsTest : public KernelTest {
 protected:
  template <class Kernel, class Test>
  void Check(Kernel kernel, Test test) {
    for (int64_t count : Counts()) {
      for (const uint16_t value : std::vector<uint16_t>{0, 1, 2, 300, 0x7FFF, 0x8000, 0xFFFF}) {
        std::vector<uint16_t> levels(static_cast<size_t>(count));
        for (auto& level : levels) {
          level = static_cast<uint16_t>(random_() % 4 ? value + random_() % 3 - 1 : random_());
        }
        std::vector<uint64_t> expected(static_cast<size_t>(WordsOf(count)));
        int64_t set = 0;
        for (int64_t i = 0; i < count; ++i) {
          const uint64_t bit = test(levels[static_cast<size_t>(i)], value);
          expected[static_cast<size_t>(i / 64)] |= bit << (i % 64);
          set += static_cast<int64_t>(bit);
        }
        FencedBytes in(levels);
        FencedBytes out(WordsOf(count) * 8);
        ASSERT_EQ(kernel(in.As<uint16_t>(), count, value, out.As<uint64_t>()), set)
            << "count " << count << ", value " << value;
        ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), expected)
            << "count " << count << ", value " << value;
      }
    }
  }
};

TEST_P(LevelsTest, Equal) {
  Check(table().levels_equal, [](uint16_t level, uint16_t value) { return level == value; });
}
TEST_P(LevelsTest, AtLeast) {
  Check(table().levels_at_least, [](uint16_t level, uint16_t value) { return level >= value; });
}

SLUICE_FOR_EACH_LEVEL(LevelsTest);

class BitsTest : public KernelTest {};

TEST_P(BitsTest, Extract) {
  for (int64_t count : Counts()) {
    const auto in = RandomValues<uint64_t>(WordsOf(count), random_);
    for (const auto& mask : Bitmaps(count, random_)) {
      std::vector<uint64_t> expected(static_cast<size_t>(WordsOf(count)));
      int64_t taken = 0;
      for (int64_t i = 0; i < count; ++i) {
        if (!BitAt(mask, i)) continue;
        expected[static_cast<size_t>(taken / 64)] |= uint64_t{BitAt(in, i)} << (taken % 64);
        ++taken;
      }
      FencedBytes fenced_in(in);
      FencedBytes fenced_mask(mask);
      FencedBytes out(WordsOf(count) * 8);
      ASSERT_EQ(table().extract_bits(fenced_in.As<uint64_t>(), fenced_mask.As<uint64_t>(), count,
                                     out.As<uint64_t>()),
                taken)
          << "count " << count;
      ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), expected) << "count " << count;
    }
  }
}

TEST_P(BitsTest, Deposit) {
  for (int64_t count : Counts()) {
    for (const auto& mask : Bitmaps(count, random_)) {
      int64_t set = 0;
      for (int64_t i = 0; i < count; ++i) set += BitAt(mask, i);
      const auto in = RandomValues<uint64_t>(WordsOf(set), random_);
      std::vector<uint64_t> expected(static_cast<size_t>(WordsOf(count)));
      int64_t taken = 0;
      for (int64_t i = 0; i < count; ++i) {
        if (!BitAt(mask, i)) continue;
        expected[static_cast<size_t>(i / 64)] |= uint64_t{BitAt(in, taken++)} << (i % 64);
      }
      FencedBytes fenced_in(in);
      FencedBytes fenced_mask(mask);
      FencedBytes out(WordsOf(count) * 8);
      ASSERT_EQ(table().deposit_bits(fenced_in.As<uint64_t>(), fenced_mask.As<uint64_t>(), count,
                                     out.As<uint64_t>()),
                set)
          << "count " << count;
      ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), expected) << "count " << count;
    }
  }
}

TEST_P(BitsTest, Positions) {
  for (int64_t count : Counts()) {
    for (const auto& bits : Bitmaps(count, random_)) {
      const auto base = static_cast<int32_t>(random_() % 1000) - 500;
      std::vector<int32_t> expected;
      for (int64_t i = 0; i < count; ++i) {
        if (BitAt(bits, i)) expected.push_back(base + static_cast<int32_t>(i));
      }
      const auto set = static_cast<int64_t>(expected.size());
      FencedBytes fenced_bits(bits);
      FencedBytes out(set * 4);
      ASSERT_EQ(table().bit_positions(fenced_bits.As<uint64_t>(), count, base, out.As<int32_t>()),
                set)
          << "count " << count;
      ASSERT_EQ(out.Copy<int32_t>(set), expected) << "count " << count;
    }
  }
}

SLUICE_FOR_EACH_LEVEL(BitsTest);

}  // namespace
}  // namespace sluice
