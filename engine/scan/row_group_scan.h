#pragma once

// The rows of one row group that pass a predicate: filters in the decoder first, then the rest of
// the predicate on what they leave, then the columns that neither needed.

#include <sluice/parquet/reader.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/evaluate/evaluator.h"
#include "engine/scan/adapt_column.h"
#include "engine/scan/column_stages.h"
#include "engine/scan/page_tally.h"

namespace sluice::inline v0::engine {

/// What a row group is scanned for. Outlives its scan.
struct RowGroupTask {
  std::shared_ptr<RandomAccessFile> file;
  const parquet::FileReader* reader = nullptr;
  std::shared_ptr<const ColumnStages> stages;
  const std::vector<OutputSource>* output = nullptr;
  std::shared_ptr<const Schema> schema;  ///< Of the output.
  int32_t row_group = 0;
  int64_t first_row = 0;  ///< Its position in the file.
  /// The rows that evidence of pages left, and those of them that are not deleted.
  const RowSelection* unpruned = nullptr;
  const RowSelection* selection = nullptr;
  /// The rows for which the residual has to run; absent: all. It is TRUE for the others.
  const RowSelection* undecided = nullptr;
};

/// Scans a row group.
///
/// Threads: confined. Lifetime: batches outlive it.
class RowGroupScan {
 public:
  /// Of the rows of `selection` those that pass `filters` and the stages' residual.
  static Result<RowGroupScan> Open(RowGroupTask task, RowSelection selection,
                                   std::vector<parquet::LeafFilter> filters);

  /// The next rows that pass; kNoRows where a batch of the first stage had none, kDone at the end.
  Result<ScanOutcome> Step(ScanBatch* batch);
  /// Decodes a lazy column of the batch that came last.
  Status Load(ScanBatch& batch, size_t column);
  /// Reads the rows that are left, and delivers none of them.
  Status ReadToEnd();

  /// Rows that the filters let pass so far.
  int64_t rows_after_filters() const { return rows_after_filters_; }
  /// Those of them that the residual was asked about, without one that is an error,
  int64_t rows_judged() const { return rows_judged_; }
  /// and that it did not let pass.
  int64_t rows_rejected() const { return rows_rejected_; }
  /// Of all stages.
  parquet::ReadCounters counters() const;
  const PageCounters& pages() const { return pages_->counters(); }
  const std::vector<parquet::FilterCounters>& filter_counters() const {
    return first_->filter_counters();
  }
  int64_t residual_nanoseconds() const { return residual_nanoseconds_; }

 private:
  explicit RowGroupScan(RowGroupTask task);
  Result<std::unique_ptr<parquet::RowGroupCursor>> OpenPushed(const parquet::Projection& projection,
                                                              int64_t batch_bytes) const;
  /// Reads and decides the next batch of the first stage; false at the end.
  Result<bool> NextCandidates();
  /// Whether the residual has anything to say of these rows.
  bool NeedsJudging(RowRange rows) const;
  Result<PredicateResult> Judge();
  /// The next passing rows with all their columns: as many as `rest` has, or all that are left.
  Result<ScanBatch> Join(std::optional<parquet::RowGroupBatch> rest);
  /// Puts the columns of the output together. A value without counterpart in the output's type cuts
  /// the batch before its row.
  Status AddColumns(const std::vector<Column>& first, const std::vector<Column>& rest,
                    ScanBatch& batch);
  /// What the file has for a column of the output, in `joined` where it came in parts; null where
  /// that is nothing or comes later.
  Result<const Column*> ProjectedOf(size_t output, const std::vector<Column>& first,
                                    const std::vector<Column>& rest, Column& joined) const;
  Result<Column> JoinedParts(size_t output, const Column& earlier, const Column* later) const;
  Result<WidenedColumn> ColumnOf(size_t output, const Column* projected, int64_t rows);
  Status MisfitError(size_t output, const Column& projected, int64_t row) const;
  /// Sets `wanted_` from `passing_`.
  void PlacePassing();
  /// Of the passing rows `count` from the `begin`-th on, as bits of the candidates.
  std::vector<uint64_t> PassingPart(int64_t begin, int64_t count) const;
  Status ErrorOfRow(int64_t row, const Status& error) const;
  /// The row of the row group that is the `index`-th of a batch.
  static int64_t RowOf(RowRange rows, const std::vector<uint64_t>& selected, int64_t index);

  RowGroupTask task_;
  std::unique_ptr<PageTally> pages_;  ///< Of all cursors.
  std::optional<Evaluator> residual_;
  std::unique_ptr<parquet::RowGroupCursor> first_;
  std::unique_ptr<parquet::RowGroupCursor> rest_;  ///< Absent where there is nothing to read.
  std::vector<std::unique_ptr<parquet::RowGroupCursor>> lazy_;  ///< Absent until asked for.
  std::vector<Column> lazy_parts_;  ///< What of them was there, of the batch delivered last.
  int64_t rows_after_filters_ = 0;
  int64_t rows_judged_ = 0;
  int64_t rows_rejected_ = 0;
  int64_t residual_nanoseconds_ = 0;

  /// A batch of the first stage.
  parquet::RowGroupBatch candidates_;
  std::vector<uint64_t> passing_;  ///< Which of its rows pass, unless all do;
  std::vector<uint64_t> wanted_;   ///< the same of candidates_.rows, all if empty.
  int64_t num_passing_ = 0;
  int64_t joined_ = 0;  ///< Of those, delivered.
  Status row_error_;    ///< Of the row behind them.
  /// Of the row behind what was delivered: a value of it has no counterpart in the output's type.
  Status misfit_;
  WidenedDictionaries dictionaries_;

  /// The batch that was delivered last: rows of the row group.
  RowRange delivered_rows_;
  std::vector<uint64_t> delivered_;
};

// Of batches: strings of rows that are left out do not stay because of the few that are not.

/// The first `count` rows of a batch.
void CutBatch(ScanBatch& batch, int64_t count, BufferPool& pool);
/// The batch without its first `count` rows. Errors: kResourceExhausted by the pool.
Status DropRows(ScanBatch& batch, int64_t count, BufferPool& pool);

}  // namespace sluice::inline v0::engine
