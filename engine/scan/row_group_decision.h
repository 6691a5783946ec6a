#pragma once

// What is known of a row group before its data is read, and what is to be read of it therefore.

#include <sluice/buffer.h>
#include <sluice/evidence.h>
#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/scan/file_predicate.h"
#include "engine/scan/index_reader.h"
#include "format/parquet/leaf_evidence.h"

namespace sluice::inline v0::engine {

struct RowGroupDecision {
  /// Of the row group as a whole.
  Verdict verdict;
  /// The rows that are to be read: those of pages that may hold some that pass.
  RowSelection selection;
  /// Those filters that not every row is known to pass.
  std::vector<parquet::LeafFilter> filters;
  /// Those conjuncts of the residual that are not known to be TRUE for every row that is to be
  /// read, by their ordinals, ascending.
  std::vector<size_t> residual;
  /// The rows for which any of them is not; absent: all.
  std::optional<RowSelection> residual_rows;
};

/// Holds a predicate against what a file says of its row groups: statistics, then bloom filters,
/// then the column index, each asked only where what came before left it open. What is missing,
/// damaged or contradicts itself proves nothing, and is no error.
///
/// Threads: confined. Lifetime: what it is made of outlives it.
class RowGroupJudge {
 public:
  RowGroupJudge(const FilePredicate& predicate, const ScanOptions& options,
                const parquet::FileReader& reader)
      : predicate_(predicate), options_(options), reader_(reader), indexes_(reader) {}

  /// The pages of a column by its page index.
  struct IndexedColumn {
    std::vector<int64_t> first_rows;  ///< Of each page; empty without an index.
    std::vector<Evidence> pages;      ///< As of any part of each page.
    Reservation memory;               ///< Of both.
  };

  /// `first_row`: the position of the row group's first row in the file.
  /// Errors: of reading indexes and bloom filters.
  Result<RowGroupDecision> Judge(int32_t row_group, int64_t first_row);

  /// Bytes read of page indexes and bloom filters.
  int64_t metadata_bytes() const { return indexes_.bytes_read(); }

  // Of the row group that was judged last, by the predicate's sources.

  /// What is known of it.
  const std::vector<Evidence>& evidence() const { return evidence_; }
  /// What statistics alone say.
  Evidence StatisticsOf(size_t source) const;
  /// The column chunk, if its source is one that can be read.
  const parquet::ColumnChunk* ChunkOf(size_t source) const;
  /// Empty where pages were not judged.
  const std::vector<IndexedColumn>& indexed_columns() const { return indexed_columns_; }

 private:
  using Source = FilePredicate::Source;

  const parquet::RowGroup& group() const {
    return reader_.metadata()->row_groups[static_cast<size_t>(row_group_)];
  }
  parquet::LeafEvidence LeafOf(size_t source) const;
  Status AddBloomFilters();
  Status ReadPageIndexes();
  /// Empty where the index cannot be used, or where the pool has no room for what it says.
  IndexedColumn PagesOf(size_t source, const BufferRef& offset_index,
                        const BufferRef& column_index) const;
  /// The rows at which evidence of row numbers changes what the predicate says.
  void AddRowNumberBounds(const FilterNode& node, std::vector<int64_t>& bounds) const;
  /// Reads page indexes; the rows at which evidence changes, the first and the end among them.
  /// Empty where there is nothing to judge pages by.
  Result<std::vector<int64_t>> ReadStretches();
  /// Makes `evidence` that of the rows, which lie in one page of each column. `next_page`: of each
  /// source, kept from stretch to stretch.
  void AdvanceTo(RowRange rows, std::vector<size_t>& next_page,
                 std::vector<Evidence>& evidence) const;
  Status JudgePages(RowGroupDecision& decision);
  /// Whether every value of the source is known to have a counterpart in the type that the
  /// predicate has it in.
  bool Fits(size_t source, const Evidence& evidence) const;
  /// What evidence says of rows of which some are errors, where that is not known.
  Evidence WithMisfits(size_t source, Evidence evidence) const;
  std::optional<size_t> SourceOf(int32_t leaf) const;
  /// Whether a filter of the source in the predicate is undecided by now; `by_values`: one that
  /// asks for single values.
  bool IsOpen(const FilterNode& node, size_t source, bool by_values) const;
  /// Whether filters say the same as a conjunct of the residual in this row group.
  bool IsSaidByFilters(size_t conjunct) const;
  /// Whether every row is known to pass the filter, or a conjunct of the residual.
  bool IsProven(const parquet::LeafFilter& filter, const std::vector<Evidence>& evidence) const;
  bool IsProven(size_t conjunct, const std::vector<Evidence>& evidence) const;

  const FilePredicate& predicate_;
  const ScanOptions& options_;
  const parquet::FileReader& reader_;
  IndexReader indexes_;

  // Of the row group that is being judged.
  int32_t row_group_ = 0;
  int64_t first_row_ = 0;
  std::vector<Evidence> evidence_;  ///< One a source.
  std::vector<IndexedColumn> indexed_columns_;
};

/// What evidence of a unit says of some rows of it, whose number is not known: what holds for every
/// row holds still, what occurs somewhere need not occur here.
Evidence EvidenceOfPart(Evidence whole);

/// That all values are integers of `type` in [first, last], and none is null.
Evidence EvidenceOfRange(DataType type, int64_t first, int64_t last);

}  // namespace sluice::inline v0::engine
