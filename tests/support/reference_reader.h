#pragma once

// A second Parquet reader: slow, plain and independent of the library, as an oracle for tests. It
// has its own reading of Thrift, schema, pages, levels and encodings, assembles a row at a time,
// and formats values itself; it shares with the library the enumerations of metadata.h only.
// It is for files that are right or nearly so: it bounds no memory.

#include <sluice/status.h>

#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// The rows of a whole file as canonical JSON lines, without line ends: arrays with an entry a
/// top-level column. Errors: kCorruption for whatever it could not read.
Result<std::vector<std::string>> ReferenceRows(std::string_view file);

}  // namespace sluice::support
