#pragma once

// Columns that no file holds: one value for all rows, and the positions of rows.

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>
#include <sluice/value.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::inline v0::engine {

/// A flat column of one row that is NULL, of any type.
Column NullRow(const DataType& type);
/// A column of one row that holds the value, which is NULL if its type is nested.
Column ConstantOf(const Value& value);
/// `constant`, of one row, for `rows` rows.
Column ConstantColumn(std::shared_ptr<const Column> constant, int64_t rows);
/// The ordinal of a row group, as a column of one row.
std::shared_ptr<const Column> RowGroupConstant(int32_t row_group);
/// Positions of the `count` rows of `rows` whose bit in `selected` is set, all if that is empty.
/// Errors: kResourceExhausted by the pool.
Result<Column> RowNumbers(RowRange rows, const std::vector<uint64_t>& selected, int64_t count,
                          int64_t first_row, BufferPool& pool);

}  // namespace sluice::inline v0::engine
