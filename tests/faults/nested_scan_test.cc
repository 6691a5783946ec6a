// Nested data under predicates: faults N1 to N10, and S20, S21 about structs.

#include <gtest/gtest.h>

#include "tests/faults/claiming_files.h"
#include "tests/faults/nested_files.h"
#include "tests/support/reference_reader.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

PageSpec Page(const std::vector<int64_t>& values, const std::vector<uint64_t>& repetition_levels,
              const std::vector<uint64_t>& definition_levels, int32_t repetition_width = 1,
              int32_t definition_width = 1) {
  return DataPage(Encoding::kPlain, static_cast<int64_t>(definition_levels.size()),
                  PlainInt32(values), RleRuns(definition_levels, definition_width),
                  RleRuns(repetition_levels, repetition_width));
}

/// A nested column of one leaf of INT32 beside `id`, the row number in pages of two rows.
std::string BesideId(std::vector<ElementSpec> nested, int64_t num_rows,
                     std::vector<PageSpec> pages) {
  std::vector<ElementSpec> schema = {Required("id", PhysicalType::kInt32)};
  schema.insert(schema.end(), nested.begin(), nested.end());
  ChunkSpec ids;
  for (int64_t row = 0; row < num_rows; row += 2) {
    std::vector<int64_t> values = {row};
    if (row + 1 < num_rows) values.push_back(row + 1);
    ids.pages.push_back(DataPage(Encoding::kPlain, std::ssize(values), PlainInt32(values)));
  }
  return BuildFile(OneRowGroup(schema, num_rows, {ids, Chunk(std::move(pages))})).bytes;
}

/// One row, some and all of them, by filters and by what is none.
void ExpectRowsById(const std::string& bytes, int64_t num_rows) {
  for (int64_t row = 0; row < num_rows; ++row) {
    ExpectScan(bytes, {"id = " + std::to_string(row)}, {row});
    ExpectScan(bytes, {"id + 0 = " + std::to_string(row)}, {row});
  }
  ExpectScan(bytes, {"id IN (0, 2)"}, num_rows > 2 ? Positions{0, 2} : Positions{0});
}

TEST(NestedScan, N1TwoLevelListsOfLists) {
  const std::string file = BesideId({Group("a", Repetition::kOptional, 1, kConvertedList),
                                     Group("array", Repetition::kRepeated, 1, kConvertedList),
                                     Repeated("array", PhysicalType::kInt32)},
                                    3, {Page({1, 2, 3}, {0, 1, 2, 0, 0}, {3, 3, 3, 1, 0}, 2, 2)});
  ExpectRowsById(file, 3);
  ExpectScan(file, {"a IS NULL"}, {2});
  ExpectScan(file, {"a IS NOT NULL AND id < 2"}, {0, 1});
  ExpectScanError(file, {"a.array = 1"}, StatusCode::kInvalidArgument, {"array"});
}

TEST(NestedScan, N2BareRepeatedField) {
  const std::string file = BesideId({Repeated("foo", PhysicalType::kInt32)}, 3,
                                    {Page({42, 7, 1}, {0, 1, 0, 0}, {1, 1, 0, 1})});
  ExpectRowsById(file, 3);
  ExpectScan(file, {"foo IS NULL"}, {});
  ExpectScan(file, {"foo IS NOT NULL"}, {0, 1, 2});
  ExpectScan(file, {"foo IS NOT NULL AND id = 1"}, {1});
}

TEST(NestedScan, N3RepeatedPrimitiveInTheMiddleGroup) {
  ExpectRowsById(
      BesideId({Group("x", Repetition::kRequired, 1, kConvertedList),
                Group("list", Repetition::kRepeated, 1), Repeated("name", PhysicalType::kInt32)},
               2, {Page({1, 2, 3}, {0, 2, 1, 0}, {2, 2, 2, 1}, 2, 2)}),
      2);
}

TEST(NestedScan, N4RepeatedGroupWithARepeatedChild) {
  const std::vector<ElementSpec> schema = {
      Required("id", PhysicalType::kInt32), Group("ads", Repetition::kRepeated, 2),
      Required("n", PhysicalType::kInt32), Repeated("items", PhysicalType::kInt32)};
  const std::string file =
      BuildFile(OneRowGroup(schema, 3,
                            {Chunk({DataPage(Encoding::kPlain, 3, PlainInt32({0, 1, 2}))}),
                             Chunk({Page({1, 2, 3}, {0, 1, 0, 0}, {1, 1, 0, 1})}),
                             Chunk({Page({10, 11, 30}, {0, 2, 1, 0, 0}, {2, 2, 1, 0, 2}, 2, 2)})}))
          .bytes;
  ExpectRowsById(file, 3);
}

TEST(NestedScan, N5LeavesEndOnTheSameRow) {
  const std::string file = FileOfMapAndStruct();
  ExpectScan(file, {"id = 1000"}, {100});
  ExpectScan(file, {"id + 0 IN (70, 1000, 1990)"}, {7, 100, 199});
  ExpectScan(file, {"s.a = 1000 AND id > 5"}, {100});
  ExpectScan(file, {"s IS NULL AND m IS NULL AND id < 400"}, {0, 15, 30});
  ExpectScan(file, {"s.b IS NOT NULL AND s.a + s.b = 20"}, {1});
}

// The elements of three rows make a page's values, and its rows are a third of them.
TEST(NestedScan, N7PagesOfRepeatedColumnsHoldRowsNotValues) {
  ChunkSpec lists;
  ChunkSpec ids;
  for (int64_t page = 0; page < 5; ++page) {
    std::vector<int64_t> values;
    std::vector<int64_t> numbers;
    std::vector<uint64_t> levels;
    for (int64_t row = page * 4; row < page * 4 + 4; ++row) {
      numbers.push_back(row);
      for (int64_t i = 0; i < 3; ++i) {
        values.push_back(row * 3 + i);
        levels.push_back(i > 0);
      }
    }
    lists.pages.push_back(Page(values, levels, std::vector<uint64_t>(12, 1)));
    ids.pages.push_back(DataPage(Encoding::kPlain, 4, PlainInt32(numbers)));
    lists.pages.back().first_row = ids.pages.back().first_row = page * 4;
  }
  for (const bool with_index : {false, true}) {
    lists.with_offset_index = ids.with_offset_index = with_index;
    const std::string file = BuildFile(OneRowGroup({Required("id", PhysicalType::kInt32),
                                                    Repeated("x", PhysicalType::kInt32)},
                                                   20, {ids, lists}))
                                 .bytes;
    ExpectScan(file, {"id >= 10 AND id < 14"}, {10, 11, 12, 13});
    ExpectScan(file, {"id + 0 IN (3, 4, 19)"}, {3, 4, 19});
  }
}

TEST(NestedScan, N8FirstRowAfterALongStretchOfNulls) {
  const std::vector<std::string> null_and_value = {"[null]", "[{\"l\":[{\"v\":112640}]}]"};
  for (const bool with_offset_index : {false, true}) {
    const std::string file = FileOfALongStretchOfNulls(with_offset_index);
    ScanWay without_skips;
    without_skips.options.read.skip_pages = false;
    for (const ScanWay& way : {ScanWay(), AllOff(), without_skips}) {
      SCOPED_TRACE(way.name);
      for (const std::string where : {"id IN (112639, 112640)", "id + 0 IN (112639, 112640)"}) {
        ScanQuestion question{where};
        question.columns = {{{"s"}}};
        const Scanned scanned = ScanRows(file, question, way);
        EXPECT_EQ(scanned.positions, (Positions{112'639, 112'640}));
        EXPECT_EQ(scanned.rows, null_and_value);
      }
    }
  }
}

TEST(NestedScan, N9EmptyListsAddALevelButNoValue) {
  // Lists of 0 to 2 strings of a dictionary; in the pages of ids three rows, of lists five entries.
  ElementSpec element = Optional("element", PhysicalType::kByteArray);
  element.converted_type = kConvertedUtf8;
  ChunkSpec lists = Chunk({DictionaryPage(3, PlainByteArray({"a", "b", "c"}))});
  ChunkSpec ids;
  std::vector<uint64_t> repetition_levels;
  std::vector<uint64_t> definition_levels;
  std::vector<uint64_t> indices;
  constexpr int64_t kRows = 30;
  const auto end_page = [&] {
    if (definition_levels.empty()) return;
    lists.pages.push_back(DataPage(Encoding::kRleDictionary, std::ssize(definition_levels),
                                   DictionaryIndices(2, indices), RleRuns(definition_levels, 2),
                                   RleRuns(repetition_levels, 1)));
    repetition_levels.clear();
    definition_levels.clear();
    indices.clear();
  };
  for (int64_t row = 0; row < kRows; ++row) {
    const int64_t size = row % 3;
    for (int64_t i = 0; i < std::max<int64_t>(size, 1); ++i) {
      repetition_levels.push_back(i > 0);
      definition_levels.push_back(size == 0 ? static_cast<uint64_t>(row) % 2 : 3);
      if (size > 0) indices.push_back(static_cast<uint64_t>(row + i) % 3);
      if (definition_levels.size() == 5) end_page();
    }
    if (row % 3 == 0)
      ids.pages.push_back(DataPage(Encoding::kPlain, 3, PlainInt32({row, row + 1, row + 2})));
  }
  end_page();
  const std::string file =
      BuildFile(OneRowGroup({Required("id", PhysicalType::kInt32),
                             Group("x", Repetition::kOptional, 1, kConvertedList),
                             Group("list", Repetition::kRepeated, 1), element},
                            kRows, {ids, lists}))
          .bytes;
  ExpectScan(file, {"id IN (5, 11, 12, 29)"}, {5, 11, 12, 29});
  ExpectScan(file, {"x IS NULL"}, {0, 6, 12, 18, 24});
  ExpectScan(file, {"x IS NOT NULL AND id + 0 >= 27"}, {27, 28, 29});
}

TEST(NestedScan, N10ThreeHundredOptionalGroups) {
  constexpr uint64_t kDepth = 300;
  std::vector<ElementSpec> schema(kDepth, Group("g", Repetition::kOptional, 1));
  schema.push_back(Optional("x", PhysicalType::kInt32));
  const std::vector<uint64_t> levels = {0, 255, 256, 257, 300, 301};
  FileSpec file = OneRowGroup(
      schema, 6,
      {Chunk({DataPage(Encoding::kPlain, 6, PlainInt32({7}), BitPackedRun(levels, 9))})});
  std::string leaf = "g";
  for (uint64_t depth = 1; depth < kDepth; ++depth) leaf += ".g";
  const std::string middle = leaf.substr(0, 2 * 256 - 1);
  const std::string bytes = BuildFile(file).bytes;
  const auto lines = ReferenceRows(bytes);
  ASSERT_TRUE(lines);
  const std::vector<std::pair<std::string, Positions>> answers = {
      {leaf + ".x = 7", {5}},
      {leaf + ".x IS NULL", {0, 1, 2, 3, 4}},
      {leaf + ".x + 0 = 7", {5}},
      {"g IS NULL", {0}},
      {middle + " IS NULL", {0, 1}}};
  for (const auto& [where, positions] : answers) {
    ExpectScan(bytes, {where}, positions, *lines, {ScanWay(), AllOff()});
  }
}

/// optional address { optional street }: a null street, null street, no address, and a street.
FileSpec Addresses(const std::optional<Claims>& claims) {
  ElementSpec street = AsText(Optional("street", PhysicalType::kByteArray));
  FileSpec file = OneRowGroup(
      {Group("address", Repetition::kOptional, 1), street}, 4,
      {Chunk({DataPage(Encoding::kPlain, 4, PlainByteArray({"High"}), RleRuns({1, 1, 0, 2}, 2))})});
  if (claims) file.row_groups[0].chunks[0].statistics = claims->Bytes();
  file.extra_fields.push_back(ColumnOrders(1));
  return file;
}

// contract V-73
TEST(NestedScan, S20NullStructsAreNotNullLeaves) {
  for (const std::optional<Claims>& claims :
       {std::optional<Claims>(), std::optional<Claims>(Claims{.null_count = 3}),
        std::optional<Claims>(Claims{.min_value = "High", .max_value = "High"})}) {
    const std::string file = BuildFile(Addresses(claims)).bytes;
    ExpectScan(file, {"address IS NULL"}, {2});
    ExpectScan(file, {"address IS NOT NULL"}, {0, 1, 3});
    ExpectScan(file, {"address.street IS NULL"}, {0, 1, 2});
    ExpectScan(file, {"address.street IS NOT NULL"}, {3});
    ExpectScan(file, {"address IS NOT NULL AND address.street IS NULL"}, {0, 1});
    ExpectScan(file, {"address.street = 'High' OR address IS NULL"}, {2, 3});
    ExpectScanError(file, {"address = 'High'"}, StatusCode::kInvalidArgument, {"address"});
  }
}

TEST(NestedScan, S21RequiredFieldOfAnOptionalStruct) {
  FileSpec file =
      OneRowGroup({Group("point", Repetition::kOptional, 1), Required("x", PhysicalType::kInt32)},
                  2, {Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({0}), RleRuns({1, 0}, 1))})});
  file.extra_fields.push_back(ColumnOrders(1));
  const std::string zero = PlainInt32({0});
  for (const std::optional<int64_t> nulls : {std::optional<int64_t>(), std::optional<int64_t>(1)}) {
    file.row_groups[0].chunks[0].statistics =
        Claims{.min_value = zero, .max_value = zero, .null_count = nulls}.Bytes();
    const std::string bytes = BuildFile(file).bytes;
    ExpectScan(bytes, {"point.x IS NULL"}, {1});
    ExpectScan(bytes, {"point.x IS NOT NULL"}, {0});
    ExpectScan(bytes, {"point.x = 0"}, {0});
    ExpectScan(bytes, {"point.x >= 0 OR point IS NULL"}, {0, 1});
    ExpectScan(bytes, {"point.x IS DISTINCT FROM 0"}, {1});
  }
}

// contract V-39, V-152 (leftover subfields not pruned): what the output does not name, the
// predicate still has.
TEST(NestedScan, FieldsOfThePredicateAreNotLeftOut) {
  const std::vector<ElementSpec> schema = {
      Group("s", Repetition::kOptional, 3), Required("a", PhysicalType::kInt32),
      Required("b", PhysicalType::kInt32), Optional("c", PhysicalType::kInt32)};
  const auto chunk = [](const std::vector<int64_t>& values) {
    return Chunk({DataPage(Encoding::kPlain, 4, PlainInt32(values), RleRuns({1, 1, 0, 1}, 1))});
  };
  const ChunkSpec c =
      Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({100, 300}), RleRuns({2, 1, 0, 2}, 2))});
  const std::string file =
      BuildFile(OneRowGroup(schema, 4, {chunk({1, 2, 3}), chunk({10, 20, 30}), c})).bytes;
  const auto expect = [&](const std::string& where, const std::vector<std::string>& lines) {
    ScanQuestion question{where};
    question.columns = {{{"s", "a"}}};
    ExpectScannedLines(file, question, lines);
  };
  expect("s.a + s.b = 33", {"[{\"a\":3}]"});
  expect("s.b = 20", {"[{\"a\":2}]"});
  expect("s.b > 10 AND s.b + s.c > 0", {"[{\"a\":3}]"});
  expect("s.c IS NULL", {"[{\"a\":2}]", "[null]"});
  expect("s IS NULL", {"[null]"});
  expect("s.b + 0 IS NULL", {"[null]"});
  expect("coalesce(s.c, s.b) = 20", {"[{\"a\":2}]"});
}

}  // namespace
}  // namespace sluice::support
