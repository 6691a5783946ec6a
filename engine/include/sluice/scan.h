#pragma once

// Scanning a Parquet file: FileScan::Open with a predicate, then Next until it is empty.

#include <sluice/column.h>
#include <sluice/evidence.h>
#include <sluice/export.h>
#include <sluice/expression.h>
#include <sluice/parquet/reader.h>
#include <sluice/random_access_file.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace sluice::inline v0 {

/// What is asked of a file.
struct ScanRequest {
  /// The columns to deliver; absent: all of them. Without columns batches carry row counts only.
  std::optional<std::vector<parquet::ColumnPath>> columns;
  /// Rows for which it is TRUE are delivered. Absent: every row.
  std::optional<Expression> where;
  std::string where_text;  ///< What `where` was parsed from, if anything: for messages.
  int64_t limit = INT64_MAX;
};

/// How to scan. Every optimisation can be switched off; the rows are the same.
struct ScanOptions {
  parquet::ReadOptions read;
  /// Leave out row groups of which statistics say that no row passes, and filters that every row of
  /// a row group passes.
  bool use_statistics = true;
  bool use_bloom_filters = true;
  bool use_page_index = true;  ///< The same for pages, by the column index.
  /// Run what filters can say of the predicate in the decoder, before anything else is decoded.
  bool use_filters = true;
  /// Decode columns that the rest of the predicate does not need for rows only that pass it.
  bool late_materialization = true;
  /// Keep of the footer only what the columns need.
  bool partial_footer = true;
  /// Names in the predicate match without regard to the case of ASCII letters, where none matches
  /// exactly.
  bool ignore_case = false;
  int32_t zone_offset = 0;  ///< Seconds east of UTC, for dates and texts of instants.
};

/// What a scan did. Rows balance once Next gave nothing: rows_considered is the sum of the rows_
/// below it.
struct ScanCounters {
  int64_t row_groups_considered = 0;
  int64_t row_groups_pruned = 0;  ///< No row passes.
  int64_t row_groups_proven = 0;  ///< Every row passes.
  /// Verdicts of row groups by outcome, source of the evidence and reason.
  std::map<std::tuple<Verdict::Outcome, EvidenceSource, Reason>, int64_t> row_group_verdicts;

  int64_t rows_considered = 0;
  int64_t rows_pruned_by_row_group = 0;
  int64_t rows_pruned_by_page = 0;
  int64_t rows_filtered = 0;  ///< By filters in the decoder.
  int64_t rows_rejected = 0;  ///< By the rest of the predicate.
  int64_t rows_delivered = 0;
  int64_t rows_not_reached = 0;  ///< Because of the limit.

  int64_t metadata_bytes = 0;  ///< Of page indexes and bloom filters; not of the footer.
  parquet::ReadCounters data;
};

/// Rows and where they are in their file.
struct ScanBatch {
  Batch batch;
  /// Positions in the file, of which those are in the batch whose bit (from rows.begin on) is set;
  /// all, where `selected` is empty.
  RowRange rows;
  std::vector<uint64_t> selected;
};

/// Scans one file, on the caller's thread.
///
/// Threads: confined. Lifetime: batches outlive the scan.
class SLUICE_EXPORT FileScan {
 public:
  /// Reads the footer and binds the predicate to the file's schema.
  /// Errors: of FileReader::Open; kNotFound for a column to deliver that is not there;
  /// kInvalidArgument for a predicate that does not fit the schema.
  static Result<std::unique_ptr<FileScan>> Open(std::shared_ptr<RandomAccessFile> file,
                                                ScanRequest request, ScanOptions options = {});
  ~FileScan();

  /// Of the batches.
  const std::shared_ptr<const Schema>& schema() const;
  const parquet::FileReader& reader() const;
  /// The next batch, never without rows; nothing at the end. An error ends the scan and is given
  /// again from then on.
  /// Errors: of reading; kRowError for a row for which the predicate as a whole is an error
  /// (division by zero, overflow, a cast that fails), naming the row.
  Result<std::optional<ScanBatch>> Next();
  const ScanCounters& counters() const;

 private:
  class Impl;
  explicit FileScan(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::inline v0
