// Nested data: faults N1 to N10.

#include <gtest/gtest.h>

#include "tests/faults/nested_files.h"
#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"
#include "tests/support/reference_reader.h"

namespace sluice::support {
namespace {

/// One column of INT32 below groups.
std::string File(std::vector<ElementSpec> schema, int64_t num_rows, std::vector<PageSpec> pages) {
  return BuildFile(OneRowGroup(std::move(schema), num_rows, {Chunk(std::move(pages))})).bytes;
}

PageSpec Page(const std::vector<int64_t>& values, const std::vector<uint64_t>& repetition_levels,
              const std::vector<uint64_t>& definition_levels, int32_t repetition_width = 1,
              int32_t definition_width = 1) {
  return DataPage(Encoding::kPlain, static_cast<int64_t>(definition_levels.size()),
                  PlainInt32(values), RleRuns(definition_levels, definition_width),
                  RleRuns(repetition_levels, repetition_width));
}

TEST(NestedFaults, N1TwoLevelListsOfLists) {
  const std::string file = File({Group("a", Repetition::kRequired, 1, kConvertedList),
                                 Group("array", Repetition::kRepeated, 1, kConvertedList),
                                 Repeated("array", PhysicalType::kInt32)},
                                2, {Page({1, 2, 3}, {0, 1, 2, 0}, {2, 2, 2, 0}, 2, 2)});
  ExpectRows(file, {"[[[1],[2,3]]]", "[[]]"});
}

TEST(NestedFaults, N2BareRepeatedField) {
  const std::string file = File({Repeated("foo", PhysicalType::kInt32)}, 3,
                                {Page({42, 7, 1}, {0, 1, 0, 0}, {1, 1, 0, 1})});
  ExpectRows(file, {"[[42,7]]", "[[]]", "[[1]]"});
}

TEST(NestedFaults, N3RepeatedPrimitiveInTheMiddleGroup) {
  const std::string file =
      File({Group("x", Repetition::kRequired, 1, kConvertedList),
            Group("list", Repetition::kRepeated, 1), Repeated("name", PhysicalType::kInt32)},
           2, {Page({1, 2, 3}, {0, 2, 1, 0}, {2, 2, 2, 1}, 2, 2)});
  // "The only child is itself repeated": the middle group is the element, a struct of one list.
  ExpectRows(file, {"[[{\"name\":[1,2]},{\"name\":[3]}]]", "[[{\"name\":[]}]]"});
}

TEST(NestedFaults, N3BackwardCompatibilityRules) {
  struct Case {
    std::string middle;
    bool is_wrapped;
  };
  for (const Case& rule : {Case{"list", true}, Case{"element", true}, Case{"array", false},
                           Case{"x_tuple", false}, Case{"y_tuple", true}}) {
    SCOPED_TRACE(rule.middle);
    const std::string file =
        File({Group("x", Repetition::kRequired, 1, kConvertedList),
              Group(rule.middle, Repetition::kRepeated, 1), Required("v", PhysicalType::kInt32)},
             1, {Page({1, 2}, {0, 1}, {1, 1})});
    ExpectRows(file, {rule.is_wrapped ? "[[1,2]]" : "[[{\"v\":1},{\"v\":2}]]"}, 1);
  }
  ExpectRows(File({Group("x", Repetition::kRequired, 1, kConvertedList),
                   Repeated("element", PhysicalType::kInt32)},
                  1, {Page({1, 2}, {0, 1}, {1, 1})}),
             {"[[1,2]]"}, 1);
}

TEST(NestedFaults, N4RepeatedGroupWithARepeatedChild) {
  const std::vector<ElementSpec> schema = {Group("ads", Repetition::kRepeated, 2),
                                           Required("id", PhysicalType::kInt64),
                                           Repeated("items", PhysicalType::kInt64)};
  const ChunkSpec ids = Chunk({DataPage(Encoding::kPlain, 4, PlainInt64({1, 2, 3}),
                                        RleRuns({1, 1, 0, 1}, 1), RleRuns({0, 1, 0, 0}, 1))});
  const ChunkSpec items =
      Chunk({DataPage(Encoding::kPlain, 5, PlainInt64({10, 11, 30}), RleRuns({2, 2, 1, 0, 2}, 2),
                      RleRuns({0, 2, 1, 0, 0}, 2))});
  const std::string file = BuildFile(OneRowGroup(schema, 3, {ids, items})).bytes;
  ExpectRows(file,
             {"[[{\"id\":1,\"items\":[10,11]},{\"id\":2,\"items\":[]}]]", "[[]]",
              "[[{\"id\":3,\"items\":[30]}]]"},
             20);
}

TEST(NestedFaults, N5LeavesEndOnTheSameRow) {
  const std::string file = FileOfMapAndStruct();
  const auto expected = ReferenceRows(file);
  ASSERT_TRUE(expected) << expected.error().ToString();
  EXPECT_EQ((*expected)[7], "[70,[[70,70],[71,null],[72,72]],{\"a\":70,\"b\":70}]");
  ExpectRows(file, *expected, 12);
  Reading one_row;
  one_row.select = [](int64_t, int64_t) { return RowSelection::FromRanges({{100, 101}}).value(); };
  ExpectRows(file, {(*expected)[100]}, 0, {one_row});
}

TEST(NestedFaults, N7PagesOfRepeatedColumnsHoldRowsNotValues) {
  // Three elements a row, four rows a page, with an offset index.
  ChunkSpec chunk;
  chunk.with_offset_index = true;
  std::vector<std::string> expected;
  for (int64_t page = 0; page < 5; ++page) {
    std::vector<int64_t> values;
    std::vector<uint64_t> levels;
    for (int64_t row = page * 4; row < page * 4 + 4; ++row) {
      const int64_t first = row * 3;
      for (int64_t i = 0; i < 3; ++i) {
        values.push_back(first + i);
        levels.push_back(i > 0);
      }
      expected.push_back("[[" + std::to_string(first) + "," + std::to_string(first + 1) + "," +
                         std::to_string(first + 2) + "]]");
    }
    chunk.pages.push_back(Page(values, levels, std::vector<uint64_t>(12, 1)));
    chunk.pages.back().first_row = page * 4;
  }
  const std::string file =
      BuildFile(OneRowGroup({Repeated("x", PhysicalType::kInt32)}, 20, {chunk})).bytes;
  ExpectRows(file, expected, 20);
  Reading skipping;
  skipping.select = [](int64_t, int64_t) { return RowSelection::FromRanges({{10, 20}}).value(); };
  ExpectRows(file, std::vector<std::string>(expected.begin() + 10, expected.end()), 0, {skipping});
}

TEST(NestedFaults, N8FirstRowAfterALongStretchOfNulls) {
  for (const bool with_offset_index : {false, true}) {
    const std::string file = FileOfALongStretchOfNulls(with_offset_index);
    for (Reading way : WaysToRead()) {
      way.paths = {{"s"}};
      way.select = [](int64_t, int64_t) {
        return RowSelection::FromPositions(std::vector<int64_t>{112'639, 112'640}).value();
      };
      ExpectRows(file, {"[null]", "[{\"l\":[{\"v\":112640}]}]"}, 0, {way});
    }
  }
}

TEST(NestedFaults, N9EmptyListsAddALevelButNoValue) {
  // Lists of strings, many empty, with a large dictionary and pages that end anywhere.
  constexpr uint64_t kEntries = 3440;
  std::vector<std::string> words;
  for (uint64_t i = 0; i < kEntries; ++i) words.push_back("word number " + std::to_string(i));
  ElementSpec element = Optional("element", PhysicalType::kByteArray);
  element.converted_type = kConvertedUtf8;
  ChunkSpec chunk;
  chunk.pages.push_back(DictionaryPage(kEntries, PlainByteArray(words)));
  std::vector<uint64_t> repetition_levels;
  std::vector<uint64_t> definition_levels;
  std::vector<uint64_t> indices;
  int64_t num_rows = 0;
  const auto end_page = [&] {
    chunk.pages.push_back(DataPage(Encoding::kRleDictionary,
                                   static_cast<int64_t>(definition_levels.size()),
                                   DictionaryIndices(12, indices), RleRuns(definition_levels, 2),
                                   BitPackedRun(repetition_levels, 1)));
    repetition_levels.clear();
    definition_levels.clear();
    indices.clear();
  };
  uint64_t random = 1;
  const auto next = [&](uint64_t below) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return (random >> 33) % below;
  };
  for (; num_rows < 3000; ++num_rows) {
    const uint64_t size = next(4) == 0 ? 0 : next(20);
    for (uint64_t i = 0; i < std::max<uint64_t>(size, 1); ++i) {
      repetition_levels.push_back(i > 0);
      definition_levels.push_back(size == 0 ? next(2) : next(10) == 0 ? 2 : 3);
      if (definition_levels.back() == 3) indices.push_back(next(kEntries));
      // V1 pages of old writers end inside a record.
      if (next(700) == 0) end_page();
    }
  }
  end_page();
  const std::string file =
      BuildFile(OneRowGroup({Group("x", Repetition::kOptional, 1, kConvertedList),
                             Group("list", Repetition::kRepeated, 1), element},
                            num_rows, {chunk}))
          .bytes;
  const auto expected = ReferenceRows(file);
  ASSERT_TRUE(expected) << expected.error().ToString();
  ExpectRows(file, *expected, 3);
}

TEST(NestedFaults, N10ThreeHundredOptionalGroups) {
  constexpr uint64_t kDepth = 300;
  std::vector<ElementSpec> schema(kDepth, Group("g", Repetition::kOptional, 1));
  schema.push_back(Optional("x", PhysicalType::kInt32));
  // Levels 0, 255, 256, 257, 300, 301 need 9 bits.
  const std::vector<uint64_t> levels = {0, 255, 256, 257, 300, 301};
  const std::string file =
      File(schema, 6, {DataPage(Encoding::kPlain, 6, PlainInt32({7}), BitPackedRun(levels, 9))});
  const auto expected = ReferenceRows(file);
  ASSERT_TRUE(expected);
  EXPECT_EQ((*expected)[0], "[null]");
  EXPECT_NE((*expected)[5].find("{\"x\":7}"), std::string::npos);
  ExpectRows(file, *expected);
}

TEST(NestedFaults, LevelsThatContradictEachOther) {
  const std::vector<ElementSpec> schema = {Repeated("x", PhysicalType::kInt32)};
  // The first entry of a chunk continues no row.
  ExpectError(File(schema, 1, {Page({1, 2}, {1, 0}, {1, 1})}), StatusCode::kCorruption, {"page 0"});
  // More and fewer rows than the row group has.
  ExpectError(File(schema, 1, {Page({1, 2}, {0, 0}, {1, 1})}), StatusCode::kCorruption,
              {"row group 0"});
  ExpectError(File(schema, 3, {Page({1, 2}, {0, 0}, {1, 1})}), StatusCode::kCorruption,
              {"row group 0"});
  // The leaves of one list disagree about its length.
  const std::vector<ElementSpec> pairs = {Group("p", Repetition::kRepeated, 2),
                                          Required("a", PhysicalType::kInt32),
                                          Required("b", PhysicalType::kInt32)};
  const auto two = Chunk({Page({1, 2, 3}, {0, 1, 0}, {1, 1, 1})});
  const auto one = Chunk({Page({1, 2, 3}, {0, 0, 1}, {1, 1, 1})});
  ExpectError(BuildFile(OneRowGroup(pairs, 2, {two, one})).bytes, StatusCode::kCorruption,
              {"row group 0"});
  // The leaves of one struct disagree about its being null.
  const std::vector<ElementSpec> nullable = {Group("s", Repetition::kOptional, 2),
                                             Required("a", PhysicalType::kInt32),
                                             Required("b", PhysicalType::kInt32)};
  const auto page = [](const std::vector<uint64_t>& levels) {
    return Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1}), RleRuns(levels, 1))});
  };
  ExpectError(BuildFile(OneRowGroup(nullable, 2, {page({1, 0}), page({0, 1})})).bytes,
              StatusCode::kCorruption, {"row group 0"});
}

}  // namespace
}  // namespace sluice::support
