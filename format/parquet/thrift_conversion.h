#pragma once

#include <sluice/parquet/metadata.h>

#include "format/parquet/thrift_border.h"

namespace sluice::inline v0::parquet {

/// Plain structs as the generated ones. Strings are copied.
thrift_gen::Statistics ToThrift(const Statistics& statistics);
/// Without a member for kNone and kUnrecognized.
thrift_gen::LogicalType ToThrift(const LogicalAnnotation& logical);

}  // namespace sluice::inline v0::parquet
