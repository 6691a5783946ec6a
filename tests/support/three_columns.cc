#include "tests/support/three_columns.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

std::string RowString(int64_t row) {
  return row % 7 == 0
             ? std::string()
             : "row " + std::string(static_cast<size_t>(row % 23), 'x') + std::to_string(row);
}

}  // namespace

BuiltFile ThreeColumns(bool is_v2, int64_t page_rows, bool with_offset_index) {
  std::vector<PageSpec> ids;
  std::vector<PageSpec> names{DictionaryPage(2, PlainByteArray({"alpha", "a longer entry"}))};
  std::vector<PageSpec> lists;
  for (int64_t begin = 0; begin < kThreeColumnsRows; begin += page_rows) {
    const int64_t end = std::min(kThreeColumnsRows, begin + page_rows);
    std::vector<int64_t> id_values;
    std::vector<uint64_t> defined;
    std::vector<uint64_t> codes;
    std::vector<std::string> strings;
    std::vector<uint64_t> repetitions;
    std::vector<uint64_t> list_defined;
    std::vector<int64_t> elements;
    for (int64_t row = begin; row < end; ++row) {
      id_values.push_back(row * 3);
      defined.push_back(row % 5 != 0);
      if (row % 5 != 0) {
        codes.push_back(static_cast<uint64_t>(row % 2));
        strings.push_back(RowString(row));
      }
      if (row % 3 == 0) {
        repetitions.push_back(0);
        list_defined.push_back(0);
      }
      for (int64_t i = 0; i < row % 3; ++i) {
        repetitions.push_back(i > 0);
        list_defined.push_back(1);
        elements.push_back(row + i);
      }
    }
    const int64_t rows = end - begin;
    const bool is_coded = begin < kThreeColumnsRows / 2;
    const std::string text = is_coded ? DictionaryIndices(1, codes) : PlainByteArray(strings);
    const Encoding encoding = is_coded ? Encoding::kRleDictionary : Encoding::kPlain;
    const auto nulls = static_cast<int64_t>(defined.size() - strings.size());
    const auto levels = static_cast<int64_t>(repetitions.size());
    const auto empty = levels - static_cast<int64_t>(elements.size());
    const std::string d = RleRuns(defined, 1);
    const std::string ld = RleRuns(list_defined, 1);
    const std::string lr = RleRuns(repetitions, 1);
    if (is_v2) {
      ids.push_back(DataPageV2(Encoding::kPlain, rows, 0, rows, PlainInt64(id_values)));
      names.push_back(DataPageV2(encoding, rows, nulls, rows, text, d));
      lists.push_back(
          DataPageV2(Encoding::kPlain, levels, empty, rows, PlainInt32(elements), ld, lr));
    } else {
      ids.push_back(DataPage(Encoding::kPlain, rows, PlainInt64(id_values)));
      names.push_back(DataPage(encoding, rows, text, d));
      lists.push_back(DataPage(Encoding::kPlain, levels, PlainInt32(elements), ld, lr));
    }
    for (auto* pages : {&ids, &names, &lists}) {
      pages->back().first_row = begin;
      pages->back().with_crc = true;
    }
  }
  std::vector<ChunkSpec> chunks{Chunk(ids, Codec::kZstd), Chunk(names, Codec::kSnappy),
                                Chunk(lists)};
  for (ChunkSpec& chunk : chunks) chunk.with_offset_index = with_offset_index;
  return BuildFile(
      OneRowGroup({Required("id", PhysicalType::kInt64), Optional("name", PhysicalType::kByteArray),
                   Repeated("list", PhysicalType::kInt32)},
                  kThreeColumnsRows, std::move(chunks)));
}

}  // namespace sluice::support
