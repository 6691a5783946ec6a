#include <gtest/gtest.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/text.h>

#include <string>
#include <vector>

#include "format/parquet/footer.h"
#include "tests/support/corpus.h"

namespace sluice {
namespace {

using parquet::FileMetadata;
using parquet::LogicalKind;
using parquet::MetadataLimits;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::SchemaElement;
using parquet::SchemaNode;
using parquet::SchemaTree;

constexpr int32_t kUtf8 = 0;
constexpr int32_t kMap = 1;
constexpr int32_t kMapKeyValue = 2;
constexpr int32_t kList = 3;
constexpr int32_t kDecimal = 5;
constexpr int32_t kTimeMillis = 7;
constexpr int32_t kTimestampMicros = 10;
constexpr int32_t kUint8 = 11;
constexpr int32_t kInterval = 21;

SchemaElement Leaf(std::string_view name, Repetition repetition, PhysicalType type,
                   std::optional<int32_t> converted = std::nullopt) {
  SchemaElement element;
  element.name = name;
  element.type = type;
  element.repetition = repetition;
  element.converted_type = converted;
  return element;
}

SchemaElement Group(std::string_view name, Repetition repetition, int32_t num_children,
                    std::optional<int32_t> converted = std::nullopt) {
  SchemaElement element;
  element.name = name;
  element.repetition = repetition;
  element.num_children = num_children;
  element.converted_type = converted;
  return element;
}

SchemaElement WithLogical(SchemaElement element, LogicalKind kind) {
  element.logical.kind = kind;
  return element;
}

constexpr auto kRequired = Repetition::kRequired;
constexpr auto kOptional = Repetition::kOptional;
constexpr auto kRepeated = Repetition::kRepeated;
constexpr auto kInt32 = PhysicalType::kInt32;
constexpr auto kInt64 = PhysicalType::kInt64;
constexpr auto kByteArray = PhysicalType::kByteArray;

Result<std::shared_ptr<const SchemaTree>> Make(std::vector<SchemaElement> elements,
                                               int32_t num_columns = 1,
                                               MetadataLimits limits = {}) {
  FileMetadata metadata;
  metadata.schema.push_back(Group("root", kRequired, num_columns));
  metadata.schema.insert(metadata.schema.end(), elements.begin(), elements.end());
  return SchemaTree::Make(metadata, limits);
}

/// The type of the only column, with '?' behind what may be null: "list<int32?>?".
std::string Shape(const Field& field) {
  std::string text;
  const DataType& type = field.type;
  if (type.is_nested()) {
    text = std::string(TypeName(type.id)) + "<";
    for (size_t i = 0; i < type.children.size(); ++i) {
      if (i > 0) text += ", ";
      if (type.id == TypeId::kStruct) text += type.children[i].name + ": ";
      text += Shape(type.children[i]);
    }
    text += ">";
  } else {
    text = type.ToString();
  }
  return text + (field.nullable ? "?" : "");
}

std::string ShapeOf(std::vector<SchemaElement> elements) {
  const auto tree = Make(std::move(elements));
  if (!tree.has_value()) return tree.error().ToString();
  return Shape((*tree)->schema()->fields[0]);
}

std::string TypeOf(SchemaElement element) {
  const auto tree = Make({std::move(element)});
  if (!tree.has_value()) return tree.error().ToString();
  return (*tree)->schema()->fields[0].type.ToString();
}

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

TEST(SchemaTree, LogicalTypeCountsBeforeConvertedType) {
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

TEST(SchemaTree, LegacyTimesAreAdjusted) {
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt64, kTimestampMicros)), "timestamp(us, utc)");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, kInt32, kTimeMillis)), "time(ms, utc)");
  SchemaElement local = Leaf("a", kRequired, kInt64, kTimestampMicros);
  local.logical.kind = LogicalKind::kTimestamp;
  local.logical.unit = TimeUnit::kMicroseconds;
  EXPECT_EQ(TypeOf(local), "timestamp(us)");
  local.logical.unit.reset();  // A unit that this version does not know.
  EXPECT_EQ(TypeOf(local), "int64");
}

TEST(SchemaTree, Integers) {
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

TEST(SchemaTree, Decimals) {  // fault T4
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

TEST(SchemaTree, FixedLengthAnnotations) {
  SchemaElement fixed = Leaf("a", kRequired, PhysicalType::kFixedLenByteArray);
  fixed.type_length = 2;
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kFloat16)), "float16");
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kUuid)), "fixed_binary(2)");
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kString)), "fixed_binary(2)");
  fixed.type_length = 16;
  EXPECT_EQ(TypeOf(WithLogical(fixed, LogicalKind::kUuid)), "uuid");
  EXPECT_EQ(TypeOf(Leaf("a", kRequired, PhysicalType::kInt96)), "int96");
}

TEST(SchemaTree, Geospatial) {
  SchemaElement element = WithLogical(Leaf("a", kRequired, kByteArray), LogicalKind::kGeography);
  element.logical.crs = "EPSG:4326";
  element.logical.edge_algorithm = 1;
  const auto tree = Make({element});
  const DataType& type = (*tree)->schema()->fields[0].type;
  EXPECT_EQ(type.id, TypeId::kGeography);
  EXPECT_EQ(type.crs, "EPSG:4326");
  EXPECT_EQ(type.edge_algorithm, "VINCENTY");
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
