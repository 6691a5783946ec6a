#include <fmt/format.h>
#include <sluice/parquet/bound_text.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/file_description.h"

namespace sluice::tools {
namespace {

using parquet::ColumnChunk;
using parquet::ColumnIndex;
using parquet::FileReader;
using parquet::OffsetIndex;
using parquet::PageSummary;

template <typename T>
void Put(Json& json, const char* key, const std::optional<T>& value) {
  if (value.has_value()) json[key] = *value;
}

bool IsDataPage(const PageSummary& page) {
  return page.type == parquet::PageType::kDataPage || page.type == parquet::PageType::kDataPageV2;
}

/// Describes the pages of one chunk: by their headers, and by the page index where there is one.
class PageDescriber {
 public:
  PageDescriber(const FileReader& reader, int32_t row_group, int32_t leaf)
      : reader_(reader),
        row_group_(row_group),
        leaf_(leaf),
        num_rows_(reader.metadata()->row_groups[static_cast<size_t>(row_group)].num_rows),
        chunk_(reader.metadata()
                   ->row_groups[static_cast<size_t>(row_group)]
                   .columns[static_cast<size_t>(leaf)]),
        is_flat_(reader.tree()->leaves()[static_cast<size_t>(leaf)].max_repetition_level == 0) {}

  bool Describe(Json& chunk) {
    const Status walked = Walk();
    ReadOffsetIndex(walked.ok());
    ReadColumnIndex(walked.ok());
    Json pages = Json::array();
    size_t data_page = 0;
    for (const PageSummary& page : pages_) {
      Json json = DescribeHeader(page);
      if (IsDataPage(page)) AddFromIndex(page, data_page++, json);
      pages.push_back(std::move(json));
    }
    if (!walked.ok()) pages.push_back({{"error", walked.ToString()}});
    if (columns_) chunk["column_index"]["boundary_order"] = Name(columns_->boundary_order);
    if (!notes_.empty()) chunk["notes"] = std::move(notes_);
    chunk["pages"] = std::move(pages);
    return walked.ok();
  }

 private:
  Status Walk() {
    auto cursor = parquet::PageCursor::Open(reader_, row_group_, leaf_);
    if (!cursor) return cursor.error();
    while (true) {
      Result<std::optional<PageSummary>> page = cursor->Next();
      if (!page) return page.error();
      if (!page->has_value()) return Status::Ok();
      if (IsDataPage(**page)) page_values_.push_back((*page)->num_values);
      pages_.push_back(**std::move(page));
    }
  }

  void Note(const Status& status) {
    if (!status.ok()) notes_.push_back(std::string(status.message()));
  }

  Result<BufferRef> Read(const char* what, const ByteRange& range) const {
    const int64_t end = reader_.metadata()->footer_offset;
    if (range.offset < 0 || range.length < 0 || range.length > end - range.offset) {
      return Status::Corruption(fmt::format("{}: lies outside the file", what));
    }
    return reader_.file().Read(range, *reader_.options().pool);
  }

  void ReadOffsetIndex(bool all_pages_are_known) {
    // The index of an encrypted chunk is encrypted too.
    if (!chunk_.offset_index || chunk_.is_encrypted) return;
    const Result<BufferRef> bytes = Read("offset index", *chunk_.offset_index);
    if (!bytes) return Note(bytes.error());
    Result<OffsetIndex> index = parquet::ParseOffsetIndex((*bytes)->span());
    if (!index) return Note(index.error());
    const Result<ByteRange> range = ChunkByteRange(*reader_.metadata(), chunk_);
    if (!range) return;  // The pages say so.
    const Status status = CheckOffsetIndex(*index, num_rows_, *range);
    if (!status.ok()) return Note(status);
    offsets_ = *std::move(index);
    if (all_pages_are_known) Note(CompareWithPages());
  }

  /// Whether the offset index names the pages that are there.
  Status CompareWithPages() const {
    const auto& places = offsets_->page_locations;
    size_t data_page = 0;
    for (const PageSummary& page : pages_) {
      if (!IsDataPage(page)) continue;
      const size_t i = data_page++;
      if (i >= places.size()) continue;
      const int64_t size = int64_t{page.header_size} + page.compressed_size;
      if (places[i].offset != page.offset || places[i].compressed_page_size != size) {
        return Status::Corruption(
            fmt::format("offset index: page {} is {} bytes at {}, not {} at {}", i, size,
                        page.offset, places[i].compressed_page_size, places[i].offset));
      }
      if (is_flat_ && RowsByIndex(i) != page.num_values) {
        return Status::Corruption(fmt::format("offset index: page {} has {} rows, not {}", i,
                                              page.num_values, *RowsByIndex(i)));
      }
    }
    if (data_page == places.size()) return Status::Ok();
    return Status::Corruption(
        fmt::format("offset index: has {} pages, the column chunk {}", places.size(), data_page));
  }

  void ReadColumnIndex(bool all_pages_are_known) {
    if (!chunk_.column_index || chunk_.is_encrypted) return;
    const Result<BufferRef> bytes = Read("column index", *chunk_.column_index);
    if (!bytes) return Note(bytes.error());
    Result<ColumnIndex> index = parquet::ParseColumnIndex(*bytes);
    if (!index) return Note(index.error());
    columns_ = *std::move(index);
    if (!all_pages_are_known) return;
    Note(CheckColumnIndex(*columns_, *reader_.metadata(), *reader_.tree(), leaf_, page_values_));
    // Whose bounds they are is not known then.
    columns_are_of_pages_ = columns_->null_pages.size() == page_values_.size();
  }

  /// The rows of data page `i` by the offset index, which CheckOffsetIndex accepts.
  std::optional<int64_t> RowsByIndex(size_t i) const {
    const auto& places = offsets_->page_locations;
    if (i >= places.size()) return std::nullopt;
    const int64_t end = i + 1 < places.size() ? places[i + 1].first_row_index : num_rows_;
    return end - places[i].first_row_index;
  }

  Json DescribeHeader(const PageSummary& page) const {
    Json json;
    json["offset"] = page.offset;
    json["type"] = std::string(Name(page.type));
    json["encoding"] = std::string(Name(page.encoding));
    json["header_size"] = page.header_size;
    json["compressed_size"] = page.compressed_size;
    json["uncompressed_size"] = page.uncompressed_size;
    json["values"] = page.num_values;
    Put(json, "rows", page.num_rows);
    Put(json, "nulls", page.num_nulls);
    if (page.definition_level_encoding.has_value()) {
      json["definition_level_encoding"] = std::string(Name(*page.definition_level_encoding));
      json["repetition_level_encoding"] = std::string(Name(*page.repetition_level_encoding));
    }
    Put(json, "definition_levels_byte_length", page.definition_levels_byte_length);
    Put(json, "repetition_levels_byte_length", page.repetition_levels_byte_length);
    Put(json, "is_compressed", page.is_compressed);
    Put(json, "crc", page.crc);
    if (page.statistics.has_value()) {
      json["statistics"] = DescribeStatistics(*reader_.tree(), leaf_, *page.statistics);
    }
    return json;
  }

  /// What is known of data page `i` from elsewhere than its header.
  void AddFromIndex(const PageSummary& page, size_t i, Json& json) const {
    if (!json.contains("rows")) {
      std::optional<int64_t> rows;
      if (offsets_ && i < offsets_->page_locations.size() &&
          offsets_->page_locations[i].offset == page.offset) {
        rows = RowsByIndex(i);
      }
      if (!rows && is_flat_) rows = page.num_values;
      Put(json, "rows", rows);
    }
    if (offsets_ && i < offsets_->unencoded_byte_array_data_bytes.size()) {
      json["unencoded_byte_array_data_bytes"] = offsets_->unencoded_byte_array_data_bytes[i];
    }
    if (columns_are_of_pages_) json["column_index"] = DescribeColumnIndex(i);
  }

  Json DescribeColumnIndex(size_t i) const {
    Json json;
    json["null_page"] = static_cast<bool>(columns_->null_pages[i]);
    if (!columns_->null_pages[i]) {
      const auto bound = [&](std::string_view bytes) {
        return Json::parse(BoundText(*reader_.tree(), leaf_, bytes));
      };
      json["min_value"] = bound(columns_->min_values[i]);
      json["max_value"] = bound(columns_->max_values[i]);
    }
    if (!columns_->null_counts.empty()) json["null_count"] = columns_->null_counts[i];
    if (!columns_->nan_counts.empty()) json["nan_count"] = columns_->nan_counts[i];
    const auto histogram = [&](const char* key, const std::vector<int64_t>& all) {
      const auto bins = static_cast<std::ptrdiff_t>(all.size() / columns_->null_pages.size());
      if (bins == 0) return;
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i) * bins;
      json[key] = std::vector<int64_t>(begin, begin + bins);
    };
    histogram("repetition_level_histogram", columns_->repetition_level_histograms);
    histogram("definition_level_histogram", columns_->definition_level_histograms);
    return json;
  }

  const FileReader& reader_;
  int32_t row_group_;
  int32_t leaf_;
  int64_t num_rows_;
  const ColumnChunk& chunk_;
  bool is_flat_;
  std::vector<PageSummary> pages_;
  std::vector<int64_t> page_values_;  ///< Of the data pages.
  std::optional<OffsetIndex> offsets_;
  std::optional<ColumnIndex> columns_;
  bool columns_are_of_pages_ = false;
  Json notes_ = Json::array();
};

}  // namespace

bool DescribePages(const FileReader& reader, int32_t row_group, int32_t leaf, Json& chunk) {
  return PageDescriber(reader, row_group, leaf).Describe(chunk);
}

}  // namespace sluice::tools
