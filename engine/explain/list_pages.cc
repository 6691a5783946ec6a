#include "engine/explain/list_pages.h"

#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <optional>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

/// One that is larger takes longer to read than the pages' headers.
constexpr int64_t kMaxIndexBytes = 64 << 20;

const parquet::RowGroup& GroupOf(const parquet::FileReader& reader, int32_t row_group) {
  return reader.metadata()->row_groups[static_cast<size_t>(row_group)];
}

/// An offset index that can be believed; absent where there is none.
std::optional<parquet::OffsetIndex> ReadOffsetIndex(const parquet::FileReader& reader,
                                                    int32_t row_group, int32_t leaf) {
  const parquet::RowGroup& group = GroupOf(reader, row_group);
  if (leaf >= std::ssize(group.columns)) return std::nullopt;
  const parquet::ColumnChunk& chunk = group.columns[static_cast<size_t>(leaf)];
  const bool is_there = chunk.is_present && !chunk.is_encrypted && chunk.file_path.empty();
  if (!is_there || !chunk.offset_index) return std::nullopt;
  const ByteRange range = *chunk.offset_index;
  const int64_t end = reader.metadata()->footer_offset;
  if (range.offset < 0 || range.length <= 0 || range.length > kMaxIndexBytes ||
      range.length > end - range.offset) {
    return std::nullopt;
  }
  const auto chunk_range = parquet::ChunkByteRange(*reader.metadata(), chunk);
  if (!chunk_range) return std::nullopt;
  BufferPool* pool = reader.options().pool.get();
  const auto bytes = reader.file().Read(range, *pool);
  if (!bytes) return std::nullopt;
  auto index = parquet::ParseOffsetIndex((*bytes)->span(), pool);
  if (!index || !CheckOffsetIndex(*index, group.num_rows, *chunk_range).ok()) return std::nullopt;
  return *std::move(index);
}

Status WalkPages(const parquet::FileReader& reader, int32_t row_group, int32_t leaf,
                 const PageVisitor& visit, CountedMemory& memory,
                 std::vector<PageExplanation>& pages) {
  const bool is_flat = reader.tree()->leaves()[static_cast<size_t>(leaf)].max_repetition_level == 0;
  SLUICE_TRY(auto cursor, parquet::PageCursor::Open(reader, row_group, leaf));
  int64_t row = 0;
  for (;;) {
    SLUICE_TRY(const auto stored, cursor.Next());
    if (!stored) return Status::Ok();
    const bool is_data = stored->type == parquet::PageType::kDataPage ||
                         stored->type == parquet::PageType::kDataPageV2;
    if (!is_data || stored->num_values == 0) continue;
    SLUICE_RETURN_IF_ERROR(memory.Extend(pages, 1));
    PageExplanation& page = pages.emplace_back();
    page.offset = stored->offset;
    page.bytes = int64_t{stored->header_size} + stored->compressed_size;
    page.num_values = stored->num_values;
    if (is_flat) {
      page.rows = RowRange{row, row + stored->num_values};
      row = page.rows->end;
    }
    if (visit) visit(page, stored->statistics);
  }
}

}  // namespace

Status ListPages(const parquet::FileReader& reader, int32_t row_group, int32_t leaf,
                 const PageVisitor& visit, CountedMemory& memory,
                 std::vector<PageExplanation>& pages) {
  std::optional<parquet::OffsetIndex> index;
  if (!visit) index = ReadOffsetIndex(reader, row_group, leaf);
  if (!index) return WalkPages(reader, row_group, leaf, visit, memory, pages);
  const auto& places = index->page_locations;
  SLUICE_RETURN_IF_ERROR(memory.Extend(pages, places.size()));
  for (size_t i = 0; i < places.size(); ++i) {
    PageExplanation& page = pages.emplace_back();
    page.offset = places[i].offset;
    page.bytes = places[i].compressed_page_size;
    const int64_t end =
        i + 1 < places.size() ? places[i + 1].first_row_index : GroupOf(reader, row_group).num_rows;
    page.rows = RowRange{places[i].first_row_index, end};
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
