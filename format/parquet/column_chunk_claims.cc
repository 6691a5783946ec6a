#include "format/parquet/column_chunk_claims.h"

#include <fmt/format.h>
#include <sluice/column.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>

namespace sluice::inline v0::parquet {

Status CheckColumnChunk(const FileMetadata& metadata, const SchemaTree& tree, int32_t row_group,
                        int32_t leaf) {
  const RowGroup& group = metadata.row_groups[static_cast<size_t>(row_group)];
  const auto ordinal = static_cast<size_t>(leaf);
  if (ordinal >= group.columns.size()) {
    return Status::Corruption("the row group lacks its column chunk");
  }
  const ColumnChunk& chunk = group.columns[ordinal];
  if (!chunk.is_present) {
    return Status::InvalidArgument("the column was left out when the footer was read");
  }
  const Leaf& shape = tree.leaves()[ordinal];
  if (chunk.is_encrypted) return Status::Encrypted("the column chunk is encrypted");
  if (!chunk.file_path.empty()) {
    return Status::Unsupported(
        fmt::format("the column chunk is in another file: {}", chunk.file_path));
  }
  if (chunk.type != shape.physical_type) {
    return Status::Corruption(
        fmt::format("the column chunk has another type: {} in the schema, {} in the chunk",
                    Name(shape.physical_type), Name(chunk.type)));
  }
  if (shape.max_repetition_level == 0 && chunk.num_values != group.num_rows) {
    return Status::Corruption(fmt::format("the column chunk has {} values for {} rows",
                                          chunk.num_values, group.num_rows));
  }
  return Status::Ok();
}

int64_t DeliveredRowBytes(const SchemaTree& tree, int32_t leaf, const ColumnChunk& chunk,
                          int64_t num_rows) {
  if (num_rows == 0) return 0;
  const int32_t node = tree.leaves()[static_cast<size_t>(leaf)].node;
  const DataType& type = tree.nodes()[static_cast<size_t>(node)].type;
  // Nulls take their place too, whatever little they take in the file.
  const int64_t width = type.is_view() ? int64_t{sizeof(StringView)} : type.byte_width;
  const int64_t values = std::max<int64_t>(chunk.num_values / num_rows, 1);
  const int64_t stored = std::max<int64_t>(chunk.total_uncompressed_size, 0) / num_rows;
  constexpr int64_t kLargest = int64_t{1} << 36;
  return std::min(stored, kLargest) +
         std::min(values, kLargest / std::max<int64_t>(width, 1)) * width;
}

std::vector<int64_t> ChunkBegins(const FileMetadata& metadata) {
  std::vector<int64_t> begins{metadata.footer_offset};
  for (const RowGroup& group : metadata.row_groups) {
    for (const ColumnChunk& chunk : group.columns) {
      const auto range = ChunkByteRange(metadata, chunk);
      begins.push_back(chunk.is_present && range ? range->offset : 0);
    }
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

int64_t EndOfOwnBytes(const std::vector<int64_t>& chunk_begins, const FileMetadata& metadata,
                      const ColumnChunk& chunk) {
  const auto range = ChunkByteRange(metadata, chunk);
  if (chunk_begins.front() == 0 || !range) return 0;
  const auto next = std::upper_bound(chunk_begins.begin(), chunk_begins.end(), range->offset);
  return next == chunk_begins.end() ? 0 : *next;
}

}  // namespace sluice::inline v0::parquet
