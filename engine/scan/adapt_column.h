#pragma once

// What was read of a file as the columns of a table, by their mapping.

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "engine/scan/column_mapping.h"
#include "format/model/widen_column.h"

namespace sluice::inline v0::engine {

/// The dictionaries of a file's columns as they were widened last.
using WidenedDictionaries = std::unordered_map<const ColumnMapping*, WidenedDictionary>;

/// The table's column of `rows` rows. `projected` is the file's, as a projection of FieldPathsOf
/// delivers it; null where that is nothing. What does not change is shared; `kept` may be null.
/// Rows of misfits are errors if they are wanted at all; see MisfitErrorOf.
/// Errors: kInternal where `projected` is not what the mapping is of; kResourceExhausted.
Result<WidenedColumn> AdaptColumn(const ColumnMapping& mapping, const Column* projected,
                                  int64_t rows, BufferPool& pool, WidenedDictionaries* kept);

/// kRowError for a row of misfits: names the column (or the field below it) and the value.
Status MisfitErrorOf(const ColumnMapping& mapping, std::string_view name, const Column& projected,
                     int64_t row);

}  // namespace sluice::inline v0::engine
