#include <gtest/gtest.h>
#include <sluice/buffer.h>

#include <cstring>
#include <thread>
#include <vector>

namespace sluice {
namespace {

TEST(BufferPool, AllocatesAlignedAndPadded) {
  const auto pool = BufferPool::Make();
  for (int64_t size : {0, 1, 63, 64, 65, 100'000}) {
    const BufferRef buffer = pool->Allocate(size).value();
    EXPECT_EQ(buffer->size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
    std::memset(buffer->mutable_data(), 1, static_cast<size_t>(size));
    for (int64_t i = 0; i < kReadPadding; ++i) EXPECT_EQ(buffer->data()[size + i], 0);
  }
}

TEST(BufferPool, KeepsItsBudgetWithPadding) {
  const auto pool = BufferPool::Make(1000);
  const auto first = pool->Allocate(400).value();
  EXPECT_GE(pool->bytes_in_use(), 400 + kReadPadding);
  EXPECT_LE(pool->bytes_in_use(), 1000);
  const Status refused = pool->Allocate(600).status();
  EXPECT_EQ(refused.code(), StatusCode::kResourceExhausted);
  EXPECT_NE(refused.message().find("600"), std::string::npos);
  // Room is counted again when a buffer goes.
  auto second = pool->Allocate(300);
  ASSERT_TRUE(second.has_value());
  const int64_t both = pool->bytes_in_use();
  EXPECT_EQ(pool->Allocate(300).status().code(), StatusCode::kResourceExhausted);
  second->reset();
  EXPECT_TRUE(pool->Allocate(300).has_value());
  EXPECT_EQ(pool->peak_bytes(), both);
}

TEST(BufferPool, RefusesImpossibleSizes) {
  const auto pool = BufferPool::Make();
  EXPECT_EQ(pool->Allocate(-1).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(pool->Allocate(INT64_MIN).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(pool->Allocate(INT64_MAX).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->Allocate(INT64_MAX - 100).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(BufferPool, BuffersKeepTheirPoolAlive) {
  auto pool = BufferPool::Make();
  const std::weak_ptr<BufferPool> watch = pool;
  BufferRef buffer = pool->Allocate(10).value();
  pool.reset();
  EXPECT_FALSE(watch.expired());
  buffer.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(BufferPool, CountsAcrossThreads) {
  const auto pool = BufferPool::Make(int64_t{4} * 100 * 192);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&pool] {
      std::vector<BufferRef> held;
      for (int round = 0; round < 1000; ++round) {
        auto buffer = pool->Allocate(100);
        ASSERT_TRUE(buffer.has_value());
        held.push_back(*std::move(buffer));
        if (held.size() == 100) held.clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->bytes_in_use(), 0);
  EXPECT_GE(pool->peak_bytes(), 100 * 192);
  EXPECT_LE(pool->peak_bytes(), 4 * 100 * 192);
}

TEST(Reservation, CountsLikeBuffers) {
  const auto pool = BufferPool::Make(1000);
  Reservation first = pool->Reserve(400).value();
  EXPECT_EQ(first.bytes(), 400);
  EXPECT_EQ(pool->bytes_in_use(), 400);
  EXPECT_EQ(pool->Reserve(601).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->Allocate(600).status().code(), StatusCode::kResourceExhausted);
  {
    const Reservation second = pool->Reserve(600).value();
    EXPECT_EQ(pool->bytes_in_use(), 1000);
    EXPECT_EQ(pool->Reserve(1).status().code(), StatusCode::kResourceExhausted);
    EXPECT_TRUE(pool->Reserve(0).has_value());
  }
  EXPECT_EQ(pool->bytes_in_use(), 400);
  EXPECT_EQ(pool->peak_bytes(), 1000);
}

TEST(Reservation, ResizesWithinTheBudget) {
  const auto pool = BufferPool::Make(1000);
  Reservation reservation = pool->Reserve(0).value();
  ASSERT_TRUE(reservation.Resize(1000).ok());
  const Status refused = reservation.Resize(1001);
  EXPECT_EQ(refused.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(reservation.Resize(-1).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reservation.Resize(INT64_MAX).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(reservation.bytes(), 1000);
  EXPECT_EQ(pool->bytes_in_use(), 1000);
  ASSERT_TRUE(reservation.Resize(10).ok());
  EXPECT_EQ(pool->bytes_in_use(), 10);
  EXPECT_EQ(pool->Reserve(-1).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(pool->Reserve(INT64_MAX).status().code(), StatusCode::kResourceExhausted);
}

TEST(Reservation, CoversInFewStepsUpToTheLastByte) {
  const auto pool = BufferPool::Make(1000);
  Reservation reservation = pool->Reserve(100).value();
  ASSERT_TRUE(reservation.Cover(101).ok());
  EXPECT_EQ(reservation.bytes(), 150);
  ASSERT_TRUE(reservation.Cover(20).ok());
  EXPECT_EQ(reservation.bytes(), 150);
  ASSERT_TRUE(reservation.Cover(900).ok());
  ASSERT_TRUE(reservation.Cover(1000).ok());
  EXPECT_EQ(reservation.Cover(1001).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(reservation.Cover(-1).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reservation.bytes(), 1000);
}

TEST(Reservation, MovesAndKeepsItsPoolAlive) {
  auto pool = BufferPool::Make(1000);
  const std::weak_ptr<BufferPool> watch = pool;
  Reservation first = pool->Reserve(300).value();
  Reservation second = std::move(first);
  EXPECT_EQ(first.bytes(), 0);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(pool->bytes_in_use(), 300);
  Reservation third = pool->Reserve(50).value();
  third = std::move(second);
  EXPECT_EQ(third.bytes(), 300);
  EXPECT_EQ(pool->bytes_in_use(), 300);
  pool.reset();
  EXPECT_FALSE(watch.expired());
  third = Reservation();
  EXPECT_TRUE(watch.expired());
  // Of no pool: nobody counts.
  EXPECT_TRUE(third.Resize(INT64_MAX).ok());
}

TEST(Buffer, SlicesAndWrapsKeepTheirOwner) {
  const auto pool = BufferPool::Make();
  BufferRef whole = pool->Allocate(100).value();
  whole->mutable_data()[40] = 7;
  BufferRef slice = SliceBuffer(whole, 40, 10);
  whole.reset();
  EXPECT_EQ(slice->size(), 10);
  EXPECT_EQ(slice->data()[0], 7);
  EXPECT_GT(pool->bytes_in_use(), 0);
  slice.reset();
  EXPECT_EQ(pool->bytes_in_use(), 0);

  auto owner = std::make_shared<std::vector<uint8_t>>(100 + kReadPadding);
  const std::weak_ptr<std::vector<uint8_t>> watch = owner;
  const uint8_t* bytes = owner->data();
  BufferRef wrapped = WrapBytes(bytes, 100, std::move(owner));
  EXPECT_EQ(wrapped->data(), bytes);
  EXPECT_FALSE(watch.expired());
  wrapped.reset();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace sluice
