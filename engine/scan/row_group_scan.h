#pragma once

// The rows of one row group that pass a predicate: filters in the decoder first, then the rest of
// the predicate on what they leave, then the columns that neither needed.

#include <sluice/parquet/reader.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/evaluate/evaluator.h"
#include "engine/scan/predicate_plan.h"
#include "engine/scan/row_group_decision.h"

namespace sluice::inline v0::engine {

/// How the columns of a scan are read: `first` are those that the residual needs, `rest` are the
/// others of the output. Without a residual, or without late materialization, `first` has all.
struct ColumnStages {
  /// Where a column of the output is found.
  struct Place {
    bool is_in_first = true;
    size_t column = 0;
  };
  parquet::Projection first;
  parquet::Projection rest;
  std::vector<Place> output;
  std::shared_ptr<const Schema> schema;  ///< Of the output.
  /// Over the columns of `first`; shared by the row groups of a scan. Absent without a residual.
  std::shared_ptr<Evaluator> residual;
};

/// Every row that the filters let pass is delivered.
ColumnStages StagesWithoutResidual(const parquet::Projection& output);
/// `output` are the columns of `request`. Errors: kInternal where the plan is of another file.
Result<ColumnStages> PlanStages(const parquet::FileReader& reader,
                                const parquet::Projection& output, const ScanRequest& request,
                                const PredicatePlan& plan, bool late_materialization);

/// Scans a row group.
///
/// Threads: confined. Lifetime: file, reader and stages outlive it.
class RowGroupScan {
 public:
  static Result<RowGroupScan> Open(std::shared_ptr<RandomAccessFile> file,
                                   const parquet::FileReader& reader, const ColumnStages& stages,
                                   int32_t row_group, const RowGroupDecision& decision);

  /// The next rows that pass, by their number in the row group; nothing at the end.
  Result<std::optional<parquet::RowGroupBatch>> Next();
  /// Rows that the filters let pass so far.
  int64_t rows_after_filters() const { return rows_after_filters_; }
  int64_t rows_rejected() const { return rows_rejected_; }
  /// Of both stages.
  parquet::ReadCounters counters() const;

 private:
  RowGroupScan(const parquet::FileReader& reader, const ColumnStages& stages, int32_t row_group)
      : reader_(&reader), stages_(&stages), row_group_(row_group) {}
  /// Reads and decides the next batch of the first stage; false at the end.
  Result<bool> NextCandidates();
  /// The next passing rows with all their columns: as many as `rest` has, or all that are left.
  Result<parquet::RowGroupBatch> Join(std::optional<parquet::RowGroupBatch> rest);
  /// Sets `wanted_`: which rows of candidates_.rows pass.
  void PlacePassing();
  Status RowError(const PredicateResult& result) const;

  const parquet::FileReader* reader_;
  const ColumnStages* stages_;
  int32_t row_group_;
  std::unique_ptr<parquet::RowGroupCursor> first_;
  std::unique_ptr<parquet::RowGroupCursor> rest_;  ///< Absent where there is nothing to read.
  int64_t rows_after_filters_ = 0;
  int64_t rows_rejected_ = 0;

  /// A batch of the first stage, of which `passing` rows pass.
  parquet::RowGroupBatch candidates_;
  std::vector<uint64_t> passing_;  ///< Of its rows,
  std::vector<uint64_t> wanted_;   ///< and of the row group's that it was taken from.
  int64_t num_passing_ = 0;
  int64_t joined_ = 0;  ///< Of those, delivered.
  Status row_error_;    ///< Of the row behind them.
};

}  // namespace sluice::inline v0::engine
