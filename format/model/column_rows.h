#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>

namespace sluice::inline v0 {

/// The rows of a column whose bit is set, `selected` of them, in the same form. Strings stay where
/// they are, so that those of rows that are left out stay pinned. `bits` are readable for
/// kReadPadding bytes past their end. Errors: kResourceExhausted by the pool.
Result<Column> SelectRows(const Column& column, const uint64_t* bits, int64_t selected,
                          BufferPool& pool);

/// Bytes that a row has in `data` of a column that is not nested: of a view, a code or a value; 0
/// of booleans, which are bits.
int64_t DataWidth(const Column& column);

/// The first `count` rows; shares all memory.
Column FirstRows(Column column, int64_t count);

}  // namespace sluice::inline v0
