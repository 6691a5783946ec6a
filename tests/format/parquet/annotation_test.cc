// What LogicalType and ConvertedType make of primitive elements.

#include <gtest/gtest.h>

#include <string>

#include "tests/format/parquet/schema_elements.h"

namespace sluice {
namespace {

TEST(Annotation, LogicalTypeCountsBeforeConvertedType) {
  SchemaElement element = Leaf("a", kRequired, kByteArray, kUtf8);
  EXPECT_EQ(TypeOf(element), "string");
  EXPECT_EQ(TypeOf(WithLogical(element, LogicalKind::kEnum)), "enum");
  EXPECT_EQ(TypeOf(WithLogical(element, LogicalKind::kJson)), "json");
  EXPECT_EQ(TypeOf(WithLogical(element, LogicalKind::kUnrecognized)), "binary");
  EXPECT_EQ(TypeOf(WithLogical(element, LogicalKind::kDate)), "binary");
  EXPECT_EQ(TypeOf(WithLogical(Leaf("a", kRequired, kInt32), LogicalKind::kUnknown)), "null");
  // UNKNOWN beside a ConvertedType, as old writers had it for INTERVAL; 22 and 24 are none.
  SchemaElement interval = Leaf("a", kRequired, PhysicalType::kFixedLenByteArray, kInterval);
  interval.type_length = 12;
  EXPECT_EQ(TypeOf(WithLogical(interval, LogicalKind::kUnknown)), "interval");
  EXPECT_EQ(TypeOf(WithLogical(Leaf("a", kRequired, kInt32, 24), LogicalKind::kUnknown)), "null");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, 24)), "int32");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, 22)), "int32");
}

TEST(Annotation, LegacyTimesAreAdjusted) {
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt64, kTimestampMicros)), "timestamp(us, utc)");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, kTimeMillis)), "time(ms, utc)");
  SchemaElement local = Leaf("a", kRequired, kInt64, kTimestampMicros);
  local.logical.kind = LogicalKind::kTimestamp;
  local.logical.unit = TimeUnit::kMicroseconds;
  EXPECT_EQ(TypeOf(local), "timestamp(us)");
  local.logical.unit.reset();  // A unit that this version does not know.
  EXPECT_EQ(TypeOf(local), "int64");
}

TEST(Annotation, Integers) {
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, kUint8)), "uint8");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, kUint8 + 2)), "uint32");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt64, kUint8 + 3)), "uint64");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, kUint8 + 5)), "int16");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt64, kUint8)), "int64");
  SchemaElement element = WithLogical(Leaf("a", kRequired, kInt32), LogicalKind::kInteger);
  for (const int32_t width : {0, 7, -8, 128}) {
    element.logical.bit_width = width;
    EXPECT_EQ(TypeOf(element), "int32") << width;
  }
}

SchemaElement DecimalOn(PhysicalType type, int32_t length, int32_t precision,
                        std::optional<int32_t> scale) {
  SchemaElement element = Leaf("a", kRequired, type, kDecimal);
  element.type_length = length;
  element.precision = precision;
  element.scale = scale;
  return element;
}

TEST(Annotation, Decimals) {  // fault T4
  const auto width = [](const SchemaElement& element) {
    const auto tree = Make({element});
    const DataType& type = (*tree)->schema()->fields[0].type;
    return type.id == TypeId::kDecimal ? type.byte_width : -1;
  };
  constexpr auto kFixed = PhysicalType::kFixedLenByteArray;
  EXPECT_EQ(width(DecimalOn(kInt32, 0, 9, 2)), 4);
  EXPECT_EQ(width(DecimalOn(kInt64, 0, 9, 2)), 8);
  EXPECT_EQ(width(DecimalOn(kInt64, 0, 18, 18)), 8);
  EXPECT_EQ(width(DecimalOn(kFixed, 16, 10, 2)), 8);
  EXPECT_EQ(width(DecimalOn(kFixed, 16, 38, 2)), 16);
  EXPECT_EQ(width(DecimalOn(kByteArray, 0, 76, 0)), 32);
  EXPECT_EQ(width(DecimalOn(kFixed, 1, 2, 0)), 4);
  EXPECT_EQ(width(DecimalOn(kFixed, 32, 76, 0)), 32);
  // What the specification forbids shows the physical type.
  EXPECT_EQ(width(DecimalOn(kInt32, 0, 10, 2)), -1);
  EXPECT_EQ(width(DecimalOn(kInt64, 0, 19, 2)), -1);
  EXPECT_EQ(width(DecimalOn(kFixed, 1, 3, 0)), -1);
  EXPECT_EQ(width(DecimalOn(kFixed, 16, 39, 0)), -1);
  EXPECT_EQ(width(DecimalOn(kByteArray, 0, 77, 0)), -1);
  EXPECT_EQ(width(DecimalOn(kInt32, 0, 5, 6)), -1);
  EXPECT_EQ(width(DecimalOn(kInt32, 0, 5, -1)), -1);
  EXPECT_EQ(width(DecimalOn(kInt32, 0, 0, 0)), -1);
  EXPECT_EQ(width(DecimalOn(PhysicalType::kDouble, 0, 5, 0)), -1);
  EXPECT_EQ(TypeOf(DecimalOn(kInt32, 0, 5, std::nullopt)), "decimal(5, 0)");
}

TEST(Annotation, FixedLengthAnnotations) {
  SchemaElement fixed = Leaf("a", kRequired, PhysicalType::kFixedLenByteArray);
  fixed.type_length = 2;
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kFloat16)), "float16");
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kUuid)), "fixed_binary(2)");
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kString)), "fixed_binary(2)");
  fixed.type_length = 16;
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kUuid)), "uuid");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, PhysicalType::kInt96)), "int96");
}

TEST(Annotation, NamesAreThoseOfTheSpecification) {
  EXPECT_EQ(parquet::ConvertedTypeName(kUtf8), "UTF8");
  EXPECT_EQ(parquet::ConvertedTypeName(kTimestampMicros), "TIMESTAMP_MICROS");
  EXPECT_EQ(parquet::ConvertedTypeName(kUint8), "UINT_8");
  EXPECT_EQ(parquet::ConvertedTypeName(kInterval), "INTERVAL");
  EXPECT_EQ(parquet::EdgeAlgorithmName(0), "SPHERICAL");
  EXPECT_EQ(parquet::EdgeAlgorithmName(4), "KARNEY");
  for (const int32_t unknown : {-1, 22, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(parquet::ConvertedTypeName(unknown), "UNKNOWN");
    EXPECT_EQ(parquet::EdgeAlgorithmName(unknown), "UNKNOWN");
  }
}

TEST(Annotation, Geospatial) {
  SchemaElement element = WithLogical(Leaf("a", kRequired, kByteArray), LogicalKind::kGeography);
  element.logical.crs = "EPSG:4326";
  element.logical.edge_algorithm = 1;
  const auto tree = Make({element});
  const DataType& type = (*tree)->schema()->fields[0].type;
  EXPECT_EQ(type.id, TypeId::kGeography);
  EXPECT_EQ(type.crs, "EPSG:4326");
  EXPECT_EQ(type.edge_algorithm, "VINCENTY");
  // One that the specification lacks goes by its number.
  element.logical.edge_algorithm = 5;
  EXPECT_EQ((*Make({element}))->schema()->fields[0].type.edge_algorithm, "5");
}

}  // namespace
}  // namespace sluice
