#pragma once

#include <sluice/types.h>

#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"

namespace sluice::support {

/// The cells as a column, by chance in every way that column.h allows it: in each form, with
/// anything at all under nulls, lists that begin above 0 and lie before others, and without the
/// validity of rows that are all null; so at every depth.
Column BuildMessyColumn(const DataType& type, const std::vector<Cell>& cells,
                        RandomColumns& random);

}  // namespace sluice::support
