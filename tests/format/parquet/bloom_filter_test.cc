#include <gtest/gtest.h>
#include <sluice/parquet/bloom_filter.h>

#include <cstring>
#include <string>
#include <vector>

#include "format/parquet/metadata_writer.h"
#include "tests/support/thrift_compact_builder.h"

namespace sluice {
namespace {

using parquet::BloomFilter;
using parquet::BloomHash;
using support::ThriftCompactBuilder;

std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(BloomFilter, HashIsThatOfThePlainBytes) {  // fault I6
  // XXH64, seed 0: published values of its specification's sanity tests.
  EXPECT_EQ(BloomHash({}), 0xef46db3751d8e999U);
  EXPECT_EQ(BloomHash(BytesOf("a")), 0xd24ec4f1a98c6e5bU);
  EXPECT_EQ(BloomHash(BytesOf("abc")), 0x44bc2cf5ad770999U);
}

TEST(BloomFilter, FindsWhatWasInserted) {
  const auto pool = BufferPool::Make();
  auto filter = BloomFilter::Make(10'000, 0.01, *pool);
  ASSERT_TRUE(filter.has_value());
  const auto hash = [](int64_t value) {
    uint8_t bytes[8];
    std::memcpy(bytes, &value, sizeof(bytes));
    return BloomHash(bytes);
  };
  for (int64_t value = 0; value < 10'000; ++value) filter->Insert(hash(value));
  int false_positives = 0;
  for (int64_t value = 0; value < 10'000; ++value) {
    ASSERT_TRUE(filter->MayContain(hash(value)));
    false_positives += filter->MayContain(hash(value + 1'000'000));
  }
  EXPECT_LT(false_positives, 150);  // 100 are allowed for.
}

TEST(BloomFilter, BitsAreWhereTheSpecificationHasThem) {
  const auto pool = BufferPool::Make();
  auto filter = BloomFilter::Make(1, 0.5, *pool);
  ASSERT_TRUE(filter.has_value());
  ASSERT_EQ(filter->bitset()->size(), 32);
  filter->Insert(1);  // Each salt, shifted right by 27, is the bit of its word.
  const uint32_t expected[8] = {1U << 8,  1U << 8, 1U << 17, 1U << 20,
                                1U << 14, 1U << 5, 1U << 19, 1U << 11};
  for (int word = 0; word < 8; ++word) {
    uint32_t bits = 0;
    std::memcpy(&bits, filter->bitset()->data() + 4 * word, sizeof(bits));
    EXPECT_EQ(bits, expected[word]) << word;
  }
}

TEST(BloomFilter, HeaderComesBack) {
  const auto written = parquet::SerializeBloomHeader(1024);
  ASSERT_TRUE(written.has_value());
  for (size_t length = 0; length < written->size(); ++length) {
    const auto header = BloomFilter::ParseHeader(BytesOf(*written).first(length));
    ASSERT_TRUE(header.has_value());
    EXPECT_FALSE(header->has_value());
  }
  const auto header = BloomFilter::ParseHeader(BytesOf(*written));
  ASSERT_TRUE(header.has_value() && header->has_value());
  EXPECT_EQ((*header)->num_bytes, 1024);
  EXPECT_EQ((*header)->header_size, static_cast<int32_t>(written->size()));
}

std::string Header(int32_t num_bytes, int32_t algorithm, int32_t hash, int32_t compression) {
  const auto member = [](int32_t id) {
    return ThriftCompactBuilder().Struct(id, ThriftCompactBuilder().Finish()).Finish();
  };
  return ThriftCompactBuilder()
      .I32(1, num_bytes)
      .Struct(2, member(algorithm))
      .Struct(3, member(hash))
      .Struct(4, member(compression))
      .Finish();
}

TEST(BloomFilter, RefusesWhatItCannotUse) {
  const auto code = [](const std::string& bytes) {
    return BloomFilter::ParseHeader(BytesOf(bytes)).status().code();
  };
  EXPECT_EQ(code(Header(32, 1, 1, 1)), StatusCode::kOk);
  EXPECT_EQ(code(Header(32, 2, 1, 1)), StatusCode::kUnsupported);
  EXPECT_EQ(code(Header(32, 1, 2, 1)), StatusCode::kUnsupported);
  EXPECT_EQ(code(Header(32, 1, 1, 2)), StatusCode::kUnsupported);
  for (const int32_t size : {0, -32, 31, 33, 40}) {
    EXPECT_EQ(code(Header(size, 1, 1, 1)), StatusCode::kCorruption) << size;
  }
  EXPECT_EQ(code(std::string(1, '\0')), StatusCode::kCorruption);
  const auto pool = BufferPool::Make();
  EXPECT_FALSE(BloomFilter::FromBitset(*pool->Allocate(0)).has_value());
  EXPECT_FALSE(BloomFilter::FromBitset(*pool->Allocate(48)).has_value());
  EXPECT_FALSE(BloomFilter::Make(10, 0, *pool).has_value());
  EXPECT_FALSE(BloomFilter::Make(10, 1, *pool).has_value());
  EXPECT_FALSE(BloomFilter::Make(-1, 0.1, *pool).has_value());
}

TEST(BloomFilter, SizesStayInBounds) {
  const auto pool = BufferPool::Make(int64_t{256} << 20);
  EXPECT_EQ(BloomFilter::Make(0, 0.01, *pool)->bitset()->size(), 32);
  EXPECT_EQ(BloomFilter::Make(INT64_MAX, 1e-300, *pool)->bitset()->size(), int64_t{128} << 20);
}

}  // namespace
}  // namespace sluice
