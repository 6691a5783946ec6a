#pragma once

// A row group of a file, explained: judged, perhaps scanned, and its pages listed.

#include <sluice/explain.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/explain/page_log.h"
#include "engine/scan/file_plan.h"
#include "engine/scan/scan_feedback.h"
#include "engine/scan/unit_scan.h"
#include "format/model/counted_memory.h"

namespace sluice::inline v0::engine {

/// What the row groups of an explanation share. Pointers outlive their users.
struct ExplainContext {
  ScanFeedback* feedback = nullptr;  ///< Absent: nothing is scanned.
  CountedMemory* memory = nullptr;   ///< Of pages that are listed.
  int64_t rows_left = 0;             ///< That the limit allows.
  bool has_failed = false;
  int64_t nanoseconds = 0;  ///< Of judging and scanning.

  /// Nothing more is scanned.
  bool is_over() const { return feedback != nullptr && (has_failed || rows_left == 0); }
};

/// Explains the row groups of one file, one after the other.
///
/// Threads: confined.
class RowGroupExplainer {
 public:
  /// `log` is told of the pages that the file's reader reads. `explanation` has what is the same
  /// for all row groups.
  RowGroupExplainer(std::shared_ptr<const FilePlan> file, const FileExplanation& explanation,
                    PageLog& log, ExplainContext& context);

  /// The error of a scan comes with everything that is known all the same.
  Status Explain(int32_t row_group, RowGroupExplanation& explanation);

 private:
  /// What of a column chunk has to be read.
  struct ChunkNeed {
    std::optional<PageFate> fate;  ///< Of all pages.
    /// The rows that it is needed for.
    RowSelection rows;
    bool is_for_all_rows = true;  ///< Of those that are wanted.
    /// Filters that look at the statistics in page headers.
    std::vector<const ColumnFilter*> header_filters;
  };

  Status Scan(JudgedUnit unit, RowGroupExplanation& explanation);
  void AddFilters(const JudgedUnit& unit, RowGroupExplanation& explanation) const;
  void AddOutcome(const UnitScan& scan, RowGroupExplanation& explanation) const;
  std::optional<PageFate> FateOfAll(const JudgedUnit& unit) const;
  Result<std::vector<ChunkNeed>> NeedsOf(const JudgedUnit& unit) const;
  PageFate FateOf(const PageExplanation& page, int32_t leaf, const JudgedUnit& unit,
                  const ChunkNeed& need, RowGroupFate fate) const;
  Status AddPages(int32_t leaf, const JudgedUnit& unit, const ChunkNeed& need, RowGroupFate fate,
                  ChunkExplanation& chunk);
  Status AddChunk(size_t column, const JudgedUnit& unit, const ChunkNeed& need,
                  const RowGroupJudge& judge, RowGroupExplanation& explanation);
  void AddVerdicts(int32_t leaf, const RowGroupJudge& judge, ChunkExplanation& chunk) const;

  std::shared_ptr<const FilePlan> file_;
  const FileExplanation& explanation_;
  PageLog& log_;
  ExplainContext& context_;
  Schema columns_;                    ///< Of the file, with what can be named behind them.
  std::vector<std::string> sources_;  ///< Names, for verdicts.
  std::vector<const FilterNode*> pruning_;
};

}  // namespace sluice::inline v0::engine
