#pragma once

#include <sluice/parquet/metadata.h>

#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

/// What stands for an id that the specification does not have, or for column metadata that is not
/// there, until the whole footer is read: a field may come again, and the last one counts.
inline constexpr auto kUnknownRepetition = static_cast<Repetition>(0xFF);
inline constexpr auto kUnknownPhysicalType = static_cast<PhysicalType>(0xFF);
inline constexpr auto kNoColumnMetadata = static_cast<PhysicalType>(0xFE);

/// Reads a SchemaElement. A LogicalType with no member that is known, or with several, is
/// kUnrecognized.
/// Source: parquet.thrift, SchemaElement and LogicalType.
void ReadSchemaElement(CompactReader& reader, SchemaElement& element);

/// Reads a field that holds a physical type; false when it holds something else.
bool ReadPhysicalType(CompactReader& reader, const CompactField& field, PhysicalType& type);

}  // namespace sluice::inline v0::parquet
