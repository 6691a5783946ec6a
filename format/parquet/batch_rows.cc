#include "format/parquet/batch_rows.h"

#include <algorithm>

namespace sluice::inline v0::parquet {

RowRange CutBehindLastWanted(const RowSelection& selection, RowRange rows) {
  const int64_t wanted = selection.CountIn(rows);
  int64_t end = rows.begin;
  while (end < rows.end) {
    const int64_t middle = end + (rows.end - end) / 2;
    if (selection.CountIn({rows.begin, middle}) == wanted) {
      rows.end = middle;
    } else {
      end = middle + 1;
    }
  }
  return rows;
}

std::optional<RowRange> NextBatchRows(const RowSelection& selection, int64_t row, int64_t num_rows,
                                      int64_t batch_rows) {
  const int64_t begin = selection.NextSelected(row);
  if (begin >= selection.end()) return std::nullopt;
  // The longest range that holds no more than batch_rows wanted rows.
  int64_t end = begin + 1;
  int64_t longest = WindowFrom(begin, num_rows).end;
  while (end < longest) {
    const int64_t middle = longest - (longest - end) / 2;
    if (selection.CountIn({begin, middle}) <= batch_rows) {
      end = middle;
    } else {
      longest = middle - 1;
    }
  }
  return CutBehindLastWanted(selection, {begin, end});
}

}  // namespace sluice::inline v0::parquet
