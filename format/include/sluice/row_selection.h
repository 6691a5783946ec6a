#pragma once

#include <sluice/export.h>
#include <sluice/status.h>

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::inline v0 {

/// Rows [begin, end), 0-based.
struct RowRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

/// A set of wanted rows by 64-bit position, held as ranges or as a bitmap, whichever it was made
/// of.
///
/// Threads: immutable.
class SLUICE_EXPORT RowSelection {
 public:
  /// No row.
  RowSelection() = default;

  static RowSelection All(int64_t num_rows);
  /// Errors: kInvalidArgument unless ranges are non-negative, ascending and disjoint.
  static Result<RowSelection> FromRanges(std::vector<RowRange> ranges);
  /// Errors: kInvalidArgument unless positions are non-negative and strictly ascending.
  static Result<RowSelection> FromPositions(std::span<const int64_t> positions);
  /// Row i is wanted where bit i of `words` is set, for i < num_rows.
  static RowSelection FromBitmap(std::vector<uint64_t> words, int64_t num_rows);

  /// The number of wanted rows.
  int64_t count() const { return count_; }
  /// One past the last wanted row; 0 when empty.
  int64_t end() const { return end_; }

  /// The first wanted row at or after `row`; INT64_MAX when there is none.
  int64_t NextSelected(int64_t row) const;
  /// The first unwanted row at or after `row`.
  int64_t NextUnselected(int64_t row) const;
  int64_t CountIn(RowRange rows) const;
  /// Whether every row of the range is wanted.
  bool ContainsAll(RowRange rows) const { return CountIn(rows) == rows.size(); }
  /// Writes bit i = row `rows.begin` + i is wanted, for every row of the range, and zeroes the rest
  /// of the last word. `words` holds BitmapWords(rows.size()).
  void FillBitmap(RowRange rows, uint64_t* words) const;

  /// The wanted rows of `rows`, renumbered from rows.begin.
  RowSelection Slice(RowRange rows) const;

 private:
  size_t FirstRangeEndingAfter(int64_t row) const;

  bool is_bitmap_ = false;
  std::vector<RowRange> ranges_;
  std::vector<int64_t> rows_before_;  ///< Of each range, wanted rows before it.
  std::vector<uint64_t> words_;
  int64_t count_ = 0;
  int64_t end_ = 0;
};

}  // namespace sluice::inline v0
