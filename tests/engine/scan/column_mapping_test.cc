#include "engine/scan/column_mapping.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::engine {
namespace {

using Paths = std::vector<std::vector<int32_t>>;

Field Of(std::string name, DataType type, std::optional<int32_t> id = std::nullopt) {
  return {std::move(name), std::move(type), true, id};
}
Field Int(std::string name, std::optional<int32_t> id = std::nullopt) {
  return Of(std::move(name), DataType::Of(TypeId::kInt32), id);
}
Field Long(std::string name, std::optional<int32_t> id = std::nullopt) {
  return Of(std::move(name), DataType::Of(TypeId::kInt64), id);
}
Field Struct(std::string name, std::vector<Field> fields, std::optional<int32_t> id = {}) {
  return Of(std::move(name), DataType::Struct(std::move(fields)), id);
}
Field List(std::string name, Field element) {
  return Of(std::move(name), DataType::List(std::move(element)));
}

Result<std::vector<ColumnMapping>> Map(const std::vector<Field>& wanted,
                                       const std::vector<Field>& file,
                                       ColumnMatch match = ColumnMatch::kName,
                                       std::vector<int32_t> positions = {}) {
  for (size_t i = positions.size(); i < wanted.size(); ++i) {
    positions.push_back(static_cast<int32_t>(i));
  }
  return MapColumns({wanted}, positions, {file}, match);
}

/// "0" for the first field of the file, "0->" where it is widened, "0=" where it is the table's as
/// it is, "NULL" for what is not read, and behind a struct or list the same of its children.
std::string Text(const ColumnMapping& mapping) {
  if (!mapping.is_read())
    return mapping.ordinal < 0 ? "NULL" : "NULL of " + std::to_string(mapping.ordinal);
  std::string text = std::to_string(mapping.ordinal);
  if (mapping.is_identity) return text + "=";
  if (mapping.file_type) return text + "->" + mapping.type->ToString();
  text += "(";
  for (const ColumnMapping& child : mapping.children) {
    if (text.back() != '(') text += " ";
    text += Text(child);
    if (child.is_read()) text += "@" + std::to_string(child.rank);
  }
  return text + ")";
}
std::string Text(const Result<std::vector<ColumnMapping>>& mappings) {
  if (!mappings) return mappings.status().ToString();
  std::string text;
  for (const ColumnMapping& mapping : *mappings) text += (text.empty() ? "" : ", ") + Text(mapping);
  return text;
}

// contract V-67
TEST(ColumnMapping, ByNameOrByPosition) {
  const std::vector<Field> file = {Int("first"), Int("last")};
  const std::vector<Field> wanted = {Int("first"), Int("middle"), Int("last")};
  EXPECT_EQ(Text(Map(wanted, file)), "0=, NULL, 1=");
  EXPECT_EQ(Text(Map(wanted, file, ColumnMatch::kPosition)), "0=, 1=, NULL");
  // The position is that in the table, also where only a part of it is asked for.
  EXPECT_EQ(Text(Map({Int("last")}, file, ColumnMatch::kPosition, {1})), "1=");
  EXPECT_EQ(Text(Map({Int("first"), Int("last")}, file, ColumnMatch::kPosition, {1, 0})), "1=, 0=");
  EXPECT_EQ(Text(Map({Int("first")}, file, ColumnMatch::kPosition, {INT32_MAX})), "NULL");
}

TEST(ColumnMapping, BelowThePositionsNamesCount) {
  const std::vector<Field> file = {Struct("s", {Int("a"), Int("b")}), List("l", Int("element"))};
  EXPECT_EQ(Text(Map({Struct("x", {Int("b"), Int("a"), Int("c")}), List("y", Int("item"))}, file,
                     ColumnMatch::kPosition)),
            "0(1=@1 0=@0 NULL), 1(0=@0)");
}

// faults F9, F10: names are compared whole and exactly, part by part.
TEST(ColumnMapping, NamesAreExact) {
  const std::vector<Field> file = {Struct("a", {Int("b")}), Int("a.b"), Int("ID"), Int("id")};
  EXPECT_EQ(Text(Map({Int("a.b"), Struct("a", {Int("b")}), Int("id"), Int("Id")}, file)),
            "1=, 0=, 3=, NULL");
}

// fault V1: renamed a to b, dropped it, and added b again.
TEST(ColumnMapping, ByFieldId) {
  const std::vector<Field> first = {Int("a", 1), Struct("s", {Int("x", 3), Int("y", 4)}, 2)};
  EXPECT_EQ(Text(Map({Int("b", 1)}, first, ColumnMatch::kFieldId)), "0=");
  EXPECT_EQ(Text(Map({Int("b", 5), Int("a", 6)}, first, ColumnMatch::kFieldId)), "NULL, NULL");
  EXPECT_EQ(Text(Map({Struct("s", {Int("y", 3), Int("x", 7), Int("z", 4)}, 2)}, first,
                     ColumnMatch::kFieldId)),
            "1(0=@0 NULL 1=@1)");
}

// contract V-66: no mode stands in for another.
TEST(ColumnMapping, ModesDoNotFallBack) {
  EXPECT_EQ(Text(Map({Int("a", 1)}, {Int("a")}, ColumnMatch::kFieldId)), "NULL");
  EXPECT_EQ(Text(Map({Int("a", 1)}, {Int("b", 1)})), "NULL");
  EXPECT_EQ(Text(Map({Int("a", 1)}, {Int("b", 1), Int("a", 2)}, ColumnMatch::kPosition, {2})),
            "NULL");
  EXPECT_EQ(Text(Map({Int("a")}, {Int("a")}, ColumnMatch::kFieldId)),
            "invalid argument: column 'a' has no field id");
  EXPECT_EQ(Text(Map({Struct("a", {Int("b.c")}, 1)}, {Struct("a", {}, 1)}, ColumnMatch::kFieldId)),
            "invalid argument: column 'a.\"b.c\"' has no field id");
}

// contract V-76
TEST(ColumnMapping, TypesAreWidenedExactlyOrNotAtAll) {
  EXPECT_EQ(Text(Map({Long("a"), Of("b", DataType::Decimal(12, 4, 8))},
                     {Of("b", DataType::Decimal(9, 2, 4)), Int("a")})),
            "1->int64, 0->decimal(12, 4)");
  EXPECT_EQ(Text(Map({Int("a")}, {Long("a")})),
            "unsupported: column 'a': int64 in the file is not exactly a int32");
  EXPECT_EQ(
      Text(Map({Struct("a", {List("b", Struct("element", {Int("c")}))})},
               {Struct("a", {List("b", Struct("e", {Of("c", DataType::Of(TypeId::kDate))}))})})),
      "unsupported: column 'a.b.element.c': date in the file is not exactly a int32");
  EXPECT_EQ(Text(Map({Int("a")}, {Struct("a", {Int("b")})})),
            "unsupported: column 'a': struct<b: int32> in the file is not exactly a int32");
  EXPECT_EQ(Text(Map({Struct("a", {Int("b")})}, {List("a", Int("b"))})),
            "unsupported: column 'a': list<int32> in the file is not exactly a struct<b: int32>");
  // A place on another globe is no place here, and a variant cut otherwise is none of this one.
  DataType geometry = DataType::Of(TypeId::kGeometry);
  const Field here = Of("a", geometry);
  geometry.crs = "EPSG:4326";
  EXPECT_EQ(Map({here}, {Of("a", geometry)}).status().code(), StatusCode::kUnsupported);
  DataType variant = DataType::Struct({Of("metadata", DataType::Of(TypeId::kBinary))});
  variant.id = TypeId::kVariant;
  const Field plain = Of("a", variant);
  variant.children.push_back(Of("value", DataType::Of(TypeId::kBinary)));
  EXPECT_EQ(Text(Map({plain}, {plain})), "0=");
  EXPECT_EQ(Map({plain}, {Of("a", variant)}).status().code(), StatusCode::kUnsupported);
}

// contract V-73: a column of nulls is not a column that is not there, which may have a default.
TEST(ColumnMapping, ColumnsOfTypeNull) {
  const std::vector<Field> file = {Of("a", DataType::Of(TypeId::kNull)),
                                   Struct("s", {Int("x"), Of("y", DataType::Of(TypeId::kNull))})};
  const auto mappings = Map({Int("a"), Struct("s", {List("y", Int("e"))}), Int("b")}, file);
  EXPECT_EQ(Text(mappings), "NULL of 0, 1(NULL of 1), NULL");
  EXPECT_EQ(FieldPathsOf((*mappings)[0]), Paths());
  EXPECT_EQ(FieldPathsOf((*mappings)[1]), (Paths{{1, 0}}));
  EXPECT_EQ(Text(Map({file[0]}, file)), "0=");
  for (const ColumnMapping& mapping : *mappings) {
    EXPECT_TRUE(mapping.is_read() || ValidateColumn(*mapping.constant).ok());
  }
}

TEST(ColumnMapping, IdentityIsOfNamesAndNullsToo) {
  const Field file = Struct("s", {Int("a"), Int("b", 7), List("c", Int("element"))});
  EXPECT_EQ(Text(Map({file}, {file})), "0=");
  // What a projection leaves out does not count.
  EXPECT_EQ(Text(Map({Struct("s", {Int("b", 7)})}, {file})), "0=");
  EXPECT_EQ(Text(Map({Struct("s", {Int("b", 8)})}, {file})), "0(1=@0)");
  Field required = Int("b", 7);
  required.nullable = false;
  EXPECT_EQ(Text(Map({Struct("s", {required})}, {file})), "0(1=@0)");
  EXPECT_EQ(Text(Map({Struct("s", {Int("b", 7), Int("a")})}, {file})), "0(1=@1 0=@0)");
  EXPECT_EQ(Text(Map({Struct("s", {List("c", Int("item"))})}, {file})), "0(2(0=@0)@0)");
  // The table's name of a column is not part of it.
  EXPECT_EQ(Text(Map({Int("x")}, {Int("y", 3)}, ColumnMatch::kPosition)), "0=");
}

TEST(ColumnMapping, PathsThatAreRead) {
  const std::vector<Field> file = {Int("a"),
                                   Struct("s", {Int("x"), Struct("t", {Int("u"), Int("v")}),
                                                List("l", Struct("e", {Int("m"), Int("n")}))})};
  const auto paths = [&](const Field& wanted) {
    const auto mappings = Map({wanted}, file);
    EXPECT_TRUE(mappings) << mappings.status().ToString();
    return FieldPathsOf((*mappings)[0]);
  };
  EXPECT_EQ(paths(Int("a")), (Paths{{0}}));
  EXPECT_EQ(paths(Int("b")), Paths());
  EXPECT_EQ(paths(Struct("s", {Struct("t", {Int("v")}), Int("x")})), (Paths{{1, 1, 1}, {1, 0}}));
  EXPECT_EQ(paths(Struct("s", {Struct("t", {Int("v"), Int("w")}), Int("q")})), (Paths{{1, 1, 1}}));
  // Lists are read whole, and ranks in them are those of all their fields.
  const Field in_list = Struct("s", {List("l", Struct("e", {Int("n")}))});
  EXPECT_EQ(paths(in_list), (Paths{{1, 2}}));
  EXPECT_EQ(Text(Map({in_list}, file)), "1(2(0(1=@1)@0)@0)");
}

// contracts V-73, V-75: of a struct something is read, whatever is asked of it.
TEST(ColumnMapping, AStructIsReadForItsNulls) {
  const auto paths = [](const std::vector<Field>& fields) {
    const auto mappings = Map({Struct("s", {Int("absent")})}, {Struct("s", fields)});
    EXPECT_TRUE(mappings) << mappings.status().ToString();
    return FieldPathsOf((*mappings)[0]);
  };
  const Field list = List("l", Int("element"));
  EXPECT_EQ(paths({Int("x"), Int("y")}), (Paths{{0, 0}}));
  EXPECT_EQ(paths({list, Struct("t", {list, Int("y")})}), (Paths{{0, 1, 1}}));
  EXPECT_EQ(paths({Struct("t", {list}), list}), (Paths{{0, 0, 0}}));
  EXPECT_EQ(paths({Struct("t", {}), list}), (Paths{{0, 1}}));
  EXPECT_EQ(paths({Struct("t", {})}), (Paths{{0}}));
  // Each struct in the other for itself, unless what is below does.
  const auto mappings = Map({Struct("s", {Struct("t", {Int("absent")}), Int("gone")})},
                            {Struct("s", {Int("x"), Struct("t", {Int("u"), Int("v")})})});
  EXPECT_EQ(FieldPathsOf((*mappings)[0]), (Paths{{0, 1, 0}}));
  EXPECT_EQ(Text(mappings), "0(1(NULL)@0 NULL)");
}

// fault F10: what could be two fields is none of them.
TEST(ColumnMapping, NamesThatFieldsShare) {
  const std::vector<Field> file = {Int("a"), Long("b"), Long("a"),
                                   Struct("s", {Int("x"), Int("x")})};
  EXPECT_EQ(Text(Map(file, file)), "0=, 1=, 2=, 3=");
  EXPECT_EQ(Text(Map({Int("a"), Long("a")}, file, ColumnMatch::kName, {0, 3})), "0=, 2=");
  EXPECT_EQ(Text(Map({Long("a")}, file, ColumnMatch::kName, {2})), "2=");
  EXPECT_EQ(Text(Map({Long("a")}, file, ColumnMatch::kName, {1})),
            "unsupported: column 'a': 2 fields of the file have this name, and 1 are asked for");
  EXPECT_EQ(Map({Struct("s", {Int("x")})}, file).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(Map({Long("b"), Long("b")}, file, ColumnMatch::kName, {0, 3}).status().code(),
            StatusCode::kUnsupported);
  // Names that are not asked for do not matter.
  EXPECT_EQ(Text(Map({Long("b")}, file)), "1=");

  EXPECT_EQ(Text(Map({Int("a", 1)}, {Int("a", 1), Int("b", 1)}, ColumnMatch::kFieldId)),
            "unsupported: column 'a': 2 fields of the file have its id, 1");
  EXPECT_EQ(Text(Map({Int("a", 1), Int("b", 1)}, {Int("a", 1)}, ColumnMatch::kFieldId)),
            "invalid argument: column 'b' is asked for twice");
  EXPECT_EQ(Text(Map({Int("a"), Int("b")}, {Int("a")}, ColumnMatch::kPosition, {0, 0})),
            "invalid argument: column 'b' is asked for twice");
}

TEST(ColumnMapping, Positions) {
  const std::vector<Field> file = {Int("a"), Int("b")};
  for (const std::vector<int32_t>& positions :
       {std::vector<int32_t>{}, std::vector<int32_t>{0}, std::vector<int32_t>{0, -1},
        std::vector<int32_t>{0, 1, 2}}) {
    EXPECT_EQ(MapColumns({file}, positions, {file}, ColumnMatch::kName).status().code(),
              StatusCode::kInvalidArgument);
  }
  EXPECT_TRUE(MapColumns({}, {}, {file}, ColumnMatch::kPosition));
}

TEST(ColumnMapping, Maps) {
  const Field key = Int("key");
  const Field both = Of("m", DataType::Map(key, Int("value")));
  const Field keys = Of("m", DataType::Map(key, std::nullopt));
  EXPECT_EQ(Text(Map({both}, {both})), "0=");
  EXPECT_EQ(Text(Map({both}, {keys})), "0(0=@0 NULL)");
  EXPECT_EQ(Text(Map({keys}, {both})), "0(0=@0)");
  EXPECT_EQ(Text(Map({Of("m", DataType::Map(key, Long("value")))}, {both})), "0(0=@0 1->int64@1)");
}

}  // namespace
}  // namespace sluice::engine
