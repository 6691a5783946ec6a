#include "tests/format/model/kernels/kernel_test.h"

namespace sluice {
namespace {

class CompressTest : public KernelTest {
 protected:
  template <class T>
  void Check(int64_t (*kernel)(const void*, const uint64_t*, int64_t, void*)) {
    for (int64_t count : Counts()) {
      const auto in = RandomValues<T>(count, random_);
      for (const auto& selection : Bitmaps(count, random_)) {
        std::vector<T> expected;
        for (int64_t i = 0; i < count; ++i) {
          if (BitAt(selection, i)) expected.push_back(in[static_cast<size_t>(i)]);
        }
        const auto taken = static_cast<int64_t>(expected.size());
        FencedBytes fenced_selection(selection);
        FencedBytes fenced_in(in);
        FencedBytes out(taken * static_cast<int64_t>(sizeof(T)));
        ASSERT_EQ(kernel(fenced_in.data(), fenced_selection.As<uint64_t>(), count, out.data()),
                  taken)
            << "count " << count;
        ASSERT_EQ(out.Copy<T>(taken), expected) << "count " << count;
        ASSERT_EQ(fenced_in.Copy<T>(count), in) << "the input was written to";

        ASSERT_EQ(
            kernel(fenced_in.data(), fenced_selection.As<uint64_t>(), count, fenced_in.data()),
            taken)
            << "in place, count " << count;
        ASSERT_EQ(fenced_in.Copy<T>(taken), expected) << "in place, count " << count;
      }
    }
  }
};

TEST_P(CompressTest, Of1Byte) { Check<uint8_t>(table().compress_1); }
TEST_P(CompressTest, Of2Bytes) { Check<uint16_t>(table().compress_2); }
TEST_P(CompressTest, Of4Bytes) { Check<uint32_t>(table().compress_4); }
TEST_P(CompressTest, Of8Bytes) { Check<uint64_t>(table().compress_8); }
TEST_P(CompressTest, Of16Bytes) { Check<Bytes16>(table().compress_16); }

SLUICE_FOR_EACH_LEVEL(CompressTest);

class ExpandTest : public KernelTest {
 protected:
  template <class T>
  void Check(void (*kernel)(const void*, const uint64_t*, int64_t, void*)) {
    for (int64_t count : Counts()) {
      for (const auto& mask : Bitmaps(count, random_)) {
        int64_t set = 0;
        for (int64_t i = 0; i < count; ++i) set += BitAt(mask, i);
        const auto in = RandomValues<T>(set, random_);
        std::vector<T> expected(static_cast<size_t>(count));
        size_t taken = 0;
        for (int64_t i = 0; i < count; ++i) {
          if (BitAt(mask, i)) expected[static_cast<size_t>(i)] = in[taken++];
        }
        FencedBytes fenced_mask(mask);
        FencedBytes fenced_in(in);
        FencedBytes out(count * static_cast<int64_t>(sizeof(T)));
        kernel(fenced_in.data(), fenced_mask.As<uint64_t>(), count, out.data());
        ASSERT_EQ(out.Copy<T>(count), expected) << "count " << count << ", set " << set;
      }
    }
  }
};

TEST_P(ExpandTest, Of1Byte) { Check<uint8_t>(table().expand_1); }
TEST_P(ExpandTest, Of2Bytes) { Check<uint16_t>(table().expand_2); }
TEST_P(ExpandTest, Of4Bytes) { Check<uint32_t>(table().expand_4); }
TEST_P(ExpandTest, Of8Bytes) { Check<uint64_t>(table().expand_8); }
TEST_P(ExpandTest, Of16Bytes) { Check<Bytes16>(table().expand_16); }

SLUICE_FOR_EACH_LEVEL(ExpandTest);

}  // namespace
}  // namespace sluice
