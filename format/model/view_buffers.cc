#include "format/model/view_buffers.h"

#include <cstring>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0 {
namespace {

/// Whether a view points into a buffer behind the shared ones.
bool IsPinning(const StringView& view, size_t shared_buffers) {
  return view.length > StringView::kInlineLength &&
         static_cast<size_t>(view.outside.buffer) >= shared_buffers;
}

/// What buffers from the `first` on keep alive.
int64_t PinnedBytes(const std::vector<BufferRef>& buffers, size_t first) {
  // Pages that are not compressed are parts of what was read at once, and keep all of it.
  int64_t pinned = 0;
  const Buffer* counted = nullptr;
  for (size_t i = first; i < buffers.size(); ++i) {
    const Buffer& root = buffers[i]->root();
    if (&root != counted) pinned += root.size();
    counted = &root;
  }
  return pinned;
}

/// Bytes of the longer strings of rows that are not null.
int64_t UsedBytes(const Column& column) {
  const auto* views = column.values<StringView>();
  int64_t used = 0;
  for (int64_t row = 0; row < column.length; ++row) {
    used += !column.IsNull(row) && IsPinning(views[row], 0) ? views[row].length : 0;
  }
  return used;
}

std::vector<BufferRef> FirstBuffers(const std::vector<BufferRef>& buffers, size_t count) {
  return {buffers.begin(), buffers.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Status UnpinViews(Column& column, size_t shared_buffers, BufferPool& pool) {
  const int64_t pinned = PinnedBytes(column.view_buffers, shared_buffers);
  if (pinned == 0) return Status::Ok();
  auto* views = column.data->mutable_as<StringView>();
  int64_t used = 0;
  for (int64_t i = 0; i < column.length; ++i) {
    used += IsPinning(views[i], shared_buffers) ? views[i].length : 0;
  }
  if (used > pinned / 4 || used > INT32_MAX) return Status::Ok();
  std::vector<BufferRef> kept = FirstBuffers(column.view_buffers, shared_buffers);
  if (used > 0) {
    SLUICE_TRY(BufferRef arena, pool.Allocate(used));
    int32_t end = 0;
    for (int64_t i = 0; i < column.length; ++i) {
      StringView& view = views[i];
      if (!IsPinning(view, shared_buffers)) continue;
      const BufferRef& from = column.view_buffers[static_cast<size_t>(view.outside.buffer)];
      std::memcpy(arena->mutable_data() + end, from->data() + view.outside.offset,
                  static_cast<size_t>(view.length));
      view.outside.buffer = static_cast<int32_t>(shared_buffers);
      view.outside.offset = end;
      end += view.length;
    }
    kept.push_back(std::move(arena));
  }
  column.view_buffers = std::move(kept);
  return Status::Ok();
}

void UnpinStrings(Column& column, BufferPool& pool) {
  for (Column& child : column.children) UnpinStrings(child, pool);
  if (column.form != ColumnForm::kView) return;
  const int64_t pinned = PinnedBytes(column.view_buffers, 0);
  if (pinned == 0 || UsedBytes(column) > pinned / 4) return;
  Column unpinned = column;
  auto views = pool.Allocate(column.length * int64_t{sizeof(StringView)});
  if (!views) return;
  unpinned.data = *std::move(views);
  auto* copies = unpinned.data->mutable_as<StringView>();
  for (int64_t row = 0; row < column.length; ++row) {
    // What a null row has there means nothing.
    copies[row] = column.IsNull(row) ? StringView() : column.values<StringView>()[row];
  }
  if (UnpinViews(unpinned, 0, pool).ok()) column = std::move(unpinned);
}

void DropUnusedBuffers(StringView* views, int64_t count, size_t shared_buffers,
                       std::vector<BufferRef>& buffers) {
  std::vector<int32_t> places(buffers.size(), -1);
  std::vector<BufferRef> kept = FirstBuffers(buffers, shared_buffers);
  for (int64_t i = 0; i < count; ++i) {
    StringView& view = views[i];
    if (!IsPinning(view, shared_buffers)) continue;
    const auto buffer = static_cast<size_t>(view.outside.buffer);
    if (places[buffer] < 0) {
      places[buffer] = static_cast<int32_t>(kept.size());
      kept.push_back(buffers[buffer]);
    }
    view.outside.buffer = places[buffer];
  }
  buffers = std::move(kept);
}

}  // namespace sluice::inline v0
