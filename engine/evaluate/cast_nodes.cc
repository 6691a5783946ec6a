// Casts from numbers to booleans and from nothing, and which file makes the others.

#include "engine/evaluate/cast_nodes.h"

#include <fmt/format.h>

#include "engine/bound/type_rules.h"
#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {
namespace {

/// Numbers are TRUE where they are not 0, NaN too.
template <typename From>
class ToBooleanNode : public Node {
 public:
  ToBooleanNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    FillRows(block.rows, &trues, [&](size_t i) { return operand.as<From>()[i] != From{}; });
    ClearInvalid(&trues);
    return result_;
  }

 private:
  NodeRef operand_;
};

/// From NULL of no type: every row is NULL.
class FromNothingNode : public Node {
 public:
  FromNothingNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    if (result_.native == Native::kBits) {
      Trues(block) = {};
    } else {
      VisitNative(result_.native, [&]<typename T>(std::type_identity<T>) {
        T* values = Values<T>(block);
        for (size_t i = 0; i < block.rows; ++i) values[i] = T{};
      });
    }
    return result_;
  }

 private:
  NodeRef operand_;
};

NodeRef MakeToBoolean(const BoundExpression& expression, ScratchLayout& layout) {
  NodeRef node;
  VisitNative(NativeOf(expression.children[0].type), [&]<typename From>(std::type_identity<From>) {
    if constexpr (!std::is_same_v<From, std::string_view> && !std::is_same_v<From, Interval>) {
      node = std::make_unique<ToBooleanNode<From>>(expression, layout);
    }
  });
  return node;
}

}  // namespace

std::string CastError(const std::string& value, const DataType& type) {
  return fmt::format("{} is no value of type {}", value, type.ToString());
}

NodeRef MakeCast(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  const TypeClass source = TypeClassOf(from);
  const TypeClass target = TypeClassOf(expression.type);
  if (source == TypeClass::kNull) {
    return std::make_unique<FromNothingNode>(expression, layout);
  }
  if (source == TypeClass::kText) return MakeTextCast(expression, layout);
  if (target == TypeClass::kText || target == TypeClass::kBinary) {
    return MakeCastToBytes(expression, layout);
  }
  if (IsTimeLike(from)) return MakeTimeCast(expression, layout);
  if (target == TypeClass::kBoolean) return MakeToBoolean(expression, layout);
  NodeRef plain = MakePlainCast(expression, layout);
  return plain ? std::move(plain) : MakeNumberCast(expression, layout);
}

NodeRef MakeWiden(const BoundExpression& expression, ScratchLayout& layout) {
  const bool are_bytes = NativeOf(expression.children[0].type) == Native::kBytes &&
                         NativeOf(expression.type) == Native::kBytes;
  return are_bytes ? MakeSameBytes(expression, layout) : MakeCast(expression, layout);
}

}  // namespace sluice::inline v0::engine
