#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::inline v0 {

/// Copies the longer strings of a view column into a buffer of its own where they are less than a
/// quarter of what the column pins besides the first `shared_buffers` of its buffers, and lets go
/// of these. The views are changed in place. Errors: kResourceExhausted by the pool.
Status UnpinViews(Column& column, size_t shared_buffers, BufferPool& pool);

/// The same for every view column below `column` and for itself, whatever their buffers are shared
/// with: others keep what they have, views too. Where the pool has no room nothing changes.
void UnpinStrings(Column& column, BufferPool& pool);

/// Lets go of the buffers behind the first `shared_buffers` that none of `count` views points into,
/// and changes the views to what is left.
void DropUnusedBuffers(StringView* views, int64_t count, size_t shared_buffers,
                       std::vector<BufferRef>& buffers);

}  // namespace sluice::inline v0
