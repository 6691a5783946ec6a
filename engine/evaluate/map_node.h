#pragma once

// A node that makes each value of one operand a value, or an error of its row.

#include <fmt/format.h>

#include <utility>

#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {

/// `map(value, &result)` says whether there is a result; it is called for rows that are active and
/// neither NULL nor ERROR. `explain(text)` is the error of a row with the value of that text.
template <typename From, typename To, typename Map, typename Explain>
class MapNode : public Node {
 public:
  MapNode(const BoundExpression& expression, ScratchLayout& layout, Map map, Explain explain)
      : Node(expression, layout),
        operand_(MakeNode(expression.children[0], layout)),
        map_(std::move(map)),
        explain_(std::move(explain)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    To* values = Values<To>(block);
    RowBits failed{};
    bool any_failed = false;
    VisitRows(ValidRows(active), [&](size_t i) {
      const bool is_failed = !map_(operand.as<From>()[i], &values[i]);
      SetRow(&failed, i, is_failed);
      any_failed |= is_failed;
    });
    if (any_failed) {
      SetErrors(block, failed,
                [&] { return explain_(ValueText(operand, 0, expression_.children[0].type)); });
    }
    return result_;
  }

 private:
  NodeRef operand_;
  Map map_;
  Explain explain_;
};

template <typename From, typename To, typename Map, typename Explain>
NodeRef MakeMap(const BoundExpression& expression, ScratchLayout& layout, Map map,
                Explain explain) {
  return std::make_unique<MapNode<From, To, Map, Explain>>(expression, layout, std::move(map),
                                                           std::move(explain));
}

/// A map that never fails, for every row of the block: a loop that compilers make vectors of.
template <typename From, typename To, typename Map>
class TotalMapNode : public Node {
 public:
  TotalMapNode(const BoundExpression& expression, ScratchLayout& layout, Map map)
      : Node(expression, layout),
        operand_(MakeNode(expression.children[0], layout)),
        map_(std::move(map)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    const From* from = operand.as<From>();
    To* to = Values<To>(block);
    for (size_t i = 0; i < block.rows; ++i) to[i] = map_(from[i]);
    return result_;
  }

 private:
  NodeRef operand_;
  Map map_;
};

template <typename From, typename To, typename Map>
NodeRef MakeTotalMap(const BoundExpression& expression, ScratchLayout& layout, Map map) {
  return std::make_unique<TotalMapNode<From, To, Map>>(expression, layout, std::move(map));
}

}  // namespace sluice::inline v0::engine
