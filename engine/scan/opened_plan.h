#pragma once

// How every scan begins: with the table of its files, and a plan of what is asked of it.

#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/scan/file_plan.h"
#include "engine/scan/scan_plan.h"

namespace sluice::inline v0::engine {

struct OpenedPlan {
  std::shared_ptr<ScanPlan> plan;
  std::map<int32_t, OpenFile> open;  ///< Files that are open already, by ordinal.
  int64_t open_nanoseconds = 0;      ///< Spent on that.
};

/// The plan of a scan of `files`. Without a schema in the request all of them are opened, and the
/// table is theirs. Without a pool the scan gets one of its own.
/// Errors: as TableOf and MakeScanPlan; those of a single file name it.
Result<OpenedPlan> OpenPlan(const std::vector<ScanFile>& files, ScanRequest request,
                            ScanOptions options);

}  // namespace sluice::inline v0::engine
