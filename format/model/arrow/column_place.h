#pragma once

#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0::arrow {

/// Where a column stands in its batch: what a message about one of its values needs. A link of a
/// chain that lies on the stacks of those who walk down; plain data.
struct ColumnPlace {
  const ColumnPlace* parent = nullptr;  ///< Of a column of the batch: none.
  std::string_view name;
  /// The parent's column: flat, and of lists, maps or a struct. Absent where only names are walked,
  /// and for a column of the batch.
  const Column* parent_column = nullptr;

  /// "column 'a.b.element'".
  std::string ToString() const;
  /// `what` about the column.
  Status Error(StatusCode code, std::string_view what) const;
  /// The row of the batch that row `row` of the column belongs to; nothing where it belongs to
  /// none: between lists, or because something further up is null.
  std::optional<int64_t> BatchRow(int64_t row) const;
};

}  // namespace sluice::inline v0::arrow
