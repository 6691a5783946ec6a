#pragma once

// A row group of a file from verdict to last batch, with its account.

#include <sluice/row_selection.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/scan/file_plan.h"
#include "engine/scan/row_group_decision.h"
#include "engine/scan/row_group_scan.h"
#include "engine/scan/scan_feedback.h"

namespace sluice::inline v0::engine {

/// A row group that was judged: what is to be read of it.
struct JudgedUnit {
  std::shared_ptr<const FilePlan> file;
  int32_t row_group = 0;
  RowGroupDecision decision;
  int64_t num_rows = 0;
  int64_t pruned_by_page = 0;
  int64_t deleted = 0;  ///< Of the rows that were not pruned.
  /// decision.selection without deleted rows.
  RowSelection selection;
  ScanCounters counters;  ///< Of judging.

  /// No row has to be read: none is left, or all are known to pass and no column is asked for.
  bool is_settled = false;
  /// Rows that pass for certain, and that may.
  CountBounds bounds;
};

/// Errors: of reading indexes.
Result<JudgedUnit> JudgeUnit(std::shared_ptr<const FilePlan> file, int32_t row_group);
/// The same by a judge of the file, which then tells what it was judged by.
Result<JudgedUnit> JudgeUnit(std::shared_ptr<const FilePlan> file, int32_t row_group,
                             RowGroupJudge& judge);

/// Rows of a row group that pass for certain, by the footer and what is deleted alone: nothing is
/// read.
int64_t ProvenRows(std::shared_ptr<const FilePlan> file, int32_t row_group);

/// Scans a judged row group.
///
/// Threads: confined. Lifetime: `feedback` outlives it.
class UnitScan {
 public:
  UnitScan(JudgedUnit unit, ScanFeedback* feedback) : unit_(std::move(unit)), feedback_(feedback) {}
  UnitScan(const UnitScan&) = delete;
  UnitScan& operator=(const UnitScan&) = delete;

  /// The next batch, of at most `limit` rows. Errors name the file.
  Result<ScanOutcome> Step(int64_t limit, ScanBatch* batch);
  Status Load(ScanBatch& batch, size_t column);
  /// Ends the scan of the row group, wherever it is; with `reads_rest` what is left is read and
  /// dropped before. Errors: kInternal where rows do not balance.
  Status Finish(bool reads_rest);

  const JudgedUnit& unit() const { return unit_; }
  /// Of the filters in the decoder; empty before the first Step and behind Finish.
  std::vector<parquet::FilterCounters> filter_counters() const;
  /// Whether columns wait for the residual; absent before the first Step and where none could.
  std::optional<bool> is_late() const { return is_late_; }
  /// What that was decided by.
  std::optional<double> passing_share() const { return passing_share_; }
  /// What is known by now of how many rows pass.
  CountBounds bounds() const;
  /// Whole once Finish was called.
  const ScanCounters& counters() const { return unit_.counters; }

 private:
  Status Open(int64_t limit);
  /// Decides what is read when.
  Result<std::shared_ptr<const ColumnStages>> ChooseStages();
  /// The filters that have to run, the best of them first.
  Result<std::vector<parquet::LeafFilter>> ChooseFilters();
  Result<ScanOutcome> Advance(int64_t limit, ScanBatch* batch);
  /// Rows that pass unseen, without columns.
  Result<ScanOutcome> DeliverSettled(int64_t limit, ScanBatch* batch);
  Status InFile(const Status& error) const;

  JudgedUnit unit_;
  ScanFeedback* feedback_;
  std::optional<RowGroupScan> rows_;
  std::optional<bool> is_late_;
  std::optional<double> passing_share_;
  int64_t settled_ = 0;  ///< Rows that DeliverSettled is past.
  bool is_done_ = false;
  bool has_failed_ = false;
  int64_t cut_ = 0;  ///< Rows that all pass and are behind the limit.
  int64_t delivered_ = 0;
  int64_t nanoseconds_ = 0;
};

}  // namespace sluice::inline v0::engine
