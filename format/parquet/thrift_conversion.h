#pragma once

#include <sluice/parquet/metadata.h>

#include "format/parquet/thrift_border.h"

namespace sluice::inline v0::parquet {

/// Plain structs as the generated ones. Strings are copied.
thrift_gen::Statistics ToThrift(const Statistics& statistics);
/// Without a member for kNone and kUnrecognized.
thrift_gen::LogicalType ToThrift(const LogicalAnnotation& logical);

/// Generated structs as the plain ones. Strings are views into `from`, which must outlive them.
void FromThrift(const thrift_gen::Statistics& from, Statistics& statistics);
void FromThrift(const thrift_gen::LogicalType& from, LogicalAnnotation& logical);

}  // namespace sluice::inline v0::parquet
