// AND, OR, NOT and tests for NULL, in logic of four values.

#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {
namespace {

/// AND: the least of FALSE < NULL < ERROR < TRUE. OR is the same with TRUE and FALSE exchanged.
class ChainNode : public Node {
 public:
  ChainNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), is_and_(expression.op == BoundOp::kAnd) {
    const size_t position = layout.position();
    for (const BoundExpression& child : expression.children) {
      layout.ReturnTo(position);
      children_.push_back(MakeNode(child, layout));
    }
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    RowBits& trues = Trues(block);
    result_.nulls = {};
    result_.errors = {};
    result_.error.clear();
    // Rows that no child has decided: TRUE decides an OR, FALSE an AND.
    RowBits open = active;
    for (const NodeRef& child : children_) {
      const Vector& operand = child->Evaluate(block, open);
      if (result_.error.empty()) result_.error = operand.error;
      for (size_t i = 0; i < kBlockWords; ++i) {
        const uint64_t nulls = operand.nulls[i] & open[i];
        const uint64_t errors = operand.errors[i] & open[i];
        const uint64_t values = operand.bits()[i] & open[i] & ~nulls & ~errors;
        const uint64_t decided = open[i] & ~nulls & ~errors & (is_and_ ? ~values : values);
        open[i] &= ~decided;
        result_.nulls[i] = (result_.nulls[i] | nulls) & open[i];
        result_.errors[i] = (result_.errors[i] | errors) & open[i] & ~result_.nulls[i];
      }
      if (IsEmpty(open)) break;
    }
    for (size_t i = 0; i < kBlockWords; ++i) {
      const uint64_t agreed = open[i] & ~result_.nulls[i] & ~result_.errors[i];
      trues[i] = is_and_ ? agreed : active[i] & ~open[i];
    }
    if ((result_.errors[0] & 1) == 0) result_.error.clear();
    return result_;
  }

 private:
  const bool is_and_;
  std::vector<NodeRef> children_;
};

class NotNode : public Node {
 public:
  NotNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    const RowBits valid = ValidRows(active);
    for (size_t i = 0; i < kBlockWords; ++i) trues[i] = valid[i] & ~operand.bits()[i];
    return result_;
  }

 private:
  NodeRef operand_;
};

class NullTestNode : public Node {
 public:
  NullTestNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    const RowBits valid = ValidRows(active);
    for (size_t i = 0; i < kBlockWords; ++i) {
      const uint64_t nulls = operand.nulls[i] & active[i];
      trues[i] = RowsOf(Truth::kTrue, nulls, valid[i]);
      result_.nulls[i] = RowsOf(Truth::kNull, nulls, valid[i]);
    }
    return result_;
  }

 private:
  uint64_t RowsOf(Truth truth, uint64_t nulls, uint64_t valid) const {
    return (expression_.when_null == truth ? nulls : 0) |
           (expression_.when_value == truth ? valid : 0);
  }

  NodeRef operand_;
};

}  // namespace

NodeRef MakeLogic(const BoundExpression& expression, ScratchLayout& layout) {
  switch (expression.op) {
    case BoundOp::kNot:
      return std::make_unique<NotNode>(expression, layout);
    case BoundOp::kNullTest:
      return std::make_unique<NullTestNode>(expression, layout);
    default:
      return std::make_unique<ChainNode>(expression, layout);
  }
}

}  // namespace sluice::inline v0::engine
