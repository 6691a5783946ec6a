#pragma once

// Files written into memory, taken apart again: what the tests of the writer have in common.

#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/writer.h>

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/parquet/footer.h"
#include "format/parquet/page_header.h"
#include "tests/support/cells.h"

namespace sluice::support {

inline const DataType kInt32Type = DataType::Of(TypeId::kInt32);
inline const DataType kInt64Type = DataType::Of(TypeId::kInt64);
inline const DataType kDoubleType = DataType::Of(TypeId::kDouble);
inline const DataType kStringType = DataType::Of(TypeId::kString);

/// A schema of one column, "a".
inline Schema OneColumn(const DataType& type, bool nullable = true) {
  return Schema{{{"a", type, nullable, {}}}};
}

/// A value in PLAIN encoding.
template <typename T>
std::string Plain(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

inline std::vector<Cell> Doubles(const std::vector<double>& values) {
  std::vector<Cell> cells;
  for (const double value : values) cells.push_back(Fixed(value));
  return cells;
}

/// int64 from 0 on.
inline std::vector<Cell> Numbers(int64_t count) {
  std::vector<Cell> cells;
  for (int64_t i = 0; i < count; ++i) cells.push_back(Fixed(i));
  return cells;
}

/// A page of a written file.
struct WrittenPage {
  parquet::PageHeader header;
  std::string_view body;
  int64_t offset = 0;
};

class WrittenFile {
 public:
  /// Writes one batch of the cells, a column a field.
  WrittenFile(const Schema& schema, const std::vector<std::vector<Cell>>& cells,
              const parquet::WriterOptions& options = {}) {
    std::vector<Column> columns;
    for (size_t i = 0; i < cells.size(); ++i) {
      columns.push_back(BuildColumn(schema.fields[i].type, cells[i]));
    }
    Result<std::unique_ptr<parquet::FileWriter>> writer =
        parquet::FileWriter::Make(MakeMemoryOutput("memory", &bytes_), schema, options);
    status_ = writer.status();
    if (status_.ok()) status_ = (*writer)->Write(BuildBatch(schema, std::move(columns)));
    if (status_.ok()) status_ = (*writer)->Finish();
    if (status_.ok()) ReadFooter();
  }

  const Status& status() const { return status_; }
  const std::string& bytes() const { return bytes_; }
  const parquet::FileMetadata& footer() const { return *footer_; }
  const parquet::ColumnChunk& chunk(size_t leaf, size_t row_group = 0) const {
    return footer_->row_groups.at(row_group).columns.at(leaf);
  }

  /// The pages of a chunk, dictionary first, by walking from header to header.
  std::vector<WrittenPage> Pages(size_t leaf, size_t row_group = 0) const {
    const parquet::ColumnChunk& from = chunk(leaf, row_group);
    int64_t at = from.dictionary_page_offset.value_or(from.data_page_offset);
    const int64_t end = at + from.total_compressed_size;
    std::vector<WrittenPage> pages;
    while (at < end) {
      const auto header = parquet::ParsePageHeader(Span({at, end - at}));
      EXPECT_TRUE(header.has_value() && header->has_value());
      if (!header.has_value() || !header->has_value()) break;
      const int64_t body = at + (*header)->header_size;
      pages.push_back(
          {**header,
           std::string_view(bytes_).substr(static_cast<size_t>(body),
                                           static_cast<size_t>((*header)->compressed_size)),
           at});
      at = body + (*header)->compressed_size;
    }
    EXPECT_EQ(at, end);
    return pages;
  }

  std::optional<parquet::ColumnIndex> column_index(size_t leaf, size_t row_group = 0) const {
    const auto range = chunk(leaf, row_group).column_index;
    if (!range) return std::nullopt;
    const auto bytes = Span(*range);
    return *parquet::ParseColumnIndex(
        WrapBytes(bytes.data(), static_cast<int64_t>(bytes.size()), nullptr));
  }
  parquet::OffsetIndex offset_index(size_t leaf, size_t row_group = 0) const {
    return *parquet::ParseOffsetIndex(Span(chunk(leaf, row_group).offset_index.value()));
  }
  std::span<const uint8_t> Span(ByteRange range) const {
    return std::span(reinterpret_cast<const uint8_t*>(bytes_.data()), bytes_.size())
        .subspan(static_cast<size_t>(range.offset), static_cast<size_t>(range.length));
  }

 private:
  void ReadFooter() {
    ASSERT_GE(bytes_.size(), 12U);
    ASSERT_EQ(bytes_.substr(0, 4), "PAR1");
    ASSERT_EQ(bytes_.substr(bytes_.size() - 4), "PAR1");
    uint32_t length = 0;
    std::memcpy(&length, bytes_.data() + bytes_.size() - 8, 4);
    Result<BufferRef> copy = BufferPool::Make()->Allocate(length);
    ASSERT_TRUE(copy.has_value());
    std::memcpy((*copy)->mutable_data(), bytes_.data() + bytes_.size() - 8 - length, length);
    Result<std::shared_ptr<parquet::FileMetadata>> parsed = parquet::ParseFooter(*copy);
    ASSERT_TRUE(parsed.has_value()) << parsed.status().ToString();
    (*parsed)->footer_offset = static_cast<int64_t>(bytes_.size()) - 8 - length;
    footer_ = *parsed;
  }

  std::string bytes_;
  Status status_;
  std::shared_ptr<const parquet::FileMetadata> footer_;
};

}  // namespace sluice::support
