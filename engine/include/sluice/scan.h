#pragma once

// Scanning Parquet files: Scan::Open with files and a predicate, then Next until it is empty.

#include <sluice/column.h>
#include <sluice/column_match.h>
#include <sluice/evidence.h>
#include <sluice/export.h>
#include <sluice/expression.h>
#include <sluice/parquet/reader.h>
#include <sluice/random_access_file.h>
#include <sluice/row_selection.h>
#include <sluice/scan_counters.h>
#include <sluice/status.h>
#include <sluice/value.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::inline v0 {

/// A file to scan, and what is known of it from outside.
struct ScanFile {
  /// What it is called, in messages and in the virtual column file_path. Empty: file->name().
  std::string path;
  /// Absent: the local file at `path`, which is opened when it is needed and closed behind it.
  std::shared_ptr<RandomAccessFile> file;
  /// Positions of rows that are not there any more, all of them in the file. Absent: none.
  std::shared_ptr<const RowSelection> deleted;
  /// Columns, by their names in the table, that have one value in every row of the file: partition
  /// values, and values of columns that the file has not. They go before columns of that name that
  /// the file has. Of a nested column it can only be NULL.
  std::vector<std::pair<std::string, Value>> constants;
  /// What is known of all rows of the file, by names of columns of the table that are not nested,
  /// and of their types or narrower ones; bounds of another type are not used.
  std::vector<std::pair<std::string, Evidence>> statistics;
};

/// What is asked of files.
///
/// Every file is read as the table's schema has it: columns that a file has not are null, and
/// narrower types are widened where that is exact. Beside the table's columns there are, where it
/// has none of the name, the virtual ones file_path (string), file_row_number (int64: the position
/// in the file, whatever is deleted, pruned or filtered) and row_group (int32).
struct ScanRequest {
  /// Absent: the columns of all files by name, each in the narrowest type that holds what every
  /// file has there exactly; all footers are read for that first.
  std::shared_ptr<const Schema> schema;
  /// The columns to deliver, in this order; absent: those of the schema. Without columns batches
  /// carry row counts only. Several paths into one struct make one column.
  std::optional<std::vector<parquet::ColumnPath>> columns;
  /// What the delivered columns are called; empty: as in the schema.
  std::vector<std::string> names;
  /// Rows for which it is TRUE are delivered. Absent: every row.
  std::optional<Expression> where;
  std::string where_text;  ///< What `where` was parsed from, if anything: for messages.
  int64_t limit = INT64_MAX;
};

/// How to scan. Every optimisation can be switched off; the rows are the same.
struct ScanOptions {
  parquet::ReadOptions read;
  LocalFileOptions open;  ///< For files that are opened by path.
  /// How a file's columns are found: with other than names only where `ScanRequest::schema` is
  /// given.
  ColumnMatch match = ColumnMatch::kName;
  /// Leave out files of which constants and statistics say that no row passes.
  bool use_file_statistics = true;
  /// Leave out row groups of which statistics say that no row passes, and filters that every row of
  /// a row group passes: where no column is asked for, such rows are counted without being gone to.
  /// FindExtremes leaves out row groups that change nothing.
  bool use_statistics = true;
  bool use_bloom_filters = true;
  bool use_page_index = true;  ///< The same for pages, by the column index.
  /// Run what filters can say of the predicate in the decoder, before anything else is decoded.
  bool use_filters = true;
  /// Decode columns that the rest of the predicate does not need for rows only that pass it, unless
  /// most did in the row groups before.
  bool late_materialization = true;
  /// Read no more of a row group, all of whose rows pass, than the limit allows.
  bool limit_pushdown = true;
  /// Keep of the footer only what the columns need.
  bool partial_footer = true;
  /// Names in the predicate match without regard to the case of ASCII letters, where none matches
  /// exactly.
  bool ignore_case = false;
  int32_t zone_offset = 0;  ///< Seconds east of UTC, for dates and texts of instants.
  /// Columns that no part of the predicate needs are decoded when Scan::Load asks for them. With
  /// one thread only.
  bool lazy_columns = false;
  /// Row groups that are read at once, up to 1024. One: all is done on the thread that calls Next.
  int32_t threads = 1;
  /// With several threads: rows come in the order of files and positions. Off, row groups are
  /// delivered as they are ready.
  bool ordered = true;
  /// Where work of several threads is run: it is called on the thread of the first Next or Step,
  /// `threads` times in all, and has to see to it that what it is given is called once, on another
  /// thread, which it keeps as long as there is work, waiting included. So it must not be a thread
  /// that the host needs to call Next or Step, or to destroy the scan.
  ///
  /// It may run fewer calls, or run them later: those that run do all work, and those that have not
  /// begun when the scan ends do nothing from then on. All that have begun have returned when the
  /// scan is destroyed. It may drop calls; without any left the scan ends with kResourceExhausted,
  /// as it does where the executor throws. A call that it makes before it returns, on the same
  /// thread, returns at once; where all are like that the scan goes on as with one thread.
  /// Absent: on threads of the scan's own.
  std::function<void(std::function<void()>)> executor;
  /// With several threads: called by one of them when Step gave kWaiting and would not any more, a
  /// batch, an error or the end being there; once for each such Step at most, and now and then
  /// though Step is to wait still. It may wake or schedule who calls Step; it must neither call the
  /// scan nor throw, nor take a lock that is held where Step, Next or the destructor are called,
  /// which may wait for it to return. It is not called any more when the scan is destroyed.
  std::function<void()> on_ready;
  /// With several threads: bytes of batches that wait to be taken; the row group whose turn it is
  /// may always add to them.
  int64_t queue_bytes = 256 << 20;
};

/// Rows and where they are in their file.
struct ScanBatch {
  Batch batch;
  int32_t file = 0;  ///< Ordinal among the files of the scan.
  int32_t row_group = 0;
  /// Positions in the file, of which those are in the batch whose bit (from rows.begin on) is set;
  /// all, where `selected` is empty.
  RowRange rows;
  std::vector<uint64_t> selected;
  /// With lazy columns: which columns are there. Of the others only type and length are set.
  std::vector<bool> loaded;
  int64_t number = 0;  ///< Of the batch in its scan, for Scan::Load.
};

/// How many rows there are at least and at most.
struct CountBounds {
  int64_t least = 0;
  int64_t most = 0;
  bool operator==(const CountBounds&) const = default;
};

/// What a call of Scan::Step came to. None stands for another.
enum class ScanOutcome : uint8_t {
  kBatch,   ///< There are rows.
  kNoRows,  ///< Work was done and no row passed: go on.
  /// Other threads are at work and nothing is ready: come again when ScanOptions::on_ready is
  /// called, or call Next.
  kWaiting,
  kDone,  ///< There will be no more.
};

struct Extremes;
namespace engine {
struct OpenedPlan;
}

/// Scans files.
///
/// Exceptions: those thrown on other threads, by the system (std::bad_alloc) or files of the host,
/// become errors of the scan: kResourceExhausted, where fewer row groups at once do not help, or
/// kIoError, for all but std::bad_alloc. On the thread of the caller they pass through; the scan
/// can only be destroyed then.
/// Threads: confined; the scan itself may use others. Lifetime: batches outlive the scan.
class SLUICE_EXPORT Scan {
 public:
  /// Binds the predicate to the schema.
  /// Errors: of FileReader::Open, where footers are read; kInvalidArgument for a column to deliver
  /// that is not there or is named twice, for a predicate that does not fit the schema or names
  /// what is not there, and for options that exclude each other; kUnsupported where the files'
  /// columns have no common type.
  static Result<std::unique_ptr<Scan>> Open(std::vector<ScanFile> files, ScanRequest request,
                                            ScanOptions options = {});
  ~Scan();

  /// Of the batches. A column of a schema that was asked for may be null, whatever that says of it.
  const std::shared_ptr<const Schema>& schema() const;
  /// Of the files: what predicate and columns are of, without the virtual columns. Where files
  /// differ it has the columns that are asked for by name: others need not have a common type.
  const std::shared_ptr<const Schema>& table_schema() const;

  /// The next batch, never without rows; nothing at the end. An error ends the scan and is given
  /// again from then on.
  /// Errors: of opening and reading, naming the file; kUnsupported for a file whose columns do not
  /// widen to the schema's; kRowError for a row for which the predicate as a whole is an error
  /// (division by zero, overflow, a cast that fails), or a value that has no counterpart in the
  /// schema's type, naming the row; kCancelled, and nothing more is read or delivered then.
  Result<std::optional<ScanBatch>> Next();
  /// The same in steps that do not wait for other threads. A step ends with a batch or with a row
  /// group, of which all rows may be filtered before. `batch` is set with kBatch.
  Result<ScanOutcome> Step(ScanBatch* batch);
  /// Decodes a column of the batch that Next or Step gave last, until one of them is called again.
  /// Does nothing where it is there.
  /// Errors: kInvalidArgument for another batch, which cannot be loaded any more,
  /// or a column that there is not; as Next.
  Status Load(ScanBatch& batch, size_t column);

  /// How many rows the scan has in all, as far as that is proven by now: before the first Next by
  /// metadata and deletes alone, never less closely than before the more is read, and exactly at
  /// the end. Not above the limit. The first call reads the metadata of all files that are left.
  /// Errors: as Next; the scan goes on all the same.
  Result<CountBounds> Count();

  /// Exact once Next gave nothing; before that as far as row groups are finished.
  const ScanCounters& counters() const;

 private:
  friend Result<Extremes> FindExtremes(std::vector<ScanFile>, ScanRequest, ScanOptions,
                                       ScanCounters*);
  class Impl;
  explicit Scan(std::unique_ptr<Impl> impl);
  static std::unique_ptr<Scan> Start(engine::OpenedPlan opened, std::vector<ScanFile> files);
  std::unique_ptr<Impl> impl_;
};

/// The least and the greatest value of a column among the rows of a scan, nulls left out, in the
/// order of CompareValues; absent where there is none.
struct Extremes {
  std::optional<Value> minimum;
  std::optional<Value> maximum;
};

/// Finds the extremes of a column that is not nested, among the rows for which `request.where` is
/// TRUE. Row groups are scanned, but for those of which it is proven, while nothing of them is
/// read, that all rows pass and what the extremes of all of them are, or that no row is an error
/// and none lies outside of what was found before. Where equal values have several forms, as zeros
/// and NaN have, it is any of them. With `use_statistics` off every row is looked at. If given,
/// `counters` receives what was done.
/// Errors: as Scan::Open and Scan::Next; kInvalidArgument unless the request has one column, of an
/// ordered type, and no limit.
SLUICE_EXPORT Result<Extremes> FindExtremes(std::vector<ScanFile> files, ScanRequest request,
                                            ScanOptions options = {},
                                            ScanCounters* counters = nullptr);

}  // namespace sluice::inline v0
