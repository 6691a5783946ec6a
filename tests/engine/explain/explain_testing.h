#pragma once

// What tests of explanations and verifications share: files in memory.

#include <sluice/scan.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/claims.h"
#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"
#include "tests/support/small_scans.h"

namespace sluice::support {

inline ScanFile MemoryFile(std::string name, const std::string& bytes) {
  ScanFile file;
  file.file = MemoryFileOf(bytes, std::move(name));
  return file;
}

/// The bytes of a file in memory.
inline std::string BytesOf(const ScanFile& file) {
  const BufferRef bytes = *file.file->Read({0, *file.file->Size()}, *BufferPool::Make());
  return {reinterpret_cast<const char*>(bytes->data()), static_cast<size_t>(bytes->size())};
}

/// Rows with n from 0 up, m in no order, and a text.
inline Table ThreeColumns(int64_t num_rows) {
  Table table = Numbers("n", 0, num_rows);
  table.schema.fields.push_back(Named("m", kInt64));
  table.schema.fields.push_back(Named("text", kString));
  table.columns.resize(3);
  for (int64_t row = 0; row < num_rows; ++row) {
    table.columns[1].push_back(Fixed(row * 7919 % num_rows));
    table.columns[2].push_back(Text("row " + std::to_string(row)));
  }
  return table;
}

/// Four row groups of 250 rows, in pages of 50.
inline parquet::WriterOptions FourGroups() {
  parquet::WriterOptions options;
  options.row_group_rows = 250;
  options.page_rows = 50;
  options.columns.dictionary = false;
  return options;
}

/// What the file below claims of its second row group.
struct ClaimsOfNumbers {
  std::optional<int64_t> most;       ///< By the statistics.
  std::optional<int64_t> page_most;  ///< Of its second page, by the column index.
};

/// An int64 column n of 0 to 39, in two row groups with two pages of ten each. What is not claimed
/// is not there.
inline std::string NumbersClaiming(const ClaimsOfNumbers& claims) {
  FileSpec file;
  file.schema = {Required("n", PhysicalType::kInt64)};
  file.extra_fields = {ColumnOrders(1)};
  for (int64_t group = 0; group < 2; ++group) {
    ChunkSpec chunk;
    for (int64_t page = 0; page < 2; ++page) {
      std::vector<int64_t> values;
      for (int64_t i = 0; i < 10; ++i) values.push_back(20 * group + 10 * page + i);
      chunk.pages.push_back(DataPage(Encoding::kPlain, 10, PlainInt64(values)));
      chunk.pages.back().first_row = 10 * page;
    }
    if (group == 1 && claims.most) {
      Claims statistics;
      statistics.min_value = PlainInt64({0});
      statistics.max_value = PlainInt64({*claims.most});
      statistics.null_count = 0;
      chunk.statistics = statistics.Bytes();
    }
    if (group == 1 && claims.page_most) {
      chunk.with_offset_index = true;
      IndexClaims index;
      index.null_pages = {false, false};
      index.min_values = {PlainInt64({0}), PlainInt64({0})};
      index.max_values = {PlainInt64({29}), PlainInt64({*claims.page_most})};
      index.null_counts = {0, 0};
      chunk.column_index = index.Bytes();
    }
    file.row_groups.push_back({20, {std::move(chunk)}});
  }
  return BuildFile(file).bytes;
}

}  // namespace sluice::support
