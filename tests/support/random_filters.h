#pragma once

// Random filters of the values of a column, and the rows that they let pass by the definition of
// filters alone.

#include <sluice/filter.h>
#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"

namespace sluice::support {

/// A leaf of a schema: fields to go down by, the first one that of the schema.
struct LeafPath {
  std::vector<size_t> fields;
  DataType type;
  bool is_repeated = false;  ///< Below a list or map.
};

/// The leaves of a schema in the order that files have them in.
std::vector<LeafPath> LeavesOf(const Schema& schema);

/// The value of a leaf that is not repeated, by the cell of the schema's field; nothing for null.
std::optional<std::string> ValueOf(const LeafPath& leaf, const Cell& cell);

/// A filter of any kind that the type allows, with values that are near those in `values`.
ColumnFilter RandomFilter(RandomColumns& random, const DataType& type,
                          const std::vector<std::optional<std::string>>& values);

/// Whether a row passes.
bool Passes(const ColumnFilter& filter, const std::optional<std::string>& value);

}  // namespace sluice::support
