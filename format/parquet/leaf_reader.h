#pragma once

#include <sluice/column.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "format/model/buffer_builder.h"
#include "format/parquet/leaf_pages.h"
#include "format/parquet/leaf_values.h"
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

  LeafPages& pages() { return pages_; }
  const ChunkBytes& bytes() const { return pages_.bytes(); }
  bool AcceptBytes(ByteRange range, const BufferRef& bytes) {
    return pages_.bytes().Accept(range, bytes);
  }

  /// Begins a batch: bit i of `selection` (kept until the batch is finished) says whether row
  /// rows.begin + i is wanted, the last of which is; without `selection` none is. Batches ascend;
  /// rows between them are not wanted.
  void Start(RowRange rows, const uint64_t* selection);
  /// Goes on with the batch. True when it is complete, false while bytes are missing.
  Result<bool> Fill();

  /// Behind the last row: walks over the rest of the chunk, of which no data page may hold levels.
  /// Bytes from `own_end` on belong to others, and bytes that are no page header are none of ours.
  /// True when it is done, false while bytes are missing.
  Result<bool> CheckEnd(int64_t own_end);

  /// The pages that the batch was taken from, for messages about its values.
  std::string BatchPlace() const;
  /// The batch of a leaf that is a column.
  Result<Column> FinishColumn();
  /// The batch of any other leaf; levels are valid until the next Start.
  Result<LeafValues> FinishLeaf();

 private:
  /// Levels worked on at a time: their bitmaps and 16-bit levels stay in the first-level cache.
  static constexpr int64_t kPieceLevels = 4096;
  static constexpr size_t kPieceWords = kPieceLevels / 64 + 8;  // Kernels may write 64 bytes on.

  Result<bool> FillFlat();
  Status TakeRows(int64_t count);
  Status TakePresence(int64_t count, const uint64_t* selection, int64_t selected);
  Status TakeDefinitions(int64_t count, const uint64_t* selection, int64_t selected);
  Status SkipLevels(int64_t count);

  Result<bool> FillRepeated();
  Result<bool> NextRepeatedPage();
  Status CheckRepeatedPage();
  Status LoadLevels();
  Result<bool> TakeLevels();
  int64_t SelectLevels(int64_t begin, int64_t count, uint64_t* selection);

  Status AppendLevels(int64_t begin, int64_t count, const uint64_t* selection, int64_t selected);
  Status AppendValues(const uint64_t* present, int64_t count, const uint64_t* selection);
  Status StepOverValues();
  Status ClosePage();
  Result<Column> FinishValues();
  Status ReadRest();

  LeafPlan plan_;
  bool is_column_;
  const kernels::KernelTable* kernels_;
  LeafPages pages_;
  ValuesBuilder values_;
  const Column* checked_dictionary_ = nullptr;  ///< Against the calendar.

  RowRange rows_;
  const uint64_t* selection_ = nullptr;

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

  // Of the batch.
  int32_t first_page_ = -1;  ///< The first page that values were taken from, and the last.
  int32_t last_page_ = -1;
  int64_t first_page_offset_ = 0;
  BufferBuilder validity_;  ///< A leaf that is a column and optional.
  int64_t length_ = 0;      ///< Bits of validity_; levels.
  int64_t null_count_ = 0;
  BufferBuilder repetition_out_;
  BufferBuilder definition_out_;
};

}  // namespace sluice::inline v0::parquet
