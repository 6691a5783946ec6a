#include "engine/scan/unite_schemas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/scan/column_mapping.h"
#include "tests/support/random_columns.h"

namespace sluice::engine {
namespace {

using Fields = std::vector<Field>;

Field Of(std::string name, DataType type, bool nullable = false,
         std::optional<int32_t> id = std::nullopt) {
  return {std::move(name), std::move(type), nullable, id};
}
Field Int(std::string name, bool nullable = false, std::optional<int32_t> id = std::nullopt) {
  return Of(std::move(name), DataType::Of(TypeId::kInt32), nullable, id);
}
Field Long(std::string name) { return Of(std::move(name), DataType::Of(TypeId::kInt64)); }
Field Nulls(std::string name) { return Of(std::move(name), DataType::Of(TypeId::kNull), true); }
Field Struct(std::string name, Fields fields) {
  return Of(std::move(name), DataType::Struct(std::move(fields)));
}
Field List(std::string name, Field element) {
  return Of(std::move(name), DataType::List(std::move(element)));
}

Result<Schema> Unite(const std::vector<Fields>& files) {
  std::vector<std::shared_ptr<const Schema>> schemas;
  for (const Fields& fields : files) {
    schemas.push_back(std::make_shared<const Schema>(Schema{fields}));
  }
  return UniteSchemas(schemas, [](size_t file) { return "file " + std::to_string(file); });
}

/// "a int32?#7, s struct<x int32>": whether nulls are allowed, and the id.
std::string Text(const Fields& fields) {
  std::string text;
  for (const Field& field : fields) {
    if (!text.empty()) text += ", ";
    text += field.name + " ";
    if (field.type.children.empty()) {
      text += field.type.ToString();
    } else {
      text += std::string(TypeName(field.type.id)) + "<" + Text(field.type.children) + ">";
    }
    if (field.nullable) text += "?";
    if (field.field_id) text += "#" + std::to_string(*field.field_id);
  }
  return text;
}
std::string United(const std::vector<Fields>& files) {
  const auto united = Unite(files);
  return united ? Text(united->fields) : united.status().ToString();
}

// contract L-32
TEST(UniteSchemas, ColumnsByNameInOrderOfAppearance) {
  EXPECT_EQ(United({}), "");
  EXPECT_EQ(United({{}, {Int("a")}}), "a int32?");
  EXPECT_EQ(United({{Int("a"), Int("b")}}), "a int32, b int32");
  EXPECT_EQ(United({{Int("a"), Int("b")}, {Int("c"), Int("b"), Int("a", true)}}),
            "a int32?, b int32, c int32?");
  EXPECT_EQ(United({{Int("b")}, {Int("a"), Int("b")}, {Int("A")}}), "b int32?, a int32?, A int32?");
}

TEST(UniteSchemas, TypesAreTheLeastThatHoldAll) {
  EXPECT_EQ(United({{Int("a")}, {Long("a")}, {Int("a")}}), "a int64");
  EXPECT_EQ(United({{Int("a")}, {Of("a", DataType::Of(TypeId::kUint32))}}), "a int64");
  EXPECT_EQ(United({{Of("a", DataType::Of(TypeId::kInt16))},
                    {Of("a", DataType::Of(TypeId::kUint16))},
                    {Of("a", DataType::Of(TypeId::kFloat))}}),
            "a float");
}

// fault V10: nulls of a type of their own take that of the others.
TEST(UniteSchemas, ColumnsOfNulls) {
  EXPECT_EQ(United({{Nulls("a")}, {Int("a")}}), "a int32?");
  EXPECT_EQ(United({{Int("a")}, {Of("a", DataType::Of(TypeId::kNull), false)}}), "a int32?");
  EXPECT_EQ(United({{Nulls("a")}, {Nulls("a")}}), "a null?");
  EXPECT_EQ(United({{Nulls("a")}, {Struct("a", {Int("x")})}, {Struct("a", {Int("x")})}}),
            "a struct<x int32>?");
}

TEST(UniteSchemas, PartByPart) {
  EXPECT_EQ(United({{Struct("s", {Int("x"), Int("y")})}, {Struct("s", {Long("y"), Int("z")})}}),
            "s struct<x int32?, y int64, z int32?>");
  // Where the struct itself is not there, its children lack nothing.
  EXPECT_EQ(United({{Struct("s", {Int("x")})}, {Int("a")}}), "s struct<x int32>?, a int32?");
  EXPECT_EQ(United({{List("l", Int("element"))},
                    {List("l", Of("element", DataType::Of(TypeId::kInt64), true))}}),
            "l list<element int64?>");
  EXPECT_EQ(United({{List("l", Int("item"))}, {List("l", Int("array"))}}), "l list<element int32>");
  EXPECT_EQ(United({{List("l", Int("item"))}, {Int("a"), List("l", Int("item"))}}),
            "l list<item int32>, a int32?");
  const auto map = [](Field key, std::optional<Field> value) {
    return Of("m", DataType::Map(std::move(key), std::move(value)));
  };
  EXPECT_EQ(United({{map(Int("k"), Int("v"))}, {map(Long("key"), Int("value"))}}),
            "m map<key int64, value int32>");
  EXPECT_EQ(United({{map(Int("key"), std::nullopt)}, {map(Int("key"), Int("value"))}}),
            "m map<key int32, value int32?>");
  EXPECT_EQ(United({{map(Int("key"), std::nullopt)}, {Int("a"), map(Int("key"), std::nullopt)}}),
            "m map<key int32>, a int32?");
}

TEST(UniteSchemas, IdsThatAllAgreeOn) {
  EXPECT_EQ(United({{Int("a", false, 1), Int("b", false, 2), Int("c")},
                    {Int("a", false, 1), Int("b", false, 3), Int("c", false, 4)},
                    {Int("b", false, 2)}}),
            "a int32?#1, b int32, c int32?");
  EXPECT_EQ(United({{Struct("s", {Int("x", false, 5)})}, {Struct("s", {Int("x", true, 5)})}}),
            "s struct<x int32?#5>");
}

TEST(UniteSchemas, Disagreements) {
  EXPECT_EQ(United({{Int("x"), Long("a")}, {Int("y")}, {Of("a", DataType::Of(TypeId::kDouble))}}),
            "unsupported: column 'a': no type holds exactly both int64 of file 0 and double of "
            "file 2");
  EXPECT_EQ(United({{Int("a")}, {Long("a")}, {Of("a", DataType::Of(TypeId::kDouble))}}),
            "unsupported: column 'a': no type holds exactly both int64 of file 1 and double of "
            "file 2");
  EXPECT_EQ(
      United({{Struct("s", {List("l", Struct("e", {Int("x.y")}))})},
              {Struct("s", {List("l", Struct("f", {Of("x.y", DataType::Of(TypeId::kDate))}))})}}),
      "unsupported: column 's.l.element.\"x.y\"': no type holds exactly both int32 of file 0 "
      "and date of file 1");
  EXPECT_EQ(United({{Nulls("a")}, {Int("a")}, {List("a", Int("e"))}}),
            "unsupported: column 'a': no type holds exactly both int32 of file 1 and list<int32> "
            "of file 2");
  EXPECT_EQ(United({{Struct("a", {})}, {List("a", Int("e"))}}).substr(0, 22),
            "unsupported: column 'a");
  DataType variant = DataType::Struct({Of("metadata", DataType::Of(TypeId::kBinary))});
  variant.id = TypeId::kVariant;
  const Field plain = Of("v", variant);
  variant.children.push_back(Of("value", DataType::Of(TypeId::kBinary)));
  EXPECT_EQ(United({{plain}, {Int("a"), plain}}), "v variant<metadata binary>, a int32?");
  EXPECT_EQ(Unite({{plain}, {Of("v", variant)}}).status().code(), StatusCode::kUnsupported);
}

// fault F10
TEST(UniteSchemas, NamesThatSiblingsShare) {
  const Fields shared = {Int("a"), Long("a"), Struct("s", {Int("x"), Int("x")})};
  EXPECT_EQ(United({shared, shared, shared}), Text(shared));
  EXPECT_EQ(United({{Int("a"), Long("a")}, {Int("a"), Long("a"), Int("b")}}),
            "unsupported: column 'a' is there more than once in file 0, and other files have "
            "other columns");
  EXPECT_EQ(United({{Int("a")}, {Int("a"), Int("a")}}),
            "unsupported: column 'a' is there more than once in file 1, and other files have "
            "other columns");
  // Below, what all files have alike may stay.
  EXPECT_EQ(United({{shared[2]}, {shared[2], Int("a")}}), "s struct<x int32, x int32>, a int32?");
  EXPECT_EQ(United({{shared[2]}, {Struct("s", {Int("x")})}}),
            "unsupported: column 's.x' is there more than once in file 0, and other files have "
            "other columns");
}

/// In the order of their names, at every level of structs.
Fields Sorted(Fields fields) {
  for (Field& field : fields) field.type.children = Sorted(std::move(field.type.children));
  std::stable_sort(fields.begin(), fields.end(),
                   [](const Field& a, const Field& b) { return a.name < b.name; });
  return fields;
}

// The order of files decides on that of columns alone; and every file is found in what they make.
TEST(UniteSchemas, OfRandomSchemasInAnyOrder) {
  int united_count = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    support::RandomColumns random(seed);
    // Columns of a few names and types, so that files have some in common.
    std::vector<Schema> pools;
    for (int i = 0; i < 2; ++i) pools.push_back(random.RandomSchema(4, 3));
    std::vector<Fields> files;
    for (int file = 0; file < 4; ++file) {
      Fields& fields = files.emplace_back();
      for (size_t column = 0; column < 4; ++column) {
        if (random.Chance(0.3)) continue;
        const size_t pool = random.Chance(0.1) ? 1 : 0;
        fields.push_back(pools[pool].fields[column]);
        if (random.Chance(0.2)) fields.back().type = DataType::Of(TypeId::kNull);
        if (fields.back().type.id == TypeId::kStruct && random.Chance(0.5)) {
          fields.back().type.children.pop_back();
        }
      }
    }
    const auto united = Unite(files);
    std::vector<Fields> reversed(files.rbegin(), files.rend());
    const auto again = Unite(reversed);
    ASSERT_EQ(united.status().code(), again.status().code());
    if (!united) continue;
    ++united_count;
    ASSERT_EQ(Sorted(united->fields), Sorted(again->fields));
    std::vector<int32_t> positions;
    for (size_t i = 0; i < united->fields.size(); ++i) {
      positions.push_back(static_cast<int32_t>(i));
    }
    for (const Fields& fields : files) {
      const auto mappings = MapColumns(*united, positions, {fields}, ColumnMatch::kName);
      ASSERT_TRUE(mappings) << mappings.status().ToString();
      for (size_t i = 0; i < mappings->size(); ++i) {
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) {
          return field.name == united->fields[i].name;
        });
        EXPECT_EQ((*mappings)[i].ordinal, found == fields.end() ? -1 : found - fields.begin());
        EXPECT_TRUE(united->fields[i].nullable || (found != fields.end() && !found->nullable));
      }
    }
  }
  EXPECT_GT(united_count, 100);
}

}  // namespace
}  // namespace sluice::engine
