#include "tests/format/model/kernels/kernel_test.h"

namespace sluice {
namespace {

class UnpackTest : public KernelTest {
 protected:
  template <class T>
  using Kernel = void (*)(const uint8_t*, int32_t, int64_t, int32_t, T*);

  // The definition itself: value i consists of the bits from bit_offset + i * bit_width on.
  template <class T>
  static T ValueAt(const std::vector<uint8_t>& bytes, int64_t bit, int32_t bit_width) {
    uint64_t value = 0;
    for (int32_t k = 0; k < bit_width; ++k) {
      const uint64_t byte = bytes[static_cast<size_t>((bit + k) / 8)];
      value |= (byte >> ((bit + k) % 8) & 1) << k;
    }
    return static_cast<T>(value);
  }

  template <class T>
  void Check(Kernel<T> kernel, int32_t bit_width, int32_t bit_offset, int64_t most,
             bool all_counts) {
    const auto bytes = RandomValues<uint8_t>((bit_offset + most * bit_width + 7) / 8, random_);
    std::vector<T> expected(static_cast<size_t>(most));
    for (int64_t i = 0; i < most; ++i) {
      expected[static_cast<size_t>(i)] = ValueAt<T>(bytes, bit_offset + i * bit_width, bit_width);
    }
    for (int64_t count = all_counts ? 0 : most; count <= most; ++count) {
      const int64_t size = (bit_offset + count * bit_width + 7) / 8;
      FencedBytes in(std::vector<uint8_t>(bytes.begin(), bytes.begin() + size));
      FencedBytes out(count * static_cast<int64_t>(sizeof(T)));
      kernel(in.data(), bit_offset, count, bit_width, out.As<T>());
      ASSERT_EQ(out.Copy<T>(count), std::vector<T>(expected.begin(), expected.begin() + count))
          << "width " << bit_width << ", offset " << bit_offset << ", count " << count;
    }
  }

  template <class T>
  void CheckWidths(Kernel<T> kernel) {
    for (int32_t width = 0; width <= static_cast<int32_t>(sizeof(T)) * 8; ++width) {
      for (int32_t offset = 0; offset < 8; ++offset) {
        Check<T>(kernel, width, offset, 72, true);
        Check<T>(kernel, width, offset, 1031, false);
      }
    }
  }
};

TEST_P(UnpackTest, To16) { CheckWidths<uint16_t>(table().unpack_16); }
TEST_P(UnpackTest, To32) { CheckWidths<uint32_t>(table().unpack_32); }
TEST_P(UnpackTest, To64) { CheckWidths<uint64_t>(table().unpack_64); }

SLUICE_FOR_EACH_LEVEL(UnpackTest);

}  // namespace
}  // namespace sluice
