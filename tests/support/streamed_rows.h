#pragma once

// The rows of a scan as a consumer of Arrow's stream has them.

#include <sluice/scan.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/cells.h"

namespace sluice::support {

struct StreamedRows {
  std::vector<std::vector<Cell>> columns;  ///< As ImportCells gives them.
  int64_t num_rows = 0;
  bool has_failed = false;
  std::string error;
};

/// Reads the scan to its end. What breaks the interface's rules fails the test.
StreamedRows ReadStream(std::unique_ptr<Scan> scan);

/// The same cells of columns that no scan made; nothing where they cannot be exported.
std::optional<std::vector<std::vector<Cell>>> ExportedCells(
    const Schema& schema, const std::vector<std::vector<Cell>>& columns);

}  // namespace sluice::support
