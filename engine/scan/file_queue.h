#pragma once

// The row groups of a scan, file after file.

#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/scan/file_plan.h"

namespace sluice::inline v0::engine {

struct UnitPlace {
  std::shared_ptr<const FilePlan> file;
  int32_t row_group = 0;
};

/// Threads: confined. Lifetime: the files outlive it.
class FileQueue {
 public:
  /// `open`: files that are open already, by ordinal.
  FileQueue(std::shared_ptr<const ScanPlan> plan, const std::vector<ScanFile>& files,
            std::map<int32_t, OpenFile> open)
      : plan_(std::move(plan)), files_(&files), open_(std::move(open)) {}

  /// The next row group; nothing behind the last. Files of which no row passes are left out, others
  /// are opened when it is their turn. Errors: as MakeFilePlan and AddRows; the queue goes on
  /// behind the file, and with the same file behind kResourceExhausted.
  Result<std::optional<UnitPlace>> Next();
  /// Lets go of the open file, which is opened again for its next row group, unless it is `kept`.
  void Release(const FilePlan* kept);
  /// Opens a file once more whose row groups were handed out. May be called by any thread.
  Result<std::shared_ptr<const FilePlan>> Reopen(int32_t ordinal) const;
  /// Counts the row groups that are left of the open file as not reached.
  void Stop();

  /// Of files.
  const ScanCounters& counters() const { return counters_; }

 private:
  Result<bool> OpenNext();
  void Count(const Verdict& verdict);
  /// Of the open file.
  int64_t RowsLeft() const;

  std::shared_ptr<const ScanPlan> plan_;
  const std::vector<ScanFile>* files_;
  std::map<int32_t, OpenFile> open_;
  size_t next_file_ = 0;
  int64_t rows_ = 0;  ///< Of the files that were opened.
  std::shared_ptr<const FilePlan> file_;
  int32_t next_row_group_ = 0;
  std::optional<int32_t> released_;  ///< The ordinal of what was the open file.
  int64_t released_rows_ = 0;        ///< That it has left.
  ScanCounters counters_;
};

}  // namespace sluice::inline v0::engine
