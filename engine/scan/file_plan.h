#pragma once

// One file of a scan, opened: its columns against the table's, its part of the predicate, and what
// is read of it when.

#include <sluice/parquet/reader.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/column_stages.h"
#include "engine/scan/file_predicate.h"
#include "engine/scan/scan_plan.h"
#include "engine/scan/table_in_file.h"

namespace sluice::inline v0::engine {

/// The names of the columns that a scan asks for, or nothing where they are not known before the
/// schema is.
std::optional<std::vector<std::string>> NamesAsked(const ScanRequest& request,
                                                   const ScanOptions& options);

/// What of a footer a scan needs, as far as it is known before the schema is.
parquet::FooterOptions FooterFor(const ScanRequest& request, const ScanOptions& options,
                                 bool wants_statistics);

struct OpenFile {
  std::shared_ptr<RandomAccessFile> bytes;
  std::shared_ptr<parquet::FileReader> reader;
};

/// Opens the file, unless the caller has, and reads what is wanted of its footer.
Result<OpenFile> OpenScanFile(const ScanFile& file, const parquet::FooterOptions& footer,
                              const ScanOptions& options);
/// What a file is called.
const std::string& NameOf(const ScanFile& file);

/// What is known of a file before it is opened: constants and statistics, one a column of the
/// plan's tree.
std::vector<Evidence> EvidenceOfFile(const ScanPlan& plan, const ScanFile& file);

/// What they say of the predicate.
Verdict JudgeFile(const ScanPlan& plan, const ScanFile& file);

/// What a column of the plan, by its path there, is in a file: as FileColumn of file_predicate.h.
BoundExpression ExpressionInFile(const ScanPlan& scan, const TableInFile& table,
                                 const ColumnPath& path);

/// Threads: immutable once made, but for the reader, of which cursors may be opened by any thread.
struct FilePlan {
  std::shared_ptr<const ScanPlan> scan;
  const ScanFile* file = nullptr;  ///< Outlives the plan.
  int32_t ordinal = 0;             ///< Among the scan's files.
  OpenFile open;
  std::vector<int64_t> first_rows;  ///< Of each row group, and behind the last.
  FilePredicate predicate;
  std::vector<OutputSource> output;
  /// Where nothing of the residual is left.
  std::shared_ptr<const ColumnStages> whole;
  /// With all of it,
  std::shared_ptr<const ColumnStages> late;
  /// also where it is expected to let most rows pass.
  std::shared_ptr<const ColumnStages> at_once;

  /// How columns are read where these conjuncts of the residual are left, by their ordinals,
  /// ascending. `expects_few`: they are expected to let few rows pass.
  Result<std::shared_ptr<const ColumnStages>> StagesFor(const std::vector<size_t>& conjuncts,
                                                        bool expects_few) const;
};

/// `open`: the file, if it is open already. `is_proven`: every row of it is known to pass. Errors:
/// of opening; kUnsupported where the file's columns do not widen to the table's.
Result<std::shared_ptr<const FilePlan>> MakeFilePlan(std::shared_ptr<const ScanPlan> scan,
                                                     const ScanFile& file, int32_t ordinal,
                                                     std::optional<OpenFile> open, bool is_proven);

/// Adds the rows that a file claims to those of the files before it, so that every count of rows of
/// a scan is one of 64 bits. Errors: kUnsupported where there are more.
Status AddRows(const FilePlan& file, int64_t& rows);

}  // namespace sluice::inline v0::engine
