#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>

namespace sluice::inline v0 {

/// Row rows[i] of `column` for each i below `count`, in the same form; strings stay where they are.
/// Rows lie in the column, but of a column without any, every row is null. `rows` are readable for
/// kReadPadding bytes past their end.
/// Errors: kResourceExhausted by the pool, and for more elements of lists than int32 can count.
Result<Column> TakeRows(const Column& column, const int32_t* rows, int64_t count, BufferPool& pool);

/// The same rows in form kFlat, or kView for a type of views; children keep their forms. Shares
/// everything where the form is that already.
/// Errors: as TakeRows; kInternal for codes outside the dictionary, and for one with nulls.
Result<Column> Flatten(const Column& column, BufferPool& pool);

}  // namespace sluice::inline v0
