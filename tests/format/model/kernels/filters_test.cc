// The kernels that filters run: ranges and points against values, codes against a table of bits.

#include <bit>
#include <cmath>
#include <limits>

#include "tests/format/model/kernels/kernel_test.h"

namespace sluice {
namespace {

using kernels::KeyRange;
using kernels::KeyRanges;

int64_t WordsOf(int64_t count) { return (count + 63) / 64; }

std::vector<uint64_t> BitsOf(const std::vector<bool>& bits) {
  std::vector<uint64_t> words(static_cast<size_t>(WordsOf(static_cast<int64_t>(bits.size()))));
  for (size_t i = 0; i < bits.size(); ++i) words[i / 64] |= uint64_t{bits[i]} << (i % 64);
  return words;
}

class RangesTest : public KernelTest {
 protected:
  using Kernel = void (*)(const void*, int64_t, const KeyRanges&, uint64_t*);

  /// Values are random, at the ends of the ranges, and beside them.
  template <class T>
  std::vector<T> Values(int64_t count, const KeyRanges& ranges) {
    std::vector<T> values = RandomValues<T>(count, random_);
    for (T& value : values) {
      const KeyRange& range = ranges.at[random_() % 2];
      const uint64_t near = range.first + (random_() % 2 ? range.span : 0) + random_() % 3 - 1;
      if (random_() % 2) value = ranges.is_floating ? BitsOfKey(static_cast<T>(near)) : T(near);
    }
    return values;
  }
  /// The key of floating-point bits, and its inverse.
  template <class T>
  static T BitsOfKey(T bits) {
    constexpr T kSign = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
    return bits >= kSign ? static_cast<T>(kSign | (static_cast<T>(~bits) & (kSign - 1))) : bits;
  }

  template <class T>
  void Check(Kernel kernel, bool is_floating) {
    for (int64_t count : Counts()) {
      for (int32_t num_ranges : {1, 2}) {
        KeyRanges ranges{
            {{random_(), random_()}, {random_(), random_() % 1000}}, num_ranges, is_floating};
        if (random_() % 3 == 0) ranges.at[0].span = random_() % 3;
        if (random_() % 8 == 0) ranges.at[0].span = ~uint64_t{0};
        const auto values = Values<T>(count, ranges);
        std::vector<bool> expected;
        for (const T value : values) {
          const T key = is_floating ? BitsOfKey(value) : value;
          bool is_in = false;
          for (int32_t k = 0; k < num_ranges; ++k) {
            const T first = static_cast<T>(ranges.at[k].first);
            const T last = static_cast<T>(first + ranges.at[k].span);
            const bool wraps = static_cast<T>(ranges.at[k].span) > static_cast<T>(~first);
            is_in |= wraps ? key >= first || key <= last : key >= first && key <= last;
          }
          expected.push_back(is_in);
        }
        FencedBytes in(values);
        FencedBytes out(WordsOf(count) * 8);
        kernel(in.data(), count, ranges, out.As<uint64_t>());
        ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), BitsOf(expected))
            << "count " << count << ", ranges " << num_ranges << ", floating " << is_floating;
      }
    }
  }
};

TEST_P(RangesTest, Of1Byte) { Check<uint8_t>(table().in_ranges_1, false); }
TEST_P(RangesTest, Of2Bytes) { Check<uint16_t>(table().in_ranges_2, false); }
TEST_P(RangesTest, Of4Bytes) { Check<uint32_t>(table().in_ranges_4, false); }
TEST_P(RangesTest, Of8Bytes) { Check<uint64_t>(table().in_ranges_8, false); }
TEST_P(RangesTest, OfHalfFloats) { Check<uint16_t>(table().in_ranges_2, true); }
TEST_P(RangesTest, OfFloats) { Check<uint32_t>(table().in_ranges_4, true); }
TEST_P(RangesTest, OfDoubles) { Check<uint64_t>(table().in_ranges_8, true); }

// One range of keys holds what the order of floating point calls one range.
TEST_P(RangesTest, OrderOfDoubles) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {-infinity, -1, -0.0, 0.0, 1, infinity, nan, -nan};
  const auto test = [&](uint64_t first, uint64_t last) {
    const KeyRanges ranges{{{first, last - first}, {}}, 1, true};
    FencedBytes in(values);
    FencedBytes out(8);
    table().in_ranges_8(in.data(), 8, ranges, out.As<uint64_t>());
    return *out.As<uint64_t>();
  };
  const auto key = [](double value) { return BitsOfKey(std::bit_cast<uint64_t>(value)); };
  EXPECT_EQ(test(key(-0.0), key(0.0)), 0b00001100u);
  EXPECT_EQ(test(key(-1), key(-0.0)), 0b00000110u);
  EXPECT_EQ(test(key(1), key(-infinity) - 1), 0b11110000u);
  EXPECT_EQ(test(key(infinity) + 1, key(-infinity) - 1), 0b11000000u);
  EXPECT_EQ(test(key(-infinity), key(infinity)), 0b00111111u);
}

SLUICE_FOR_EACH_LEVEL(RangesTest);

class EqualAnyTest : public KernelTest {
 protected:
  template <class T, class Kernel>
  void Check(Kernel kernel) {
    for (int64_t count : Counts()) {
      for (size_t num_points = 1; num_points <= 8; ++num_points) {
        std::vector<uint64_t> points = RandomValues<uint64_t>(8, random_);
        auto values = RandomValues<T>(count, random_);
        // Points beyond those that count are no points, and a part of the bits is not enough.
        for (T& value : values) {
          if (random_() % 2) value = static_cast<T>(points[random_() % points.size()]);
          if (random_() % 8 == 0) value ^= static_cast<T>(T{1} << random_() % (8 * sizeof(T)));
        }
        std::vector<bool> expected;
        for (const T value : values) {
          expected.push_back(
              std::any_of(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(num_points),
                          [&](uint64_t point) { return static_cast<T>(point) == value; }));
        }
        FencedBytes in(values);
        FencedBytes out(WordsOf(count) * 8);
        kernel(in.data(), count, points.data(), static_cast<int32_t>(num_points),
               out.As<uint64_t>());
        ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), BitsOf(expected))
            << "count " << count << ", points " << num_points;
      }
    }
  }
};

TEST_P(EqualAnyTest, Of4Bytes) { Check<uint32_t>(table().equal_any_4); }
TEST_P(EqualAnyTest, Of8Bytes) { Check<uint64_t>(table().equal_any_8); }

SLUICE_FOR_EACH_LEVEL(EqualAnyTest);

class SetCodesTest : public KernelTest {
 protected:
  template <class T, class Kernel, class Code>
  void Check(Kernel kernel, Code code) {
    for (int64_t count : Counts()) {
      const auto values = RandomValues<T>(count, random_);
      std::vector<int32_t> expected;
      for (const T value : values) expected.push_back(static_cast<int32_t>(code(value)));
      FencedBytes in(values);
      FencedBytes out(count * 4);
      kernel(in.data(), count, out.As<int32_t>());
      ASSERT_EQ(out.Copy<int32_t>(count), expected) << "count " << count;
    }
  }
};

TEST_P(SetCodesTest, Hashes) {
  for (const int32_t shift : {1, 9, 22, 31}) {
    Check<uint32_t>([&](const void* values, int64_t count,
                        int32_t* out) { table().hash_codes_4(values, count, shift, out); },
                    [&](uint32_t value) { return value * kernels::kHashOne >> shift; });
    Check<uint64_t>([&](const void* values, int64_t count,
                        int32_t* out) { table().hash_codes_8(values, count, shift, out); },
                    [&](uint64_t value) {
                      const auto low = static_cast<uint32_t>(value);
                      const auto high = static_cast<uint32_t>(value >> 32);
                      return (low * kernels::kHashOne + high * kernels::kHashOther) >> shift;
                    });
  }
}

TEST_P(SetCodesTest, Offsets) {
  for (const int32_t limit : {1, 1000, INT32_MAX}) {
    const uint64_t first = random_();
    Check<uint32_t>([&](const void* values, int64_t count,
                        int32_t* out) { table().offset_codes_4(values, count, first, limit, out); },
                    [&](uint32_t value) {
                      return std::min(value - static_cast<uint32_t>(first),
                                      static_cast<uint32_t>(limit));
                    });
    for (const uint64_t from : {first, uint64_t{0}, uint64_t{1} << 63}) {
      Check<uint64_t>(
          [&](const void* values, int64_t count, int32_t* out) {
            table().offset_codes_8(values, count, from, limit, out);
          },
          [&](uint64_t value) { return std::min(value - from, static_cast<uint64_t>(limit)); });
    }
  }
  // Small offsets are what it is for.
  std::vector<uint64_t> near;
  for (int64_t i = -20; i < 80; ++i) near.push_back(static_cast<uint64_t>(i));
  FencedBytes in(near);
  FencedBytes out(100 * 4);
  table().offset_codes_8(in.data(), 100, 5, 50, out.As<int32_t>());
  for (int32_t i = -20; i < 80; ++i) {
    EXPECT_EQ(out.As<int32_t>()[i + 20], i < 5 ? 50 : std::min(i - 5, 50));
  }
}

SLUICE_FOR_EACH_LEVEL(SetCodesTest);

class LookUpTest : public KernelTest {};

TEST_P(LookUpTest, Codes) {
  for (int64_t entries :
       {1, 2, 64, 65, 256, 257, 512, 513, 1000, 1024, 1025, 2048, 2049, 4095, 4096, 4097, 70000}) {
    const auto bits = RandomValues<uint64_t>(WordsOf(entries), random_);
    FencedBytes fenced_bits(bits);
    for (int64_t count : Counts()) {
      std::vector<int32_t> codes(static_cast<size_t>(count));
      std::vector<bool> expected;
      for (auto& code : codes) {
        code = static_cast<int32_t>(random_() % static_cast<uint64_t>(entries));
        expected.push_back(BitAt(bits, code));
      }
      FencedBytes fenced_codes(codes);
      FencedBytes out(WordsOf(count) * 8);
      table().look_up(fenced_codes.As<int32_t>(), count, fenced_bits.As<uint64_t>(), entries,
                      out.As<uint64_t>());
      ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), BitsOf(expected))
          << "count " << count << ", entries " << entries;
    }
  }
}

TEST_P(LookUpTest, PackedCodes) {
  for (int32_t bit_width = 0; bit_width <= 8; ++bit_width) {
    for (int32_t bit_offset = 0; bit_offset < 8; ++bit_offset) {
      for (int64_t count : Counts()) {
        const auto bits = RandomValues<uint64_t>(4, random_);
        std::vector<uint8_t> packed =
            RandomValues<uint8_t>((bit_offset + count * bit_width + 7) / 8, random_);
        // The largest code is near the end often enough only where most are small.
        if (random_() % 2) {
          for (auto& byte : packed) byte &= static_cast<uint8_t>(random_() & random_() & random_());
        }
        std::vector<bool> expected;
        uint32_t largest = 0;
        for (int64_t i = 0; i < count; ++i) {
          uint32_t code = 0;
          for (int32_t bit = 0; bit < bit_width; ++bit) {
            const int64_t at = bit_offset + i * bit_width + bit;
            code |= uint32_t{packed[static_cast<size_t>(at / 8)]} >> at % 8 << bit & uint32_t{1}
                                                                                         << bit;
          }
          expected.push_back(BitAt(bits, code));
          largest = std::max(largest, code);
        }
        FencedBytes in(packed);
        FencedBytes fenced_bits(bits);
        FencedBytes out(WordsOf(count) * 8);
        ASSERT_EQ(table().look_up_packed(in.data(), bit_offset, count, bit_width,
                                         fenced_bits.As<uint64_t>(), out.As<uint64_t>()),
                  largest)
            << "count " << count << ", width " << bit_width << ", offset " << bit_offset;
        ASSERT_EQ(out.Copy<uint64_t>(WordsOf(count)), BitsOf(expected))
            << "count " << count << ", width " << bit_width << ", offset " << bit_offset;
      }
    }
  }
}

SLUICE_FOR_EACH_LEVEL(LookUpTest);

}  // namespace
}  // namespace sluice
