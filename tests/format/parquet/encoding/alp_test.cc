#include "format/parquet/encoding/alp.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

/// One vector: integers less the frame of reference, and exceptions.
struct Vector {
  uint8_t exponent = 0;
  uint8_t factor = 0;
  int64_t frame_of_reference = 0;
  int bit_width = 0;
  std::vector<uint64_t> packed;
  std::vector<std::pair<uint16_t, uint64_t>> exceptions;
};

Bytes VectorBytes(const Vector& vector, int width) {
  Bytes bytes = {vector.exponent, vector.factor};
  AppendInteger(bytes, vector.exceptions.size(), 2);
  AppendInteger(bytes, static_cast<uint64_t>(vector.frame_of_reference), width);
  bytes.push_back(static_cast<uint8_t>(vector.bit_width));
  AppendPacked(bytes, vector.packed, vector.bit_width);
  for (const auto& exception : vector.exceptions) AppendInteger(bytes, exception.first, 2);
  for (const auto& exception : vector.exceptions) AppendInteger(bytes, exception.second, width);
  return bytes;
}

Bytes PageBytes(const std::vector<Vector>& vectors, uint8_t log_vector_size, size_t count,
                int width) {
  Bytes bytes = {0, 0, log_vector_size};
  AppendInteger(bytes, count, 4);
  Bytes bodies;
  for (const Vector& vector : vectors) {
    AppendInteger(bytes, vectors.size() * 4 + bodies.size(), 4);
    Append(bodies, VectorBytes(vector, width));
  }
  Append(bytes, bodies);
  return bytes;
}

constexpr uint64_t kOddNan = 0x7ff8dead0000beef;

/// The worked example of AlpEncoding.md.
PageCase ExamplePage() {
  PageCase page;
  page.encoding = Encoding::kAlp;
  page.type = PhysicalType::kDouble;
  Vector vector{4, 3, 3335, 15, {11665, 11665, 21665, 0}, {{1, kOddNan}}};
  page.bytes = PageBytes({vector}, 10, 4, 8);
  page.values = {Stored(std::bit_cast<uint64_t>(1500.0), 8), Stored(kOddNan, 8),
                 Stored(std::bit_cast<uint64_t>(2500.0), 8),
                 Stored(std::bit_cast<uint64_t>(333.5), 8)};
  return page;
}

/// Random vectors; values by the formula of the specification, one at a time.
template <typename Float>
PageCase RandomPage(size_t count, uint8_t log_vector_size) {
  constexpr int kWidth = sizeof(Float);
  using Unsigned = std::conditional_t<kWidth == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(6);
  PageCase page;
  page.encoding = Encoding::kAlp;
  page.type = kWidth == 4 ? PhysicalType::kFloat : PhysicalType::kDouble;
  std::vector<Vector> vectors;
  for (size_t begin = 0; begin < count; begin += size_t{1} << log_vector_size) {
    const size_t length = std::min(count - begin, size_t{1} << log_vector_size);
    Vector vector;
    vector.exponent = static_cast<uint8_t>(random() % (kWidth == 4 ? 11 : 19));
    vector.factor = static_cast<uint8_t>(random() % (vector.exponent + 1));
    vector.frame_of_reference = static_cast<int64_t>(random());
    vector.bit_width = static_cast<int>(random() % (kWidth * 8 + 1));
    std::vector<std::string> values;
    for (size_t i = 0; i < length; ++i) {
      vector.packed.push_back(random() & LowBits(vector.bit_width));
      const Unsigned sum = static_cast<Unsigned>(vector.packed.back() +
                                                 static_cast<uint64_t>(vector.frame_of_reference));
      const Float integer = static_cast<Float>(static_cast<std::make_signed_t<Unsigned>>(sum));
      // strtod and strtof round correctly.
      const std::string up = "1e" + std::to_string(vector.factor);
      const std::string down = "1e-" + std::to_string(vector.exponent);
      Float value;
      if constexpr (kWidth == 4) {
        value = integer * std::strtof(up.c_str(), nullptr) * std::strtof(down.c_str(), nullptr);
      } else {
        value = integer * std::strtod(up.c_str(), nullptr) * std::strtod(down.c_str(), nullptr);
      }
      values.push_back(Stored(std::bit_cast<Unsigned>(value), kWidth));
    }
    for (size_t i = random() % 5; i > 0; --i) {
      const uint16_t place = static_cast<uint16_t>(random() % length);
      const Unsigned bits = static_cast<Unsigned>(random());
      vector.exceptions.push_back({place, bits});
      values[place] = Stored(bits, kWidth);
    }
    page.values.insert(page.values.end(), values.begin(), values.end());
    vectors.push_back(vector);
  }
  page.bytes = PageBytes(vectors, log_vector_size, count, kWidth);
  return page;
}

TEST(Alp, WorkedExample) {
  const PageCase page = ExamplePage();
  EXPECT_EQ(page.bytes.size(), 7u + 4 + 31);
  ExpectEveryMixture(page);
  ExpectTruncationsAreSafe(page);
}

TEST(Alp, EveryMixture) {
  ExpectEveryMixture(RandomPage<double>(2500, 10));
  ExpectEveryMixture(RandomPage<float>(2500, 10));
  ExpectEveryMixture(RandomPage<double>(1000, 3));
  ExpectEveryMixture(RandomPage<float>(1000, 5));
  ExpectEveryMixture(RandomPage<double>(5000, 15));
  ExpectEveryMixture(RandomPage<double>(2048, 10));
}

TEST(Alp, Truncations) { ExpectTruncationsAreSafe(RandomPage<float>(40, 3)); }

TEST(Alp, ReservedModesAreUnsupported) {
  for (const size_t byte : {0, 1}) {
    PageCase page = ExamplePage();
    page.bytes[byte] = 1;
    EXPECT_EQ(ReadError(page).code(), StatusCode::kUnsupported);
  }
}

TEST(Alp, HeadersAreHostile) {
  const auto corrupt = [](size_t at, uint8_t value) {
    PageCase page = ExamplePage();
    page.bytes.at(at) = value;
    EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption) << at;
  };
  corrupt(2, 2);     // Vectors of 4.
  corrupt(2, 16);    // Vectors of 2^16.
  corrupt(3, 5);     // Five values.
  corrupt(6, 0x80);  // Fewer than none.
  corrupt(7, 5);     // The first vector in its own offset.
  corrupt(11, 19);   // Exponent.
  corrupt(12, 5);    // Factor above the exponent.
  corrupt(13, 5);    // More exceptions than values.
  corrupt(14, 1);    // The same.
  corrupt(23, 65);   // Bit width.
  corrupt(23, 64);   // More bits than there are bytes.
  corrupt(32, 4);    // An exception behind the vector.
  // The second vector's offset, bytes 11 to 14: behind the page, and before the first vector.
  PageCase page = RandomPage<double>(40, 3);
  page.bytes[14] = 0xff;
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.bytes[14] = page.bytes[12] = 0;
  page.bytes[11] = 3;
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(Alp, VectorsBehindTheLastWantedAreNotDecompressed) {
  const PageCase page = RandomPage<double>(4096, 10);
  PageBody body = DrippingBodyOf(page.bytes, 1);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<uint64_t> selection(64, 0);
  SetBit(selection.data(), 1030);
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Select(4096, selection, &got).ok());
  EXPECT_EQ(got, std::vector<std::string>{page.values[1030]});
  EXPECT_LT(body.available(), body.size());
}

}  // namespace
}  // namespace sluice
