#pragma once

#include <sluice/parquet/metadata.h>

#include <optional>

#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

/// Reads a field that holds a Statistics struct, which footers and page headers share; false when
/// it holds something else. Bounds stay views, whatever their length (fault M7).
/// Source: parquet.thrift, Statistics.
bool ReadStatistics(CompactReader& reader, const CompactField& field,
                    std::optional<Statistics>& statistics);

}  // namespace sluice::inline v0::parquet
