#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::inline v0 {

/// A column in a wider type, by the rules of widen.h.
struct WidenedColumn {
  Column column;
  /// Bit i: row i, not null, has a value without counterpart, and what stands in its place means
  /// nothing. Empty where there is no such row.
  std::vector<uint64_t> misfits;
};

/// A dictionary that was widened: batches of a chunk share one, and so widen it once.
struct WidenedDictionary {
  std::shared_ptr<const Column> from;
  std::shared_ptr<const Column> to;
  std::vector<uint64_t> misfits;  ///< Of the entries.
};

/// `column` as `to`, in the same form. Bytes that stay the same are shared, and of dictionaries and
/// constants the entries alone are widened; whether an entry has a counterpart matters only to the
/// rows that have it.
///
/// `kept` is where the dictionary of the last call with it is found, and where that of this one is
/// put; null: nowhere.
/// Errors: kInternal unless CanWiden; kResourceExhausted by the pool.
Result<WidenedColumn> WidenColumn(Column column, std::shared_ptr<const DataType> to,
                                  BufferPool& pool, WidenedDictionary* kept);

/// The rows of a column in form kConstant or kDictionary whose entry is one of `entries`, empty
/// where there is none.
std::vector<uint64_t> RowsOfEntries(const Column& column, const std::vector<uint64_t>& entries);

/// What a row is that has no counterpart: kRowError naming its value and the types. `column` is the
/// one before it was widened.
Status MisfitError(const Column& column, int64_t row, const DataType& to);

}  // namespace sluice::inline v0
