#pragma once

#include <sluice/scan.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"
#include "tests/support/random_expressions.h"

namespace sluice::support {

/// A file of a table, and what a scan has of it.
struct RandomScanFile {
  /// One column a field of the table; IsMisfit of expression_oracle.h where a value is none of it.
  std::vector<std::vector<Cell>> cells;
  int64_t num_rows = 0;
  bool is_as_table = true;  ///< With the columns of the table, of its types and in its order.
  ScanFile file;
};

/// The name of a column that no predicate is about, of any type, nested too.
inline constexpr const char* kPayloadName = "nested payload";

/// Writes a file of the table, to memory. Half of them lack columns, have narrower ones, whose
/// values may not fit, of unknown type or one value for all rows instead, or other places for them.
/// Rows of some are deleted, and of some columns statistics come along. Of columns that are not
/// found by their names, these are others. A failure to write is a fatal failure of the test.
RandomScanFile MakeScanFile(const Schema& schema, const std::string& name, RandomColumns& columns,
                            RandomExpressions& expressions, ColumnMatch match = ColumnMatch::kName);

}  // namespace sluice::support
