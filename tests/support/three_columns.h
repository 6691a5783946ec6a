#pragma once

#include <cstdint>

#include "tests/support/file_builder.h"

namespace sluice::support {

inline constexpr int64_t kThreeColumnsRows = 1000;

/// A file of one row group: pages of a required INT64 column `id`, of an optional string column
/// `name` whose dictionary falls back to PLAIN half-way, and of a repeated INT32 column `list` with
/// 0, 1 or 2 elements a row; V1 or V2, by `page_rows` rows.
BuiltFile ThreeColumns(bool is_v2, int64_t page_rows, bool with_offset_index);

}  // namespace sluice::support
