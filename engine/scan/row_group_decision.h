#pragma once

// What is known of a row group before its data is read, and what is to be read of it therefore.

#include <sluice/evidence.h>
#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/scan/predicate_plan.h"

namespace sluice::inline v0::engine {

struct RowGroupDecision {
  /// Of the row group as a whole.
  Verdict verdict;
  /// The rows that are to be read: those of pages that may hold some that pass.
  RowSelection selection;
  /// Those filters that not every row is known to pass.
  std::vector<parquet::LeafFilter> filters;
  bool has_residual = false;
};

/// Holds the plan's predicate against what a file says of its row groups: statistics, then bloom
/// filters, then the column index, each asked only where what came before left it open. What is
/// missing, damaged or contradicts itself proves nothing, and is no error.
///
/// Threads: confined. Lifetime: what it is made of outlives it.
class RowGroupJudge {
 public:
  RowGroupJudge(const PredicatePlan& plan, const ScanOptions& options,
                const parquet::FileReader& reader)
      : plan_(plan), options_(options), reader_(reader) {}

  /// Errors: of reading indexes; kResourceExhausted by the pool.
  Result<RowGroupDecision> Judge(int32_t row_group);

  /// Bytes read of page indexes and bloom filters.
  int64_t metadata_bytes() const { return metadata_bytes_; }

 private:
  /// The rows that a column's evidence from its page index is of, page by page.
  struct IndexedColumn {
    std::vector<int64_t> first_rows;  ///< Of each page; empty without an index.
    std::vector<Evidence> pages;
  };

  const parquet::ColumnChunk* ChunkOf(size_t column) const;
  Status AddBloomFilter(size_t column, Evidence& evidence);
  Result<IndexedColumn> ReadPageIndex(size_t column);
  Status JudgePages(RowGroupDecision& decision);
  Verdict JudgeFilter(size_t filter, const std::vector<Evidence>& evidence) const;
  Result<BufferRef> Read(ByteRange range);

  const PredicatePlan& plan_;
  const ScanOptions& options_;
  const parquet::FileReader& reader_;
  int64_t metadata_bytes_ = 0;

  // Of the row group that is being judged.
  int32_t row_group_ = 0;
  std::vector<Evidence> evidence_;  ///< One a column of the plan.
};

/// What evidence of a unit says of some `rows` of it: what holds for every row holds still, what
/// occurs somewhere need not occur here.
Evidence EvidenceOfPart(Evidence whole, int64_t rows);

}  // namespace sluice::inline v0::engine
