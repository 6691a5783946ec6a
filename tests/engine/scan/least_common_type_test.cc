#include "engine/scan/least_common_type.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "format/model/widen.h"
#include "tests/format/model/widenings.h"

namespace sluice::engine {
namespace {

DataType Of(TypeId id) { return DataType::Of(id); }

std::string Common(const std::vector<DataType>& types) {
  const auto common = LeastCommonType(types);
  if (!common) return "none";
  return common->ToString() +
         (common->id == TypeId::kDecimal ? "/" + std::to_string(common->byte_width) : "");
}

TEST(LeastCommonType, Integers) {
  EXPECT_EQ(Common({Of(TypeId::kInt32), Of(TypeId::kInt64)}), "int64");
  EXPECT_EQ(Common({Of(TypeId::kUint8), Of(TypeId::kUint16)}), "uint16");
  EXPECT_EQ(Common({Of(TypeId::kUint8), Of(TypeId::kInt8)}), "int16");
  EXPECT_EQ(Common({Of(TypeId::kUint8), Of(TypeId::kInt16)}), "int16");
  EXPECT_EQ(Common({Of(TypeId::kInt32), Of(TypeId::kUint32)}), "int64");
  EXPECT_EQ(Common({Of(TypeId::kInt64), Of(TypeId::kUint64)}), "decimal(20, 0)/16");
}

TEST(LeastCommonType, FloatingPoint) {
  EXPECT_EQ(Common({Of(TypeId::kFloat16), Of(TypeId::kFloat)}), "float");
  EXPECT_EQ(Common({Of(TypeId::kFloat), Of(TypeId::kDouble)}), "double");
  EXPECT_EQ(Common({Of(TypeId::kInt16), Of(TypeId::kFloat16)}), "float");
  EXPECT_EQ(Common({Of(TypeId::kInt32), Of(TypeId::kFloat)}), "double");
  EXPECT_EQ(Common({Of(TypeId::kUint32), Of(TypeId::kDouble)}), "double");
  EXPECT_EQ(Common({Of(TypeId::kInt64), Of(TypeId::kDouble)}), "none");
  EXPECT_EQ(Common({Of(TypeId::kDouble), DataType::Decimal(5, 2, 4)}), "none");
  // Two by two they would meet in an integer that needs a double.
  EXPECT_EQ(Common({Of(TypeId::kInt16), Of(TypeId::kUint16), Of(TypeId::kFloat)}), "float");
}

TEST(LeastCommonType, Decimals) {
  EXPECT_EQ(Common({DataType::Decimal(9, 2, 4), DataType::Decimal(9, 4, 4)}), "decimal(11, 4)/8");
  EXPECT_EQ(Common({DataType::Decimal(5, 2, 4), DataType::Decimal(9, 4, 4)}), "decimal(9, 4)/4");
  EXPECT_EQ(Common({DataType::Decimal(5, 2, 16), DataType::Decimal(9, 2, 4)}), "decimal(9, 2)/16");
  EXPECT_EQ(Common({DataType::Decimal(5, 2, 4), DataType::Decimal(5, 2, 8)}), "decimal(5, 2)/8");
  EXPECT_EQ(Common({DataType::Decimal(5, 2, 4), Of(TypeId::kInt32)}), "decimal(12, 2)/8");
  EXPECT_EQ(Common({DataType::Decimal(2, 2, 4), Of(TypeId::kUint8)}), "decimal(5, 2)/4");
  EXPECT_EQ(Common({DataType::Decimal(76, 0, 32), DataType::Decimal(2, 1, 4)}), "none");
}

TEST(LeastCommonType, Times) {
  const DataType millis = DataType::Timestamp(TimeUnit::kMilliseconds, false);
  const DataType nanos = DataType::Timestamp(TimeUnit::kNanoseconds, false);
  const DataType instant = DataType::Timestamp(TimeUnit::kMicroseconds, true);
  EXPECT_EQ(Common({Of(TypeId::kDate), millis}), "timestamp(ms)");
  EXPECT_EQ(Common({millis, Of(TypeId::kDate), nanos}), "timestamp(ns)");
  EXPECT_EQ(Common({millis, Of(TypeId::kInt96)}), "timestamp(ns)");
  EXPECT_EQ(Common({Of(TypeId::kDate), Of(TypeId::kInt96)}), "timestamp(ns)");
  EXPECT_EQ(Common({instant, DataType::Timestamp(TimeUnit::kMilliseconds, true)}),
            "timestamp(us, utc)");
  EXPECT_EQ(Common({instant, millis}), "none");
  EXPECT_EQ(Common({instant, Of(TypeId::kDate)}), "none");
  EXPECT_EQ(Common({instant, Of(TypeId::kInt96)}), "none");
  EXPECT_EQ(Common({DataType::Time(TimeUnit::kMilliseconds, true),
                    DataType::Time(TimeUnit::kNanoseconds, true)}),
            "time(ns, utc)");
  EXPECT_EQ(Common({DataType::Time(TimeUnit::kMilliseconds, true),
                    DataType::Time(TimeUnit::kMilliseconds, false)}),
            "none");
  EXPECT_EQ(
      Common({DataType::Duration(TimeUnit::kSeconds), DataType::Duration(TimeUnit::kMicroseconds)}),
      "duration(us)");
  EXPECT_EQ(Common({DataType::Time(TimeUnit::kMilliseconds, false), Of(TypeId::kDate)}), "none");
  EXPECT_EQ(Common({Of(TypeId::kDate), Of(TypeId::kInt32)}), "none");
}

TEST(LeastCommonType, TextAndOthers) {
  EXPECT_EQ(Common({Of(TypeId::kEnum), Of(TypeId::kJson)}), "string");
  EXPECT_EQ(Common({Of(TypeId::kString), Of(TypeId::kBson)}), "binary");
  EXPECT_EQ(Common({Of(TypeId::kBinary), Of(TypeId::kString)}), "binary");
  EXPECT_EQ(Common({Of(TypeId::kString), DataType::FixedBinary(4)}), "none");
  EXPECT_EQ(Common({DataType::FixedBinary(4), DataType::FixedBinary(5)}), "none");
  EXPECT_EQ(Common({Of(TypeId::kString), Of(TypeId::kInt32)}), "none");
  EXPECT_EQ(Common({Of(TypeId::kBoolean), Of(TypeId::kInt8)}), "none");
  DataType geometry = Of(TypeId::kGeometry);
  geometry.crs = "EPSG:4326";
  EXPECT_EQ(Common({geometry, geometry}), "geometry");
  EXPECT_EQ(Common({geometry, Of(TypeId::kGeometry)}), "none");
  EXPECT_EQ(Common({geometry, Of(TypeId::kString)}), "none");
  EXPECT_EQ(Common({Of(TypeId::kNull)}), "null");
  EXPECT_EQ(Common({}), "none");
}

// Whatever the order and however often; what is found holds all, and nothing narrower does.
TEST(LeastCommonType, OfAnyTypesInAnyOrder) {
  std::mt19937 random(11);
  const std::vector<DataType> all = WidenedTypes();
  int found = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<DataType> types;
    for (size_t i = 0; i < 2 + random() % 3; ++i) {
      // Mostly neighbours in the list, which are akin.
      const size_t base = static_cast<size_t>(round) / 20 % all.size();
      types.push_back(all[(base + random() % 12) % all.size()]);
    }
    const auto common = LeastCommonType(types);
    std::vector<DataType> shuffled = types;
    shuffled.push_back(types[random() % types.size()]);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    ASSERT_EQ(LeastCommonType(shuffled), common);
    const auto holds_all = [&](const DataType& wide) {
      return std::all_of(types.begin(), types.end(),
                         [&](const DataType& type) { return CanWiden(type, wide); });
    };
    if (common) {
      ++found;
      ASSERT_TRUE(holds_all(*common)) << common->ToString();
    }
    for (const DataType& other : all) {
      if (!holds_all(other)) continue;
      ASSERT_TRUE(common) << other.ToString();
      const bool is_narrower = CanWiden(other, *common) && !CanWiden(*common, other);
      ASSERT_FALSE(is_narrower) << other.ToString() << " is below " << common->ToString();
    }
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace sluice::engine
