#include <sluice/parquet/bound_text.h>
#include <sluice/text.h>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "format/model/text/scalar_text.h"
#include "format/parquet/encoding/value_decoder.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

BufferRef Copy(const void* bytes, size_t size) {
  const auto owner =
      std::make_shared<std::vector<uint8_t>>(size + static_cast<size_t>(kReadPadding));
  if (size > 0) std::memcpy(owner->data(), bytes, size);
  return WrapBytes(owner->data(), static_cast<int64_t>(size), owner);
}

/// A column of one row in the leaf's physical layout; nothing where the size is wrong.
std::optional<Column> ToPhysical(const Leaf& leaf, std::string_view bound) {
  Column column;
  column.length = 1;
  if (leaf.physical_type == PhysicalType::kByteArray) {
    if (bound.size() > INT32_MAX) return std::nullopt;
    column.form = ColumnForm::kView;
    column.view_buffers.push_back(Copy(bound.data(), bound.size()));
    const StringView view = StringView::OfPadded(column.view_buffers[0]->data(),
                                                 static_cast<int32_t>(bound.size()), 0, 0);
    column.data = Copy(&view, sizeof(view));
    return column;
  }
  const auto width = leaf.physical_type == PhysicalType::kBoolean
                         ? size_t{1}
                         : static_cast<size_t>(PhysicalWidth(leaf.physical_type, leaf.type_length));
  if (bound.size() != width) return std::nullopt;
  column.data = Copy(bound.data(), width);
  return column;
}

}  // namespace

std::string BoundText(const SchemaTree& tree, int32_t leaf_ordinal, std::string_view bound) {
  const Leaf& leaf = tree.leaves()[static_cast<size_t>(leaf_ordinal)];
  const auto type =
      std::make_shared<const DataType>(tree.nodes()[static_cast<size_t>(leaf.node)].type);
  std::string text;
  if (std::optional<Column> physical = ToPhysical(leaf, bound); physical.has_value()) {
    const Result<Column> column =
        ConvertValues(leaf, type, *std::move(physical), *BufferPool::Make());
    if (column.has_value() && column->null_count == 0) {
      AppendCanonical(*column, 0, text);
      return text;
    }
  }
  text::AppendHexObject(bound, text);
  return text;
}

}  // namespace sluice::inline v0::parquet
