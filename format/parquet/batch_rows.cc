#include "format/parquet/batch_rows.h"

#include <algorithm>

namespace sluice::inline v0::parquet {

std::optional<RowRange> NextBatchRows(const RowSelection& selection, int64_t row, int64_t num_rows,
                                      int64_t batch_rows) {
  const int64_t begin = selection.NextSelected(row);
  if (begin >= selection.end()) return std::nullopt;
  const int64_t window_end = begin + std::min(num_rows - begin, kWindowRows - begin % kWindowRows);
  // The longest range that holds no more than batch_rows wanted rows.
  int64_t end = begin + 1;
  int64_t longest = window_end;
  while (end < longest) {
    const int64_t middle = longest - (longest - end) / 2;
    if (selection.CountIn({begin, middle}) <= batch_rows) {
      end = middle;
    } else {
      longest = middle - 1;
    }
  }
  // Cut behind the last wanted one: the shortest range that holds as many.
  const int64_t wanted = selection.CountIn({begin, end});
  int64_t low = begin + 1;
  while (low < end) {
    const int64_t middle = low + (end - low) / 2;
    if (selection.CountIn({begin, middle}) == wanted) {
      end = middle;
    } else {
      low = middle + 1;
    }
  }
  return RowRange{begin, end};
}

}  // namespace sluice::inline v0::parquet
