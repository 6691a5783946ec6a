// Filters of a row group's leaves: the rows that pass, whatever is switched off, are those that
// pass by the filters' own definition.

#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/parquet/reader.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tests/support/file_reading.h"
#include "tests/support/random_filters.h"
#include "tests/support/random_tables.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the whole test is about it.
using support::Cell;
using support::CellsOf;
using support::LeafPath;
using support::RandomColumns;
using support::Table;

/// What is asked of a file, with the leaves' values in memory.
struct Question {
  std::vector<LeafFilter> filters;
  std::vector<LeafPath> leaves;  ///< Of the filters.

  bool Passes(const Table& table, int64_t row) const {
    for (size_t i = 0; i < filters.size(); ++i) {
      const Cell& cell = table.columns[leaves[i].fields[0]][static_cast<size_t>(row)];
      if (!support::Passes(filters[i].filter, support::ValueOf(leaves[i], cell))) return false;
    }
    return true;
  }
};

Question RandomQuestion(RandomColumns& random, const Table& table) {
  Question question;
  const std::vector<LeafPath> leaves = support::LeavesOf(table.schema);
  for (int64_t left = 1 + random.Below(3); left > 0; --left) {
    const auto leaf = static_cast<size_t>(random.Below(std::ssize(leaves)));
    if (leaves[leaf].is_repeated) continue;
    std::vector<std::optional<std::string>> values;
    for (const Cell& cell : table.columns[leaves[leaf].fields[0]]) {
      values.push_back(support::ValueOf(leaves[leaf], cell));
    }
    LeafFilter filter;
    filter.leaf = static_cast<int32_t>(leaf);
    filter.filter = support::RandomFilter(random, leaves[leaf].type, values);
    question.filters.push_back(std::move(filter));
    question.leaves.push_back(leaves[leaf]);
  }
  return question;
}

/// Reads a row group and expects the wanted rows that pass, in order, at their places.
void ExpectRowGroup(const FileReader& reader, int32_t group, const Projection& projection,
                    const std::vector<size_t>& columns, const RowSelection& selection,
                    const Question& question, const Table& table, int64_t first_row) {
  auto cursor = reader.RowGroup(group, projection, selection, question.filters);
  ASSERT_TRUE(cursor) << cursor.status().ToString();
  int64_t row = 0;
  const auto next_row = [&] {
    row = selection.NextSelected(row);
    while (row != INT64_MAX && !question.Passes(table, first_row + row)) {
      row = selection.NextSelected(row + 1);
    }
  };
  next_row();
  for (;;) {
    auto next = (*cursor)->Next();
    ASSERT_TRUE(next) << next.status().ToString();
    if (!*next) break;
    const RowGroupBatch& got = **next;
    ASSERT_GT(got.batch.num_rows, 0);
    ASSERT_EQ(got.batch.columns.size(), columns.size());
    std::vector<std::vector<Cell>> cells;
    for (const Column& column : got.batch.columns) {
      const Status valid = ValidateColumn(column);
      ASSERT_TRUE(valid.ok()) << valid.ToString();
      cells.push_back(CellsOf(column));
    }
    int64_t taken = 0;
    for (int64_t at = got.rows.begin; at < got.rows.end; ++at) {
      if (!got.selected.empty() && !GetBit(got.selected.data(), at - got.rows.begin)) continue;
      ASSERT_EQ(at, row);
      for (size_t i = 0; i < columns.size(); ++i) {
        const Cell& expected = table.columns[columns[i]][static_cast<size_t>(first_row + row)];
        ASSERT_TRUE(cells[i][static_cast<size_t>(taken)] == expected)
            << "row " << first_row + row << " column " << columns[i];
      }
      ++taken;
      ++row;
      next_row();
    }
    ASSERT_EQ(taken, got.batch.num_rows);
  }
  ASSERT_EQ(row, INT64_MAX) << "rows are missing";
}

/// Every row group of the file, some rows left out.
void ExpectFile(RandomColumns& random, const std::string& bytes, const ReadOptions& options,
                const Question& question, const Table& table) {
  const auto reader = support::OpenBytes(bytes, options).value();
  std::vector<size_t> columns;
  std::vector<ColumnPath> paths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (random.Chance(0.6)) {
      columns.push_back(i);
      paths.push_back({table.schema.fields[i].name});
    }
  }
  const auto projection = Projection::Of(reader->tree(), paths);
  ASSERT_TRUE(projection) << projection.status().ToString();
  int64_t first_row = 0;
  for (int32_t group = 0; group < reader->num_row_groups(); ++group) {
    const int64_t rows = reader->metadata()->row_groups[static_cast<size_t>(group)].num_rows;
    std::vector<int64_t> positions;
    const RowSelection selection =
        random.Chance(0.5) ? RowSelection::All(rows)
                           : support::RandomSelection(static_cast<uint64_t>(random.Below(1000)), 50,
                                                      10, first_row, rows, positions);
    Question here = question;
    for (size_t i = 0; i < here.filters.size(); ++i) {
      if (!random.Chance(0.3)) continue;
      // Rows that pass may be said to be known to.
      std::vector<uint64_t> undecided(static_cast<size_t>(BitmapWords(rows)) + 1);
      for (int64_t row = 0; row < rows; ++row) {
        const Cell& cell =
            table.columns[here.leaves[i].fields[0]][static_cast<size_t>(first_row + row)];
        const bool passes =
            support::Passes(here.filters[i].filter, support::ValueOf(here.leaves[i], cell));
        if (!passes || random.Chance(0.3)) SetBit(undecided.data(), row);
      }
      here.filters[i].undecided = RowSelection::FromBitmap(std::move(undecided), rows);
    }
    ExpectRowGroup(*reader, group, *projection, columns, selection, here, table, first_row);
    if (testing::Test::HasFatalFailure()) return;
    first_row += rows;
  }
}

class RowGroupFilters : public testing::TestWithParam<int> {};

TEST_P(RowGroupFilters, LetPassWhatTheirDefinitionDoes) {
  const auto seed = static_cast<uint64_t>(GetParam());
  for (uint64_t i = 0; i < 12; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << i);
    RandomColumns random(seed * 1000 + i);
    const Table table = support::RandomTable(random, 1 + random.Below(700), 2);
    const WriterOptions options = support::RandomOptions(random, table.schema);
    const auto bytes = support::Write(table, options, random);
    ASSERT_TRUE(bytes) << bytes.status().ToString();
    const Question question = RandomQuestion(random, table);
    for (const support::Reading& way : support::WaysToRead()) {
      SCOPED_TRACE(way.name);
      ReadOptions read = way.options;
      read.reorder_filters = random.Chance(0.5);
      ExpectFile(random, *bytes, read, question, table);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RowGroupFilters,
                         testing::Range(1, std::getenv("SLUICE_LONG") != nullptr ? 101 : 21));

/// 300 000 rows: several windows, pages that cross them, values kept over many batches.
TEST(RowGroupFiltersOfWindows, CrossNoWindow) {
  RandomColumns random(5);
  Table table;
  table.num_rows = 300'000;
  const auto add = [&](const char* name, TypeId id, auto make) {
    table.schema.fields.push_back({name, DataType::Of(id), true, std::nullopt});
    auto& cells = table.columns.emplace_back();
    for (int64_t row = 0; row < table.num_rows; ++row) cells.push_back(make(row));
  };
  add("ascending", TypeId::kInt64, [](int64_t row) { return support::Fixed(row / 3); });
  add("scattered", TypeId::kInt32, [&](int64_t row) {
    return row % 11 == 0 ? support::Null() : support::Fixed(static_cast<int32_t>(random.Below(50)));
  });
  add("text", TypeId::kString,
      [](int64_t row) { return support::Text("a string of row " + std::to_string(row)); });
  const auto field = [](const char* name, TypeId id) {
    return Field{name, DataType::Of(id), true, std::nullopt};
  };
  table.schema.fields.push_back(
      {"pair", DataType::Struct({field("of_few", TypeId::kInt32), field("of_all", TypeId::kInt64)}),
       true, std::nullopt});
  auto& pairs = table.columns.emplace_back();
  for (int64_t row = 0; row < table.num_rows; ++row) {
    const support::Cell of_few =
        row % 7 == 0 ? support::Null() : support::Fixed(static_cast<int32_t>(row % 13));
    pairs.push_back(row % 17 == 0 ? support::Null()
                                  : support::Nested({of_few, support::Fixed(row)}));
  }
  WriterOptions options;
  options.columns.dictionary = false;
  options.page_rows = 7000;
  options.overrides[{"scattered"}] = ColumnWriteOptions{};
  const auto bytes = support::Write(table, options, random);
  ASSERT_TRUE(bytes) << bytes.status().ToString();
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const Question question = RandomQuestion(random, table);
    ReadOptions read;
    if (i % 3 == 1) read.batch_bytes = 100'000;
    if (i % 3 == 2) read.use_offset_index = false;
    ExpectFile(random, *bytes, read, question, table);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// A struct of n, 0 to 9 999 with nulls where the struct or n itself has one, and its text.
Table Pairs() {
  Table table;
  table.num_rows = 10'000;
  table.schema.fields = {{"pair",
                          DataType::Struct({{"n", DataType::Of(TypeId::kInt64), true, {}},
                                            {"text", DataType::Of(TypeId::kString), true, {}}}),
                          true,
                          {}}};
  table.columns.resize(1);
  for (int64_t row = 0; row < table.num_rows; ++row) {
    const support::Cell n = row % 5 == 0 ? support::Null() : support::Fixed(row);
    table.columns[0].push_back(
        row % 9 == 0 ? support::Null()
                     : support::Nested({n, support::Text("text of " + std::to_string(row))}));
  }
  return table;
}

// contract V-51: what a filter decoded of a struct is part of the struct that is delivered, as long
// as it has room.
TEST(RowGroupFiltersOfWindows, DecodeLeavesOfStructsOnce) {
  const Table table = Pairs();
  WriterOptions options;
  options.columns.dictionary = false;
  options.page_rows = 500;
  RandomColumns random(1);
  const auto bytes = support::Write(table, options, random);
  ASSERT_TRUE(bytes) << bytes.status().ToString();
  Question question;
  question.filters.resize(1);
  question.leaves = {support::LeavesOf(table.schema)[0]};
  ColumnFilter& filter = question.filters[0].filter;
  filter.type = DataType::Of(TypeId::kInt64);
  filter.kind = ColumnFilter::Kind::kRanges;
  filter.ranges = {{{}, ValueBound{support::Fixed(int64_t{2000}).bytes, false}}};
  for (const bool null_passes : {false, true}) {
    filter.null_passes = null_passes;
    ExpectFile(random, *bytes, {}, question, table);
    int64_t passing = 0;
    int64_t texts = 0;
    int64_t numbers = 0;
    for (int64_t row = 0; row < table.num_rows; ++row) {
      const support::Cell& cell = table.columns[0][static_cast<size_t>(row)];
      const bool has_number = row % 9 != 0 && row % 5 != 0;
      numbers += has_number ? 1 : 0;
      if (!support::Passes(filter, support::ValueOf(question.leaves[0], cell))) continue;
      ++passing;
      texts += row % 9 != 0 ? 1 : 0;
    }
    const auto reader = support::OpenBytes(*bytes).value();
    auto cursor =
        reader->RowGroup(0, Projection::All(reader->tree()), std::nullopt, question.filters);
    ASSERT_TRUE(cursor) << cursor.status().ToString();
    int64_t rows = 0;
    for (auto batch = (*cursor)->Next(); batch && *batch; batch = (*cursor)->Next()) {
      rows += (*batch)->batch.num_rows;
    }
    EXPECT_EQ(rows, passing);
    const ReadCounters counters = (*cursor)->counters();
    EXPECT_EQ(counters.values_decoded, numbers + texts);
    EXPECT_EQ(counters.pages_read, null_passes ? 40 : 20 + 4);
  }
}

// contract V-45: what is done once a chunk is told apart.
TEST(RowGroupFiltersOfWindows, TellWhatDictionariesTook) {
  Table table;
  table.num_rows = 3000;
  table.schema.fields = {{"n", DataType::Of(TypeId::kInt64), false, {}}};
  table.columns.resize(1);
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[0].push_back(support::Fixed(row % 1000));
  }
  LeafFilter filter;
  filter.filter.type = table.schema.fields[0].type;
  filter.filter.kind = ColumnFilter::Kind::kRanges;
  filter.filter.ranges = {{ValueBound{support::Fixed(int64_t{500}).bytes, true}, {}}};
  for (const bool has_dictionary : {true, false}) {
    WriterOptions options;
    options.columns.dictionary = has_dictionary;
    RandomColumns random(1);
    const auto bytes = support::Write(table, options, random);
    ASSERT_TRUE(bytes) << bytes.status().ToString();
    const auto reader = support::OpenBytes(*bytes).value();
    auto cursor = reader->RowGroup(0, Projection::None(reader->tree()), {}, {filter});
    ASSERT_TRUE(cursor) << cursor.status().ToString();
    while (true) {
      const auto batch = (*cursor)->Next();
      ASSERT_TRUE(batch) << batch.status().ToString();
      if (!*batch) break;
    }
    const FilterCounters& counters = (*cursor)->filter_counters()[0];
    EXPECT_EQ(counters.rows_passed, 1500);
    EXPECT_EQ(counters.setup_nanoseconds > 0, has_dictionary);
    EXPECT_LE(counters.setup_nanoseconds, counters.nanoseconds);
  }
}

TEST(RowGroupFiltersOfWindows, RefuseWhatIsNoFilter) {
  RandomColumns random(1);
  Table table;
  table.num_rows = 3;
  const DataType list = DataType::List({"element", DataType::Of(TypeId::kInt32), true, {}});
  table.schema.fields = {{"list", list, true, std::nullopt},
                         {"n", DataType::Of(TypeId::kInt32), true, std::nullopt}};
  table.columns = {random.Cells(table.schema.fields[0], 3, 0),
                   random.Cells(table.schema.fields[1], 3, 0)};
  const auto bytes = support::Write(table, {}, random);
  ASSERT_TRUE(bytes);
  const auto reader = support::OpenBytes(*bytes).value();
  const Projection projection = Projection::All(reader->tree());
  const auto code = [&](int32_t leaf, TypeId type) {
    LeafFilter filter;
    filter.leaf = leaf;
    filter.filter.type = DataType::Of(type);
    filter.filter.kind = ColumnFilter::Kind::kRanges;
    filter.filter.ranges = {ValueRange{ValueBound{std::string(4, '\0')}, std::nullopt}};
    return reader->RowGroup(0, projection, std::nullopt, {filter}).status().code();
  };
  EXPECT_EQ(code(1, TypeId::kInt32), StatusCode::kOk);
  EXPECT_EQ(code(0, TypeId::kInt32), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(2, TypeId::kInt32), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(-1, TypeId::kInt32), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(1, TypeId::kFloat), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
