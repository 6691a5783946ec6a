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

/// A set of wanted rows by 64-bit position, held as ranges or as a bitmap: whichever it was made
/// of, or for what is made of positions or of two selections, the smaller.
///
/// Threads: immutable.
class SLUICE_EXPORT RowSelection {
 public:
  /// No row.
  RowSelection() = default;

  /// The first `num_rows` rows, 0 or more.
  static RowSelection All(int64_t num_rows);
  /// Errors: kInvalidArgument unless ranges are non-negative, ascending and disjoint.
  static Result<RowSelection> FromRanges(std::vector<RowRange> ranges);
  /// Errors: kInvalidArgument unless positions are non-negative and strictly ascending.
  static Result<RowSelection> FromPositions(std::span<const int64_t> positions);
  /// Row i is wanted where bit i of `words` is set, for i < num_rows (0 or more). Words that are
  /// missing have no bits.
  static RowSelection FromBitmap(std::vector<uint64_t> words, int64_t num_rows);

  /// The number of wanted rows.
  int64_t count() const { return count_; }
  /// One past the last wanted row; 0 when empty.
  int64_t end() const { return end_; }

  /// The first wanted row at or after `row`; INT64_MAX when there is none.
  int64_t NextSelected(int64_t row) const;
  /// The first unwanted row at or after `row`.
  int64_t NextUnselected(int64_t row) const;
  /// How many rows of the range are wanted.
  int64_t CountIn(RowRange rows) const;
  /// Whether every row of the range is wanted.
  bool ContainsAll(RowRange rows) const { return CountIn(rows) == rows.size(); }
  /// Writes bit i = row `rows.begin` + i is wanted, for every row of the range, and zeroes the rest
  /// of the last word. The range begins at 0 or behind it; `words` holds BitmapWords(rows.size()).
  void FillBitmap(RowRange rows, uint64_t* words) const;

  /// The wanted rows of `rows`, renumbered from rows.begin.
  RowSelection Slice(RowRange rows) const;
  /// The first `count` wanted rows; all where there are no more, none where `count` is negative.
  RowSelection First(int64_t count) const;
  /// The rows that both want, and those that `other` does not want. Both take time with what the
  /// two are held as: their ranges, and a word for 64 rows of their bitmaps.
  RowSelection And(const RowSelection& other) const;
  RowSelection Without(const RowSelection& other) const;

 private:
  class Runs;

  /// The most ranges that rows [begin, end) can be of.
  int64_t CountRuns(int64_t begin, int64_t end) const;
  /// Whether a bitmap of [0, end) is smaller than the ranges that a combination of `this` and
  /// `other` can have from `begin` on.
  bool IsSmallerAsBitmap(const RowSelection& other, int64_t begin, int64_t end) const;
  size_t FirstRangeEndingAfter(int64_t row) const;

  bool is_bitmap_ = false;
  std::vector<RowRange> ranges_;
  std::vector<int64_t> rows_before_;  ///< Of each range, wanted rows before it.
  std::vector<uint64_t> words_;
  int64_t count_ = 0;
  int64_t end_ = 0;
};

}  // namespace sluice::inline v0
