// CASE and COALESCE, which evaluate each branch for the rows that take it, and values that are used
// more than once.

#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {
namespace {

class LetNode : public Node {
 public:
  LetNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout),
        value_(MakeNode(expression.children[0], layout)),
        body_(MakeNode(expression.children[1], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const auto slot = static_cast<size_t>(expression_.slot);
    const Vector& value = value_->Evaluate(block, active);
    if (block.slots.size() <= slot) block.slots.resize(slot + 1);
    block.slots[slot] = &value;
    return body_->Evaluate(block, active);
  }

 private:
  NodeRef value_;
  NodeRef body_;
};

class SlotNode : public Node {
 public:
  using Node::Node;

  const Vector& Evaluate(Block& block, const RowBits&) override {
    return *block.slots[static_cast<size_t>(expression_.slot)];
  }
};

/// What CASE and COALESCE share: a result that is put together from those of branches.
class BranchNode : public Node {
 public:
  BranchNode(const BoundExpression& expression, ScratchLayout& layout) : Node(expression, layout) {
    // Children share their scratch: what one results in is taken before the next is evaluated.
    const size_t position = layout.position();
    for (const BoundExpression& child : expression.children) {
      layout.ReturnTo(position);
      children_.push_back(MakeNode(child, layout));
    }
  }

 protected:
  void Begin(Block& block) {
    result_.nulls = {};
    result_.errors = {};
    result_.error.clear();
    if (result_.native == Native::kBits) {
      Trues(block) = {};
    } else {
      Values<std::byte>(block);
    }
  }

  /// Takes the rows from the branch's result.
  void Take(Block& block, const Vector& branch, const RowBits& rows) {
    for (size_t i = 0; i < kBlockWords; ++i) {
      result_.nulls[i] |= branch.nulls[i] & rows[i];
      result_.errors[i] |= branch.errors[i] & rows[i];
    }
    if ((rows[0] & branch.errors[0] & 1) != 0) result_.error = branch.error;
    if (result_.native == Native::kBits) {
      for (size_t i = 0; i < kBlockWords; ++i) Trues(block)[i] |= branch.bits()[i] & rows[i];
      return;
    }
    RowBits valid;
    for (size_t i = 0; i < kBlockWords; ++i) {
      valid[i] = rows[i] & ~branch.nulls[i] & ~branch.errors[i];
    }
    VisitNative(result_.native, [&]<typename T>(std::type_identity<T>) {
      T* values = Values<T>(block);
      VisitRows(valid, [&](size_t i) { values[i] = branch.as<T>()[i]; });
    });
  }

  std::vector<NodeRef> children_;
};

class CaseNode : public BranchNode {
 public:
  using BranchNode::BranchNode;

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    Begin(block);
    RowBits open = active;
    for (size_t child = 0; child + 1 < children_.size() && !IsEmpty(open); child += 2) {
      const Vector& condition = children_[child]->Evaluate(block, open);
      RowBits taken;
      for (size_t i = 0; i < kBlockWords; ++i) {
        const uint64_t errors = condition.errors[i] & open[i];
        result_.errors[i] |= errors;
        taken[i] = condition.bits()[i] & open[i] & ~condition.nulls[i] & ~errors;
        open[i] &= ~errors & ~taken[i];
      }
      if ((result_.errors[0] & 1) != 0 && result_.error.empty()) result_.error = condition.error;
      if (!IsEmpty(taken)) Take(block, children_[child + 1]->Evaluate(block, taken), taken);
    }
    if (!IsEmpty(open)) Take(block, children_.back()->Evaluate(block, open), open);
    return result_;
  }
};

class CoalesceNode : public BranchNode {
 public:
  using BranchNode::BranchNode;

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    Begin(block);
    RowBits open = active;
    for (const NodeRef& child : children_) {
      const Vector& branch = child->Evaluate(block, open);
      RowBits taken;
      for (size_t i = 0; i < kBlockWords; ++i) taken[i] = open[i] & ~branch.nulls[i];
      Take(block, branch, taken);
      for (size_t i = 0; i < kBlockWords; ++i) open[i] &= ~taken[i];
      if (IsEmpty(open)) break;
    }
    for (size_t i = 0; i < kBlockWords; ++i) result_.nulls[i] |= open[i];
    return result_;
  }
};

}  // namespace

NodeRef MakeBranches(const BoundExpression& expression, ScratchLayout& layout) {
  switch (expression.op) {
    case BoundOp::kLet:
      return std::make_unique<LetNode>(expression, layout);
    case BoundOp::kSlot:
      return std::make_unique<SlotNode>(expression, layout);
    case BoundOp::kCase:
      return std::make_unique<CaseNode>(expression, layout);
    default:
      return std::make_unique<CoalesceNode>(expression, layout);
  }
}

}  // namespace sluice::inline v0::engine
