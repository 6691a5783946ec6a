#include <gtest/gtest.h>
#include <sluice/types.h>

#include <set>
#include <string>

namespace sluice {
namespace {

constexpr int kTypeCount = static_cast<int>(TypeId::kVariant) + 1;

TEST(DataType, EveryTypeHasItsName) {
  std::set<std::string_view> names;
  for (int id = 0; id < kTypeCount; ++id) names.insert(TypeName(static_cast<TypeId>(id)));
  EXPECT_EQ(names.size(), static_cast<size_t>(kTypeCount));
  EXPECT_EQ(names.count("unknown"), 0u);
}

TEST(DataType, WidthsAreThoseOfTheLayout) {
  EXPECT_EQ(DataType::Of(TypeId::kBoolean).byte_width, 0);
  EXPECT_EQ(DataType::Of(TypeId::kInt8).byte_width, 1);
  EXPECT_EQ(DataType::Of(TypeId::kFloat16).byte_width, 2);
  EXPECT_EQ(DataType::Of(TypeId::kDate).byte_width, 4);
  EXPECT_EQ(DataType::Of(TypeId::kInt96).byte_width, 12);
  EXPECT_EQ(DataType::Of(TypeId::kInterval).byte_width, 12);
  EXPECT_EQ(DataType::Of(TypeId::kUuid).byte_width, 16);
  EXPECT_EQ(DataType::Of(TypeId::kString).byte_width, 0);
  EXPECT_EQ(DataType::Time(TimeUnit::kMilliseconds, true).byte_width, 4);
  EXPECT_EQ(DataType::Time(TimeUnit::kMicroseconds, true).byte_width, 8);
  EXPECT_EQ(DataType::Timestamp(TimeUnit::kNanoseconds, false).byte_width, 8);
  EXPECT_EQ(DataType::Decimal(38, 2, 16).byte_width, 16);
  EXPECT_EQ(DataType::FixedBinary(3).byte_width, 3);
}

TEST(DataType, PrintsItsParameters) {
  const DataType number = DataType::Of(TypeId::kInt32);
  EXPECT_EQ(DataType::Decimal(9, 2, 4).ToString(), "decimal(9, 2)");
  EXPECT_EQ(DataType::Timestamp(TimeUnit::kMicroseconds, true).ToString(), "timestamp(us, utc)");
  EXPECT_EQ(DataType::Timestamp(TimeUnit::kNanoseconds, false).ToString(), "timestamp(ns)");
  EXPECT_EQ(DataType::FixedBinary(5).ToString(), "fixed_binary(5)");
  EXPECT_EQ(DataType::List({"element", number, true, {}}).ToString(), "list<int32>");
  const DataType text = DataType::Of(TypeId::kString);
  EXPECT_EQ(DataType::Map({"key", text, false, {}}, Field{"value", number, true, {}}).ToString(),
            "map<string, int32>");
  EXPECT_EQ(DataType::Map({"key", text, false, {}}, std::nullopt).ToString(), "map<string>");
  EXPECT_EQ(DataType::Struct({{"a", number, true, {}}, {"b", text, true, {}}}).ToString(),
            "struct<a: int32, b: string>");
}

TEST(DataType, ComparesByValue) {
  EXPECT_EQ(DataType::Decimal(9, 2, 4), DataType::Decimal(9, 2, 4));
  EXPECT_NE(DataType::Decimal(9, 2, 4), DataType::Decimal(9, 3, 4));
  EXPECT_NE(DataType::Decimal(9, 2, 4), DataType::Decimal(9, 2, 8));
  EXPECT_NE(DataType::Time(TimeUnit::kMicroseconds, true),
            DataType::Time(TimeUnit::kMicroseconds, false));
  const DataType number = DataType::Of(TypeId::kInt32);
  EXPECT_EQ(DataType::List({"e", number, true, {}}), DataType::List({"e", number, true, {}}));
  EXPECT_NE(DataType::List({"e", number, true, {}}), DataType::List({"e", number, false, {}}));
  EXPECT_NE(DataType::List({"e", number, true, {}}), DataType::List({"f", number, true, {}}));
}

TEST(DataType, KnowsViewsAndNesting) {
  EXPECT_TRUE(DataType::Of(TypeId::kJson).is_view());
  EXPECT_TRUE(DataType::Of(TypeId::kGeography).is_view());
  EXPECT_FALSE(DataType::Of(TypeId::kUuid).is_view());
  EXPECT_FALSE(DataType::FixedBinary(3).is_view());
  EXPECT_TRUE(DataType::Of(TypeId::kVariant).is_nested());
  EXPECT_FALSE(DataType::Of(TypeId::kString).is_nested());
}

}  // namespace
}  // namespace sluice
