#pragma once

// Vectors to a column, block after block.

#include <sluice/column.h>

#include <optional>
#include <string>

#include "engine/evaluate/vector.h"
#include "format/model/buffer_builder.h"

namespace sluice::inline v0::engine {

/// A row of a vector of values of the type, as BoundExpression::bytes has it; absent where it is
/// NULL.
std::optional<std::string> ValueBytes(const Vector& vector, size_t row, const DataType& type);

/// Threads: confined.
class ValueColumn {
 public:
  /// Errors: kUnsupported for intervals and nested types; those of the pool.
  static Result<ValueColumn> Make(const DataType& type, int64_t num_rows, BufferPool* pool);

  /// Appends `rows` rows; those that are not active, NULL or ERROR become null.
  Status Append(const Vector& vector, const RowBits& active, size_t rows);
  Result<Column> Finish();

 private:
  ValueColumn(const DataType& type, BufferPool* pool);
  Status AppendViews(const Vector& vector, const RowBits& valid, size_t rows);
  Status AppendFixed(const Vector& vector, const RowBits& valid, size_t rows);

  std::shared_ptr<const DataType> type_;
  int64_t length_ = 0;
  int64_t null_count_ = 0;
  BufferBuilder validity_;
  BufferBuilder data_;
  BufferBuilder bytes_;  ///< What views refer to.
};

}  // namespace sluice::inline v0::engine
