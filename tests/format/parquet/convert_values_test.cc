#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "format/parquet/leaf_values.h"

namespace sluice::parquet {
namespace {

std::shared_ptr<BufferPool> Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

BufferRef BufferOf(const void* bytes, size_t size) {
  BufferRef buffer = *Pool()->Allocate(static_cast<int64_t>(size));
  if (size > 0) std::memcpy(buffer->mutable_data(), bytes, size);
  return buffer;
}

template <typename T>
Column FlatOf(std::vector<T> values) {
  Column column;
  column.length = static_cast<int64_t>(values.size());
  column.data = BufferOf(values.data(), values.size() * sizeof(T));
  return column;
}

using Bytes = std::vector<uint8_t>;

/// Values of one fixed width.
Column FixedOf(const std::vector<Bytes>& values) {
  Column column;
  Bytes joined;
  for (const Bytes& value : values) joined.insert(joined.end(), value.begin(), value.end());
  column.length = static_cast<int64_t>(values.size());
  column.data = BufferOf(joined.data(), joined.size());
  return column;
}

Column ViewsOf(const std::vector<Bytes>& values) {
  Column column;
  column.form = ColumnForm::kView;
  column.length = static_cast<int64_t>(values.size());
  std::vector<StringView> views;
  for (const Bytes& value : values) {
    const BufferRef buffer = BufferOf(value.data(), value.size());
    views.push_back(StringView::OfPadded(buffer->data(), static_cast<int32_t>(value.size()),
                                         static_cast<int32_t>(column.view_buffers.size()), 0));
    column.view_buffers.push_back(buffer);
  }
  column.data = BufferOf(views.data(), views.size() * sizeof(StringView));
  return column;
}

Leaf LeafOf(PhysicalType type, int32_t type_length = 0) {
  Leaf leaf;
  leaf.physical_type = type;
  leaf.type_length = type_length;
  return leaf;
}

Result<Column> Convert(const Leaf& leaf, const DataType& type, Column physical) {
  return ConvertValues(leaf, std::make_shared<const DataType>(type), std::move(physical), *Pool());
}

template <typename T>
std::vector<T> ValuesOf(const Result<Column>& column) {
  EXPECT_TRUE(column.has_value()) << column.error().ToString();
  if (!column.has_value()) return {};
  EXPECT_EQ(column->type->byte_width, sizeof(T));
  return {column->values<T>(), column->values<T>() + column->length};
}

__extension__ typedef __int128 Int128;

TEST(ConvertValues, LeavesWhatIsStoredAsDelivered) {
  const Leaf leaf = LeafOf(PhysicalType::kInt32);
  const Column physical = FlatOf<int32_t>({1, -2});
  const Result<Column> date = Convert(leaf, DataType::Of(TypeId::kDate), physical);
  EXPECT_EQ(date->data, physical.data);
  EXPECT_EQ(date->type->id, TypeId::kDate);
}

TEST(ConvertValues, SignedIntegersNarrow) {
  const Leaf leaf = LeafOf(PhysicalType::kInt32);
  EXPECT_EQ(
      ValuesOf<int8_t>(Convert(leaf, DataType::Of(TypeId::kInt8), FlatOf<int32_t>({-128, 0, 127}))),
      (std::vector<int8_t>{-128, 0, 127}));
  EXPECT_EQ(ValuesOf<int16_t>(
                Convert(leaf, DataType::Of(TypeId::kInt16), FlatOf<int32_t>({-32768, 32767}))),
            (std::vector<int16_t>{-32768, 32767}));
}

TEST(ConvertValues, UnsignedIntegersReadTheBitsAsUnsigned) {  // fault T2
  const Leaf leaf = LeafOf(PhysicalType::kInt32);
  EXPECT_EQ(
      ValuesOf<uint8_t>(Convert(leaf, DataType::Of(TypeId::kUint8), FlatOf<int32_t>({0, 255}))),
      (std::vector<uint8_t>{0, 255}));
  EXPECT_EQ(
      ValuesOf<uint16_t>(Convert(leaf, DataType::Of(TypeId::kUint16), FlatOf<int32_t>({65535}))),
      (std::vector<uint16_t>{65535}));
  EXPECT_EQ(ValuesOf<uint32_t>(
                Convert(leaf, DataType::Of(TypeId::kUint32), FlatOf<uint32_t>({3'000'000'000U}))),
            (std::vector<uint32_t>{3'000'000'000U}));
}

TEST(ConvertValues, RefusesIntegersOutsideTheAnnotatedWidth) {
  const Leaf leaf = LeafOf(PhysicalType::kInt32);
  for (const auto& [id, value] :
       std::initializer_list<std::pair<TypeId, int32_t>>{{TypeId::kInt8, 128},
                                                         {TypeId::kInt8, -129},
                                                         {TypeId::kInt16, 32768},
                                                         {TypeId::kUint8, 256},
                                                         {TypeId::kUint8, -1},
                                                         {TypeId::kUint16, -1}}) {
    const Result<Column> column = Convert(leaf, DataType::Of(id), FlatOf<int32_t>({1, value}));
    ASSERT_FALSE(column.has_value()) << value;
    EXPECT_EQ(column.error().code(), StatusCode::kCorruption);
    EXPECT_NE(column.error().message().find("value 1 is"), std::string::npos)
        << column.error().message();
  }
}

TEST(ConvertValues, FixedDecimalsAreSignExtended) {  // fault T3
  const std::vector<Bytes> one_and_minus_one{
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100},
      {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 156}};
  const Leaf leaf = LeafOf(PhysicalType::kFixedLenByteArray, 16);
  const auto convert = [&](int32_t width) {
    return Convert(leaf, DataType::Decimal(9, 2, width), FixedOf(one_and_minus_one));
  };
  EXPECT_EQ(ValuesOf<int32_t>(convert(4)), (std::vector<int32_t>{100, -100}));
  EXPECT_EQ(ValuesOf<int64_t>(convert(8)), (std::vector<int64_t>{100, -100}));
  EXPECT_EQ(ValuesOf<Int128>(convert(16)), (std::vector<Int128>{100, -100}));
  const Result<Column> wide = convert(32);
  EXPECT_EQ(wide->values<Int128>()[0], 100);
  EXPECT_EQ(wide->values<Int128>()[1], 0);
  EXPECT_EQ(wide->values<Int128>()[2], -100);
  EXPECT_EQ(wide->values<Int128>()[3], -1);
}

TEST(ConvertValues, EveryFixedDecimalWidthGivesTheSameNumbers) {
  for (int32_t size = 1; size <= 40; ++size) {
    for (const int32_t number : {0, 1, -1, 127, -128}) {
      Bytes value(static_cast<size_t>(size), number < 0 ? 255 : 0);
      value.back() = static_cast<uint8_t>(number);
      const Leaf leaf = LeafOf(PhysicalType::kFixedLenByteArray, size);
      const auto convert = [&](int32_t width) {
        return Convert(leaf, DataType::Decimal(9, 0, width), FixedOf({value, value, value}));
      };
      EXPECT_EQ(ValuesOf<int32_t>(convert(4)), std::vector<int32_t>(3, number)) << size;
      EXPECT_EQ(ValuesOf<int64_t>(convert(8)), std::vector<int64_t>(3, number)) << size;
      EXPECT_EQ(ValuesOf<Int128>(convert(16)), std::vector<Int128>(3, number)) << size;
      const Result<Column> wide = convert(32);
      EXPECT_EQ(wide->values<Int128>()[4], number) << size;
      EXPECT_EQ(wide->values<Int128>()[5], number < 0 ? -1 : 0) << size;
    }
  }
}

TEST(ConvertValues, ByteArrayDecimalsMayHaveAnyLength) {
  const Leaf leaf = LeafOf(PhysicalType::kByteArray);
  std::vector<Bytes> values{{}, {5}, {251}, {1, 0}, {255, 0}, {0x80, 0, 0, 0}};
  Bytes long_value(40, 255);
  long_value.back() = 7;
  values.push_back(long_value);
  const Result<Column> column = Convert(leaf, DataType::Decimal(9, 1, 4), ViewsOf(values));
  EXPECT_EQ(ValuesOf<int32_t>(column),
            (std::vector<int32_t>{0, 5, -5, 256, -256, INT32_MIN, 7 - 256}));
}

TEST(ConvertValues, RefusesDecimalsThatLoseMoreThanSign) {  // faults T3, T4
  const Leaf fixed = LeafOf(PhysicalType::kFixedLenByteArray, 5);
  const Leaf wide = LeafOf(PhysicalType::kFixedLenByteArray, 17);
  Bytes sign_of_another(17, 0);
  sign_of_another[1] = 0x80;
  const Bytes good(17, 0);
  const struct {
    Leaf leaf;
    DataType type;
    Column physical;
  } cases[] = {
      {fixed, DataType::Decimal(9, 0, 4), FixedOf({{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}})},
      {fixed, DataType::Decimal(9, 0, 4), FixedOf({{0, 0, 0, 0, 0}, {0, 0x80, 0, 0, 0}})},
      {fixed, DataType::Decimal(9, 0, 4), FixedOf({{0, 0, 0, 0, 0}, {255, 0x7f, 0, 0, 0}})},
      {wide, DataType::Decimal(38, 0, 16), FixedOf({good, sign_of_another})},
      {LeafOf(PhysicalType::kByteArray), DataType::Decimal(38, 0, 16),
       ViewsOf({{}, sign_of_another})},
      {LeafOf(PhysicalType::kInt64), DataType::Decimal(9, 2, 4),
       FlatOf<int64_t>({1, int64_t{1} << 31})},
  };
  for (const auto& [leaf, type, physical] : cases) {
    const Result<Column> column = Convert(leaf, type, physical);
    ASSERT_FALSE(column.has_value());
    EXPECT_EQ(column.error().code(), StatusCode::kCorruption);
    EXPECT_NE(column.error().message().find("value 1 is"), std::string::npos)
        << column.error().message();
  }
}

TEST(ConvertValues, IntegerDecimalsTakeAnyWidth) {  // fault T4
  EXPECT_EQ(ValuesOf<int32_t>(Convert(LeafOf(PhysicalType::kInt64), DataType::Decimal(9, 2, 4),
                                      FlatOf<int64_t>({-12345, 99}))),
            (std::vector<int32_t>{-12345, 99}));
  EXPECT_EQ(ValuesOf<Int128>(Convert(LeafOf(PhysicalType::kInt32), DataType::Decimal(20, 2, 16),
                                     FlatOf<int32_t>({-12345, 99}))),
            (std::vector<Int128>{-12345, 99}));
}

TEST(ConvertValues, NullTypedValuesAreDropped) {
  const Result<Column> column =
      Convert(LeafOf(PhysicalType::kInt32), DataType::Of(TypeId::kNull), FlatOf<int32_t>({1, 2}));
  EXPECT_EQ(column->length, 2);
  EXPECT_TRUE(column->IsNull(0));
  EXPECT_TRUE(column->IsNull(1));
}

BufferRef BitsOf(const std::vector<int>& bits) {
  BufferRef buffer = *Pool()->Allocate(BitmapBytes(static_cast<int64_t>(bits.size())));
  std::memset(buffer->mutable_data(), 0, static_cast<size_t>(buffer->size()));
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] != 0) SetBit(buffer->mutable_as<uint64_t>(), static_cast<int64_t>(i));
  }
  return buffer;
}

TEST(SpreadValues, FixedWidthsOfEverySize) {
  std::vector<int> present;
  for (int i = 0; i < 200; ++i) present.push_back(i % 3 == 0 || i > 150);
  const auto values = std::count(present.begin(), present.end(), 1);
  const auto rows = static_cast<int64_t>(present.size());
  for (const int32_t width : {0, 1, 2, 3, 4, 8, 12, 16, 31, 32}) {
    std::vector<Bytes> dense;
    for (int64_t i = 0; i < values; ++i) {
      dense.emplace_back(static_cast<size_t>(width), static_cast<uint8_t>(i + 1));
    }
    Column column = FixedOf(dense);
    column.type = std::make_shared<const DataType>(DataType::FixedBinary(width));
    const Result<Column> spread =
        SpreadValues(column, BitsOf(present), rows, rows - values, *Pool());
    ASSERT_TRUE(spread.has_value());
    EXPECT_EQ(spread->length, rows);
    EXPECT_EQ(spread->null_count, rows - values);
    size_t next = 0;
    for (int64_t row = 0; row < rows; ++row) {
      EXPECT_EQ(spread->IsNull(row), present[static_cast<size_t>(row)] == 0);
      if (spread->IsNull(row)) continue;
      const uint8_t* value = spread->data->data() + row * width;
      EXPECT_EQ(Bytes(value, value + width), dense[next++]) << width << " at " << row;
    }
  }
}

TEST(SpreadValues, Bits) {
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kBoolean));
  column.length = 3;
  column.data = BitsOf({1, 0, 1});
  const Result<Column> spread = SpreadValues(column, BitsOf({0, 1, 1, 0, 1}), 5, 2, *Pool());
  const auto* words = spread->values<uint64_t>();
  EXPECT_TRUE(GetBit(words, 1));
  EXPECT_FALSE(GetBit(words, 2));
  EXPECT_TRUE(GetBit(words, 4));
}

TEST(SpreadValues, DictionaryAndConstant) {
  auto dictionary = std::make_shared<Column>(FlatOf<int64_t>({70, 80}));
  dictionary->type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
  Column codes = FlatOf<int32_t>({1, 0});
  codes.type = dictionary->type;
  codes.form = ColumnForm::kDictionary;
  codes.dictionary = dictionary;
  const Result<Column> spread = SpreadValues(codes, BitsOf({1, 0, 1}), 3, 1, *Pool());
  EXPECT_EQ(spread->dictionary, dictionary);
  EXPECT_EQ(spread->values<int32_t>()[0], 1);
  EXPECT_TRUE(spread->IsNull(1));
  EXPECT_EQ(spread->values<int32_t>()[2], 0);

  Column constant;
  constant.type = dictionary->type;
  constant.form = ColumnForm::kConstant;
  constant.length = 2;
  constant.dictionary = dictionary;
  const Result<Column> constants = SpreadValues(constant, BitsOf({1, 0, 1}), 3, 1, *Pool());
  EXPECT_EQ(constants->form, ColumnForm::kDictionary);
  EXPECT_EQ(constants->values<int32_t>()[2], 0);
  EXPECT_TRUE(constants->IsNull(1));
}

TEST(SpreadValues, Views) {
  Column column = ViewsOf({{'a'}, Bytes(20, 'b')});
  column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kString));
  const Result<Column> spread = SpreadValues(column, BitsOf({0, 1, 0, 1}), 4, 2, *Pool());
  EXPECT_EQ(spread->Bytes(1), "a");
  EXPECT_EQ(spread->Bytes(3), std::string(20, 'b'));
}

TEST(SpreadValues, OnlyNulls) {
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt32));
  const Result<Column> spread = SpreadValues(column, BitsOf({0, 0}), 2, 2, *Pool());
  EXPECT_TRUE(spread->IsNull(0));
  EXPECT_TRUE(spread->IsNull(1));
  EXPECT_EQ(spread->values<int32_t>()[1], 0);
}

}  // namespace
}  // namespace sluice::parquet
