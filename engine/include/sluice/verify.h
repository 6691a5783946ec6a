#pragma once

// Whether the optimisations of a scan change its rows, and if so, which one and where.

#include <sluice/export.h>
#include <sluice/row_selection.h>
#include <sluice/scan.h>
#include <sluice/scan_counters.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::inline v0 {

/// A page that a row lies in.
struct PagePosition {
  std::string column;  ///< Its path.
  int32_t page = 0;    ///< Ordinal among the data pages of its chunk.
  RowRange rows;       ///< Of its row group.
};

/// The first row group in which two scans differ.
struct ScanDifference {
  /// Ordinal among the files; -1 where an error does not tell.
  int32_t file = -1;
  std::string path;
  int32_t row_group = -1;
  RowRange rows;        ///< Positions in the file, from the first to the last row that differs.
  int64_t missing = 0;  ///< Rows that the pruned scan lacks,
  int64_t extra = 0;    ///< has besides,
  int64_t changed = 0;  ///< and has with other values.
  /// Of the first row that differs, as canonical text; empty where a scan does not have it.
  std::string pruned_row;
  std::string full_row;
  /// The pages of the first such row, of columns that the predicate asks of.
  std::vector<PagePosition> pages;
  /// What one of the scans ended with, and the other did not.
  Status pruned_error;
  Status full_error;
  /// The optimisations that are at fault: without any one of them, there is no difference here;
  /// "threads" is one. Where `are_needed_together`, it takes all of them to be off. Empty: with
  /// each and all of them off the scans differ still.
  std::vector<std::string> rules;
  bool are_needed_together = false;
};

/// What came of a verification.
struct Verification {
  std::optional<ScanDifference> difference;
  /// What both scans end with, if not their last row.
  Status error;
  int64_t rows_compared = 0;  ///< Equal in position and all values.
  ScanCounters pruned;
  ScanCounters full;  ///< Of everything, so that units are counted here.
};

/// Scans twice, with the options and with every optimisation off on one thread, and compares
/// positions and values of the rows; stops behind the first row group that differs. Then switches
/// optimisations off one by one until they differ no more.
/// Errors: as Scan::Open; those of reading that only the full scan meets (of bytes that the pruned
/// one does not need), which then tell nothing.
SLUICE_EXPORT Result<Verification> VerifyScan(std::vector<ScanFile> files, ScanRequest request,
                                              ScanOptions options = {});

}  // namespace sluice::inline v0
