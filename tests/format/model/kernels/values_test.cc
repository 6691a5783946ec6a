// Gather, the largest code, byte streams and prefix sums: kernels over whole arrays of values.

#include "tests/format/model/kernels/kernel_test.h"

namespace sluice {
namespace {

class GatherTest : public KernelTest {
 protected:
  template <class T, class Kernel>
  void Check(Kernel kernel) {
    for (int32_t entries : {1, 2, 1000}) {
      const auto dictionary = RandomValues<T>(entries, random_);
      FencedBytes fenced_dictionary(dictionary);
      for (int64_t count : Counts()) {
        std::vector<int32_t> codes(static_cast<size_t>(count));
        for (auto& code : codes)
          code = static_cast<int32_t>(random_() % static_cast<uint64_t>(entries));
        std::vector<T> expected;
        for (int32_t code : codes) expected.push_back(dictionary[static_cast<size_t>(code)]);
        FencedBytes fenced_codes(codes);
        FencedBytes out(count * static_cast<int64_t>(sizeof(T)));
        kernel(fenced_dictionary, fenced_codes.As<int32_t>(), count, out);
        ASSERT_EQ(out.Copy<T>(count), expected) << entries << " entries, " << count << " codes";
      }
    }
  }
};

TEST_P(GatherTest, Of4Bytes) {
  Check<uint32_t>(
      [&](FencedBytes& dictionary, const int32_t* codes, int64_t count, FencedBytes& out) {
        table().gather_4(dictionary.As<uint32_t>(), codes, count, out.As<uint32_t>());
      });
}

TEST_P(GatherTest, Of8Bytes) {
  Check<uint64_t>(
      [&](FencedBytes& dictionary, const int32_t* codes, int64_t count, FencedBytes& out) {
        table().gather_8(dictionary.As<uint64_t>(), codes, count, out.As<uint64_t>());
      });
}

TEST_P(GatherTest, Of16Bytes) {
  Check<Bytes16>(
      [&](FencedBytes& dictionary, const int32_t* codes, int64_t count, FencedBytes& out) {
        table().gather_16(dictionary.data(), codes, count, out.data());
      });
}

SLUICE_FOR_EACH_LEVEL(GatherTest);

class MaxCodeTest : public KernelTest {};

TEST_P(MaxCodeTest, FindsTheLargestAtEveryPlace) {
  EXPECT_EQ(table().max_code(nullptr, 0), 0u);
  for (int64_t count : Counts()) {
    if (count == 0) continue;
    std::vector<int32_t> codes(static_cast<size_t>(count));
    for (auto& code : codes) code = static_cast<int32_t>(random_() % 1000);
    // The padding holds larger numbers, which must not count.
    for (int trial = 0; trial < 4; ++trial) {
      const size_t place = trial == 0   ? 0
                           : trial == 1 ? codes.size() - 1
                                        : random_() % codes.size();
      const int32_t before = codes[place];
      codes[place] = trial == 2 ? -1 : 1000;
      FencedBytes fenced(codes);
      ASSERT_EQ(table().max_code(fenced.As<int32_t>(), count), static_cast<uint32_t>(codes[place]))
          << "count " << count << ", place " << place;
      codes[place] = before;
    }
  }
}

SLUICE_FOR_EACH_LEVEL(MaxCodeTest);

class JoinStreamsTest : public KernelTest {
 protected:
  void Check(void (*kernel)(const uint8_t*, int64_t, int64_t, uint8_t*), int64_t width) {
    for (int64_t count : Counts()) {
      for (int64_t extra : {0, 3}) {
        const int64_t stride = count + extra;
        const int64_t size = count == 0 ? 0 : (width - 1) * stride + count;
        const auto streams = RandomValues<uint8_t>(size, random_);
        std::vector<uint8_t> expected(static_cast<size_t>(count * width));
        for (int64_t i = 0; i < count; ++i) {
          for (int64_t k = 0; k < width; ++k) {
            expected[static_cast<size_t>(i * width + k)] =
                streams[static_cast<size_t>(k * stride + i)];
          }
        }
        FencedBytes in(streams);
        FencedBytes out(count * width);
        kernel(in.data(), stride, count, out.data());
        ASSERT_EQ(out.Copy<uint8_t>(count * width), expected)
            << "width " << width << ", count " << count << ", stride " << stride;
      }
    }
  }
};

TEST_P(JoinStreamsTest, Of2) { Check(table().join_streams_2, 2); }
TEST_P(JoinStreamsTest, Of4) { Check(table().join_streams_4, 4); }
TEST_P(JoinStreamsTest, Of8) { Check(table().join_streams_8, 8); }

SLUICE_FOR_EACH_LEVEL(JoinStreamsTest);

class PrefixSumTest : public KernelTest {
 protected:
  template <class T>
  void Check(T (*kernel)(T*, int64_t, T, T)) {
    for (int64_t count : Counts()) {
      for (T min_delta : {T{0}, T{1}, static_cast<T>(-7), static_cast<T>(random_())}) {
        const T start = static_cast<T>(random_());
        const auto deltas = RandomValues<T>(count, random_);
        std::vector<T> expected;
        T last = start;
        for (T delta : deltas) {
          last = static_cast<T>(last + min_delta + delta);
          expected.push_back(last);
        }
        FencedBytes x(deltas);
        ASSERT_EQ(kernel(x.As<T>(), count, min_delta, start), last) << "count " << count;
        ASSERT_EQ(x.Copy<T>(count), expected) << "count " << count << ", min_delta " << min_delta;
      }
    }
  }
};

// Sums wrap around: random starts and deltas overflow on nearly every step.
TEST_P(PrefixSumTest, Of32) { Check<uint32_t>(table().prefix_sum_32); }
TEST_P(PrefixSumTest, Of64) { Check<uint64_t>(table().prefix_sum_64); }

SLUICE_FOR_EACH_LEVEL(PrefixSumTest);

}  // namespace
}  // namespace sluice
