#include <gtest/gtest.h>
#include <sluice/text.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "format/parquet/leaf_values.h"

namespace sluice::parquet {
namespace {

constexpr Repetition kRequired = Repetition::kRequired;
constexpr Repetition kOptional = Repetition::kOptional;
constexpr Repetition kRepeated = Repetition::kRepeated;

std::shared_ptr<BufferPool> Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

template <typename T>
BufferRef BufferOf(const std::vector<T>& values) {
  BufferRef buffer = *Pool()->Allocate(static_cast<int64_t>(values.size() * sizeof(T)));
  if (!values.empty())
    std::memcpy(buffer->mutable_data(), values.data(), values.size() * sizeof(T));
  return buffer;
}

SchemaElement Int(std::string_view name, Repetition repetition) {
  SchemaElement element;
  element.name = name;
  element.type = PhysicalType::kInt64;
  element.repetition = repetition;
  return element;
}

SchemaElement Group(std::string_view name, Repetition repetition, int32_t num_children,
                    LogicalKind annotation = LogicalKind::kNone) {
  SchemaElement element;
  element.name = name;
  element.repetition = repetition;
  element.num_children = num_children;
  element.logical.kind = annotation;
  return element;
}

SchemaElement List(std::string_view name, Repetition repetition) {
  return Group(name, repetition, 1, LogicalKind::kList);
}

SchemaElement Map(std::string_view name, Repetition repetition) {
  return Group(name, repetition, 1, LogicalKind::kMap);
}

/// A tree over one root of `num_children` children.
std::shared_ptr<const SchemaTree> TreeOf(int32_t num_children,
                                         std::vector<SchemaElement> elements) {
  FileMetadata metadata;
  metadata.schema = std::move(elements);
  metadata.schema.insert(metadata.schema.begin(), Group("root", kRequired, num_children));
  metadata.schema[0].repetition.reset();
  Result<std::shared_ptr<const SchemaTree>> tree = SchemaTree::Make(metadata, {});
  EXPECT_TRUE(tree.has_value()) << tree.error().ToString();
  return *tree;
}

/// What a page of the leaf holds.
struct Levels {
  std::vector<uint16_t> repetition;  ///< Empty for leaves of maximum 0.
  std::vector<uint16_t> definition;  ///< Empty for leaves of maximum 0.
  std::vector<int64_t> values;
};

LeafValues ToLeafValues(const Levels& levels) {
  LeafValues leaf;
  const size_t entries =
      levels.definition.empty() ? levels.values.size() : levels.definition.size();
  leaf.num_levels = static_cast<int64_t>(entries);
  // Levels are readable past their end, as those of a reader are: in buffers kept for good.
  static std::vector<BufferRef> kept;
  kept.push_back(BufferOf(levels.repetition));
  if (!levels.repetition.empty()) leaf.repetition_levels = kept.back()->as<uint16_t>();
  kept.push_back(BufferOf(levels.definition));
  if (!levels.definition.empty()) leaf.definition_levels = kept.back()->as<uint16_t>();
  leaf.values.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
  leaf.values.length = static_cast<int64_t>(levels.values.size());
  leaf.values.data = BufferOf(levels.values);
  return leaf;
}

Result<Column> Assemble(const Projection& projection, const std::vector<Levels>& leaves,
                        int64_t num_rows, size_t column = 0) {
  std::vector<LeafValues> values;
  for (const Levels& leaf : leaves) values.push_back(ToLeafValues(leaf));
  return ColumnAssembler(projection, column).Assemble(values, num_rows, *Pool());
}

/// The canonical texts of the only column's rows, one a line.
std::string Rows(std::vector<SchemaElement> elements, const std::vector<Levels>& leaves,
                 int64_t num_rows) {
  const Projection projection = Projection::All(TreeOf(1, std::move(elements)));
  const Result<Column> column = Assemble(projection, leaves, num_rows);
  if (!column.has_value()) return column.error().ToString();
  EXPECT_EQ(column->length, num_rows);
  EXPECT_TRUE(ValidateColumn(*column).ok()) << ValidateColumn(*column).ToString();
  EXPECT_EQ(*column->type, projection.schema()->fields[0].type);
  std::string text;
  for (int64_t row = 0; row < num_rows; ++row) {
    if (row > 0) text += ' ';
    AppendCanonical(*column, row, text);
  }
  return text;
}

TEST(ColumnAssembler, FlatLeaves) {
  EXPECT_EQ(Rows({Int("a", kRequired)}, {{{}, {}, {4, 5}}}, 2), "4 5");
  EXPECT_EQ(Rows({Int("a", kOptional)}, {{{}, {1, 0, 1}, {4, 5}}}, 3), "4 null 5");
  EXPECT_EQ(Rows({Int("a", kOptional)}, {{{}, {0, 0}, {}}}, 2), "null null");
  EXPECT_EQ(Rows({Int("a", kOptional)}, {{{}, {1, 1}, {4, 5}}}, 2), "4 5");
}

TEST(ColumnAssembler, ThreeLevelLists) {
  // null, [], [null], [1,2,null], [3]
  EXPECT_EQ(Rows({List("a", kOptional), Group("list", kRepeated, 1), Int("element", kOptional)},
                 {{{0, 0, 0, 0, 1, 1, 0}, {0, 1, 2, 3, 3, 2, 3}, {1, 2, 3}}}, 5),
            "null [] [null] [1,2,null] [3]");
  EXPECT_EQ(Rows({List("a", kOptional), Group("list", kRepeated, 1), Int("element", kRequired)},
                 {{{0, 0, 0, 1, 0}, {0, 1, 2, 2, 2}, {1, 2, 3}}}, 4),
            "null [] [1,2] [3]");
  EXPECT_EQ(Rows({List("a", kRequired), Group("list", kRepeated, 1), Int("element", kOptional)},
                 {{{0, 0, 0, 1}, {0, 1, 2, 1}, {1}}}, 3),
            "[] [null] [1,null]");
  EXPECT_EQ(Rows({List("a", kRequired), Group("list", kRepeated, 1), Int("element", kRequired)},
                 {{{0, 0, 1}, {0, 1, 1}, {1, 2}}}, 2),
            "[] [1,2]");
}

TEST(ColumnAssembler, TwoLevelListsOfLists) {  // fault N1
  EXPECT_EQ(Rows({List("a", kRequired), List("array", kRepeated), Int("array", kRepeated)},
                 {{{0, 1, 2, 0, 0, 1}, {2, 2, 2, 0, 1, 2}, {1, 2, 3, 4}}}, 3),
            "[[1],[2,3]] [] [[],[4]]");
}

TEST(ColumnAssembler, BareRepeatedField) {  // fault N2
  EXPECT_EQ(Rows({Int("a", kRepeated)}, {{{0, 1, 0, 0}, {1, 1, 0, 1}, {42, 7, 8}}}, 3),
            "[42,7] [] [8]");
}

TEST(ColumnAssembler, RepeatedPrimitiveInsideTheMiddleGroup) {  // fault N3
  // The repeated group is the element: a struct that holds a bare repeated field.
  EXPECT_EQ(Rows({List("a", kOptional), Group("list", kRepeated, 1), Int("name", kRepeated)},
                 {{{0, 0, 0, 0, 2, 1}, {0, 1, 2, 3, 3, 3}, {1, 2, 3}}}, 4),
            R"(null [] [{"name":[]}] [{"name":[1,2]},{"name":[3]}])");
}

TEST(ColumnAssembler, RepeatedGroupWithARepeatedField) {  // fault N4
  const std::vector<SchemaElement> schema{Group("ads", kRepeated, 2), Int("id", kRequired),
                                          Int("items", kRepeated)};
  // [], [{1,[]}], [{2,[20,21]},{3,[]},{4,[40]}]
  EXPECT_EQ(Rows(schema,
                 {{{0, 0, 0, 1, 1}, {0, 1, 1, 1, 1}, {1, 2, 3, 4}},
                  {{0, 0, 0, 2, 1, 1}, {0, 1, 2, 2, 1, 2}, {20, 21, 40}}},
                 3),
            R"([] [{"id":1,"items":[]}] )"
            R"([{"id":2,"items":[20,21]},{"id":3,"items":[]},{"id":4,"items":[40]}])");
}

TEST(ColumnAssembler, EmptyListsAmongManyElements) {  // fault N9
  Levels levels;
  std::string expected;
  for (int row = 0; row < 3000; ++row) {
    if (row > 0) expected += ' ';
    expected += '[';
    const int length = row % 3 == 0 ? 0 : row % 7;
    for (int i = 0; i < length; ++i) {
      levels.repetition.push_back(i == 0 ? 0 : 1);
      levels.definition.push_back(2);
      levels.values.push_back(row + i);
      expected += (i > 0 ? "," : "") + std::to_string(row + i);
    }
    if (length == 0) {
      levels.repetition.push_back(0);
      levels.definition.push_back(1);
    }
    expected += ']';
  }
  EXPECT_EQ(Rows({List("a", kOptional), Group("list", kRepeated, 1), Int("element", kRequired)},
                 {levels}, 3000),
            expected);
}

TEST(ColumnAssembler, Maps) {
  const std::vector<SchemaElement> schema{Map("a", kOptional), Group("key_value", kRepeated, 2),
                                          Int("key", kRequired), Int("value", kOptional)};
  EXPECT_EQ(Rows(schema,
                 {{{0, 0, 0, 1, 0}, {0, 1, 2, 2, 2}, {1, 2, 1}},
                  {{0, 0, 0, 1, 0}, {0, 1, 3, 2, 3}, {10, 30}}},
                 4),
            "null [] [[1,10],[2,null]] [[1,30]]");
  EXPECT_EQ(Rows({Map("a", kRequired), Group("map", kRepeated, 1), Int("key", kRequired)},
                 {{{0, 0, 1}, {0, 1, 1}, {1, 2}}}, 2),
            "[] [[1,null],[2,null]]");
}

TEST(ColumnAssembler, MapOfLists) {
  EXPECT_EQ(
      Rows({Map("a", kRequired), Group("key_value", kRepeated, 2), Int("key", kRequired),
            List("value", kOptional), Group("list", kRepeated, 1), Int("element", kOptional)},
           {{{0, 0, 1, 1}, {0, 1, 1, 1}, {1, 2, 3}}, {{0, 0, 2, 1, 1}, {0, 4, 3, 1, 2}, {10}}}, 2),
      "[] [[1,[10,null]],[2,null],[3,[]]]");
}

TEST(ColumnAssembler, NullEmptyAndAbsentStayApart) {
  // Optional structs around an optional value: each level of null.
  EXPECT_EQ(Rows({Group("a", kOptional, 1), Group("b", kOptional, 1), Int("c", kOptional)},
                 {{{}, {0, 1, 2, 3}, {7}}}, 4),
            R"(null {"b":null} {"b":{"c":null}} {"b":{"c":7}})");
  // A required value and a list inside an optional struct that is null.
  EXPECT_EQ(Rows({Group("a", kOptional, 2), Int("x", kRequired), Int("y", kRepeated)},
                 {{{}, {1, 0, 1}, {5, 6}}, {{0, 0, 0, 1}, {1, 0, 2, 2}, {8, 9}}}, 3),
            R"({"x":5,"y":[]} null {"x":6,"y":[8,9]})");
}

TEST(ColumnAssembler, StructWithoutChildren) {
  EXPECT_EQ(Rows({Group("a", kRequired, 0)}, {}, 2), "{} {}");
  EXPECT_EQ(Rows({Group("a", kOptional, 2), Group("e", kOptional, 0), Int("x", kOptional)},
                 {{{}, {0, 1, 2}, {7}}}, 3),
            R"(null {"e":{},"x":null} {"e":{},"x":7})");
}

TEST(ColumnAssembler, NullTypedLeaf) {
  SchemaElement unknown = Int("n", kOptional);
  unknown.logical.kind = LogicalKind::kUnknown;
  EXPECT_EQ(Rows({unknown}, {{{}, {0, 1, 0}, {3}}}, 3), "null null null");
}

TEST(ColumnAssembler, ARowAfterManyNulls) {  // fault N8
  // optional a { list of { optional x } }: 50 000 rows of null, then one of two elements.
  constexpr size_t kNulls = 50'000;
  Levels levels;
  levels.repetition.assign(kNulls, 0);
  levels.definition.assign(kNulls, 0);
  levels.repetition.insert(levels.repetition.end(), {0, 1});
  levels.definition.insert(levels.definition.end(), {5, 4});
  levels.values = {9};
  const Projection projection = Projection::All(
      TreeOf(1, {Group("a", kOptional, 1), List("l", kOptional), Group("list", kRepeated, 1),
                 Group("element", kOptional, 1), Int("x", kOptional)}));
  const Result<Column> column = Assemble(projection, {levels}, kNulls + 1);
  ASSERT_TRUE(column.has_value()) << column.error().ToString();
  EXPECT_TRUE(ValidateColumn(*column).ok());
  EXPECT_EQ(column->null_count, static_cast<int64_t>(kNulls));
  std::string text;
  AppendCanonical(*column, kNulls, text);
  EXPECT_EQ(text, R"({"l":[{"x":9},{"x":null}]})");
}

TEST(ColumnAssembler, ThreeHundredOptionalGroups) {  // fault N10
  constexpr uint16_t kDepth = 300;
  std::vector<SchemaElement> schema(kDepth, Group("g", kOptional, 1));
  schema.push_back(Int("x", kOptional));
  std::vector<uint16_t> definition;
  std::string expected;
  for (uint16_t level = 0; level <= kDepth + 1; ++level) {
    definition.push_back(level);
    const size_t open = std::min<size_t>(level, kDepth);
    if (level > 0) expected += ' ';
    for (size_t i = 0; i < open; ++i) {
      expected += i + 1 < kDepth ? "{\"g\":" : "{\"x\":";
    }
    expected += level > kDepth ? "7" : "null";
    expected += std::string(open, '}');
  }
  EXPECT_EQ(Rows(schema, {{{}, definition, {7}}}, kDepth + 2), expected);
}

/// The example of the Dremel paper: Document.
TEST(ColumnAssembler, DremelDocument) {
  const auto tree = TreeOf(
      3, {Int("DocId", kRequired), Group("Links", kOptional, 2), Int("Backward", kRepeated),
          Int("Forward", kRepeated), Group("Name", kRepeated, 2), Group("Language", kRepeated, 2),
          Int("Code", kRequired), Int("Country", kOptional), Int("Url", kOptional)});
  const Projection projection = Projection::All(tree);
  const auto text = [](const Result<Column>& column) {
    if (!column.has_value()) return column.error().ToString();
    std::string rows;
    AppendCanonical(*column, 0, rows);
    rows += '\n';
    AppendCanonical(*column, 1, rows);
    return rows;
  };
  EXPECT_EQ(text(Assemble(projection, {{{}, {}, {10, 20}}}, 2, 0)), "10\n20");
  EXPECT_EQ(text(Assemble(
                projection,
                {{{0, 0, 1}, {1, 2, 2}, {10, 30}}, {{0, 1, 1, 0}, {2, 2, 2, 2}, {20, 40, 60, 80}}},
                2, 1)),
            "{\"Backward\":[],\"Forward\":[20,40,60]}\n{\"Backward\":[10,30],\"Forward\":[80]}");
  // Codes en-us, en, en-gb are 1, 2, 3; countries us, gb are 1, 3; the Urls http://A, B, C.
  EXPECT_EQ(text(Assemble(projection,
                          {{{0, 2, 1, 1, 0}, {2, 2, 1, 2, 1}, {1, 2, 3}},
                           {{0, 2, 1, 1, 0}, {3, 2, 1, 3, 1}, {1, 3}},
                           {{0, 1, 1, 0}, {2, 2, 1, 2}, {65, 66, 67}}},
                          2, 2)),
            R"([{"Language":[{"Code":1,"Country":1},{"Code":2,"Country":null}],"Url":65},)"
            R"({"Language":[],"Url":66},{"Language":[{"Code":3,"Country":3}],"Url":null}])"
            "\n"
            R"([{"Language":[],"Url":67}])");
}

TEST(ColumnAssembler, ProjectedChildren) {
  const auto tree =
      TreeOf(1, {Group("a", kOptional, 3), Int("x", kOptional), Group("b", kOptional, 2),
                 Int("y", kRequired), Int("z", kOptional), Int("w", kRequired)});
  const Projection projection = *Projection::Of(tree, {{"a", "b", "z"}, {"a", "w"}});
  const Result<Column> column =
      Assemble(projection, {{{}, {0, 1, 2, 3}, {9}}, {{}, {0, 1, 1, 1}, {1, 2, 3}}}, 4);
  ASSERT_TRUE(column.has_value()) << column.error().ToString();
  std::string text;
  for (int64_t row = 0; row < 4; ++row) AppendCanonical(*column, row, text);
  EXPECT_EQ(text, R"(null{"b":null,"w":1}{"b":{"z":null},"w":2}{"b":{"z":9},"w":3})");
}

TEST(ColumnAssembler, SiblingsThatTellDifferentStructuresAreCorrupt) {
  const auto error = [](std::vector<SchemaElement> schema, const std::vector<Levels>& leaves,
                        int64_t rows) { return Rows(std::move(schema), leaves, rows); };
  const std::vector<SchemaElement> map{Map("a", kOptional), Group("key_value", kRepeated, 2),
                                       Int("key", kRequired), Int("value", kOptional)};
  // A value less than keys; then an empty map where the other is null.
  const Levels keys{{0, 1}, {2, 2}, {1, 2}};
  const std::string less = error(map, {keys, {{0}, {3}, {10}}}, 1);
  EXPECT_NE(less.find("corruption: levels of two leaves"), std::string::npos) << less;
  EXPECT_NE(less.find("key and a"), std::string::npos) << less;
  EXPECT_NE(error(map, {{{0}, {0}, {}}, {{0}, {1}, {}}}, 1).find("corruption"), std::string::npos);
  // A struct that is null for one child only; lists below do not matter.
  const std::vector<SchemaElement> group{Group("a", kOptional, 2), Int("x", kRepeated),
                                         Int("y", kOptional)};
  EXPECT_NE(error(group, {{{0, 0, 1}, {0, 2, 2}, {1, 2}}, {{}, {1, 1}, {}}}, 2).find("corruption"),
            std::string::npos);
  EXPECT_EQ(error(group, {{{0, 0, 1}, {0, 2, 2}, {1, 2}}, {{}, {0, 1}, {}}}, 2),
            R"(null {"x":[1,2],"y":null})");
}

TEST(ColumnAssembler, RepetitionOfAListThatIsNotOpenIsCorrupt) {
  const std::vector<SchemaElement> list{List("a", kOptional), Group("list", kRepeated, 1),
                                        Int("element", kOptional)};
  for (const Levels& levels :
       std::vector<Levels>{{{0, 1}, {0, 3}, {1}},     // After a null list,
                           {{0, 1}, {1, 3}, {1}},     // after an empty one,
                           {{0, 1}, {3, 1}, {1}}}) {  // and one that ends in nothing.
    EXPECT_NE(Rows(list, {levels}, 1).find("corruption: a.list.element: a repetition"),
              std::string::npos)
        << Rows(list, {levels}, 1);
  }
  // The outer list goes on, but the inner was empty.
  EXPECT_NE(Rows({List("a", kRequired), List("array", kRepeated), Int("array", kRepeated)},
                 {{{0, 2}, {1, 2}, {1}}}, 1)
                .find("corruption"),
            std::string::npos);
}

}  // namespace
}  // namespace sluice::parquet
