#include <gtest/gtest.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/text.h>

#include <string>
#include <vector>

#include "format/parquet/footer.h"
#include "tests/format/parquet/schema_elements.h"
#include "tests/support/corpus.h"

namespace sluice {
namespace {

TEST(SchemaTree, LevelsAndLeafRanges) {
  const auto tree =
      Make({Leaf("id", kRequired, kInt64), Group("a.b", kOptional, 2), Leaf("x", kRequired, kInt32),
            Group("l", kOptional, 1, kList), Group("list", kRepeated, 1),
            Leaf("element", kOptional, kByteArray, kUtf8)},
           2);
  ASSERT_TRUE(tree.has_value()) << tree.error().ToString();
  const auto& nodes = (*tree)->nodes();
  const auto& leaves = (*tree)->leaves();
  ASSERT_EQ(leaves.size(), 3U);
  EXPECT_EQ(leaves[0].max_definition_level, 0);
  EXPECT_EQ(leaves[1].max_definition_level, 1);
  EXPECT_EQ(leaves[2].max_definition_level, 4);
  EXPECT_EQ(leaves[2].max_repetition_level, 1);
  EXPECT_EQ(leaves[0].column, 0);
  EXPECT_EQ(leaves[2].column, 1);
  EXPECT_EQ(nodes[2].first_leaf, 1);
  EXPECT_EQ(nodes[2].end_leaf, 3);
  EXPECT_EQ(nodes[4].role, SchemaNode::Role::kList);
  EXPECT_EQ(nodes[5].role, SchemaNode::Role::kRepeated);
  EXPECT_EQ(nodes[0].end_leaf, 3);
  EXPECT_EQ((*tree)->LeafPath(2), "\"a.b\".l.list.element");  // fault F9
  EXPECT_EQ(Shape((*tree)->schema()->fields[1]), "struct<x: int32, l: list<string?>?>?");
}

TEST(SchemaTree, PathsAreQuotedWhereTheyNeedIt) {
  const auto tree = Make({Leaf("", kRequired, kInt64), Leaf("a,b", kRequired, kInt64),
                          Leaf("a\"b", kRequired, kInt64), Leaf("a b", kRequired, kInt64)},
                         4);
  ASSERT_TRUE(tree.has_value()) << tree.error().ToString();
  const std::vector<std::string> names{"", "a,b", "a\"b", "a b"};
  for (int32_t leaf = 0; leaf < 4; ++leaf) {
    const auto paths = ParseColumnPaths((*tree)->LeafPath(leaf));
    ASSERT_TRUE(paths.has_value()) << paths.error().ToString();
    ASSERT_EQ(paths->size(), 1U);
    EXPECT_EQ((*paths)[0], std::vector<std::string>(1, names[static_cast<size_t>(leaf)]));
  }
  EXPECT_EQ((*tree)->LeafPath(3), "a b");
}

TEST(SchemaTree, ListsByEveryCompatibilityRule) {
  const auto list = Group("l", kOptional, 1, kList);
  EXPECT_EQ(ShapeOf({list, Group("list", kRepeated, 1), Leaf("element", kOptional, kInt32)}),
            "list<int32?>?");
  EXPECT_EQ(ShapeOf({list, Leaf("element", kRepeated, kInt32)}), "list<int32>?");  // Rule 1.
  EXPECT_EQ(ShapeOf({list, Group("element", kRepeated, 2), Leaf("a", kRequired, kInt32),
                     Leaf("b", kOptional, kInt32)}),
            "list<struct<a: int32, b: int32?>>?");  // Rule 2.
  EXPECT_EQ(ShapeOf({list, Group("array", kRepeated, 1, kList), Leaf("array", kRepeated, kInt32)}),
            "list<list<int32>>?");  // Rule 3.
  EXPECT_EQ(ShapeOf({list, Group("array", kRepeated, 1), Leaf("s", kRequired, kInt32)}),
            "list<struct<s: int32>>?");  // Rule 4.
  EXPECT_EQ(ShapeOf({list, Group("l_tuple", kRepeated, 1), Leaf("s", kRequired, kInt32)}),
            "list<struct<s: int32>>?");  // Rule 4.
  EXPECT_EQ(ShapeOf({list, Group("x_tuple", kRepeated, 1), Leaf("s", kOptional, kInt32)}),
            "list<int32?>?");  // Rule 5.
  EXPECT_EQ(ShapeOf({list, Group("element", kRepeated, 0)}), "list<struct<>>?");
}

TEST(SchemaTree, OldTwoLevelLists) {  // fault N1
  EXPECT_EQ(ShapeOf({Group("a", kRequired, 1, kList), Group("array", kRepeated, 1, kList),
                     Leaf("array", kRepeated, kInt32)}),
            "list<list<int32>>");
}

TEST(SchemaTree, BareRepeatedFields) {  // fault N2
  const auto tree = Make({Leaf("foo", kRepeated, kInt32)});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(Shape((*tree)->schema()->fields[0]), "list<int32>");
  EXPECT_TRUE((*tree)->nodes()[1].is_bare_repeated);
  EXPECT_EQ((*tree)->nodes()[1].type.id, TypeId::kInt32);
  EXPECT_EQ((*tree)->leaves()[0].max_definition_level, 1);
  EXPECT_EQ((*tree)->leaves()[0].max_repetition_level, 1);
}

TEST(SchemaTree, RepeatedFieldInsideTheRepeatedGroup) {  // fault N3
  const auto tree = Make({Group("l", kOptional, 1, kList), Group("list", kRepeated, 1),
                          Leaf("name", kRepeated, kInt32)});
  ASSERT_TRUE(tree.has_value());
  // The repeated group is the element; without an annotation it is a struct, whose field is a list.
  EXPECT_EQ(Shape((*tree)->schema()->fields[0]), "list<struct<name: list<int32>>>?");
  EXPECT_EQ((*tree)->leaves()[0].max_repetition_level, 2);
  EXPECT_EQ((*tree)->leaves()[0].max_definition_level, 3);
}

TEST(SchemaTree, LegacyNestedRepeatedGroups) {  // fault N4
  const auto tree = Make({Group("ads", kRepeated, 2), Leaf("id", kRequired, kInt64),
                          Leaf("items", kRepeated, kInt64)});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(Shape((*tree)->schema()->fields[0]), "list<struct<id: int64, items: list<int64>>>");
  EXPECT_EQ((*tree)->leaves()[0].max_definition_level, 1);
  EXPECT_EQ((*tree)->leaves()[1].max_definition_level, 2);
  EXPECT_EQ((*tree)->leaves()[1].max_repetition_level, 2);
}

TEST(SchemaTree, MapsOfEveryForm) {
  const auto key = Leaf("key", kRequired, kByteArray, kUtf8);
  const auto value = Leaf("value", kOptional, kInt32);
  EXPECT_EQ(ShapeOf({Group("m", kOptional, 1, kMap), Group("key_value", kRepeated, 2), key, value}),
            "map<string, int32?>?");
  EXPECT_EQ(ShapeOf({Group("m", kRequired, 1, kMap), Group("map", kRepeated, 2, kMapKeyValue), key,
                     value}),
            "map<string, int32?>");
  EXPECT_EQ(
      ShapeOf({Group("m", kOptional, 1, kMapKeyValue), Group("map", kRepeated, 2), key, value}),
      "map<string, int32?>?");
  EXPECT_EQ(ShapeOf({Group("m", kOptional, 1, kMap), Group("key_value", kRepeated, 1), key}),
            "map<string>?");
  // Maps that are elements of a two-level list, and values that are maps.
  EXPECT_EQ(ShapeOf({Group("l", kOptional, 1, kList), Group("array", kRepeated, 1, kMap),
                     Group("key_value", kRepeated, 2), key, value}),
            "list<map<string, int32?>>?");
  EXPECT_EQ(
      ShapeOf({Group("m", kOptional, 1, kMap), Group("key_value", kRepeated, 2), key,
               Group("value", kOptional, 1, kMap), Group("key_value", kRepeated, 2), key, value}),
      "map<string, map<string, int32?>?>?");
}

TEST(SchemaTree, AnnotationsThatDoNotFitMakeStructs) {
  EXPECT_EQ(ShapeOf({Group("l", kOptional, 2, kList), Leaf("a", kRequired, kInt32),
                     Leaf("b", kRepeated, kInt32)}),
            "struct<a: int32, b: list<int32>>?");
  EXPECT_EQ(ShapeOf({Group("l", kOptional, 1, kList), Leaf("a", kRequired, kInt32)}),
            "struct<a: int32>?");
  EXPECT_EQ(ShapeOf({Group("m", kOptional, 1, kMap), Leaf("a", kRepeated, kInt32)}),
            "struct<a: list<int32>>?");
  EXPECT_EQ(ShapeOf({Group("m", kOptional, 1, kMap), Group("kv", kRepeated, 3),
                     Leaf("a", kRequired, kInt32), Leaf("b", kRequired, kInt32),
                     Leaf("c", kRequired, kInt32)}),
            "struct<kv: list<struct<a: int32, b: int32, c: int32>>>?");
}

TEST(SchemaTree, VariantsShowTheirParts) {
  EXPECT_EQ(
      ShapeOf({WithLogical(Group("v", kOptional, 2), LogicalKind::kVariant),
               Leaf("metadata", kRequired, kByteArray), Leaf("value", kOptional, kByteArray)}),
      "variant<binary, binary?>?");
}

TEST(SchemaTree, OddRootsAndLeaves) {  // ODDITIES 3 and 4
  FileMetadata metadata;
  metadata.schema = {Group("root", kRepeated, 1), Leaf("a", kRequired, kInt32)};
  auto tree = SchemaTree::Make(metadata, {});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ((*tree)->leaves()[0].max_repetition_level, 0);
  metadata.schema = {Group("root", kRequired, 0)};
  tree = SchemaTree::Make(metadata, {});
  ASSERT_TRUE(tree.has_value());
  EXPECT_TRUE((*tree)->schema()->fields.empty());
}

void ExpectCorrupt(std::vector<SchemaElement> elements, int32_t num_columns) {
  const auto tree = Make(std::move(elements), num_columns);
  ASSERT_FALSE(tree.has_value());
  EXPECT_EQ(tree.error().code(), StatusCode::kCorruption) << tree.error().ToString();
}

TEST(SchemaTree, CountsThatCannotBe) {  // fault F3
  const auto leaf = Leaf("a", kRequired, kInt32);
  ExpectCorrupt({leaf}, 2147483647);
  ExpectCorrupt({leaf}, -1);
  ExpectCorrupt({leaf}, 0);
  ExpectCorrupt({leaf}, 2);
  ExpectCorrupt({leaf, leaf}, 1);
  ExpectCorrupt({Group("g", kRequired, 2147483647), leaf}, 1);
  ExpectCorrupt({Group("g", kRequired, -5), leaf}, 1);
  SchemaElement leaf_with_children = leaf;
  leaf_with_children.num_children = 1;
  ExpectCorrupt({leaf_with_children, leaf}, 1);
  SchemaElement without_repetition = leaf;
  without_repetition.repetition.reset();
  ExpectCorrupt({without_repetition}, 1);
  ExpectCorrupt({Leaf("a", kRequired, PhysicalType::kFixedLenByteArray)}, 1);
  EXPECT_FALSE(SchemaTree::Make(FileMetadata(), {}).has_value());
}

TEST(SchemaTree, ChainsOfGroupsAreLimitedNotRecursed) {  // fault F2
  std::vector<SchemaElement> elements(100'000, Group("g", kRequired, 1));
  elements.push_back(Leaf("a", kRequired, kInt32));
  const auto tree = Make(elements);
  ASSERT_FALSE(tree.has_value());
  EXPECT_EQ(tree.error().code(), StatusCode::kResourceExhausted);
  // As deep as the limit is fine.
  elements.assign(999, Group("g", kOptional, 1));
  elements.push_back(Leaf("a", kRequired, kInt32));
  const auto deep = Make(elements);
  ASSERT_TRUE(deep.has_value()) << deep.error().ToString();
  EXPECT_EQ((*deep)->leaves()[0].max_definition_level, 999);
}

TEST(SchemaTree, LevelsTakeMoreThanEightBits) {  // fault N10
  std::vector<SchemaElement> elements(300, Group("g", kOptional, 1));
  elements.push_back(Leaf("a", kOptional, kInt32));
  const auto tree = Make(elements);
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ((*tree)->leaves()[0].max_definition_level, 301);
  // And levels beyond 15 bits are refused, where the depth is allowed.
  elements.assign(40'000, Group("g", kOptional, 1));
  elements.push_back(Leaf("a", kOptional, kInt32));
  const auto deeper = Make(elements, 1, {.max_schema_depth = 100'000});
  ASSERT_FALSE(deeper.has_value());
  EXPECT_EQ(deeper.error().code(), StatusCode::kResourceExhausted);
}

TEST(SchemaTree, DeepAndWideSchemasAreLimited) {  // law 7: types of nested nodes hold copies
  std::vector<SchemaElement> elements(900, Group("g", kRequired, 1));
  elements.back().num_children = 100'000;
  elements.insert(elements.end(), 100'000, Leaf("a", kRequired, kInt32));
  const auto tree = Make(elements);
  ASSERT_FALSE(tree.has_value());
  EXPECT_EQ(tree.error().code(), StatusCode::kResourceExhausted);
}

TEST(SchemaTree, EveryGoodCorpusFile) {
  const std::vector<support::CorpusFile> files = support::CorpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  for (const support::CorpusFile& file : files) {
    if (file.category != "ok") continue;
    const auto bytes = std::make_shared<std::string>(support::ReadWholeFile(file.path));
    const auto* data = reinterpret_cast<const uint8_t*>(bytes->data());
    const auto size = static_cast<int64_t>(bytes->size());
    const uint8_t* trailer = data + size - 8;
    const int64_t length = trailer[0] | trailer[1] << 8 | trailer[2] << 16 | trailer[3] << 24;
    const auto metadata = parquet::ParseFooter(WrapBytes(data + size - 8 - length, length, bytes));
    ASSERT_TRUE(metadata.has_value()) << file.name;
    const auto tree = SchemaTree::Make(**metadata, {});
    ASSERT_TRUE(tree.has_value()) << file.name << tree.error().ToString();
    for (const auto& row_group : (*metadata)->row_groups) {
      EXPECT_EQ(row_group.columns.size(), (*tree)->leaves().size()) << file.name;
    }
  }
}

}  // namespace
}  // namespace sluice
