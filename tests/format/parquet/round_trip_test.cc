// What is written is read back equal: random schemas and values, every encoding with every codec,
// page version and density of nulls; and selections give what reading and filtering gives.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>
#include <sluice/parquet/writer.h>

#include <algorithm>
#include <string>
#include <vector>

#include "format/parquet/write/write_schema.h"
#include "tests/support/cells.h"
#include "tests/support/file_reading.h"
#include "tests/support/random_columns.h"
#include "tests/support/random_tables.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the whole test is about it.
using support::Cell;
using support::CellsOf;
using support::kCodecs;
using support::RandomColumns;
using support::RandomOptions;
using support::RandomTable;
using support::Table;
using support::WritableEncodings;
using support::Write;

/// Expects a row group's selected rows to be those rows of the table.
void ExpectRows(const FileReader& reader, int32_t row_group, const RowSelection& selection,
                const Table& table, int64_t first_row) {
  const int64_t num_rows = reader.metadata()->row_groups[static_cast<size_t>(row_group)].num_rows;
  auto cursor = reader.RowGroup(row_group, Projection::All(reader.tree()), selection);
  ASSERT_TRUE(cursor.has_value()) << cursor.status().ToString();
  int64_t row = selection.NextSelected(0);
  while (true) {
    auto next = (*cursor)->Next();
    ASSERT_TRUE(next.has_value()) << next.status().ToString();
    if (!next->has_value()) break;
    const RowGroupBatch& delivered = **next;
    const Batch& batch = delivered.batch;
    ASSERT_EQ(batch.num_rows, selection.CountIn(delivered.rows));
    ASSERT_EQ(batch.columns.size(), table.columns.size());
    std::vector<std::vector<Cell>> cells;
    for (const Column& column : batch.columns) {
      const Status valid = ValidateColumn(column);
      ASSERT_TRUE(valid.ok()) << valid.ToString();
      ASSERT_EQ(column.length, batch.num_rows);
      cells.push_back(CellsOf(column));
    }
    for (int64_t i = 0; i < batch.num_rows; ++i, row = selection.NextSelected(row + 1)) {
      ASSERT_LT(row, num_rows);
      for (size_t column = 0; column < cells.size(); ++column) {
        const Cell& expected = table.columns[column][static_cast<size_t>(first_row + row)];
        const Cell& got = cells[column][static_cast<size_t>(i)];
        ASSERT_TRUE(got == expected)
            << "row " << first_row + row << " of " << table.schema.fields[column].type.ToString()
            << ": " << CellText(got) << " is not " << CellText(expected);
      }
    }
  }
  EXPECT_GE(row, num_rows);
}

/// Expects the whole file, with the selection of each row group that `select` makes.
template <typename Select>
void ExpectFile(const std::string& bytes, const Table& table, const ReadOptions& options,
                Select select) {
  auto reader = support::OpenBytes(bytes, options);
  ASSERT_TRUE(reader.has_value()) << reader.status().ToString();
  EXPECT_EQ(*(*reader)->schema(), table.schema);
  int64_t first_row = 0;
  for (int32_t group = 0; group < (*reader)->num_row_groups(); ++group) {
    const int64_t num_rows = (*reader)->metadata()->row_groups[static_cast<size_t>(group)].num_rows;
    ExpectRows(**reader, group, select(num_rows), table, first_row);
    if (testing::Test::HasFatalFailure()) return;
    first_row += num_rows;
  }
  EXPECT_EQ(first_row, table.num_rows);
}

RowSelection RandomSelection(RandomColumns& random, int64_t num_rows) {
  const double density = std::vector<double>{0.01, 0.3, 0.9}[random.Below(3)];
  if (random.Chance(0.5)) {
    std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(num_rows)));
    for (int64_t row = 0; row < num_rows; ++row) {
      if (random.Chance(density)) SetBit(words.data(), row);
    }
    return RowSelection::FromBitmap(std::move(words), num_rows);
  }
  std::vector<RowRange> ranges;
  int64_t row = random.Below(20);
  while (row < num_rows) {
    const int64_t end = std::min(num_rows, row + 1 + random.Below(40));
    ranges.push_back({row, end});
    row = end + 1 + random.Below(60);
  }
  return *RowSelection::FromRanges(std::move(ranges));
}

class RoundTrip : public testing::TestWithParam<int> {};

TEST_P(RoundTrip, RandomTablesAndSelections) {
  RandomColumns random(static_cast<uint64_t>(GetParam()));
  const Table table = RandomTable(random, 1 + random.Below(300), 1 + GetParam() % 5);
  const WriterOptions options = RandomOptions(random, table.schema);
  const Result<std::string> bytes = Write(table, options, random);
  ASSERT_TRUE(bytes.has_value()) << bytes.status().ToString();
  for (const int64_t batch_rows : {int64_t{1}, int64_t{7}, ReadOptions().batch_rows}) {
    ReadOptions read;
    read.batch_rows = batch_rows;
    read.deliver_dictionaries = random.Chance(0.5);
    read.use_offset_index = random.Chance(0.7);
    read.select_encoded = random.Chance(0.7);
    read.stream_pages = random.Chance(0.7);
    read.read_everything = random.Chance(0.3);
    read.read_gap_bytes = random.Chance(0.5) ? 0 : 4096;
    read.read_window_bytes = 1 + random.Below(10'000);
    SCOPED_TRACE("batches of " + std::to_string(batch_rows));
    ExpectFile(*bytes, table, read, RowSelection::All);
    if (HasFatalFailure()) return;
    for (int round = 0; round < 3; ++round) {
      ExpectFile(*bytes, table, read,
                 [&random](int64_t num_rows) { return RandomSelection(random, num_rows); });
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range(0, 150));

/// One type for each physical type.
std::vector<DataType> PhysicalTypes() {
  return {DataType::Of(TypeId::kBoolean), DataType::Of(TypeId::kInt32),
          DataType::Of(TypeId::kInt64),   DataType::Of(TypeId::kInt96),
          DataType::Of(TypeId::kFloat),   DataType::Of(TypeId::kDouble),
          DataType::Of(TypeId::kString),  DataType::FixedBinary(7)};
}

class EveryCombination : public testing::TestWithParam<Codec> {};

TEST_P(EveryCombination, OfEncodingPageVersionAndNulls) {
  RandomColumns random(static_cast<uint64_t>(GetParam()) + 1000);
  for (const DataType& type : PhysicalTypes()) {
    Table table;
    table.schema.fields = {{"flat", type, true, {}},
                           {"list", DataType::List({"element", type, true, {}}), true, {}}};
    table.num_rows = 150;
    const Result<WriteSchema> written = WriteSchema::Make(table.schema);
    std::vector<Encoding> encodings = WritableEncodings(written->leaves[0].physical_type);
    if (type.id != TypeId::kBoolean) encodings.push_back(Encoding::kRleDictionary);
    for (const double null_chance : {0.0, 0.4, 1.0}) {
      table.columns = {random.Cells(table.schema.fields[0], table.num_rows, null_chance),
                       random.Cells(table.schema.fields[1], table.num_rows, null_chance)};
      for (const Encoding encoding : encodings) {
        for (const DataPageVersion version : {DataPageVersion::kV1, DataPageVersion::kV2}) {
          SCOPED_TRACE(std::string(Name(encoding)) + " of " + type.ToString());
          WriterOptions options;
          options.page_version = version;
          options.page_rows = 40;
          options.columns.encoding = encoding;
          options.columns.dictionary = false;
          options.columns.codec = GetParam();
          const Result<std::string> bytes = Write(table, options, random);
          ASSERT_TRUE(bytes.has_value()) << bytes.status().ToString();
          ExpectFile(*bytes, table, {}, RowSelection::All);
          if (HasFatalFailure()) return;
          ExpectFile(*bytes, table, {},
                     [&random](int64_t num_rows) { return RandomSelection(random, num_rows); });
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryCombination, testing::ValuesIn(kCodecs));

TEST(RoundTripOfMuch, ManyPagesAndFallbacksAtDefaultSizes) {
  RandomColumns random(77);
  Table table;
  table.schema.fields = {
      {"id", DataType::Of(TypeId::kInt64), false, {}},
      {"text", DataType::Of(TypeId::kString), true, {}},
      {"list", DataType::List({"element", DataType::Of(TypeId::kInt32), true, {}}), true, {}}};
  table.num_rows = 70'000;
  for (const Field& field : table.schema.fields) {
    table.columns.push_back(random.Cells(field, table.num_rows, 0.1));
  }
  WriterOptions options;
  options.row_group_rows = 50'000;
  options.columns.dictionary_bytes_limit = 100'000;
  const Result<std::string> bytes = Write(table, options, random);
  ASSERT_TRUE(bytes.has_value()) << bytes.status().ToString();
  ExpectFile(*bytes, table, {}, RowSelection::All);
  if (HasFatalFailure()) return;
  ExpectFile(*bytes, table, {},
             [&random](int64_t num_rows) { return RandomSelection(random, num_rows); });
}

TEST(RoundTripOfMuch, DeepNesting) {
  RandomColumns random(78);
  DataType type = DataType::Of(TypeId::kInt32);
  for (int i = 0; i < 60; ++i) {
    type = i % 2 == 0 ? DataType::List({"element", std::move(type), true, {}})
                      : DataType::Struct({{"f", std::move(type), true, {}}});
  }
  Table table;
  table.schema.fields = {{"deep", std::move(type), true, {}}};
  // Each row ends at another depth, in null or (in a list) in nothing.
  for (int depth = 0; depth <= 60; ++depth) {
    const bool is_struct = depth % 2 == 0;
    Cell cell = depth % 3 == 0 || is_struct ? support::Null() : support::Nested({});
    if (depth == 60) cell = support::Fixed(int32_t{7});
    for (int i = 0; i < depth; ++i) cell = support::Nested({std::move(cell)});
    table.columns.resize(1);
    table.columns[0].push_back(std::move(cell));
    ++table.num_rows;
  }
  const Result<std::string> bytes = Write(table, {}, random);
  ASSERT_TRUE(bytes.has_value()) << bytes.status().ToString();
  ExpectFile(*bytes, table, {}, RowSelection::All);
}

}  // namespace
}  // namespace sluice
