#pragma once

#include <sluice/buffer.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>

#include "format/parquet/chunk_bytes.h"
#include "format/parquet/page_header.h"

namespace sluice::inline v0::parquet {

/// A page as it is stored: its header, and its bytes once they are loaded.
struct StoredPage {
  PageHeader header;
  int32_t ordinal = 0;  ///< Among the pages of the chunk, the dictionary's included.
  int64_t offset = 0;   ///< File offset of the header.
  BufferRef body;       ///< compressed_size bytes behind the header, absent until LoadBody.
  /// What the header's statistics are views of; absent, like them, unless the stream keeps them.
  BufferRef header_bytes;

  ByteRange body_range() const { return {offset + header.header_size, header.compressed_size}; }
};

inline bool IsDataPage(PageType type) {
  return type == PageType::kDataPage || type == PageType::kDataPageV2;
}

/// What pages are sought in.
struct PageStreamPlan {
  ByteRange chunk;           ///< By ChunkByteRange.
  int64_t num_values = 0;    ///< Of the chunk.
  int64_t window_bytes = 0;  ///< How much is asked for at once; at least what the next page needs.
  int64_t max_page_bytes = 0;
  bool keeps_statistics = false;
};

/// Walks the pages of one column chunk, which end with its last value. Where bytes are missing it
/// asks for them in `bytes` and returns false; the same call goes on once they are there.
///
/// Threads: confined. `bytes` and `pool` outlive this.
class PageStream {
 public:
  PageStream(const PageStreamPlan& plan, ChunkBytes* bytes, BufferPool* pool)
      : plan_(plan), position_(plan.chunk.offset), bytes_(bytes), pool_(pool) {}

  ByteRange chunk() const { return plan_.chunk; }
  /// Where the next header begins.
  int64_t position() const { return position_; }
  /// Whether the data pages that NextInOrder went over hold every value of the chunk.
  bool has_all_values() const { return values_ >= plan_.num_values; }
  /// Goes on at `offset`, where the header of page `ordinal` begins.
  void Seek(int64_t offset, int32_t ordinal) {
    position_ = offset;
    next_ordinal_ = ordinal;
  }

  /// Parses the header at position() and moves behind its page.
  /// Errors: kCorruption (also for a page that ends outside the chunk), kResourceExhausted for a
  /// page above the limit; without the place, which Place() tells.
  Result<bool> NextHeader(StoredPage& page);
  /// NextHeader for who reads from the chunk's first page on, and has not met all values yet.
  /// Errors besides: kCorruption for a dictionary page that is not the only one or follows a data
  /// page, and for more values than the chunk has.
  Result<bool> NextInOrder(StoredPage& page);
  /// Gets the page's bytes.
  Result<bool> LoadBody(StoredPage& page);

  /// "page 3 at byte 1234", for messages.
  static std::string Place(const StoredPage& page);

 private:
  /// Whether the range is there; asks for what is missing of it, and for some more behind it.
  bool Have(ByteRange range);

  PageStreamPlan plan_;
  int64_t position_;
  ChunkBytes* bytes_;
  BufferPool* pool_;
  int32_t next_ordinal_ = 0;
  int64_t values_ = 0;  ///< Of the data pages in order.
  bool has_dictionary_ = false;
  bool has_data_page_ = false;
};

}  // namespace sluice::inline v0::parquet
