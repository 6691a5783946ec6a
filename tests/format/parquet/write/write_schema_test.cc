#include "format/parquet/write/write_schema.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

using parquet::BoundOrder;
using parquet::LogicalKind;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::SchemaElement;
using parquet::WriteSchema;

WriteSchema Made(std::vector<Field> fields) {
  Result<WriteSchema> schema = WriteSchema::Make(Schema{std::move(fields)});
  EXPECT_TRUE(schema.has_value()) << schema.status().ToString();
  return *std::move(schema);
}

SchemaElement ElementOf(const DataType& type) { return Made({{"a", type, true, {}}}).elements[1]; }

TEST(WriteSchema, PairsLogicalAndConvertedTypes) {
  struct Case {
    DataType type;
    PhysicalType physical;
    LogicalKind logical;
    int32_t converted;  // -1: none
  };
  const Case cases[] = {
      {DataType::Of(TypeId::kInt8), PhysicalType::kInt32, LogicalKind::kInteger, 15},
      {DataType::Of(TypeId::kInt32), PhysicalType::kInt32, LogicalKind::kNone, -1},
      {DataType::Of(TypeId::kUint16), PhysicalType::kInt32, LogicalKind::kInteger, 12},
      {DataType::Of(TypeId::kUint64), PhysicalType::kInt64, LogicalKind::kInteger, 14},
      {DataType::Of(TypeId::kFloat16), PhysicalType::kFixedLenByteArray, LogicalKind::kFloat16, -1},
      {DataType::Of(TypeId::kNull), PhysicalType::kInt32, LogicalKind::kUnknown, -1},
      {DataType::Of(TypeId::kDate), PhysicalType::kInt32, LogicalKind::kDate, 6},
      {DataType::Time(TimeUnit::kMilliseconds, true), PhysicalType::kInt32, LogicalKind::kTime, 7},
      {DataType::Time(TimeUnit::kMicroseconds, false), PhysicalType::kInt64, LogicalKind::kTime, 8},
      {DataType::Timestamp(TimeUnit::kMilliseconds, false), PhysicalType::kInt64,
       LogicalKind::kTimestamp, 9},
      {DataType::Timestamp(TimeUnit::kMicroseconds, true), PhysicalType::kInt64,
       LogicalKind::kTimestamp, 10},
      {DataType::Timestamp(TimeUnit::kNanoseconds, true), PhysicalType::kInt64,
       LogicalKind::kTimestamp, -1},
      {DataType::Of(TypeId::kInterval), PhysicalType::kFixedLenByteArray, LogicalKind::kNone, 21},
      {DataType::Of(TypeId::kInt96), PhysicalType::kInt96, LogicalKind::kNone, -1},
      {DataType::Of(TypeId::kString), PhysicalType::kByteArray, LogicalKind::kString, 0},
      {DataType::Of(TypeId::kEnum), PhysicalType::kByteArray, LogicalKind::kEnum, 4},
      {DataType::Of(TypeId::kJson), PhysicalType::kByteArray, LogicalKind::kJson, 19},
      {DataType::Of(TypeId::kBson), PhysicalType::kByteArray, LogicalKind::kBson, 20},
      {DataType::Of(TypeId::kUuid), PhysicalType::kFixedLenByteArray, LogicalKind::kUuid, -1},
      {DataType::Of(TypeId::kGeometry), PhysicalType::kByteArray, LogicalKind::kGeometry, -1},
      {DataType::Decimal(9, 2, 4), PhysicalType::kInt32, LogicalKind::kDecimal, 5},
      {DataType::Decimal(18, 2, 16), PhysicalType::kInt64, LogicalKind::kDecimal, 5},
      {DataType::Decimal(38, 2, 16), PhysicalType::kFixedLenByteArray, LogicalKind::kDecimal, 5},
  };
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.type.ToString());
    const WriteSchema schema = Made({{"a", expected.type, true, {}}});
    const SchemaElement& element = schema.elements[1];
    EXPECT_EQ(element.type, expected.physical);
    EXPECT_EQ(element.logical.kind, expected.logical);
    EXPECT_EQ(element.converted_type.value_or(-1), expected.converted);
  }
  EXPECT_EQ(ElementOf(DataType::Decimal(38, 2, 16)).type_length, 16);
  EXPECT_EQ(ElementOf(DataType::Decimal(19, 2, 16)).type_length, 9);
  EXPECT_EQ(ElementOf(DataType::Decimal(76, 2, 32)).type_length, 32);
  EXPECT_EQ(ElementOf(DataType::Decimal(9, 2, 4)).precision, 9);
  EXPECT_EQ(ElementOf(DataType::Decimal(9, 2, 4)).scale, 2);
}

TEST(WriteSchema, ListsAndMapsHaveThreeLevels) {
  const Field element{"item", DataType::Of(TypeId::kInt32), false, 7};
  const Field key{"k", DataType::Of(TypeId::kString), true, {}};
  const WriteSchema schema =
      Made({{"l", DataType::List(element), true, 5},
            {"m", DataType::Map(key, Field{"v", DataType::List(element), true, {}}), false, {}}});
  std::vector<std::string> names;
  for (const SchemaElement& e : schema.elements) names.emplace_back(e.name);
  EXPECT_EQ(names, (std::vector<std::string>{"schema", "l", "list", "element", "m", "key_value",
                                             "key", "value", "list", "element"}));
  EXPECT_EQ(schema.elements[1].field_id, 5);
  EXPECT_EQ(schema.elements[3].field_id, 7);
  EXPECT_EQ(schema.elements[2].repetition, Repetition::kRepeated);
  EXPECT_EQ(schema.elements[3].repetition, Repetition::kRequired);
  EXPECT_EQ(schema.elements[6].repetition, Repetition::kRequired);
  ASSERT_EQ(schema.leaves.size(), 3U);
  EXPECT_EQ(schema.leaves[0].max_definition_level, 2);
  EXPECT_EQ(schema.leaves[2].path,
            (std::vector<std::string>{"m", "key_value", "value", "list", "element"}));
  EXPECT_EQ(schema.leaves[2].max_definition_level, 3);
  EXPECT_EQ(schema.leaves[2].max_repetition_level, 2);
}

TEST(WriteSchema, VariantPartsHaveNoOrder) {
  DataType variant = DataType::Struct({{"metadata", DataType::Of(TypeId::kBinary), false, {}},
                                       {"value", DataType::Of(TypeId::kBinary), true, {}},
                                       {"typed_value", DataType::Of(TypeId::kInt64), true, {}}});
  variant.id = TypeId::kVariant;
  const WriteSchema schema = Made({{"v", variant, true, {}}});
  EXPECT_EQ(schema.elements[1].logical.kind, LogicalKind::kVariant);
  EXPECT_EQ(schema.leaves[0].order, BoundOrder::kNone);
  EXPECT_EQ(schema.leaves[2].order, BoundOrder::kInt64);
}

TEST(WriteSchema, RefusesWhatParquetCannotHold) {
  const auto code = [](const DataType& type) {
    return WriteSchema::Make(Schema{{{"a", type, true, {}}}}).status().code();
  };
  EXPECT_EQ(code(DataType::Struct({})), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::FixedBinary(0)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::Time(TimeUnit::kSeconds, true)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::Timestamp(TimeUnit::kSeconds, true)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::Decimal(0, 0, 4)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::Decimal(5, 6, 4)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(DataType::Of(TypeId::kList)), StatusCode::kInvalidArgument);
  EXPECT_EQ(WriteSchema::Make(Schema{}).status().code(), StatusCode::kInvalidArgument);
  DataType deep = DataType::Of(TypeId::kInt32);
  for (int i = 0; i < 600; ++i) deep = DataType::List({"element", deep, true, {}});
  EXPECT_EQ(code(deep), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
