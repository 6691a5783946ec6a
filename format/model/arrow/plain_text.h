#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>

namespace sluice::inline v0::arrow {

/// Strings one behind the other: row i is bytes [offsets[i], offsets[i + 1]).
struct PlainText {
  BufferRef offsets;
  BufferRef bytes;
};

/// The strings of a column of views, null rows empty, with offsets of int32_t or int64_t.
/// Errors: kResourceExhausted by the pool, and for more bytes than the offsets can count.
template <typename Offset>
Result<PlainText> MakePlainText(const Column& views, BufferPool& pool);

}  // namespace sluice::inline v0::arrow
