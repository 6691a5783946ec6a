#include "format/parquet/write/arrow_schema_writer.h"

#include <gtest/gtest.h>
#include <sluice/parquet/writer.h>

#include <string>

#include "format/parquet/arrow_schema_hint.h"
#include "tests/format/parquet/write/written_file.h"

namespace sluice {
namespace {

using parquet::ArrowFieldHint;
using parquet::ArrowSchemaHint;
using parquet::ArrowSchemaValue;

const DataType kNanoseconds = DataType::Duration(TimeUnit::kNanoseconds);

TEST(ArrowSchemaWriter, TellsOfDurationsAnywhere) {
  const DataType list = DataType::List({"item", kNanoseconds, true, {}});
  const Schema schema{
      {{"time", DataType::Timestamp(TimeUnit::kMicroseconds, true), true, {}},
       {"s",
        DataType::Struct(
            {{"inner", list, true, {}}, {"text", DataType::Of(TypeId::kString), true, {}}}),
        false,
        {}},
       {"m",
        DataType::Map({"key", DataType::Of(TypeId::kString), false, {}},
                      Field{"value", DataType::Duration(TimeUnit::kSeconds), true, {}}),
        true,
        {}}}};
  const std::optional<std::string> value = ArrowSchemaValue(schema);
  ASSERT_TRUE(value.has_value());
  CountedMemory memory;
  const std::optional<ArrowSchemaHint> hint = *parquet::ParseArrowSchema(*value, memory);
  ASSERT_TRUE(hint.has_value());
  const auto field = [&hint](int32_t ordinal) {
    return hint->fields[static_cast<size_t>(ordinal)];
  };
  ASSERT_EQ(hint->columns.size(), 3U);
  EXPECT_EQ(field(hint->columns[0]).name, "time");
  const ArrowFieldHint inner = field(field(hint->columns[1]).children.at(0));
  EXPECT_EQ(inner.name, "inner");
  EXPECT_EQ(inner.shape, ArrowFieldHint::Shape::kList);
  const ArrowFieldHint element = field(inner.children.at(0));
  EXPECT_EQ(element.shape, ArrowFieldHint::Shape::kDuration);
  EXPECT_EQ(element.unit, TimeUnit::kNanoseconds);
  const ArrowFieldHint map = field(hint->columns[2]);
  EXPECT_EQ(map.shape, ArrowFieldHint::Shape::kMap);
  EXPECT_EQ(field(field(map.children.at(0)).children.at(1)).unit, TimeUnit::kSeconds);
}

TEST(ArrowSchemaWriter, OnlyWhereItIsNeeded) {
  EXPECT_FALSE(ArrowSchemaValue({{{"a", DataType::Of(TypeId::kInt64), true, {}}}}).has_value());
  DataType deep = kNanoseconds;
  for (int i = 0; i < 100; ++i) deep = DataType::List({"element", deep, true, {}});
  EXPECT_FALSE(ArrowSchemaValue({{{"a", deep, true, {}}}}).has_value());
}

TEST(ArrowSchemaWriter, TheCallersOwnIsKept) {
  const Schema schema{{{"a", kNanoseconds, true, {}}}};
  parquet::WriterOptions options;
  options.key_value_metadata = {{"ARROW:schema", "mine"}};
  const support::WrittenFile file(schema, {{support::Fixed(int64_t{1})}}, options);
  ASSERT_EQ(file.footer().key_value_metadata.size(), 1U);
  EXPECT_EQ(file.footer().key_value_metadata[0].value, "mine");
}

}  // namespace
}  // namespace sluice
