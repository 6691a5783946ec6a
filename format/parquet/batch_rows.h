#pragma once

#include <sluice/row_selection.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sluice::inline v0::parquet {

/// A row group is worked in windows of this many rows; no batch crosses one.
inline constexpr int64_t kWindowRows = 131'072;

/// The window from row `begin` on.
inline RowRange WindowFrom(int64_t begin, int64_t num_rows) {
  return {begin, begin + std::min(num_rows - begin, kWindowRows - begin % kWindowRows)};
}

/// The shortest range from rows.begin on that holds every wanted row of `rows`.
RowRange CutBehindLastWanted(const RowSelection& selection, RowRange rows);

/// The rows of the next batch at or after `row`: as many as hold at most `batch_rows` (at least 1)
/// wanted ones inside one window. The first and the last row of the range are wanted. Nothing when
/// no wanted row is left. `num_rows` are those of the row group.
std::optional<RowRange> NextBatchRows(const RowSelection& selection, int64_t row, int64_t num_rows,
                                      int64_t batch_rows);

}  // namespace sluice::inline v0::parquet
