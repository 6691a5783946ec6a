#pragma once

// Files of nested columns, read by selections and scanned by predicates.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {

/// 200 rows of id (ten times the row number), a map and a struct, whose leaves have pages of
/// different lengths.
inline std::string FileOfMapAndStruct() {
  constexpr int64_t kRows = 200;
  std::vector<ElementSpec> schema = {Required("id", PhysicalType::kInt32),
                                     Group("m", Repetition::kOptional, 1, kConvertedMap),
                                     Group("key_value", Repetition::kRepeated, 2),
                                     Required("key", PhysicalType::kInt32),
                                     Optional("value", PhysicalType::kInt32),
                                     Group("s", Repetition::kOptional, 2),
                                     Required("a", PhysicalType::kInt32),
                                     Optional("b", PhysicalType::kInt32)};
  std::vector<ChunkSpec> chunks(5);
  const auto add_page = [&](size_t leaf, const std::vector<int64_t>& values,
                            const std::vector<uint64_t>& repetition_levels,
                            const std::vector<uint64_t>& definition_levels) {
    const int32_t width = leaf == 2 || leaf == 1 || leaf == 4 ? 2 : 1;
    chunks[leaf].pages.push_back(
        DataPage(Encoding::kPlain, static_cast<int64_t>(definition_levels.size()),
                 PlainInt32(values), leaf == 0 ? std::string() : RleRuns(definition_levels, width),
                 leaf == 1 || leaf == 2 ? RleRuns(repetition_levels, 1) : std::string()));
  };
  const int64_t page_rows[] = {7, 11, 13, 40, 200};
  for (size_t leaf = 0; leaf < 5; ++leaf) {
    for (int64_t begin = 0; begin < kRows; begin += page_rows[leaf]) {
      std::vector<int64_t> values;
      std::vector<uint64_t> repetition_levels;
      std::vector<uint64_t> definition_levels;
      for (int64_t row = begin; row < std::min(kRows, begin + page_rows[leaf]); ++row) {
        const bool is_map = leaf == 1 || leaf == 2;
        // A map of row % 4 entries, null in every fifth row; a struct that is null in every third.
        const int64_t entries = is_map ? (row % 5 == 0 ? 0 : row % 4) : 1;
        if (entries == 0) {
          repetition_levels.push_back(0);
          definition_levels.push_back(row % 5 == 0 ? 0 : 1);
        }
        for (int64_t i = 0; i < entries; ++i) {
          const bool is_null = (leaf == 2 && i % 2 == 1) || (leaf == 4 && row % 2 == 0) ||
                               (leaf > 2 && row % 3 == 0);
          repetition_levels.push_back(i > 0);
          const uint64_t maximum = leaf == 2 ? 3 : leaf == 3 ? 1 : leaf == 0 ? 0 : 2;
          const uint64_t missing = leaf > 2 && row % 3 == 0 ? 0 : maximum - 1;
          definition_levels.push_back(is_null ? missing : maximum);
          if (!is_null) values.push_back(row * 10 + i);
        }
      }
      add_page(leaf, values, repetition_levels, definition_levels);
    }
  }
  return BuildFile(OneRowGroup(schema, kRows, chunks)).bytes;
}

/// 120 000 rows of id (the row number) and a struct of a list of structs of a number, null in rows
/// 59 392 to 112 639; pages of 1024 rows.
inline std::string FileOfALongStretchOfNulls(bool with_offset_index) {
  constexpr int64_t kRows = 120'000;
  const std::vector<ElementSpec> schema = {Required("id", PhysicalType::kInt32),
                                           Group("s", Repetition::kOptional, 1),
                                           Group("l", Repetition::kOptional, 1, kConvertedList),
                                           Group("list", Repetition::kRepeated, 1),
                                           Group("element", Repetition::kOptional, 1),
                                           Optional("v", PhysicalType::kInt32)};
  ChunkSpec ids;
  ChunkSpec nested;
  for (int64_t begin = 0; begin < kRows; begin += 1024) {
    std::vector<int64_t> numbers;
    std::vector<int64_t> values;
    std::vector<uint64_t> levels;
    for (int64_t row = begin; row < std::min(begin + 1024, kRows); ++row) {
      const bool is_null = row >= 59'392 && row < 112'640;
      numbers.push_back(row);
      levels.push_back(is_null ? 0 : 5);
      if (!is_null) values.push_back(row);
    }
    const auto count = static_cast<int64_t>(levels.size());
    ids.pages.push_back(DataPage(Encoding::kPlain, count, PlainInt32(numbers)));
    nested.pages.push_back(DataPage(Encoding::kPlain, count, PlainInt32(values), RleRuns(levels, 3),
                                    RleRun(levels.size(), 0, 1)));
    ids.pages.back().first_row = nested.pages.back().first_row = begin;
  }
  ids.with_offset_index = nested.with_offset_index = with_offset_index;
  return BuildFile(OneRowGroup(schema, kRows, {ids, nested})).bytes;
}

}  // namespace sluice::support
