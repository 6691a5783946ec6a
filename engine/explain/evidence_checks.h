#pragma once

// Which sources of evidence helped with a row group, and why the others did not.

#include <sluice/explain.h>

#include <span>
#include <vector>

#include "engine/explain/page_log.h"
#include "engine/scan/file_plan.h"
#include "engine/scan/row_group_decision.h"

namespace sluice::inline v0::engine {

/// What else is known of a row group. Pointers outlive it.
struct ReadRowGroup {
  const RowGroupDecision* decision = nullptr;
  const PageLog* log = nullptr;  ///< What became of its pages; absent if it was not read.
  const std::vector<ColumnRoles>* columns = nullptr;
  std::span<const ChunkExplanation> chunks;  ///< One a column.
};

/// Of the row group that `judge` judged last; one a filter and source.
std::vector<EvidenceCheck> ChecksOf(const FilePlan& file, const RowGroupJudge& judge,
                                    const ReadRowGroup& read);

}  // namespace sluice::inline v0::engine
