#pragma once

#include <sluice/parquet/metadata.h>

#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

/// Reads a Statistics struct, which footers and page headers share, over what `statistics` already
/// holds. Bounds stay views, whatever their length (fault M7).
/// Source: parquet.thrift, Statistics.
void ReadStatistics(CompactReader& reader, Statistics& statistics);

}  // namespace sluice::inline v0::parquet
