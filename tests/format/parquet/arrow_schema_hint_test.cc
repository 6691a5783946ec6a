#include "format/parquet/arrow_schema_hint.h"

#include <gtest/gtest.h>
#include <sluice/parquet/schema_tree.h>

#include <random>
#include <string>

namespace sluice {
namespace {

using parquet::ArrowFieldHint;
using parquet::ArrowSchemaHint;
using parquet::PhysicalType;
using parquet::Repetition;
using parquet::SchemaElement;
using parquet::SchemaTree;
using Shape = ArrowFieldHint::Shape;

// Arrow's schema of: a int64, d duration(us), s struct<x duration(ns), y int64>,
// l list<duration(ms)>, m map<string, duration(us)>, z duration(s).
constexpr std::string_view kSchema =
    "/////3ACAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAYAAAAIAgAA"
    "yAEAAEABAADsAAAAMAAAAAQAAAAg/v//AAABEhAAAAAUAAAABAAAAAAAAAABAAAAegAAAE7+//8AAAAA"
    "SP7//wAAAREUAAAAGAAAAAQAAAABAAAAEAAAAAEAAABtAAAA9P7//6T///8AAAANGAAAACAAAAAEAAAA"
    "AgAAAFQAAAAUAAAABwAAAGVudHJpZXMAJP///6D+//8AAAESEAAAABgAAAAEAAAAAAAAAAUAAAB2YWx1"
    "ZQAAANL+//8AAAIAEAAUAAgAAAAHAAwAAAAQABAAAAAAAAAFEAAAABQAAAAEAAAAAAAAAAMAAABrZXkA"
    "hP///wD///8AAAEMFAAAABgAAAAEAAAAAQAAABAAAAABAAAAbAAAAKz///8o////AAABEhAAAAAYAAAA"
    "BAAAAAAAAAAEAAAAaXRlbQAAAADU////UP///wAAAQ0YAAAAIAAAAAQAAAACAAAARAAAABQAAAABAAAA"
    "cwAAAAQABAAEAAAAgP///wAAAQIQAAAAFAAAAAQAAAAAAAAAAQAAAHkAAABw////AAAAAUAAAACs////"
    "AAABEhAAAAAUAAAABAAAAAAAAAABAAAAeAAAANr///8AAAMA1P///wAAARIQAAAAGAAAAAQAAAAAAAAA"
    "AQAAAGQABgAIAAYABgAAAAAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQIQAAAAHAAAAAQAAAAAAAAA"
    "AQAAAGEAAAAIAAwACAAHAAgAAAAAAAABQAAAAAAAAAA=";

std::optional<ArrowSchemaHint> ParseArrowSchema(std::string_view text) {
  CountedMemory memory;
  return *parquet::ParseArrowSchema(text, memory);
}

TEST(ArrowSchemaHint, ReadsFieldsAtEveryDepth) {
  const auto hint = ParseArrowSchema(kSchema);
  ASSERT_TRUE(hint.has_value());
  ASSERT_EQ(hint->columns.size(), 6U);
  const auto column = [&](size_t i) { return hint->fields[static_cast<size_t>(hint->columns[i])]; };
  EXPECT_EQ(column(0).name, "a");
  EXPECT_EQ(column(0).shape, Shape::kOther);
  EXPECT_EQ(column(1).shape, Shape::kDuration);
  EXPECT_EQ(column(1).unit, TimeUnit::kMicroseconds);
  EXPECT_EQ(column(2).shape, Shape::kStruct);
  ASSERT_EQ(column(2).children.size(), 2U);
  EXPECT_EQ(hint->fields[static_cast<size_t>(column(2).children[0])].unit, TimeUnit::kNanoseconds);
  EXPECT_EQ(column(3).shape, Shape::kList);
  EXPECT_EQ(column(4).shape, Shape::kMap);
  EXPECT_EQ(column(5).shape, Shape::kDuration);
  EXPECT_EQ(column(5).unit, TimeUnit::kSeconds);
}

// Arrow's schema of c: dictionary<int32, string>.
constexpr std::string_view kDictionarySchema =
    "/////5AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAEAAAAvP///wQAAAABAAAAFAAAABAAGAAIAAYABwAM"
    "ABAAFAAQAAAAAAABBRQAAABAAAAAHAAAAAQAAAAAAAAAAQAAAGMAAAAIAAgAAAAEAAgAAAAMAAAACAAMAAgA"
    "BwAIAAAAAAAAASAAAAAEAAQABAAAAAAAAAA=";

TEST(ArrowSchemaHint, TellsDictionaries) {
  const auto hint = ParseArrowSchema(kDictionarySchema);
  ASSERT_TRUE(hint.has_value());
  ASSERT_EQ(hint->fields.size(), 1U);
  EXPECT_TRUE(hint->fields[0].is_dictionary);
  EXPECT_EQ(hint->fields[0].name, "c");
  const auto without = ParseArrowSchema(kSchema);
  ASSERT_TRUE(without.has_value());
  for (const ArrowFieldHint& field : without->fields) {
    EXPECT_FALSE(field.is_dictionary);
  }
}

TEST(ArrowSchemaHint, DamageIsAbsence) {
  EXPECT_FALSE(ParseArrowSchema("").has_value());
  EXPECT_FALSE(ParseArrowSchema("not base64!").has_value());
  EXPECT_FALSE(ParseArrowSchema("/////w==").has_value());
  std::mt19937_64 random(3);
  const std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged(kSchema);
    for (uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      damaged[random() % damaged.size()] = alphabet[random() % alphabet.size()];
    }
    damaged.resize(damaged.size() - random() % 8);
    const auto hint = ParseArrowSchema(damaged);
    if (!hint) continue;
    for (const ArrowFieldHint& field : hint->fields) {
      for (const int32_t child : field.children) {
        ASSERT_LT(static_cast<size_t>(child), hint->fields.size());
      }
    }
  }
}

TEST(ArrowSchemaHint, CountsBeforeItMakesFields) {
  int64_t refused = 0;
  for (int64_t budget = 0; budget <= 8192; budget += 128) {
    const auto pool = BufferPool::Make(budget);
    CountedMemory memory(*pool->Reserve(0));
    const auto hint = parquet::ParseArrowSchema(kSchema, memory);
    EXPECT_LE(pool->peak_bytes(), budget);
    if (hint) continue;
    EXPECT_EQ(hint.error().code(), StatusCode::kResourceExhausted);
    refused = budget;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 8192);
}

SchemaElement Element(std::string_view name, std::optional<PhysicalType> type,
                      Repetition repetition, int32_t num_children = 0,
                      std::optional<int32_t> converted = std::nullopt) {
  SchemaElement element;
  element.name = name;
  element.type = type;
  element.repetition = repetition;
  element.num_children = num_children;
  element.converted_type = converted;
  return element;
}

TEST(ArrowSchemaHint, MakesDurationsOfPlainInt64Only) {
  constexpr auto kInt64 = PhysicalType::kInt64;
  constexpr auto kOptional = Repetition::kOptional;
  constexpr auto kRepeated = Repetition::kRepeated;
  parquet::FileMetadata metadata;
  metadata.schema = {Element("schema", {}, Repetition::kRequired, 6),
                     Element("a", kInt64, kOptional),
                     Element("d", kInt64, kOptional),
                     Element("s", {}, kOptional, 2),
                     Element("x", kInt64, kOptional),
                     Element("y", kInt64, kOptional),
                     Element("l", {}, kOptional, 1, 3),
                     Element("list", {}, kRepeated, 1),
                     Element("element", kInt64, kOptional),
                     Element("m", {}, kOptional, 1, 1),
                     Element("key_value", {}, kRepeated, 2),
                     Element("key", PhysicalType::kByteArray, Repetition::kRequired, 0, 0),
                     Element("value", kInt64, kOptional),
                     Element("z", kInt64, kOptional)};
  metadata.key_value_metadata = {{"ARROW:schema", kSchema}};
  const auto types = [&] {
    const auto tree = SchemaTree::Make(metadata, {});
    EXPECT_TRUE(tree.has_value());
    std::string text;
    for (const Field& field : (*tree)->schema()->fields) text += field.type.ToString() + "; ";
    return text;
  };
  EXPECT_EQ(types(),
            "int64; duration(us); struct<x: duration(ns), y: int64>; list<duration(ms)>; "
            "map<string, duration(us)>; duration(s); ");
  // The Parquet type is never overridden: neither an annotation nor a physical type.
  metadata.schema[2].converted_type = 10;
  metadata.schema[4].type = PhysicalType::kDouble;
  EXPECT_EQ(types(),
            "int64; timestamp(us, utc); struct<x: double, y: int64>; list<duration(ms)>; "
            "map<string, duration(us)>; duration(s); ");
  metadata.schema[2].converted_type.reset();
  metadata.schema[2].name = "other";  // Not the column that the schema speaks of.
  EXPECT_EQ(types().substr(0, 14), "int64; int64; ");
  metadata.key_value_metadata[0].value = "AAAA";
  EXPECT_EQ(types(),
            "int64; int64; struct<x: double, y: int64>; list<int64>; "
            "map<string, int64>; int64; ");
}

}  // namespace
}  // namespace sluice
