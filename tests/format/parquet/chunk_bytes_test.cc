#include "format/parquet/chunk_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sluice {
namespace {

using parquet::ChunkBytes;

const std::shared_ptr<BufferPool>& Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

/// A buffer whose byte i is the low byte of offset + i.
BufferRef FileBytes(ByteRange range) {
  BufferRef bytes = *Pool()->Allocate(range.length);
  for (int64_t i = 0; i < range.length; ++i) {
    bytes->mutable_data()[i] = static_cast<uint8_t>(range.offset + i);
  }
  return bytes;
}

void ExpectFileBytes(const Buffer& bytes, int64_t offset) {
  for (int64_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(bytes.data()[i], static_cast<uint8_t>(offset + i)) << i;
  }
}

TEST(ChunkBytes, AsksOnceForWhatIsMissing) {
  ChunkBytes bytes;
  bytes.Request({10, 20});
  bytes.Request({12, 5});
  ASSERT_EQ(bytes.pending().size(), 1u);
  EXPECT_FALSE(bytes.Accept({10, 19}, FileBytes({10, 19})));
  EXPECT_TRUE(bytes.Accept({10, 20}, FileBytes({10, 20})));
  EXPECT_TRUE(bytes.pending().empty());
  bytes.Request({15, 15});
  EXPECT_TRUE(bytes.pending().empty());
}

TEST(ChunkBytes, TakesItsPartOfALargerRange) {
  ChunkBytes bytes;
  bytes.Request({10, 20});
  bytes.Request({50, 3});
  EXPECT_TRUE(bytes.Accept({0, 100}, FileBytes({0, 100})));
  EXPECT_TRUE(bytes.pending().empty());
  EXPECT_EQ(bytes.AvailableAt(10, 1000), 20);
  EXPECT_EQ(bytes.AvailableAt(30, 1000), 0);
  EXPECT_EQ(bytes.AvailableAt(51, 1000), 2);
  EXPECT_EQ(bytes.AvailableAt(10, 5), 5);
  ExpectFileBytes(**bytes.Get({50, 3}, *Pool()), 50);
}

TEST(ChunkBytes, JoinsWhatLiesInSeveralPieces) {
  ChunkBytes bytes;
  for (const ByteRange range : {ByteRange{20, 10}, ByteRange{10, 10}, ByteRange{30, 7}}) {
    bytes.Request(range);
    ASSERT_TRUE(bytes.Accept(range, FileBytes(range)));
  }
  EXPECT_EQ(bytes.AvailableAt(13, 1000), 24);
  EXPECT_EQ(bytes.PeekAt(13).size(), 7u);
  const auto joined = bytes.Get({13, 24}, *Pool());
  ASSERT_TRUE(joined);
  ASSERT_EQ((*joined)->size(), 24);
  ExpectFileBytes(**joined, 13);
  EXPECT_EQ(bytes.Get({13, 25}, *Pool()).status().code(), StatusCode::kInternal);
}

TEST(ChunkBytes, ForgetsWhatLiesBefore) {
  ChunkBytes bytes;
  for (const ByteRange range : {ByteRange{0, 10}, ByteRange{10, 10}}) {
    bytes.Request(range);
    ASSERT_TRUE(bytes.Accept(range, FileBytes(range)));
  }
  bytes.DropBefore(9);
  EXPECT_EQ(bytes.AvailableAt(0, 1000), 20);
  bytes.DropBefore(10);
  EXPECT_EQ(bytes.AvailableAt(0, 1000), 0);
  EXPECT_EQ(bytes.AvailableAt(10, 1000), 10);
}

}  // namespace
}  // namespace sluice
