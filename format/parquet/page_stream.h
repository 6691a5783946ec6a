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

  ByteRange body_range() const { return {offset + header.header_size, header.compressed_size}; }
};

/// Walks the pages of one column chunk. Where bytes are missing it asks for them in `bytes` and
/// returns false; the same call goes on once they are there.
///
/// Threads: confined. `bytes` and `pool` outlive this.
class PageStream {
 public:
  /// `window_bytes` is how much is asked for at once; at least what the next page needs.
  PageStream(ByteRange chunk, int64_t window_bytes, int64_t max_page_bytes, ChunkBytes* bytes,
             BufferPool* pool)
      : chunk_(chunk),
        position_(chunk.offset),
        window_bytes_(window_bytes),
        max_page_bytes_(max_page_bytes),
        bytes_(bytes),
        pool_(pool) {}

  ByteRange chunk() const { return chunk_; }
  /// Where the next header begins.
  int64_t position() const { return position_; }
  bool at_end() const { return position_ >= chunk_.end(); }
  /// Goes on at `offset`, where the header of page `ordinal` begins.
  void Seek(int64_t offset, int32_t ordinal) {
    position_ = offset;
    next_ordinal_ = ordinal;
  }

  /// Parses the header at position() and moves behind its page.
  /// Errors: kCorruption (also for a page that ends outside the chunk), kResourceExhausted for a
  /// page above the limit; without the place, which Place() tells.
  Result<bool> NextHeader(StoredPage& page);
  /// Gets the page's bytes.
  Result<bool> LoadBody(StoredPage& page);

  /// "page 3 at byte 1234", for messages.
  static std::string Place(const StoredPage& page);

 private:
  /// Whether the range is there; asks for what is missing of it, and for some more behind it.
  bool Have(ByteRange range);

  ByteRange chunk_;
  int64_t position_;
  int64_t window_bytes_;
  int64_t max_page_bytes_;
  ChunkBytes* bytes_;
  BufferPool* pool_;
  int32_t next_ordinal_ = 0;
};

}  // namespace sluice::inline v0::parquet
