#pragma once

#include <sluice/bitmap.h>
#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/types.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// A 16-byte view of a byte string, Arrow's BinaryView layout:
///
///   length <= 12:  | length int32 | bytes, zero padded to 12             |
///   length >  12:  | length int32 | first 4 bytes | buffer int32 | offset int32 |
struct StringView {
  static constexpr int32_t kInlineLength = 12;

  int32_t length = 0;
  union {
    char inlined[12];
    struct {
      char prefix[4];
      int32_t buffer;  ///< Ordinal in the column's `view_buffers`.
      int32_t offset;  ///< Byte offset in that buffer.
    } outside;
  };

  StringView() : inlined{} {}

  /// A view of `size` bytes at `bytes`, which lie at `offset` of buffer `buffer`. Reads up to 12
  /// bytes at `bytes`, whatever the size.
  static StringView OfPadded(const uint8_t* bytes, int32_t size, int32_t buffer, int32_t offset) {
    // As two little-endian words and without a branch: lengths around 12 are not to be predicted.
    uint32_t front;
    uint64_t rest;
    std::memcpy(&front, bytes, 4);
    std::memcpy(&rest, bytes + 4, 8);
    const uint64_t inlined_rest = rest & LowBits(size > 4 ? (int64_t{size} - 4) * 8 : 0);
    const uint64_t outside_rest =
        static_cast<uint32_t>(buffer) | uint64_t{static_cast<uint32_t>(offset)} << 32;
    const uint64_t words[2] = {static_cast<uint32_t>(size) | (front & LowBits(int64_t{size} * 8))
                                                                 << 32,
                               size <= kInlineLength ? inlined_rest : outside_rest};
    StringView view;
    std::memcpy(&view, words, sizeof(view));
    return view;
  }
};
static_assert(sizeof(StringView) == 16);

/// How a column holds its rows. One form a column and batch; it may change between batches.
enum class ColumnForm : uint8_t {
  kFlat,        ///< `data` by the type's layout (fixed width, bits, list offsets), or nested.
  kConstant,    ///< `dictionary` is a column of length 1 whose row 0 stands for every row.
  kDictionary,  ///< `data` is int32 codes into `dictionary`; nulls are in `validity` only.
  kView,        ///< `data` is StringView into `view_buffers`.
};

/// Rows of one column in Arrow's memory layout: plain data that shares its buffers.
///
/// What `data` and `children` are in the form kFlat (types.h says how wide values are):
///
///   numbers, fixed bytes  data: byte_width bytes a row, little-endian. No children.
///   boolean               data: one bit a row, in words of 8 bytes (bitmap.h). No children.
///   list                  data: length + 1 int32 offsets that do not descend, the first 0 or more.
///                         Row i is the elements [offsets[i], offsets[i + 1]) of children[0], which
///                         has offsets[length] rows or more. An empty list spans none; a null row
///                         may span some elements, which mean nothing, or none.
///   map                   As list, the same offsets for both children: children[0] the keys,
///                         children[1] the values, absent where the type has none.
///   struct, variant       No data. A child a field, each with the rows of this column: row i of a
///                         child belongs to row i here, also where that is null.
///   null                  No data, no validity, no children; null_count is length.
///
/// Without rows every buffer may be absent. What stands in `data` for a null row means nothing, but
/// that offsets stay in order.
///
/// Threads: immutable once delivered. Lifetime: a copy keeps the buffers alive.
struct SLUICE_EXPORT Column {
  std::shared_ptr<const DataType> type;
  ColumnForm form = ColumnForm::kFlat;
  int64_t length = 0;      ///< Rows (elements, for a child of a list).
  int64_t null_count = 0;  ///< Exact.
  /// Bit i set: row i is not null. Starts at bit 0, in words of 8 bytes (bitmap.h). Absent when
  /// null_count is 0, always in a null column, perhaps where every row is null, and in a constant
  /// column: there the nullness is that of `dictionary`'s row.
  BufferRef validity;
  BufferRef data;  ///< Absent in a constant, null, struct or variant column.
  std::vector<BufferRef> view_buffers;
  /// Of a flat nested column only; each has a form of its own. A row that is null here may be
  /// anything in the children.
  std::vector<Column> children;
  /// Dictionary: immutable, shared between batches of a chunk. Constant: a column of one row.
  std::shared_ptr<const Column> dictionary;

  bool IsNull(int64_t row) const {
    if (form == ColumnForm::kConstant) return dictionary->IsNull(0);
    return null_count != 0 && (!validity || !GetBit(validity->as<uint64_t>(), row));
  }
  template <typename T>
  const T* values() const {
    return data->as<T>();
  }
  /// The bytes of row `row` of a view column; not for null rows. Valid while the column lives.
  std::string_view Bytes(int64_t row) const {
    const StringView& view = values<StringView>()[row];
    const auto size = static_cast<size_t>(view.length);
    if (view.length <= StringView::kInlineLength) return {view.inlined, size};
    const Buffer& buffer = *view_buffers[static_cast<size_t>(view.outside.buffer)];
    return {buffer.as<char>() + view.outside.offset, size};
  }
};

/// Consecutive delivered rows. `num_rows` counts also where there are no columns.
struct SLUICE_EXPORT Batch {
  std::shared_ptr<const Schema> schema;
  int64_t num_rows = 0;
  std::vector<Column> columns;  ///< One a field of the schema.
};

/// Row `row` of `column` looked up through constant and dictionary forms: the column that holds the
/// value, and its row there. Null rows of a dictionary column are reported by `column.IsNull`.
struct SLUICE_EXPORT ValueRef {
  const Column* column;
  int64_t row;
};
SLUICE_EXPORT ValueRef ResolveValue(const Column& column, int64_t row);

/// Checks everything that a consumer relies on, all the way down: forms that fit their type,
/// buffers long enough and aligned for their values, offsets that ascend, views inside their
/// buffers with the right prefix, codes inside their dictionary, validity that agrees with
/// null_count, and no null where a field allows none (rows that are null further up excepted).
/// Errors: kInternal naming the first contradiction. For tests and for columns from outside; takes
/// time and memory with the number of rows.
SLUICE_EXPORT Status ValidateColumn(const Column& column);

}  // namespace sluice::inline v0
