#include "format/model/arrow/time_values.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace sluice::arrow {
namespace {

std::array<uint8_t, 12> Int96(int64_t nanoseconds, int32_t day) {
  std::array<uint8_t, 12> bytes;
  std::memcpy(bytes.data(), &nanoseconds, 8);
  std::memcpy(bytes.data() + 8, &day, 4);
  return bytes;
}

std::optional<int64_t> Timestamp(int64_t nanoseconds, int32_t day, TimeUnit unit) {
  return Int96Timestamp(Int96(nanoseconds, day).data(), unit);
}

constexpr int32_t kEpoch = 2'440'588;

TEST(TimeValues, CountsFromTheEpoch) {
  EXPECT_EQ(Timestamp(0, kEpoch, TimeUnit::kNanoseconds), 0);
  EXPECT_EQ(Timestamp(1, kEpoch + 1, TimeUnit::kNanoseconds), 86'400'000'000'001);
  EXPECT_EQ(Timestamp(0, kEpoch - 1, TimeUnit::kSeconds), -86'400);
  // Nanoseconds outside of the day carry on.
  EXPECT_EQ(Timestamp(-1, kEpoch, TimeUnit::kNanoseconds), -1);
  EXPECT_EQ(Timestamp(86'400'000'000'000, kEpoch, TimeUnit::kNanoseconds), 86'400'000'000'000);
}

TEST(TimeValues, CoarserUnitsRoundDown) {
  EXPECT_EQ(Timestamp(1'999, kEpoch, TimeUnit::kMicroseconds), 1);
  EXPECT_EQ(Timestamp(-1, kEpoch, TimeUnit::kMicroseconds), -1);
  EXPECT_EQ(Timestamp(-1'000, kEpoch, TimeUnit::kMicroseconds), -1);
  EXPECT_EQ(Timestamp(-1'001, kEpoch, TimeUnit::kMicroseconds), -2);
  EXPECT_EQ(Timestamp(999'999, kEpoch, TimeUnit::kMilliseconds), 0);
  EXPECT_EQ(Timestamp(999'999'999, kEpoch - 1, TimeUnit::kSeconds), -86'400);
}

/// fault T1: nothing wraps, and what fits is there to the last nanosecond.
TEST(TimeValues, T1Int96AtTheEndsOf64Bits) {
  // 2262-04-11T23:47:16.854775807 and 1677-09-21T00:12:43.145224192.
  const int64_t last = 85'636'854'775'807;
  const int64_t first = 763'145'224'192;
  EXPECT_EQ(Timestamp(last, 2'547'339, TimeUnit::kNanoseconds), INT64_MAX);
  EXPECT_EQ(Timestamp(last + 1, 2'547'339, TimeUnit::kNanoseconds), std::nullopt);
  EXPECT_EQ(Timestamp(first, 2'333'836, TimeUnit::kNanoseconds), INT64_MIN);
  EXPECT_EQ(Timestamp(first - 1, 2'333'836, TimeUnit::kNanoseconds), std::nullopt);
  // 9999-12-31T23:59:59.999999900 and 0001-01-01, which microseconds hold.
  EXPECT_EQ(Timestamp(86'399'999'999'900, 5'373'484, TimeUnit::kNanoseconds), std::nullopt);
  EXPECT_EQ(Timestamp(86'399'999'999'900, 5'373'484, TimeUnit::kMicroseconds),
            253'402'300'799'999'999);
  EXPECT_EQ(Timestamp(0, 1'721'426, TimeUnit::kNanoseconds), std::nullopt);
  EXPECT_EQ(Timestamp(0, 1'721'426, TimeUnit::kMicroseconds), -62'135'596'800'000'000);
  for (const TimeUnit unit : {TimeUnit::kNanoseconds, TimeUnit::kMicroseconds}) {
    EXPECT_EQ(Timestamp(INT64_MAX, INT32_MAX, unit), std::nullopt);
    EXPECT_EQ(Timestamp(INT64_MIN, INT32_MIN, unit), std::nullopt);
  }
  EXPECT_EQ(Timestamp(INT64_MAX, INT32_MAX, TimeUnit::kSeconds),
            (int64_t{INT32_MAX} - kEpoch) * 86'400 + 9'223'372'036);
}

TEST(TimeValues, WidensIntervals) {
  const auto interval = [](uint32_t months, uint32_t days, uint32_t milliseconds) {
    std::array<uint8_t, 12> bytes;
    std::memcpy(bytes.data(), &months, 4);
    std::memcpy(bytes.data() + 4, &days, 4);
    std::memcpy(bytes.data() + 8, &milliseconds, 4);
    return IntervalValue(bytes.data());
  };
  const auto widest = interval(INT32_MAX, INT32_MAX, UINT32_MAX);
  ASSERT_TRUE(widest);
  EXPECT_EQ(widest->months, INT32_MAX);
  EXPECT_EQ(widest->days, INT32_MAX);
  EXPECT_EQ(widest->nanoseconds, int64_t{UINT32_MAX} * 1'000'000);
  EXPECT_FALSE(interval(uint32_t{1} << 31, 0, 0));
  EXPECT_FALSE(interval(0, uint32_t{1} << 31, 0));
}

}  // namespace
}  // namespace sluice::arrow
