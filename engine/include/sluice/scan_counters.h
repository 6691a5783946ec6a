#pragma once

// The account of a scan: what was considered, left out and read, and why.

#include <sluice/evidence.h>
#include <sluice/export.h>
#include <sluice/parquet/reader.h>

#include <cstdint>
#include <map>
#include <tuple>

namespace sluice::inline v0 {

/// What became of data pages, of columns that were read in row groups that were: `considered` is
/// the sum of the others. A page that is read for two purposes counts twice; pages behind the last
/// row that is wanted of a row group need not be gone to, and are not counted then.
struct SLUICE_EXPORT PageCounters {
  int64_t considered = 0;
  int64_t read = 0;  ///< As data.pages_read.
  /// No row of them passes: by the page index or row numbers,
  int64_t pruned_by_index = 0;
  int64_t pruned_by_header = 0;      ///< by the statistics in their headers,
  int64_t pruned_by_dictionary = 0;  ///< or by a dictionary that has every value of the chunk.
  int64_t deleted = 0;               ///< Every row that was not pruned is deleted.
  /// Every row was left out when it was their turn: dropped by filters or by the rest of the
  /// predicate, or not asked for.
  int64_t unwanted = 0;

  PageCounters& operator+=(const PageCounters& other);
  bool operator==(const PageCounters&) const = default;
};

/// What a scan did. Rows balance, checked for each row group: rows_considered is the sum of the
/// other rows_ of finished row groups.
struct SLUICE_EXPORT ScanCounters {
  /// Verdicts of units by outcome, source of the evidence and reason.
  using Verdicts = std::map<std::tuple<Verdict::Outcome, EvidenceSource, Reason>, int64_t>;

  int64_t files_considered = 0;
  int64_t files_pruned = 0;  ///< Not opened, or not read beyond the footer: no row passes.
  Verdicts file_verdicts;    ///< By constants and statistics from outside.

  int64_t row_groups_considered = 0;  ///< Of files that were not pruned.
  int64_t row_groups_pruned = 0;      ///< No row passes.
  int64_t row_groups_proven = 0;      ///< Every row passes.
  Verdicts row_group_verdicts;

  /// Of row groups that were read where columns could wait for the rest of the predicate: those
  /// where they did, and those where they were read at once as most rows were expected to pass.
  int64_t row_groups_late = 0;
  int64_t row_groups_at_once = 0;
  /// Row groups whose filters began in another order than that of the predicate.
  int64_t filter_reorders = 0;

  PageCounters pages;

  int64_t rows_considered = 0;  ///< Of row groups that were considered.
  int64_t rows_pruned_by_row_group = 0;
  int64_t rows_pruned_by_page = 0;
  int64_t rows_deleted = 0;   ///< And not pruned.
  int64_t rows_filtered = 0;  ///< By filters in the decoder.
  int64_t rows_rejected = 0;  ///< By the rest of the predicate.
  int64_t rows_delivered = 0;
  int64_t rows_not_reached = 0;  ///< Because of the limit, an error, or the end of the scan, or as
                                 ///< they can change nothing (FindExtremes).

  /// Bytes, at five places that are kept apart.
  int64_t metadata_bytes = 0;  ///< Of page indexes and bloom filters; not of footers.
  int64_t result_bytes = 0;    ///< Of the columns of delivered batches, without strings outside.
  parquet::ReadCounters data;  ///< Bytes requested, fetched and decompressed are in it.

  /// Time of all threads together, in nanoseconds.
  int64_t open_nanoseconds = 0;      ///< Opening files, footers, and binding to their columns.
  int64_t judge_nanoseconds = 0;     ///< Evidence of row groups and pages, reading it included.
  int64_t filter_nanoseconds = 0;    ///< Filters in the decoder, and decoding for them.
  int64_t residual_nanoseconds = 0;  ///< Evaluating the rest of the predicate.
  int64_t read_nanoseconds = 0;      ///< Everything else of reading: payload, and columns of the
                                     ///< rest of the predicate.

  ScanCounters& operator+=(const ScanCounters& other);
};

}  // namespace sluice::inline v0
