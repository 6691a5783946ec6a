#include "engine/evaluate/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/evaluate/value_column.h"
#include "format/model/bitmap_words.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

constexpr size_t kAlignment = 64;

/// Appends the words of a block that are those of its rows.
void AppendWords(const RowBits& bits, const RowBits& active, size_t rows,
                 std::vector<uint64_t>* words) {
  for (size_t i = 0; i * 64 < rows; ++i) words->push_back(bits[i] & active[i]);
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const BoundExpression> expression)
    : expression_(std::move(expression)) {
  VisitNodes(*expression_, [&](const BoundExpression& node) {
    if (node.op == BoundOp::kColumn) columns_.emplace_back(node.path, node.type);
  });
  ScratchLayout layout;
  root_ = MakeNode(*expression_, layout);
  memory_ = std::make_unique<std::byte[]>(layout.size() + kAlignment);
  const auto address = reinterpret_cast<uintptr_t>(memory_.get());
  block_.scratch = memory_.get() + (kAlignment - address % kAlignment);
}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

Status Evaluator::Check(const Batch& batch) const {
  for (const auto& [path, type] : columns_) {
    const std::vector<Column>* columns = &batch.columns;
    const Column* column = nullptr;
    for (const int32_t ordinal : path) {
      if (static_cast<size_t>(ordinal) >= columns->size()) {
        return Status::Internal("a batch lacks a column of its predicate");
      }
      column = &(*columns)[static_cast<size_t>(ordinal)];
      while (column->dictionary) column = column->dictionary.get();
      columns = &column->children;
    }
    if (column == nullptr || !column->type || *column->type != type) {
      return Status::Internal(
          fmt::format("a column of a batch is not of type {}", type.ToString()));
    }
  }
  return Status::Ok();
}

const Vector& Evaluator::Run(int64_t begin, const uint64_t* selection, RowBits* active) {
  const int64_t rows = std::min(kBlockRows, block_.batch->num_rows - begin);
  block_.begin = begin;
  block_.rows = static_cast<size_t>(rows);
  block_.texts.Clear();
  for (size_t i = 0; i < kBlockWords; ++i) {
    const int64_t left = rows - static_cast<int64_t>(i * 64);
    (*active)[i] = left <= 0 ? 0 : LowBits(left);
    if (selection != nullptr && left > 0) {
      (*active)[i] &= selection[static_cast<size_t>(begin / 64) + i];
    }
  }
  return root_->Evaluate(block_, *active);
}

std::string Evaluator::Explain(int64_t row) {
  block_.begin = row;
  block_.rows = 1;
  block_.texts.Clear();
  block_.explains = true;
  RowBits active{};
  active[0] = 1;
  std::string error = root_->Evaluate(block_, active).error;
  block_.explains = false;
  return error;
}

Result<PredicateResult> Evaluator::EvaluatePredicate(const Batch& batch,
                                                     const uint64_t* selection) {
  SLUICE_RETURN_IF_ERROR(Check(batch));
  block_.batch = &batch;
  PredicateResult result;
  RowBits active;
  for (int64_t begin = 0; begin < batch.num_rows; begin += kBlockRows) {
    const Vector& truth = Run(begin, selection, &active);
    AppendWords(truth.bits(), active, block_.rows, &result.trues);
    AppendWords(truth.nulls, active, block_.rows, &result.nulls);
    AppendWords(truth.errors, active, block_.rows, &result.errors);
  }
  result.first_error_row = FirstSetBit(result.errors);
  if (result.first_error_row >= 0) result.first_error = Explain(result.first_error_row);
  return result;
}

Result<ValueResult> Evaluator::EvaluateValues(const Batch& batch, const uint64_t* selection,
                                              BufferPool* pool) {
  SLUICE_RETURN_IF_ERROR(Check(batch));
  ValueResult result;
  if (expression_->op == BoundOp::kColumn && expression_->path.size() == 1) {
    result.column = batch.columns[static_cast<size_t>(expression_->path[0])];
    result.errors.resize(static_cast<size_t>(BitmapWords(batch.num_rows)));
    return result;
  }
  block_.batch = &batch;
  SLUICE_TRY(ValueColumn column, ValueColumn::Make(expression_->type, batch.num_rows, pool));
  RowBits active;
  for (int64_t begin = 0; begin < batch.num_rows; begin += kBlockRows) {
    const Vector& values = Run(begin, selection, &active);
    AppendWords(values.errors, active, block_.rows, &result.errors);
    SLUICE_RETURN_IF_ERROR(column.Append(values, active, block_.rows));
  }
  SLUICE_TRY(result.column, column.Finish());
  result.first_error_row = FirstSetBit(result.errors);
  if (result.first_error_row >= 0) result.first_error = Explain(result.first_error_row);
  return result;
}

}  // namespace sluice::inline v0::engine
