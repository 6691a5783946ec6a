#include <gtest/gtest.h>
#include <sluice/parquet/projection.h>

#include "tests/format/parquet/schema_elements.h"

namespace sluice {
namespace {

using parquet::Projection;

using Paths = std::vector<std::vector<int32_t>>;

/// id, a<x, b<y, z>, l: list<int32>, x>, m: bare repeated struct, and a second id.
std::shared_ptr<const SchemaTree> Tree() {
  auto tree =
      Make({Leaf("id", kRequired, kInt32), Group("a", kOptional, 4), Leaf("x", kOptional, kInt32),
            Group("b", kOptional, 2), Leaf("y", kRequired, kInt32), Leaf("z", kOptional, kInt32),
            Group("l", kOptional, 1, kList), Group("list", kRepeated, 1),
            Leaf("element", kRequired, kInt32), Leaf("x", kOptional, kInt64),
            Group("m", kRepeated, 1), Leaf("w", kRequired, kInt32), Leaf("id", kRequired, kInt64)},
           4);
  EXPECT_TRUE(tree) << tree.status().ToString();
  return *tree;
}

std::string Delivered(const Projection& projection) {
  std::string text;
  for (const Field& field : projection.schema()->fields) {
    text += field.name + " " + Shape(field) + " ";
  }
  for (const int32_t leaf : projection.leaves()) text += std::to_string(leaf);
  return text;
}

std::string OfFields(const Paths& paths) {
  const auto projection = Projection::OfFields(Tree(), paths);
  return projection ? Delivered(*projection) : projection.status().ToString();
}

// faults F9, F10: a place among the fields is what no name is, told apart from its namesakes.
TEST(Projection, ByOrdinals) {
  EXPECT_EQ(OfFields({}), "");
  EXPECT_EQ(OfFields({{3}, {0}}), "id int64 id int32 70");
  EXPECT_EQ(OfFields({{1, 3}}), "a struct<x: int64?>? 5");
  EXPECT_EQ(OfFields({{1, 1, 1}, {0}, {1, 0}}),
            "a struct<x: int32?, b: struct<z: int32?>?>? id int32 130");
  EXPECT_EQ(OfFields({{1, 2}}), "a struct<l: list<int32>?>? 4");
  EXPECT_EQ(OfFields({{2}}), "m list<struct<w: int32>> 6");
}

TEST(Projection, WhatIsNamedTwiceIsDeliveredOnce) {
  const std::string whole =
      "a struct<x: int32?, b: struct<y: int32, z: int32?>?, l: list<int32>?, x: int64?>? 12345";
  EXPECT_EQ(OfFields({{1}}), whole);
  EXPECT_EQ(OfFields({{1, 1, 0}, {1}}), whole);
  EXPECT_EQ(OfFields({{1}, {1, 1, 0}, {1}}), whole);
}

TEST(Projection, OrdinalsThatAreNotThere) {
  for (const Paths& paths :
       {Paths{{}}, Paths{{-1}}, Paths{{4}}, Paths{{INT32_MAX}}, Paths{{0}, {1, 4}}, Paths{{1, -1}},
        Paths{{0, 0}}, Paths{{1, 0, 0}}, Paths{{1, 2, 0}}, Paths{{2, 0}}, Paths{{1, 1, 2}}}) {
    const auto projection = Projection::OfFields(Tree(), paths);
    EXPECT_EQ(projection.status().code(), StatusCode::kInvalidArgument) << paths.back().size();
  }
  EXPECT_EQ(OfFields({{1, 2, 7}}), "invalid argument: column path 1.2.7: no field 7");
}

TEST(Projection, ByNamesTheFirstOfNamesakes) {
  const auto of = [](const std::vector<parquet::ColumnPath>& paths) {
    const auto projection = Projection::Of(Tree(), paths);
    return projection ? Delivered(*projection) : projection.status().ToString();
  };
  EXPECT_EQ(of({{"id"}}), "id int32 0");
  EXPECT_EQ(of({{"a", "x"}, {"id"}}), "a struct<x: int32?>? id int32 10");
  EXPECT_EQ(of({{"a.x"}}), "not found: column '\"a.x\"': no field named 'a.x'");
  EXPECT_EQ(of({{"a", "l", "list"}}), "not found: column 'a.l.list': 'l' is not a struct");
  EXPECT_EQ(of({{"m", "w"}}), "not found: column 'm.w': 'm' is not a struct");
  EXPECT_EQ(of({{}}), "invalid argument: column path is empty");
}

}  // namespace
}  // namespace sluice
