#pragma once

#include <sluice/parquet/metadata.h>

#include <vector>

#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

/// Reads a ColumnChunk with its ColumnMetaData, with or without its statistics of all kinds. A
/// chunk without metadata must be an encrypted one. Offsets and sizes are as the file has them.
/// Source: parquet.thrift, ColumnChunk and ColumnMetaData.
void ReadColumnChunk(CompactReader& reader, bool statistics, ColumnChunk& chunk);

/// Reads a field that holds a list of key-value pairs; false when it holds something else.
bool ReadKeyValues(CompactReader& reader, const CompactField& field, std::vector<KeyValue>& pairs);

}  // namespace sluice::inline v0::parquet
