#include "format/parquet/plain_value.h"

#include <gtest/gtest.h>
#include <sluice/value.h>

#include "tests/support/page_bytes.h"

namespace sluice {
namespace {

using parquet::DeliveredValue;
using parquet::Leaf;
using parquet::PhysicalType;
using parquet::PlainValue;
using support::Hex;

Leaf LeafOf(PhysicalType type, int32_t length = 0) {
  Leaf leaf;
  leaf.physical_type = type;
  leaf.type_length = length;
  return leaf;
}

/// The value that the bytes stand for, "-" for none, and with "!" where it does not go back.
std::string Delivered(const Leaf& leaf, const DataType& type, std::string_view hex) {
  const std::string plain = Hex(hex);
  const auto value = DeliveredValue(leaf, type, plain);
  if (!value) return "-";
  const auto back = PlainValue(leaf, type, *value);
  return Value{type, *value}.ToString() + (back == plain ? "" : back ? "?" : "!");
}

TEST(PlainValue, Integers) {
  const Leaf leaf = LeafOf(PhysicalType::kInt32);
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kInt32), "ffffffff"), "-1");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kUint32), "ffffffff"), "4294967295");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kInt8), "80ffffff"), "-128");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kInt8), "80000000"), "-");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kUint8), "80000000"), "128");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kUint8), "80ffffff"), "-");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kUint16), "ffff0000"), "65535");
  EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kDate), "00000000"), "\"1970-01-01\"");
  for (const char* width : {"", "000000", "0000000000"}) {
    EXPECT_EQ(Delivered(leaf, DataType::Of(TypeId::kInt32), width), "-");
  }
  EXPECT_EQ(
      Delivered(LeafOf(PhysicalType::kInt64), DataType::Of(TypeId::kUint64), "ffffffffffffffff"),
      "\"18446744073709551615\"");
}

TEST(PlainValue, Decimals) {
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kInt32), DataType::Decimal(9, 2, 4), "ffffffff"),
            "\"-0.01\"");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kInt64), DataType::Decimal(4, 2, 4), "c800000000000000"),
            "\"2.00\"");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kInt64), DataType::Decimal(4, 2, 4), "0000000001000000"),
            "-");
  const Leaf fixed = LeafOf(PhysicalType::kFixedLenByteArray, 9);
  EXPECT_EQ(Delivered(fixed, DataType::Decimal(19, 2, 16), "0000000000000001f4"), "\"5.00\"");
  EXPECT_EQ(Delivered(fixed, DataType::Decimal(19, 2, 16), "fffffffffffffffe0c"), "\"-5.00\"");
  EXPECT_EQ(Delivered(fixed, DataType::Decimal(19, 2, 16), "0001f4"), "-");
  EXPECT_EQ(Delivered(fixed, DataType::Decimal(18, 2, 8), "800000000000000000"), "-");
  // Of any length, so that there is no one way back.
  const Leaf variable = LeafOf(PhysicalType::kByteArray);
  EXPECT_EQ(Delivered(variable, DataType::Decimal(9, 0, 4), "0100"), "\"256\"!");
  EXPECT_EQ(Delivered(variable, DataType::Decimal(9, 0, 4), "ff"), "\"-1\"!");
  EXPECT_EQ(Delivered(variable, DataType::Decimal(9, 0, 4), "000000000000000001"), "\"1\"!");
  EXPECT_EQ(Delivered(variable, DataType::Decimal(9, 0, 4), ""), "-");
  // What the leaf cannot hold has no bytes there.
  EXPECT_EQ(PlainValue(LeafOf(PhysicalType::kFixedLenByteArray, 1), DataType::Decimal(2, 0, 4),
                       Hex("80000000")),
            std::nullopt);
}

TEST(PlainValue, OtherTypes) {
  const Leaf boolean = LeafOf(PhysicalType::kBoolean);
  EXPECT_EQ(Delivered(boolean, DataType::Of(TypeId::kBoolean), "01"), "true!");
  EXPECT_EQ(Delivered(boolean, DataType::Of(TypeId::kBoolean), "02"), "-");
  EXPECT_EQ(Delivered(boolean, DataType::Of(TypeId::kBoolean), ""), "-");
  EXPECT_EQ(
      Delivered(LeafOf(PhysicalType::kDouble), DataType::Of(TypeId::kDouble), "000000000000f83f"),
      "1.5");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kFixedLenByteArray, 2), DataType::Of(TypeId::kFloat16),
                      "003e"),
            "1.5");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kInt96), DataType::Of(TypeId::kInt96),
                      "0000000000000000 8c3d2500"),
            "\"1970-01-01T00:00:00.000000000\"!");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kByteArray), DataType::Of(TypeId::kString), ""), "\"\"");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kByteArray), DataType::Of(TypeId::kString), "6162"),
            "\"ab\"");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kFixedLenByteArray, 2), DataType::FixedBinary(2), "00"),
            "-");
  EXPECT_EQ(Delivered(LeafOf(PhysicalType::kInt32), DataType::Of(TypeId::kNull), "00000000"), "-");
}

}  // namespace
}  // namespace sluice
