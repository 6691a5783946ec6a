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
  std::vector<PageRecord> records;  ///< What column_index points into.
  std::optional<ColumnIndex> column_index;
  OffsetIndex offset_index;     ///< Page offsets are counted from the first data page.
  DistinctHashes bloom_hashes;  ///< Empty without a bloom filter.
  Reservation memory;           ///< What all of this takes, but for bodies and hashes.
};

/// Collects the rows of one leaf, page by page, until the row group ends.
///
/// Memory: encoded pages; one page that is being filled, the dictionary and bloom hashes. All of it
/// counts in the pool, and while a page is encoded up to five times its values.
/// Threads: confined. `leaf` and `pool` must outlive it.
class ColumnChunkWriter {
 public:
  ColumnChunkWriter(const WriteLeaf& leaf, const ColumnWriteOptions& column,
                    const WriterOptions& options, BufferPool* pool);

  /// Appends rows; pages begin and end between rows. Errors: kResourceExhausted by the pool;
  /// kInvalidArgument for a page that is too large.
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
    PageRecord record;
  };

  Piece NextPiece(const LeafRows& rows, int64_t level, int64_t value) const;
  Status AppendPiece(const LeafRows& rows, const Piece& piece);
  Status AppendToDictionary(const LeafRows& rows, const Piece& piece);
  int64_t pending_bytes() const;
  int64_t held_bytes() const;
  int64_t growth_bytes(const LeafRows& rows, const Piece& piece) const;
  int64_t encoding_bytes() const;
  Status FlushPage();
  Status EncodePage(PageContent content, Page* page);
  PageContent TakeLevels();
  Status CompletePages();
  Status FinishDictionary(FinishedChunk* chunk);
  void FinishPages(FinishedChunk* chunk);
  Status KeepMemory(FinishedChunk* chunk);
  void Clear();

  const WriteLeaf& leaf_;
  const ColumnWriteOptions options_;
  const Encoding dictionary_encoding_;  ///< Of data pages.
  const Encoding value_encoding_;       ///< Of pages without the dictionary.
  const int64_t page_bytes_;
  const int64_t page_rows_;
  BufferPool* pool_;
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
  PageStatistics chunk_statistics_;  ///< Of pages that are done.
  int64_t pages_held_bytes_ = 0;     ///< What pages_ take besides bodies.
  Reservation memory_;               ///< held_bytes() at least.
};

}  // namespace sluice::inline v0::parquet
