#pragma once

#include <sluice/row_selection.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sluice::inline v0::parquet {

/// A row group is worked in windows of this many rows at most; no batch crosses one.
inline constexpr int64_t kWindowRows = 131'072;

/// The rows of a row group that are still wanted: a selection, narrowed window by window by those
/// who look at values.
///
/// Threads: confined.
class WantedRows {
 public:
  /// None of no rows.
  WantedRows() = default;
  /// `num_rows`: of the row group; the selection does not end behind them.
  WantedRows(RowSelection selection, int64_t num_rows);

  /// How many rows the selection has, whatever became of them since.
  int64_t num_selected() const { return selection_.count(); }

  /// Moves to the window that begins with the first wanted row behind the present one; false if
  /// there is none. Windows have at most `max_rows` (1 to kWindowRows) rows and end where multiples
  /// of kWindowRows do.
  bool NextWindow(int64_t max_rows = kWindowRows);
  /// Moves to a window behind the present one whose wanted rows are given, all where `bits` is
  /// empty; else it has BitmapWords(rows.size()) words.
  void MoveTo(RowRange rows, std::span<const uint64_t> bits);
  /// Moves on by one window, of which no row is wanted.
  void MoveOn();
  RowRange window() const { return window_; }
  /// Bit i: row window().begin + i is wanted; bits past the window are zero, for as many words more
  /// as kernels may read. Whoever finds that a row is not wanted after all clears its bit.
  uint64_t* bits() { return bits_.data(); }
  const uint64_t* bits() const { return bits_.data(); }

  /// Says that rows of the selection may turn out not to be wanted after all, so that what lies
  /// behind the window is not to be fetched yet.
  void ExpectNarrowing() { is_narrowed_ = true; }
  bool is_narrowed() const { return is_narrowed_; }
  /// Rows behind this one are not known to be wanted.
  int64_t known_end() const { return is_narrowed_ ? window_.end : num_rows_; }

  /// How many of `rows` are wanted as far as it is known: none before the window, those whose bits
  /// are set in it, and behind it those of the selection.
  int64_t CountIn(RowRange rows) const;

  /// Writes a bit for each of `rows`, which lie in the window, and zeroes the rest of the last
  /// word.
  void FillBitmap(RowRange rows, uint64_t* words) const;

  /// The rows of the next batch at or after `row` in the window: as many as hold at most
  /// `batch_rows` (at least 1) wanted ones. The first and the last row of the range are wanted.
  /// Nothing when no wanted row of the window is left.
  std::optional<RowRange> NextBatch(int64_t row, int64_t batch_rows) const;
  /// The shortest range from rows.begin on that holds every wanted row of `rows`, which lie in the
  /// window.
  RowRange CutBehindLast(RowRange rows) const;

 private:
  void SetWindow(RowRange rows);

  RowSelection selection_;
  int64_t num_rows_ = 0;
  RowRange window_;
  std::vector<uint64_t> bits_;
  bool is_narrowed_ = false;
};

}  // namespace sluice::inline v0::parquet
