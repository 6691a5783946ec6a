#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <map>
#include <string>
#include <vector>

#include "tests/format/model/arrow/exportable_columns.h"

namespace sluice {
namespace {

using support::ArrowType;
using Metadata = std::map<std::string, std::string>;

ArrowType TypeOfSchema(const Schema& schema, const ArrowExportOptions& options = {}) {
  support::Owned<ArrowSchema> exported;
  const Status status = ExportSchema(schema, options, &exported);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return status.ok() ? support::ImportType(exported) : ArrowType();
}

ArrowType TypeOfField(const Field& field, const ArrowExportOptions& options = {}) {
  const ArrowType type = TypeOfSchema({{field}}, options);
  EXPECT_EQ(type.children.size(), 1U);
  return type.children.empty() ? ArrowType() : type.children[0];
}

ArrowType TypeOf(const DataType& type, const ArrowExportOptions& options = {}) {
  return TypeOfField({"c", type, true, std::nullopt}, options);
}

Metadata Extension(const std::string& name, const std::string& parameters) {
  return {{"ARROW:extension:name", name}, {"ARROW:extension:metadata", parameters}};
}

TEST(SchemaExport, KnowsTheFormatOfEveryType) {
  const std::vector<std::pair<DataType, std::string>> formats = {
      {DataType::Of(TypeId::kNull), "n"},
      {DataType::Of(TypeId::kBoolean), "b"},
      {DataType::Of(TypeId::kInt8), "c"},
      {DataType::Of(TypeId::kInt16), "s"},
      {DataType::Of(TypeId::kInt32), "i"},
      {DataType::Of(TypeId::kInt64), "l"},
      {DataType::Of(TypeId::kUint8), "C"},
      {DataType::Of(TypeId::kUint16), "S"},
      {DataType::Of(TypeId::kUint32), "I"},
      {DataType::Of(TypeId::kUint64), "L"},
      {DataType::Of(TypeId::kFloat16), "e"},
      {DataType::Of(TypeId::kFloat), "f"},
      {DataType::Of(TypeId::kDouble), "g"},
      {DataType::Decimal(9, 2, 4), "d:9,2"},
      {DataType::Decimal(18, 0, 8), "d:18,0"},
      {DataType::Decimal(38, 38, 16), "d:38,38"},
      {DataType::Decimal(5, 1, 16), "d:5,1"},
      {DataType::Decimal(76, 3, 32), "d:76,3,256"},
      {DataType::Of(TypeId::kDate), "tdD"},
      {DataType::Time(TimeUnit::kMilliseconds, true), "ttm"},
      {DataType::Time(TimeUnit::kMicroseconds, false), "ttu"},
      {DataType::Time(TimeUnit::kNanoseconds, false), "ttn"},
      {DataType::Timestamp(TimeUnit::kSeconds, false), "tss:"},
      {DataType::Timestamp(TimeUnit::kMilliseconds, false), "tsm:"},
      {DataType::Timestamp(TimeUnit::kMicroseconds, true), "tsu:UTC"},
      {DataType::Timestamp(TimeUnit::kNanoseconds, true), "tsn:UTC"},
      {DataType::Of(TypeId::kInt96), "tsn:"},
      {DataType::Duration(TimeUnit::kSeconds), "tDs"},
      {DataType::Duration(TimeUnit::kMilliseconds), "tDm"},
      {DataType::Duration(TimeUnit::kMicroseconds), "tDu"},
      {DataType::Duration(TimeUnit::kNanoseconds), "tDn"},
      {DataType::Of(TypeId::kInterval), "tin"},
      {DataType::Of(TypeId::kString), "vu"},
      {DataType::Of(TypeId::kEnum), "vu"},
      {DataType::Of(TypeId::kBinary), "vz"},
      {DataType::Of(TypeId::kBson), "vz"},
      {DataType::FixedBinary(0), "w:0"},
      {DataType::FixedBinary(7), "w:7"},
  };
  for (const auto& [type, format] : formats) {
    const ArrowType exported = TypeOf(type);
    EXPECT_EQ(exported.format, format) << type.ToString();
    EXPECT_EQ(exported.metadata, Metadata()) << type.ToString();
    EXPECT_TRUE(exported.children.empty());
  }
}

TEST(SchemaExport, HasTextAsItIsAskedFor) {
  const std::map<ArrowText, std::pair<std::string, std::string>> formats = {
      {ArrowText::kViews, {"vu", "vz"}},
      {ArrowText::kPlain, {"u", "z"}},
      {ArrowText::kLarge, {"U", "Z"}}};
  for (const auto& [text, expected] : formats) {
    ArrowExportOptions options;
    options.text = text;
    for (const TypeId id : {TypeId::kString, TypeId::kEnum, TypeId::kJson}) {
      EXPECT_EQ(TypeOf(DataType::Of(id), options).format, expected.first);
    }
    for (const TypeId id :
         {TypeId::kBinary, TypeId::kBson, TypeId::kGeometry, TypeId::kGeography}) {
      EXPECT_EQ(TypeOf(DataType::Of(id), options).format, expected.second);
    }
  }
}

TEST(SchemaExport, HasInt96InTheUnitAskedFor) {
  ArrowExportOptions options;
  for (const auto& [unit, format] :
       std::map<TimeUnit, std::string>{{TimeUnit::kSeconds, "tss:"},
                                       {TimeUnit::kMilliseconds, "tsm:"},
                                       {TimeUnit::kMicroseconds, "tsu:"}}) {
    options.int96_unit = unit;
    EXPECT_EQ(TypeOf(DataType::Of(TypeId::kInt96), options).format, format);
  }
}

TEST(SchemaExport, HasNarrowDecimalsWhereAskedFor) {
  ArrowExportOptions options;
  options.narrow_decimals = true;
  EXPECT_EQ(TypeOf(DataType::Decimal(9, 2, 4), options).format, "d:9,2,32");
  EXPECT_EQ(TypeOf(DataType::Decimal(18, 0, 8), options).format, "d:18,0,64");
  EXPECT_EQ(TypeOf(DataType::Decimal(18, 0, 16), options).format, "d:18,0");
  EXPECT_EQ(TypeOf(DataType::Decimal(76, 3, 32), options).format, "d:76,3,256");
}

TEST(SchemaExport, NamesExtensionTypes) {
  const ArrowType uuid = TypeOf(DataType::Of(TypeId::kUuid));
  EXPECT_EQ(uuid.format, "w:16");
  EXPECT_EQ(uuid.metadata, (Metadata{{"ARROW:extension:name", "arrow.uuid"}}));
  EXPECT_EQ(TypeOf(DataType::Of(TypeId::kJson)).metadata, Extension("arrow.json", ""));

  DataType geometry = DataType::Of(TypeId::kGeometry);
  const auto parameters = [&] { return TypeOf(geometry).metadata.at("ARROW:extension:metadata"); };
  EXPECT_EQ(TypeOf(geometry).metadata,
            Extension("geoarrow.wkb", R"({"crs":"OGC:CRS84","crs_type":"authority_code"})"));
  geometry.crs = "srid:5070";
  EXPECT_EQ(parameters(), R"({"crs":"5070","crs_type":"srid"})");
  geometry.crs = "{\"type\": \"GeographicCRS\"}\n";
  EXPECT_EQ(parameters(), R"({"crs":"{\"type\": \"GeographicCRS\"}\n"})");
  geometry.id = TypeId::kGeography;
  geometry.crs = "";
  EXPECT_EQ(parameters(), R"({"crs":"OGC:CRS84","crs_type":"authority_code","edges":"spherical"})");
  geometry.edge_algorithm = "VINCENTY";
  EXPECT_EQ(parameters(), R"({"crs":"OGC:CRS84","crs_type":"authority_code","edges":"vincenty"})");
}

DataType Variant(std::vector<Field> parts) {
  DataType type = DataType::Struct(std::move(parts));
  type.id = TypeId::kVariant;
  return type;
}

TEST(SchemaExport, NamesVariantsOfTheRightParts) {
  const Field metadata{"metadata", DataType::Of(TypeId::kBinary), false, {}};
  const Field value{"value", DataType::Of(TypeId::kBinary), true, {}};
  const auto typed = [](DataType type) {
    return Field{"typed_value", std::move(type), true, std::nullopt};
  };
  const Field number = typed(DataType::Of(TypeId::kInt64));
  const Field part{"part", DataType::Struct({value, number}), false, {}};
  const std::vector<DataType> right = {
      Variant({metadata, value}),
      Variant({value, metadata}),
      Variant({metadata, number}),
      Variant({metadata, value, typed(DataType::Decimal(38, 2, 16))}),
      Variant({metadata, value, typed(DataType::Timestamp(TimeUnit::kNanoseconds, true))}),
      Variant({metadata, value, typed(DataType::Struct({part, part}))}),
      Variant({metadata, value, typed(DataType::List(part))}),
  };
  for (const DataType& type : right) {
    const ArrowType exported = TypeOf(type);
    EXPECT_EQ(exported.format, "+s");
    EXPECT_EQ(exported.metadata, Extension("arrow.parquet.variant", "")) << type.ToString();
  }
  Field nullable_metadata = metadata;
  nullable_metadata.nullable = true;
  Field nullable_part = part;
  nullable_part.nullable = true;
  const std::vector<DataType> wrong = {
      Variant({}),
      Variant({metadata}),
      Variant({value}),
      Variant({nullable_metadata, value}),
      Variant({metadata, value, value}),
      Variant({metadata, {"value", DataType::Of(TypeId::kString), true, {}}}),
      Variant({metadata, value, {"other", DataType::Of(TypeId::kString), true, {}}}),
      Variant({metadata, value, typed(DataType::Of(TypeId::kUint64))}),
      Variant({metadata, value, typed(DataType::Decimal(50, 2, 32))}),
      Variant({metadata, value, typed(DataType::Timestamp(TimeUnit::kMilliseconds, true))}),
      Variant({metadata, value, typed(DataType::List(nullable_part))}),
      Variant({metadata, value, typed(DataType::List(number))}),
      Variant({metadata, value, typed(DataType::Struct({part, nullable_part}))}),
      Variant({metadata, value, typed(DataType::Struct({{"p", part.type, false, {}}, metadata}))}),
  };
  for (const DataType& type : wrong) {
    const ArrowType exported = TypeOf(type);
    EXPECT_EQ(exported.format, "+s");
    EXPECT_EQ(exported.metadata, Metadata()) << type.ToString();
  }
}

TEST(SchemaExport, HasNestedTypesWithNamesFlagsAndFieldIds) {
  const Field leaf{"leaf", DataType::Of(TypeId::kInt32), false, 3};
  const Field list{"", DataType::List(leaf), true, 2};
  const Field record{"a.b", DataType::Struct({list, leaf}), false, std::nullopt};
  const ArrowType schema = TypeOfSchema({{record, record}});
  EXPECT_EQ(schema.format, "+s");
  EXPECT_EQ(schema.name, "");
  EXPECT_EQ(schema.flags, 0);
  ASSERT_EQ(schema.children.size(), 2U);
  EXPECT_EQ(schema.children[0], schema.children[1]);
  const ArrowType& exported = schema.children[0];
  EXPECT_EQ(exported.name, "a.b");
  EXPECT_EQ(exported.format, "+s");
  EXPECT_EQ(exported.flags, 0);
  EXPECT_EQ(exported.metadata, Metadata());
  ASSERT_EQ(exported.children.size(), 2U);
  EXPECT_EQ(exported.children[0].format, "+l");
  EXPECT_EQ(exported.children[0].name, "");
  EXPECT_EQ(exported.children[0].flags, ARROW_FLAG_NULLABLE);
  EXPECT_EQ(exported.children[0].metadata, (Metadata{{"PARQUET:field_id", "2"}}));
  ASSERT_EQ(exported.children[0].children.size(), 1U);
  EXPECT_EQ(exported.children[0].children[0], exported.children[1]);
  EXPECT_EQ(exported.children[1].name, "leaf");
  EXPECT_EQ(exported.children[1].flags, 0);
  EXPECT_EQ(exported.children[1].metadata, (Metadata{{"PARQUET:field_id", "3"}}));
}

TEST(SchemaExport, HasMapsOfKeysThatAreNotNull) {
  const Field key{"k", DataType::Of(TypeId::kString), true, 1};
  const Field value{"v", DataType::Of(TypeId::kString), true, 2};
  ArrowExportOptions options;
  options.keep_dictionaries = true;
  const ArrowType map = TypeOf(DataType::Map(key, value), options);
  EXPECT_EQ(map.format, "+m");
  EXPECT_EQ(map.flags, ARROW_FLAG_NULLABLE);
  ASSERT_EQ(map.children.size(), 1U);
  ASSERT_EQ(map.children[0].children.size(), 2U);
  EXPECT_EQ(map.children[0].metadata, Metadata());
  const ArrowType& exported_key = map.children[0].children[0];
  EXPECT_EQ(exported_key.name, "k");
  EXPECT_EQ(exported_key.format, "vu");
  EXPECT_FALSE(exported_key.nullable());
  EXPECT_EQ(exported_key.metadata, (Metadata{{"PARQUET:field_id", "1"}}));
  const ArrowType& exported_value = map.children[0].children[1];
  EXPECT_EQ(exported_value.format, "i");
  EXPECT_TRUE(exported_value.nullable());
  // Without values, it is the list of the keys.
  const ArrowType keys = TypeOf(DataType::Map(key, std::nullopt), options);
  EXPECT_EQ(keys.format, "+l");
  ASSERT_EQ(keys.children.size(), 1U);
  EXPECT_EQ(keys.children[0].name, "k");
  EXPECT_EQ(keys.children[0].format, "i");
  EXPECT_TRUE(keys.children[0].nullable());
}

TEST(SchemaExport, KeepsDictionariesOfPlainTextOnly) {
  ArrowExportOptions options;
  options.keep_dictionaries = true;
  options.text = ArrowText::kPlain;
  for (const TypeId id : {TypeId::kString, TypeId::kEnum, TypeId::kBinary, TypeId::kBson}) {
    const Field field{"c", DataType::Of(id), false, 5};
    const ArrowType type = TypeOfField(field, options);
    EXPECT_EQ(type.format, "i");
    EXPECT_EQ(type.flags, 0);
    EXPECT_EQ(type.metadata, (Metadata{{"PARQUET:field_id", "5"}}));
    ASSERT_NE(type.dictionary, nullptr);
    EXPECT_EQ(type.dictionary->format, TypeOfField(field, {ArrowText::kPlain}).format);
    EXPECT_EQ(type.dictionary->metadata, Metadata());
    // At any depth.
    const ArrowType list = TypeOf(DataType::List(field), options);
    ASSERT_EQ(list.children.size(), 1U);
    EXPECT_EQ(list.children[0], type);
  }
  for (const TypeId id : {TypeId::kJson, TypeId::kUuid, TypeId::kGeometry, TypeId::kInt32}) {
    EXPECT_EQ(TypeOf(DataType::Of(id), options).dictionary, nullptr);
  }
  const Field metadata{"metadata", DataType::Of(TypeId::kBinary), false, {}};
  const Field value{"value", DataType::Of(TypeId::kBinary), true, {}};
  for (const ArrowType& part : TypeOf(Variant({metadata, value}), options).children) {
    EXPECT_EQ(part.format, "z");
    EXPECT_EQ(part.dictionary, nullptr);
  }
}

void ExpectRefused(const Field& field, StatusCode code, const std::string& message) {
  support::Owned<ArrowSchema> exported;
  exported.release = [](ArrowSchema*) {};
  const Status status = ExportSchema({{field}}, {}, &exported);
  EXPECT_EQ(status.code(), code);
  EXPECT_EQ(status.message(), message);
  EXPECT_EQ(exported.release, nullptr);
}

TEST(SchemaExport, RefusesWhatArrowCannotSay) {
  const DataType number = DataType::Of(TypeId::kInt32);
  ExpectRefused(
      {std::string("a\0b", 3), number, true, {}}, StatusCode::kUnsupported,
      std::string("column 'a\0b'", 12) + ": its name has a zero byte, where names end in C");
  ExpectRefused({"s", DataType::Struct({{"\xff", number, true, {}}}), true, {}},
                StatusCode::kUnsupported, "column 's.\xff': its name is not UTF-8");
  DataType geometry = DataType::Of(TypeId::kGeometry);
  geometry.crs = "\xff";
  ExpectRefused({"g", geometry, true, {}}, StatusCode::kUnsupported,
                "column 'g': its crs is not UTF-8");
  ExpectRefused({"d", DataType::Decimal(10, 0, 4), true, {}}, StatusCode::kInvalidArgument,
                "column 'd': a decimal of 32 bits has no 10 digits");
  ExpectRefused({"d", DataType::Decimal(0, 0, 4), true, {}}, StatusCode::kInvalidArgument,
                "column 'd': a decimal of 32 bits has no 0 digits");
  ExpectRefused({"d", DataType::Decimal(1, 0, 5), true, {}}, StatusCode::kInvalidArgument,
                "column 'd': a decimal of 40 bits has no 1 digits");
  ExpectRefused({"t", DataType::Time(TimeUnit::kSeconds, false), true, {}},
                StatusCode::kInvalidArgument,
                "column 't': times of whole seconds are not a type of ours");
  DataType list = DataType::List({"e", number, true, {}});
  list.children.clear();
  ExpectRefused({"l", list, true, {}}, StatusCode::kInvalidArgument,
                "column 'l': list of 0 children");
}

TEST(SchemaExport, LimitsDepth) {
  const auto nested = [](int depth) {
    Field field{"x", DataType::Of(TypeId::kInt32), true, {}};
    for (int i = 1; i < depth; ++i) {
      DataType type = DataType::Of(TypeId::kStruct);
      type.children.push_back(std::move(field));
      field = {"x", std::move(type), true, {}};
    }
    return Schema{{std::move(field)}};
  };
  support::Owned<ArrowSchema> exported;
  ExpectOk(ExportSchema(nested(1000), {}, &exported));
  exported.Release();
  EXPECT_EQ(ExportSchema(nested(1001), {}, &exported).code(), StatusCode::kUnsupported);
}

/// fault A3: children may be moved out and live on, and what was released says so.
TEST(SchemaExport, A3ChildrenOutliveTheirParent) {
  support::Owned<ArrowSchema> exported;
  const Field field{"c", DataType::List({"element", DataType::Of(TypeId::kString), true, 7}), true,
                    std::nullopt};
  ExpectOk(ExportSchema({{field, field}}, {}, &exported));
  support::Owned<ArrowSchema> moved;
  static_cast<ArrowSchema&>(moved) = *exported.children[1];
  exported.children[1]->release = nullptr;
  exported.Release();
  EXPECT_EQ(exported.release, nullptr);
  EXPECT_EQ(support::ImportType(moved).children.at(0).metadata.at("PARQUET:field_id"), "7");
}

}  // namespace
}  // namespace sluice
