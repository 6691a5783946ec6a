#include <gtest/gtest.h>

#include <vector>

#include "tests/format/parquet/compressed_pages.h"

namespace sluice::parquet {
namespace {

TEST(Compress, ChecksLevels) {
  const auto pool = BufferPool::Make();
  const Bytes plain = Compressible(3000, 19);
  const struct {
    Codec codec;
    std::vector<int> good;
    std::vector<int> bad;
  } cases[] = {
      {Codec::kUncompressed, {}, {0, 1}},
      {Codec::kSnappy, {}, {0, 1}},
      {Codec::kGzip, {0, 1, 6, 9, 12}, {-1, 13}},
      {Codec::kBrotli, {0, 1, 5, 11}, {-1, 12}},
      {Codec::kZstd, {-5, 1, 3, 22}, {23, INT32_MIN + 1}},
      {Codec::kLz4Raw, {1, 2, 3, 12}, {0, 13}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(static_cast<int>(c.codec));
    for (int level : c.good) {
      EXPECT_EQ(Decompress(c.codec, Compressed(c.codec, plain, level), plain.size()).value(), plain)
          << level;
    }
    for (int level : c.bad) {
      EXPECT_EQ(Compress(c.codec, level, plain, *pool).status().code(),
                StatusCode::kInvalidArgument)
          << level;
    }
  }
  for (Codec codec : {Codec::kLz4, Codec::kLzo, static_cast<Codec>(99)}) {
    EXPECT_EQ(Compress(codec, kDefaultLevel, plain, *pool).status().code(),
              StatusCode::kUnsupported);
  }
}

TEST(Compress, KeepsTheBudget) {
  const auto pool = BufferPool::Make(1000);
  EXPECT_EQ(Compress(Codec::kZstd, kDefaultLevel, Bytes(10'000), *pool).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(Crc32, IsThatOfGzip) {
  const Bytes check = BytesOf("123456789");
  EXPECT_EQ(Crc32(0, check), 0xCBF43926u);
  EXPECT_EQ(Crc32(Crc32(0, Part(check, 0, 4)), Part(check, 4, 9)), 0xCBF43926u);
  EXPECT_EQ(Crc32(0, {}), 0u);
  EXPECT_EQ(Crc32(0xCBF43926u, {}), 0xCBF43926u);
}

}  // namespace
}  // namespace sluice::parquet
