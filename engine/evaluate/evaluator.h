#pragma once

// Bound expressions over batches, block by block.

#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {

/// What a predicate says of the rows of a batch: bit i of each bitmap is row i, in no more than one
/// of them. Rows in none are FALSE, or were not asked for.
struct PredicateResult {
  std::vector<uint64_t> trues;
  std::vector<uint64_t> nulls;
  std::vector<uint64_t> errors;
  int64_t first_error_row = -1;  ///< Of the batch.
  std::string first_error;       ///< With line and column, if the expression has them.
};

/// The values of an expression for the rows of a batch. Rows that were not asked for, and those
/// that are errors, are null; of an expression that is a column by itself all rows are as they
/// were.
struct ValueResult {
  Column column;
  std::vector<uint64_t> errors;
  int64_t first_error_row = -1;
  std::string first_error;
};

/// Evaluates one expression; kernels run over blocks of rows, in memory that is kept from batch to
/// batch.
///
/// Threads: confined. Lifetime: the expression is shared.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const BoundExpression> expression);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  /// Evaluates a predicate for the rows of `batch` whose bit in `selection` is set, all if that is
  /// null. The batch has the columns of the schema that the expression was bound against, as far as
  /// it reads them.
  /// Errors: kInternal where a column that it reads is missing or of another type.
  Result<PredicateResult> EvaluatePredicate(const Batch& batch, const uint64_t* selection);
  /// The same of an expression of any type but interval and the nested ones, which only a column
  /// itself may have.
  /// Errors: as EvaluatePredicate; kUnsupported for those types; those of the pool.
  Result<ValueResult> EvaluateValues(const Batch& batch, const uint64_t* selection,
                                     BufferPool* pool);

 private:
  Status Check(const Batch& batch) const;
  /// Evaluates the block that begins at row `begin` of the batch.
  const Vector& Run(int64_t begin, const uint64_t* selection, RowBits* active);
  /// The error of a row, by evaluating it alone.
  std::string Explain(int64_t row);

  std::shared_ptr<const BoundExpression> expression_;
  std::vector<std::pair<ColumnPath, DataType>> columns_;
  std::unique_ptr<std::byte[]> memory_;
  Block block_;
  NodeRef root_;
};

}  // namespace sluice::inline v0::engine
