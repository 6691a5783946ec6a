#include "format/parquet/write/shredder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/cells.h"

namespace sluice {
namespace {

using parquet::LeafRows;
using parquet::WriteSchema;
using support::BuildColumn;
using support::Cell;
using support::Fixed;
using support::Nested;
using support::Null;
using support::Text;
using Levels = std::vector<uint16_t>;

const DataType kInt64Type = DataType::Of(TypeId::kInt64);
const DataType kStringType = DataType::Of(TypeId::kString);

WriteSchema SchemaOf(const Field& field) {
  Result<WriteSchema> schema = WriteSchema::Make(Schema{{field}});
  EXPECT_TRUE(schema.has_value()) << schema.status().ToString();
  return *std::move(schema);
}

/// Leaves, and the column that their values may point into.
struct Shredded {
  Column column;
  std::vector<LeafRows> leaves;

  const LeafRows& operator[](size_t i) const { return leaves[i]; }
};

Result<Shredded> Shred(const Field& field, const Column& column) {
  const WriteSchema schema = SchemaOf(field);
  Status status = CheckColumnFits(schema.columns[0], column);
  Shredded made{column, {}};
  CountedMemory memory;
  if (status.ok()) {
    status = ShredRows(schema.columns[0], column, 0, column.length, &memory, &made.leaves);
  }
  if (!status.ok()) return status;
  return made;
}

std::vector<std::string> Values(const LeafRows& rows) {
  std::vector<std::string> values;
  for (int64_t i = 0; i < rows.num_values; ++i) values.emplace_back(rows.Value(i));
  return values;
}

std::string Long(int64_t value) { return {reinterpret_cast<const char*>(&value), 8}; }

// The Document of the Dremel paper. Its repeated groups become lists here, which adds a level for
// the list that may be null.
TEST(Shredder, DremelsDocument) {
  const Field language{"language",
                       DataType::List({"element",
                                       DataType::Struct({{"code", kStringType, false, {}},
                                                         {"country", kStringType, true, {}}}),
                                       false,
                                       {}}),
                       false,
                       {}};
  const Field name{
      "name",
      DataType::List(
          {"element", DataType::Struct({language, {"url", kStringType, true, {}}}), false, {}}),
      false,
      {}};
  const auto entry = [](const char* code, const char* country) {
    return Nested({Text(code), country == nullptr ? Null() : Text(country)});
  };
  const Cell first = Nested(
      {Nested({Nested({entry("en-us", "us"), entry("en", nullptr)}), Text("http://A")}),
       Nested({Nested({}), Text("http://B")}), Nested({Nested({entry("en-gb", "gb")}), Null()})});
  const Cell second = Nested({Nested({Nested({}), Text("http://C")})});
  const Result<Shredded> leaves = Shred(name, BuildColumn(name.type, {first, second}));
  ASSERT_TRUE(leaves.has_value()) << leaves.status().ToString();
  ASSERT_EQ(leaves->leaves.size(), 3U);

  const LeafRows& code = (*leaves)[0];
  EXPECT_EQ(code.repetition_levels, (Levels{0, 2, 1, 1, 0}));
  EXPECT_EQ(code.definition_levels, (Levels{2, 2, 1, 2, 1}));
  EXPECT_EQ(Values(code), (std::vector<std::string>{"en-us", "en", "en-gb"}));
  const LeafRows& country = (*leaves)[1];
  EXPECT_EQ(country.repetition_levels, (Levels{0, 2, 1, 1, 0}));
  EXPECT_EQ(country.definition_levels, (Levels{3, 2, 1, 3, 1}));
  EXPECT_EQ(Values(country), (std::vector<std::string>{"us", "gb"}));
  const LeafRows& url = (*leaves)[2];
  EXPECT_EQ(url.repetition_levels, (Levels{0, 1, 1, 0}));
  EXPECT_EQ(url.definition_levels, (Levels{2, 2, 1, 2}));
  EXPECT_EQ(url.num_rows, 2);
}

TEST(Shredder, NullAndEmptyAreKeptApart) {
  const Field field{"a", DataType::List({"element", kInt64Type, true, {}}), true, {}};
  const Column column = BuildColumn(
      field.type, {Null(), Nested({}), Nested({Null()}), Nested({Fixed(int64_t{5}), Null()})});
  const Result<Shredded> leaves = Shred(field, column);
  ASSERT_TRUE(leaves.has_value());
  const LeafRows& leaf = (*leaves)[0];
  EXPECT_EQ(leaf.repetition_levels, (Levels{0, 0, 0, 0, 1}));
  EXPECT_EQ(leaf.definition_levels, (Levels{0, 1, 2, 3, 2}));
  EXPECT_EQ(Values(leaf), (std::vector<std::string>{Long(5)}));
}

TEST(Shredder, StructsAndMaps) {
  const DataType map =
      DataType::Map({"key", kStringType, true, {}}, Field{"value", kInt64Type, true, {}});
  const Field field{
      "s", DataType::Struct({{"m", map, true, {}}, {"x", kInt64Type, false, {}}}), true, {}};
  const Column column = BuildColumn(
      field.type,
      {Nested({Nested({Nested({Text("k"), Null()}), Nested({Text("l"), Fixed(int64_t{2})})}),
               Fixed(int64_t{7})}),
       Null(), Nested({Null(), Fixed(int64_t{8})})});
  const Result<Shredded> leaves = Shred(field, column);
  ASSERT_TRUE(leaves.has_value()) << leaves.status().ToString();
  EXPECT_EQ((*leaves)[0].definition_levels, (Levels{3, 3, 0, 1}));
  EXPECT_EQ((*leaves)[0].repetition_levels, (Levels{0, 1, 0, 0}));
  EXPECT_EQ((*leaves)[1].definition_levels, (Levels{3, 4, 0, 1}));
  EXPECT_EQ((*leaves)[2].definition_levels, (Levels{1, 0, 1}));
  EXPECT_TRUE((*leaves)[2].repetition_levels.empty());
  EXPECT_EQ(Values((*leaves)[2]), (std::vector<std::string>{Long(7), Long(8)}));
}

TEST(Shredder, FormsTellTheSame) {
  const Field field{"a", kStringType, true, {}};
  const std::vector<Cell> cells = {Text("one"), Null(), Text("a string beyond twelve bytes"),
                                   Text("one")};
  for (const Column& column :
       {BuildColumn(field.type, cells), support::BuildDictionaryColumn(field.type, cells)}) {
    const Result<Shredded> leaves = Shred(field, column);
    ASSERT_TRUE(leaves.has_value());
    EXPECT_EQ((*leaves)[0].definition_levels, (Levels{1, 0, 1, 1}));
    EXPECT_EQ(Values((*leaves)[0]),
              (std::vector<std::string>{"one", "a string beyond twelve bytes", "one"}));
  }
  const Result<Shredded> constant =
      Shred(field, support::BuildConstantColumn(field.type, Text("c"), 3));
  EXPECT_EQ(Values((*constant)[0]), (std::vector<std::string>{"c", "c", "c"}));
  const Result<Shredded> nulls = Shred(field, support::BuildConstantColumn(field.type, Null(), 2));
  EXPECT_EQ((*nulls)[0].definition_levels, (Levels{0, 0}));
}

TEST(Shredder, NestedConstantsAndDictionaries) {
  const Field field{"a", DataType::List({"element", kInt64Type, true, {}}), true, {}};
  const Cell list = Nested({Fixed(int64_t{1}), Null()});
  const Result<Shredded> constant = Shred(field, support::BuildConstantColumn(field.type, list, 2));
  ASSERT_TRUE(constant.has_value());
  EXPECT_EQ((*constant)[0].repetition_levels, (Levels{0, 1, 0, 1}));
  EXPECT_EQ((*constant)[0].definition_levels, (Levels{3, 2, 3, 2}));
  const Result<Shredded> dictionary =
      Shred(field, support::BuildDictionaryColumn(field.type, {list, Null(), Nested({})}));
  ASSERT_TRUE(dictionary.has_value());
  EXPECT_EQ((*dictionary)[0].definition_levels, (Levels{3, 2, 0, 1}));
}

TEST(Shredder, RequiredStructOfRequiredHasNoLevels) {
  const Field field{"s", DataType::Struct({{"x", kInt64Type, false, {}}}), false, {}};
  const Result<Shredded> leaves =
      Shred(field, BuildColumn(field.type, {Nested({Fixed(int64_t{1})})}));
  ASSERT_TRUE(leaves.has_value());
  EXPECT_TRUE((*leaves)[0].definition_levels.empty());
  EXPECT_TRUE((*leaves)[0].repetition_levels.empty());
}

TEST(Shredder, RefusesNullsWhereThereAreNone) {
  const Field flat{"a", kInt64Type, false, {}};
  EXPECT_EQ(Shred(flat, BuildColumn(kInt64Type, {Null()})).status().code(),
            StatusCode::kInvalidArgument);
  const DataType map = DataType::Map({"key", kStringType, true, {}}, std::nullopt);
  const Result<Shredded> keys =
      Shred({"m", map, true, {}}, BuildColumn(map, {Nested({Nested({Null()})})}));
  EXPECT_EQ(keys.status().message(),
            "column 'm.key_value.key': null in a field that is not nullable");
  EXPECT_EQ(Shred(flat, support::BuildConstantColumn(kInt64Type, Null(), 1)).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(Shredder, RefusesOtherTypes) {
  const Field field{"a", DataType::Timestamp(TimeUnit::kMilliseconds, true), true, {}};
  const DataType local = DataType::Timestamp(TimeUnit::kMilliseconds, false);
  EXPECT_EQ(Shred(field, BuildColumn(local, {Null()})).status().code(),
            StatusCode::kInvalidArgument);
  const DataType two = DataType::Struct({{"x", kInt64Type, true, {}}, {"y", kInt64Type, true, {}}});
  const DataType one = DataType::Struct({{"x", kInt64Type, true, {}}});
  EXPECT_EQ(Shred({"s", two, true, {}}, BuildColumn(one, {Null()})).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(Shredder, DecimalsTakeTheirStoredWidth) {
  const auto decimal = [](int64_t value, int32_t precision, int32_t width) {
    Cell cell = Text(std::string(static_cast<size_t>(width), value < 0 ? '\xff' : '\0'));
    std::memcpy(cell.bytes.data(), &value, static_cast<size_t>(std::min(width, 8)));
    const DataType type = DataType::Decimal(precision, 0, width);
    return Shred({"d", type, true, {}}, BuildColumn(type, {cell}));
  };
  EXPECT_EQ(Values((*decimal(-2, 9, 16))[0])[0], std::string("\xfe\xff\xff\xff"));
  EXPECT_EQ(Values((*decimal(-2, 20, 16))[0])[0], std::string(8, '\xff') + "\xfe");
  EXPECT_EQ(Values((*decimal(258, 20, 4))[0])[0], std::string(7, '\0') + "\x01\x02");
  EXPECT_EQ(Values((*decimal(-1, 40, 16))[0])[0], std::string(17, '\xff'));
  const Status too_large = decimal(int64_t{1} << 31, 9, 8).status();
  EXPECT_EQ(too_large.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(too_large.message().find("does not fit"), std::string::npos);
}

TEST(Shredder, NarrowIntegersAreWidenedBySign) {
  const DataType type = DataType::Of(TypeId::kInt8);
  const Result<Shredded> small =
      Shred({"a", type, true, {}}, BuildColumn(type, {Fixed(int8_t{-2})}));
  EXPECT_EQ(Values((*small)[0])[0], "\xfe\xff\xff\xff");
  const DataType unsigned_type = DataType::Of(TypeId::kUint16);
  const Result<Shredded> large =
      Shred({"a", unsigned_type, true, {}}, BuildColumn(unsigned_type, {Fixed(uint16_t{65534})}));
  EXPECT_EQ(Values((*large)[0])[0], std::string("\xfe\xff\0\0", 4));
}

}  // namespace
}  // namespace sluice
