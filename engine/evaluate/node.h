#pragma once

// A node of an expression made ready to run: it knows its kernel and where its values go.

#include <sluice/column.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/evaluate/text_arena.h"
#include "engine/evaluate/vector.h"

namespace sluice::inline v0::engine {

/// The rows that are evaluated now.
struct Block {
  const Batch* batch = nullptr;
  int64_t begin = 0;  ///< Of the block in the batch.
  size_t rows = 0;    ///< At most kBlockRows.
  std::byte* scratch = nullptr;
  TextArena texts;                   ///< Of the block: texts that kernels make.
  std::vector<const Vector*> slots;  ///< By BoundExpression::slot.
  bool explains = false;             ///< A single row, whose error is wanted as text.
};

/// Where vectors lie in the scratch memory of an evaluator. Memory of children that are used one
/// after the other is given out again.
class ScratchLayout {
 public:
  /// The offset of room for a block of values.
  size_t Reserve(Native native);
  size_t position() const { return position_; }
  void ReturnTo(size_t position) { position_ = position; }
  size_t size() const { return size_; }

 private:
  size_t position_ = 0;
  size_t size_ = 0;
};

/// Threads: confined. Lifetime: the expression that it was made of must outlive it.
class Node {
 public:
  Node(const BoundExpression& expression, ScratchLayout& layout)
      : expression_(expression), offset_(layout.Reserve(NativeOf(expression.type))) {
    result_.native = NativeOf(expression.type);
  }
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// The values of the active rows of the block, until the next call or until memory that the
  /// layout gave out twice is written. Rows that are not active must not be looked at.
  virtual const Vector& Evaluate(Block& block, const RowBits& active) = 0;

  const BoundExpression& expression() const { return expression_; }

 protected:
  template <typename T>
  T* Values(Block& block) {
    T* values = reinterpret_cast<T*>(block.scratch + offset_);
    result_.values = values;
    return values;
  }
  RowBits& Trues(Block& block) { return *Values<RowBits>(block); }

  /// Begins a strict result: errors of any operand, else nulls of any, and the operand's message.
  void JoinNulls(std::initializer_list<const Vector*> operands);
  /// The active rows that are neither NULL nor ERROR.
  RowBits ValidRows(const RowBits& active) const;
  /// Makes rows errors. `what` is called for the text of the one row that is explained.
  template <typename What>
  void SetErrors(const Block& block, const RowBits& rows, What what) {
    for (size_t i = 0; i < kBlockWords; ++i) {
      result_.errors[i] |= rows[i];
      result_.nulls[i] &= ~rows[i];
    }
    if (block.explains && (rows[0] & 1) != 0) result_.error = Located(what());
  }
  /// `what` with the place of the expression in its text.
  std::string Located(std::string_view what) const;
  /// Clears the TRUE bits of rows that are NULL or ERROR.
  void ClearInvalid(RowBits* trues) const;

  const BoundExpression& expression_;
  Vector result_;

 private:
  size_t offset_;
};

using NodeRef = std::unique_ptr<Node>;

/// The node of an expression, with its children; one function for each kind of operator.
NodeRef MakeNode(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeColumn(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeConstant(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeCast(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeWiden(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeArithmetic(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeTimeArithmetic(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeComparison(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeInSet(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeLogic(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeBranches(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeText(const BoundExpression& expression, ScratchLayout& layout);
NodeRef MakeDatePart(const BoundExpression& expression, ScratchLayout& layout);

/// Row `row` of a vector of values of the type, for messages: NULL, 12, 'text', 2024-01-01, ...
std::string ValueText(const Vector& vector, size_t row, const DataType& type);

}  // namespace sluice::inline v0::engine
