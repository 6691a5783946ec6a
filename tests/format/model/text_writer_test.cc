#include <gtest/gtest.h>
#include <sluice/text.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/format/model/text_columns.h"

namespace sluice {
namespace {

Batch BatchOf(std::vector<std::string> names, std::vector<Column> columns) {
  Schema schema;
  for (size_t i = 0; i < names.size(); ++i) {
    schema.fields.push_back({names[i], *columns[i].type, true, {}});
  }
  Batch batch;
  batch.schema = std::make_shared<const Schema>(std::move(schema));
  batch.num_rows = columns.empty() ? 2 : columns[0].length;
  batch.columns = std::move(columns);
  return batch;
}

std::string Text(const Batch& batch, TextFormat format) {
  TextWriter writer(batch.schema, format);
  std::string text;
  writer.Begin(text);
  writer.AppendRows(batch, 0, batch.num_rows, text);
  return text;
}

Batch Mixed() {
  const Column numbers = FlatOf<int64_t>(DataType::Of(TypeId::kInt64), {1, -20, int64_t{1} << 60});
  const Column strings = ViewsOf(TypeId::kString, {"a,\"b\"", "", "\u00e9\nz"});
  return BatchOf({"n,1", "text", "n,1"},
                 {numbers, strings, WithNullAt(ListOf({0, 1, 1, 3}, numbers), 1)});
}

TEST(TextWriter, CanonicalRows) {
  EXPECT_EQ(Text(Mixed(), TextFormat::kCanonical),
            "[1,\"a,\\\"b\\\"\",[1]]\n[-20,\"\",null]\n"
            "[\"1152921504606846976\",\"\u00e9\\nz\",[-20,\"1152921504606846976\"]]\n");
  EXPECT_EQ(Text(BatchOf({}, {}), TextFormat::kCanonical), "[]\n[]\n");
}

TEST(TextWriter, JsonLines) {
  EXPECT_EQ(Text(Mixed(), TextFormat::kJsonLines),
            "{\"n,1\":1,\"text\":\"a,\\\"b\\\"\",\"n,1\":[1]}\n"
            "{\"n,1\":-20,\"text\":\"\",\"n,1\":null}\n"
            "{\"n,1\":\"1152921504606846976\",\"text\":\"\u00e9\\nz\","
            "\"n,1\":[-20,\"1152921504606846976\"]}\n");
}

TEST(TextWriter, Csv) {
  EXPECT_EQ(Text(Mixed(), TextFormat::kCsv),
            "\"n,1\",text,\"n,1\"\n"
            "1,\"a,\"\"b\"\"\",[1]\n"
            "-20,\"\",\n"
            "1152921504606846976,\"\u00e9\nz\",\"[-20,\"\"1152921504606846976\"\"]\"\n");
}

TEST(TextWriter, TableIsAligned) {
  EXPECT_EQ(Text(Mixed(), TextFormat::kTable),
            "                n,1 | text  | n,1\n"
            "--------------------+-------+----------------------------\n"
            "                  1 | a,\"b\" | [1]\n"
            "                -20 |       | NULL\n"
            "1152921504606846976 | \u00e9\\nz  | [-20,\"1152921504606846976\"]\n");
}

TEST(TextWriter, TablesHaveTheirHeaderOnceAlsoWithoutRows) {
  const Batch batch = BatchOf({"a", "b\nc"}, {FlatOf<int64_t>(DataType::Of(TypeId::kInt64), {1}),
                                              ViewsOf(TypeId::kString, {"x"})});
  const auto end = [&](TextFormat format, bool with_rows) {
    TextWriter writer(batch.schema, format);
    std::string text;
    if (with_rows) writer.AppendRows(batch, 0, 1, text);
    writer.End(text);
    return text;
  };
  EXPECT_EQ(end(TextFormat::kTable, false), "a | b\\nc\n--+-----\n");
  EXPECT_EQ(end(TextFormat::kTable, true), "a | b\\nc\n--+-----\n1 | x\n");
  for (const TextFormat format :
       {TextFormat::kCsv, TextFormat::kJsonLines, TextFormat::kCanonical}) {
    EXPECT_EQ(end(format, false), "");
  }
}

}  // namespace
}  // namespace sluice
