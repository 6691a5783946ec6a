#pragma once

// One leaf of one row group: rows become pages, and what is known about them.

#include <sluice/buffer.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/writer.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "format/parquet/write/bloom_hashes.h"
#include "format/parquet/write/bounds.h"
#include "format/parquet/write/dictionary_builder.h"
#include "format/parquet/write/leaf_rows.h"
#include "format/parquet/write/page_encoder.h"
#include "format/parquet/write/page_statistics.h"
#include "format/parquet/write/write_schema.h"

namespace sluice::inline v0::parquet {

/// A chunk that is ready to be written.
struct FinishedChunk {
  std::optional<EncodedPage> dictionary;
  std::vector<EncodedPage> pages;
  /// Without offsets, and with `min` and `max` still to be put into its statistics.
  ColumnChunk metadata;
  std::optional<Bound> min;
  std::optional<Bound> max;
  std::optional<ColumnIndex> column_index;
  OffsetIndex offset_index;            ///< Page offsets are counted from the first data page.
  std::vector<uint64_t> bloom_hashes;  ///< Distinct; empty without a bloom filter.
};

/// Collects the rows of one leaf, page by page, until the row group ends.
///
/// Memory: encoded pages in the pool; one page, the dictionary and bloom hashes besides.
/// Threads: confined. `leaf` and `pool` must outlive it.
class ColumnChunkWriter {
 public:
  ColumnChunkWriter(const WriteLeaf& leaf, const ColumnWriteOptions& column,
                    const WriterOptions& options, BufferPool* pool);

  /// Appends rows; pages begin and end between rows.
  Status Append(const LeafRows& rows);
  /// Bytes that the chunk will have, about.
  int64_t buffered_bytes() const;
  /// Ends the chunk; the next Append begins another one.
  Result<FinishedChunk> Finish();

 private:
  /// Levels [begin, end) with values [value_begin, value_end) that go into a page together.
  struct Piece {
    int64_t begin = 0;
    int64_t end = 0;
    int64_t value_begin = 0;
    int64_t value_end = 0;
    int64_t num_rows = 0;
  };
  /// A page that is done; `content` where its encoding is still open.
  struct Page {
    std::optional<PageContent> content;
    EncodedPage encoded;
    PageStatistics statistics;
  };

  Piece NextPiece(const LeafRows& rows, int64_t level, int64_t value) const;
  void AppendPiece(const LeafRows& rows, const Piece& piece);
  void AppendToDictionary(const LeafRows& rows, const Piece& piece);
  int64_t pending_bytes() const;
  Status FlushPage();
  PageContent TakeLevels();
  Status CompletePages();
  Status FinishDictionary(FinishedChunk* chunk);
  void FinishPages(FinishedChunk* chunk);
  void Clear();

  const WriteLeaf& leaf_;
  const ColumnWriteOptions options_;
  const Encoding dictionary_encoding_;  ///< Of data pages.
  const Encoding value_encoding_;       ///< Of pages without the dictionary.
  const int64_t page_bytes_;
  const int64_t page_rows_;
  PageEncoder encoder_;

  // The page that is being filled.
  std::vector<uint16_t> repetition_levels_;
  std::vector<uint16_t> definition_levels_;
  std::vector<uint32_t> codes_;
  ValueBuffer values_;
  PageStatistics page_statistics_;

  // The chunk.
  bool is_dictionary_open_;
  std::unique_ptr<DictionaryBuilder> dictionary_;
  BloomHashes bloom_hashes_;
  std::vector<Page> pages_;
  int64_t page_bytes_done_ = 0;
};

}  // namespace sluice::inline v0::parquet
