#include <fmt/format.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>

#include "format/parquet/known_writers.h"

namespace sluice::inline v0::parquet {

Result<ByteRange> ChunkByteRange(const FileMetadata& metadata, const ColumnChunk& chunk) {
  if (chunk.total_compressed_size < 0) {
    return Status::Corruption(
        fmt::format("column chunk: compressed size is negative: {}", chunk.total_compressed_size));
  }
  if (chunk.data_page_offset < 0 || chunk.dictionary_page_offset.value_or(0) < 0) {
    return Status::Corruption(
        fmt::format("column chunk: page offset is negative: data page {}, dictionary page {}",
                    chunk.data_page_offset, chunk.dictionary_page_offset.value_or(0)));
  }
  // Either may be the first: some writers have the dictionary's offset after the data page's, and
  // some say 0 for a dictionary that is not there (fault F4). What page it is, its header says
  // (faults F5, F6).
  int64_t start = chunk.data_page_offset;
  const int64_t dictionary = chunk.dictionary_page_offset.value_or(0);
  if (dictionary > 0 && (start == 0 || dictionary < start)) start = dictionary;
  if (start == 0) {
    if (chunk.total_compressed_size == 0) return ByteRange{0, 0};
    return Status::Corruption("column chunk: has bytes, but no page offset");
  }
  if (start > metadata.footer_offset) {
    return Status::Corruption(fmt::format("column chunk: begins past the footer: {} > {}", start,
                                          metadata.footer_offset));
  }
  const int64_t available = metadata.footer_offset - start;
  // Overstated sizes end where the footer begins (fault F11); those of writers that are known to
  // leave bytes out get as many more (fault F7).
  const int64_t margin = QuirksOf(metadata.created_by).missing_chunk_bytes;
  int64_t length = std::min(chunk.total_compressed_size, available);
  length += std::min(margin, available - length);
  if (length == 0 && chunk.total_compressed_size > 0) {
    return Status::Corruption(fmt::format("column chunk: begins at the footer: {}", start));
  }
  return ByteRange{start, length};
}

}  // namespace sluice::inline v0::parquet
