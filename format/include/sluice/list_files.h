#pragma once

#include <sluice/export.h>
#include <sluice/status.h>

#include <string>
#include <vector>

namespace sluice::inline v0 {

/// The Parquet files that `path` stands for, sorted by name: itself where it is a file; every file
/// named *.parquet below it where it is a directory, those and the directories whose names begin
/// with a dot or an underscore left out (as writers name what is not finished); what it matches
/// where it is a pattern of *, ? and [...], directories among them expanded in the same way.
/// Symbolic links to directories are not followed below a directory.
///
/// Errors: kNotFound where there is no such file, nothing that matches, or no Parquet file in a
/// directory; kIoError where a directory cannot be read; kInvalidArgument for an empty path.
SLUICE_EXPORT Result<std::vector<std::string>> ListParquetFiles(const std::string& path);

}  // namespace sluice::inline v0
