#include <fmt/format.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <optional>
#include <string>
#include <utility>

#include "tools/file_description.h"

namespace sluice::tools {
namespace {

using parquet::ColumnChunk;
using parquet::FileReader;
using parquet::OffsetIndex;
using parquet::PageSummary;

std::optional<OffsetIndex> ReadOffsetIndex(const FileReader& reader, const ColumnChunk& chunk,
                                           BufferPool& pool) {
  if (!chunk.offset_index.has_value()) return std::nullopt;
  const Result<BufferRef> bytes = reader.file().Read(*chunk.offset_index, pool);
  if (!bytes) return std::nullopt;
  Result<OffsetIndex> index = parquet::ParseOffsetIndex((*bytes)->span(), &pool);
  if (!index) return std::nullopt;
  return *std::move(index);
}

/// The rows of data page `ordinal` by the offset index, which describes the page at `offset`.
std::optional<int64_t> RowsByIndex(const OffsetIndex& index, size_t ordinal, int64_t offset,
                                   int64_t num_rows) {
  const auto& places = index.page_locations;
  if (ordinal >= places.size() || places[ordinal].offset != offset) return std::nullopt;
  const int64_t end = ordinal + 1 < places.size() ? places[ordinal + 1].first_row_index : num_rows;
  return end - places[ordinal].first_row_index;
}

template <typename T>
void Put(Json& json, const char* key, const std::optional<T>& value) {
  if (value.has_value()) json[key] = *value;
}

Json DescribePage(const FileReader& reader, int32_t leaf, const PageSummary& page) {
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
    json["statistics"] = DescribeStatistics(*reader.tree(), leaf, *page.statistics);
  }
  return json;
}

bool IsDataPage(const PageSummary& page) {
  return page.type == parquet::PageType::kDataPage || page.type == parquet::PageType::kDataPageV2;
}

}  // namespace

Json DescribePages(const FileReader& reader, int32_t row_group, int32_t leaf) {
  const parquet::RowGroup& group = reader.metadata()->row_groups[static_cast<size_t>(row_group)];
  const ColumnChunk& chunk = group.columns[static_cast<size_t>(leaf)];
  const std::optional<OffsetIndex> index = ReadOffsetIndex(reader, chunk, *reader.options().pool);
  const bool is_flat = reader.tree()->leaves()[static_cast<size_t>(leaf)].max_repetition_level == 0;
  Json pages = Json::array();
  size_t data_pages = 0;
  auto cursor = parquet::PageCursor::Open(reader, row_group, leaf);
  if (!cursor) {
    pages.push_back({{"error", cursor.error().ToString()}});
    return pages;
  }
  while (true) {
    const Result<std::optional<PageSummary>> page = cursor->Next();
    if (!page) {
      pages.push_back({{"error", page.error().ToString()}});
      return pages;
    }
    if (!page->has_value()) return pages;
    Json json = DescribePage(reader, leaf, **page);
    if (IsDataPage(**page)) {
      std::optional<int64_t> rows;
      if (index.has_value()) {
        rows = RowsByIndex(*index, data_pages, (*page)->offset, group.num_rows);
      }
      if (!rows.has_value() && is_flat) rows = (*page)->num_values;
      if (!json.contains("rows")) Put(json, "rows", rows);
      ++data_pages;
    }
    pages.push_back(std::move(json));
  }
}

}  // namespace sluice::tools
