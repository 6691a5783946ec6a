#pragma once

// The one schema of several files.

#include <sluice/scan.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/file_plan.h"

namespace sluice::inline v0::engine {

/// What messages say of where a file is.
std::string PlaceOf(const ScanFile& file);

/// Reads every file's footer; the options have a pool, in which schemas count. The columns are
/// those of all files and their constants. Files are left in `open`, by ordinal, unless they are so
/// many that they had better be closed. Errors: of opening; kInvalidArgument without files;
/// kUnsupported where columns of one name have no common type.
Result<std::shared_ptr<const Schema>> TableOf(const std::vector<ScanFile>& files,
                                              const ScanRequest& request,
                                              const ScanOptions& options,
                                              std::map<int32_t, OpenFile>& open);

}  // namespace sluice::inline v0::engine
