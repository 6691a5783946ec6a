#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>

#include <cstdint>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// Makes views of byte strings that lie in a page. The page has at most INT32_MAX bytes.
class PageViews {
 public:
  explicit PageViews(const PageBody& body) : buffer_(body.buffer()), begin_(body.offset()) {
    // A view's offset has 31 bits; the page may lie further back in the buffer of its chunk.
    if (buffer_ && begin_ > INT32_MAX - body.size()) {
      buffer_ = SliceBuffer(buffer_, begin_, body.size());
      begin_ = 0;
    }
  }

  /// The ordinal of the page's buffer in `out`.
  int32_t BufferIndex(ByteArrayOutput& out) const { return out.BufferIndex(buffer_); }

  /// A view of the `length` bytes at `bytes`, which are byte `position` of the page.
  StringView Make(const uint8_t* bytes, int64_t position, int32_t length, int32_t buffer) const {
    return StringView::OfPadded(bytes, length, buffer, static_cast<int32_t>(begin_ + position));
  }

 private:
  BufferRef buffer_;
  int64_t begin_;
};

}  // namespace sluice::inline v0::parquet
