#pragma once

// Columns taken apart into the levels and values of their leaves (Dremel's record shredding, column
// by column).

#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>
#include <vector>

#include "format/model/counted_memory.h"
#include "format/parquet/write/leaf_rows.h"
#include "format/parquet/write/write_schema.h"

namespace sluice::inline v0::parquet {

/// Whether `column` has the types and children that `node` was made of, whatever the forms, names
/// and nullability. Errors: kInvalidArgument naming the column and the difference.
Status CheckColumnFits(const WriteNode& node, const Column& column);

/// Appends rows [begin, end) of `column`, which fits `node` and passed ValidateColumn, to `leaves`:
/// one entry for each leaf below the node, in order. The values stay valid while the column lives.
/// What they take, and what is taken on the way, is added to `memory`.
///
/// Errors: kInvalidArgument for null where a field is not nullable, and for values that the leaf's
/// stored type cannot hold; both name the field. kResourceExhausted by `memory`.
/// Source: parquet-format README.md, "Nested Encoding".
Status ShredRows(const WriteNode& node, const Column& column, int64_t begin, int64_t end,
                 CountedMemory* memory, std::vector<LeafRows>* leaves);

}  // namespace sluice::inline v0::parquet
