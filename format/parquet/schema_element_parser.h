#pragma once

#include <sluice/parquet/metadata.h>

#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

/// Reads a SchemaElement. A LogicalType with no member that is known, or with several, is
/// kUnrecognized.
/// Source: parquet.thrift, SchemaElement and LogicalType.
void ReadSchemaElement(CompactReader& reader, SchemaElement& element);

/// Reads a field that holds a physical type; false when it holds something else.
bool ReadPhysicalType(CompactReader& reader, const CompactField& field, PhysicalType& type);

}  // namespace sluice::inline v0::parquet
