#pragma once

// The rows of single leaves, for tests of what is claimed of them.

#include <sluice/parquet/reader.h>
#include <sluice/value.h>

#include <cstdint>
#include <vector>

namespace sluice::support {

/// The names on the way to a leaf that lies in structs only; empty for another.
parquet::ColumnPath LeafPathOf(const parquet::SchemaTree& tree, int32_t leaf);

/// The values of a leaf in a row group, one a row, null also where a struct around it is.
/// Errors: the library's; kUnsupported for a leaf in a list, map or variant, and for one whose name
/// an earlier sibling has too.
Result<std::vector<Value>> LeafRows(const parquet::FileReader& reader, int32_t row_group,
                                    int32_t leaf);

}  // namespace sluice::support
