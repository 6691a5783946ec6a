#pragma once

#include <sluice/parquet/writer.h>
#include <sluice/status.h>

#include <vector>

#include "format/parquet/write/write_schema.h"

namespace sluice::inline v0::parquet {

/// The options of each leaf, after checking all of them.
/// Errors: kInvalidArgument naming the option, or the leaf and the encoding that it does not allow;
/// kUnsupported for codecs that are not written.
Result<std::vector<ColumnWriteOptions>> ResolveColumnOptions(const WriteSchema& schema,
                                                             const WriterOptions& options);

}  // namespace sluice::inline v0::parquet
