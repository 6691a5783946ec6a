#pragma once

#include <sluice/export.h>

#include <cstdint>

namespace sluice::inline v0 {

/// By what the columns of a table are found in a file. One never stands in for another.
enum class ColumnMatch : uint8_t {
  kName,      ///< By their names, exactly as they are written, at every level.
  kPosition,  ///< By their place among the columns; the fields of structs by their names.
  kFieldId,   ///< By their field ids, at every level. A file without ids has none of the columns.
};

}  // namespace sluice::inline v0
