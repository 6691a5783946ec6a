#pragma once

// Scans whole files by predicates in every way that the options allow, and compares rows, their
// positions and what is in them with what they should be. Tests say what they ask and what they
// expect; how a scan is opened, pulled and asked what it did is known here only.

#include <sluice/scan.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/file_reading.h"

namespace sluice::support {

/// What is asked of a file.
struct ScanQuestion {
  std::string where;                                             ///< Empty: every row.
  std::optional<std::vector<parquet::ColumnPath>> columns = {};  ///< Absent: every column.
  int64_t limit = INT64_MAX;
  bool ignore_case = false;
  int32_t zone_offset = 0;
};

/// What optimisations to scan with.
struct ScanWay {
  std::string name = "all on";
  ScanOptions options = {};
};

/// What came of a scan.
struct Scanned {
  std::vector<int64_t> positions;  ///< Of the rows in the file.
  std::vector<std::string> rows;   ///< As canonical lines.
  /// Row groups by their verdicts: "outcome source reason", for example "none row_group bounds".
  std::map<std::string, int64_t> verdicts;
  int64_t row_groups_pruned = 0;
  int64_t row_groups_proven = 0;
  int64_t rows_pruned_by_row_group = 0;
  int64_t rows_pruned_by_page = 0;
  int64_t rows_filtered = 0;
  int64_t rows_rejected = 0;
  int64_t rows_not_reached = 0;
  int64_t pages_read = 0;
  int64_t pages_skipped = 0;
  int64_t values_decoded = 0;
  int64_t bytes_requested = 0;
  int64_t metadata_bytes = 0;  ///< Of page indexes and bloom filters.
};

/// Whether the pages that a scan considered are those that it read and those that it left out, and
/// as many as its readers say.
bool DoPagesBalance(const ScanCounters& counters);

/// Scans to the end. Errors: the library's; kInternal where a batch breaks its contract, or rows do
/// not balance.
Result<Scanned> TryScanRows(const std::shared_ptr<RandomAccessFile>& file,
                            const ScanQuestion& question, const ScanWay& way = {});
Result<Scanned> TryScanRows(std::string_view bytes, const ScanQuestion& question,
                            const ScanWay& way = {});
/// The same, and expects (by GoogleTest) that there is no error.
Scanned ScanRows(std::string_view bytes, const ScanQuestion& question, const ScanWay& way = {});

/// Everything on, everything off, each switch off and on alone, in batches of 1, 7 and the default
/// number of rows. Under sanitizers a part of them, in turn.
std::vector<ScanWay> WaysToScan();
/// Without any optimisation.
ScanWay AllOff();

/// Expects the rows at these positions, as the second reader has them, in every way to scan and, if
/// the question names no columns, with all columns, with none, with each alone and in reverse
/// order.
void ExpectScan(std::string_view bytes, const ScanQuestion& question,
                const std::vector<int64_t>& positions);
/// The same of a file whose lines, those of all its rows and columns, are `lines`.
void ExpectScan(std::string_view bytes, const ScanQuestion& question,
                const std::vector<int64_t>& positions, const std::vector<std::string>& lines,
                const std::vector<ScanWay>& ways = WaysToScan());
/// Expects these lines of the question's columns.
void ExpectScannedLines(std::string_view bytes, const ScanQuestion& question,
                        const std::vector<std::string>& lines);

/// Expects an error of this code in every way to scan, whose message names the file and has all of
/// `parts` in it.
void ExpectScanError(std::string_view bytes, const ScanQuestion& question, StatusCode code,
                     const std::vector<std::string>& parts = {},
                     const std::vector<ScanWay>& ways = WaysToScan());

}  // namespace sluice::support
