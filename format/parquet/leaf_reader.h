#pragma once

#include <sluice/column.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/model/bitmap_words.h"
#include "format/model/buffer_builder.h"
#include "format/parquet/filter/value_filter.h"
#include "format/parquet/leaf_pages.h"
#include "format/parquet/leaf_values.h"
#include "format/parquet/page_exclusion.h"
#include "format/parquet/values_builder.h"

namespace sluice::inline v0::parquet {

/// Reads the selected rows of one leaf, batch by batch.
///
/// Rows, levels and values are three coordinates: a selection of rows becomes one of levels by the
/// row starts (repetition level 0), and one of values by the levels at the maximum definition
/// level. Skipped stretches are only counted, and stepped over at once when something behind them
/// is wanted.
///
/// Threads: confined.
class LeafReader {
 public:
  /// `is_column`: the leaf is a delivered column itself, so that its nulls can be kept as bits.
  LeafReader(const LeafPlan& plan, bool is_column);

  /// Makes this the reader of filters, before the first window: Fill clears the wanted rows that do
  /// not pass all of them. With `keeps_values` those that pass are taken as they would be without a
  /// filter, unless they have no room.
  /// Pages that `exclusion`, if given, excludes are left out.
  void FilterBy(std::vector<ValueFilter> filters, bool keeps_values,
                std::optional<PageExclusion> exclusion = std::nullopt);
  /// Whether all rows that passed in the window are there to be finished.
  bool keeps_values() const { return keeps_values_; }
  /// Drops of the rows that were taken those whose bit is not set.
  void Narrow(const uint64_t* rows);

  /// What the dictionary took: loading it, and running filters over its entries.
  int64_t setup_nanoseconds() const {
    return pages_.dictionary_nanoseconds() + filter_setup_nanoseconds_;
  }

  LeafPages& pages() { return pages_; }
  const ChunkBytes& bytes() const { return pages_.bytes(); }
  bool AcceptBytes(ByteRange range, const BufferRef& bytes) {
    return pages_.bytes().Accept(range, bytes);
  }

  /// Begins the window of the plan's wanted rows. What was taken of the window before has been
  /// finished.
  void StartWindow();
  /// Goes on until the wanted rows of the window that lie before `end` are taken, or as many of
  /// them, but one at least, as take `max_bytes`. The row before `end`, which does not descend in
  /// a window, is wanted. True when that is done, false while bytes are missing.
  Result<bool> Fill(int64_t end, int64_t max_bytes);
  /// The rows of the window before this one have been taken, after Fill.
  int64_t filled_end() const { return filled_end_; }

  /// Behind the last row: walks over the rest of the chunk, of which no data page may hold levels.
  /// Bytes from `own_end` on belong to others, and bytes that are no page header are none of ours.
  /// True when it is done, false while bytes are missing.
  Result<bool> CheckEnd(int64_t own_end);

  /// The pages that rows not finished yet were taken from, for messages about their values.
  std::string PlaceOfPages() const;
  /// The first `count` of the wanted rows that were taken and not finished yet, of a leaf that is a
  /// column.
  Result<Column> FinishColumn(int64_t count);
  /// The same of any other leaf; levels are valid until the next Fill.
  Result<LeafValues> FinishLeaf(int64_t count);

 private:
  /// Levels worked on at a time: their bitmaps and 16-bit levels stay in the first-level cache.
  static constexpr int64_t kPieceLevels = 4096;
  static constexpr size_t kPieceWords = PaddedWords(kPieceLevels);

  Status SetDictionary(const std::shared_ptr<const Column>& dictionary);
  Result<bool> FillFlat(int64_t end);
  bool IsChunkExcluded();
  bool IsPageExcluded() const;
  void LeaveOutPage(int64_t end);
  void LeaveOutRows(int64_t end);
  Result<int64_t> TakeRows(int64_t count);
  Status TakePresence(int64_t count, const uint64_t* selection, int64_t selected);
  Status TakeDefinitions(int64_t count, const uint64_t* selection, int64_t selected);
  Result<const uint64_t*> ReadPresence(int64_t count);
  Result<const uint64_t*> ReadDefinitions(int64_t count);
  const uint64_t* FindPresent(int64_t begin, int64_t count);
  Status SkipLevels(int64_t count);
  void LeaveValues(int64_t count);

  Result<bool> FillRepeated(int64_t end);
  Result<bool> NextRepeatedPage();
  Status CheckRepeatedPage();
  Status LoadLevels();
  enum class Taken : uint8_t {
    kLevels,  ///< Some levels; what was asked for goes on.
    kRows,    ///< The last of what was asked for.
    kNoRoom,  ///< None.
  };
  Result<Taken> TakeLevels(int64_t fill_end);
  int64_t SelectLevels(int64_t begin, int64_t count, uint64_t* selection);

  bool MustDecode() const;
  bool NullPasses() const;
  Status FilterRows(int64_t count, const uint64_t* selection);
  Status DecideValues(const ValueRun& run);
  Status DecodeAndDecide(const ValueRun& run);
  Status CheckCalendar(const Column& values, int64_t begin);
  void StopKeeping();
  bool KeepsLevels() const;
  Status KeepRows(const uint64_t* present, int64_t count, const uint64_t* passes);
  std::vector<uint64_t> NarrowValidity(const uint64_t* rows);
  std::vector<uint64_t> NarrowLevels(const uint64_t* rows);

  ValueRun MakeRun(const uint64_t* present, int64_t count, const uint64_t* selection);
  Status StartRun(const ValueRun& run);
  Status AppendValidity(const uint64_t* present, int64_t count, const uint64_t* selection,
                        int64_t selected);
  Status AppendLevels(int64_t begin, int64_t count, const uint64_t* selection, int64_t selected);
  Status AppendValues(const uint64_t* present, int64_t count, const uint64_t* selection);
  Status StepOverValues();
  Status ClosePage();
  Status ReadRest();

  /// Whole wanted rows that were taken and not finished yet.
  int64_t RowsTaken() const;
  int64_t BytesTaken() const;
  Result<bool> IsFull();
  /// How many of `count` levels to take before asking again; 0 if there is no room left.
  Result<int64_t> CutToRoom(int64_t count);
  void DropFinished();
  int64_t EndOfRows(int64_t count);
  Result<Column> FinishValues(int64_t count);
  Result<BufferRef> FinishValidity(int64_t count);

  LeafPlan plan_;
  bool is_column_;
  const kernels::KernelTable* kernels_;
  LeafPages pages_;
  ValuesBuilder values_;
  const Column* checked_dictionary_ = nullptr;  ///< Against the calendar.
  std::vector<ValueFilter> filters_;            ///< A row passes if it passes all.
  bool keeps_values_ = false;                   ///< Of rows that pass.
  std::optional<PageExclusion> exclusion_;
  bool decodes_all_ = false;  ///< Values are needed decoded before they are decided on.
  int64_t filter_setup_nanoseconds_ = 0;

  RowRange rows_;                  ///< The window,
  uint64_t* selection_ = nullptr;  ///< and which of its rows are wanted.
  int64_t filled_end_ = 0;
  int64_t max_bytes_ = 0;

  int64_t row_ = 0;             ///< Flat: the next row. Repeated: rows begun so far.
  int64_t skipped_levels_ = 0;  ///< Of the open page, not yet stepped over (flat).
  int64_t skipped_values_ = 0;  ///< Of the open page, not yet stepped over.
  int64_t values_left_ = 0;     ///< Of the open page, behind those read and skipped.

  // Repeated: levels of the open page that were decoded and not all used yet.
  int64_t levels_left_in_page_ = 0;
  int64_t loaded_ = 0;
  int64_t used_ = 0;
  bool row_is_selected_ = false;  ///< The row that began last.
  std::vector<uint16_t> repetition_;
  std::vector<uint16_t> definition_;
  std::vector<uint64_t> row_starts_;

  // Scratch of one piece.
  std::vector<uint64_t> present_;
  std::vector<uint64_t> level_selection_;
  std::vector<uint64_t> value_selection_;
  std::vector<uint64_t> value_passes_;
  std::vector<uint64_t> row_passes_;

  // What was taken and is not finished.
  int32_t first_page_ = -1;  ///< The first page that values were taken from, and the last.
  int32_t last_page_ = -1;
  int64_t first_page_offset_ = 0;
  int64_t last_page_offset_ = 0;
  BufferBuilder validity_;       ///< A leaf that is a column and optional.
  int64_t length_ = 0;           ///< Bits of validity_; levels.
  int64_t rows_begun_ = 0;       ///< Repeated: wanted rows among the levels.
  int64_t finished_levels_ = 0;  ///< In front of the levels, handed out and not dropped yet.
  BufferBuilder repetition_out_;
  BufferBuilder definition_out_;
};

}  // namespace sluice::inline v0::parquet
