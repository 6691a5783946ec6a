#include "engine/split/split_predicate.h"

#include <map>

#include "engine/bound/type_rules.h"
#include "engine/split/column_filters.h"
#include "engine/split/leaf_filter.h"

namespace sluice::inline v0::engine {
namespace {

/// An operand of the AND that a predicate is, or the opposite of it.
struct Conjunct {
  const BoundExpression* node;
  bool negated;
};

void CollectConjuncts(const BoundExpression& node, bool negated, std::vector<Conjunct>* out) {
  if (node.op == BoundOp::kNot) return CollectConjuncts(node.children[0], !negated, out);
  if (node.op != (negated ? BoundOp::kOr : BoundOp::kAnd)) {
    out->push_back({&node, negated});
    return;
  }
  for (const BoundExpression& child : node.children) CollectConjuncts(child, negated, out);
}

/// The filters of each column, in order of first use.
class ColumnGroups {
 public:
  struct Group {
    ColumnPath column;
    bool can_misfit;
    std::vector<ColumnFilter> filters;
  };

  void Add(LeafFilter leaf) {
    const auto [place, is_new] = places_.try_emplace(leaf.column, groups_.size());
    if (is_new) groups_.push_back({std::move(leaf.column), leaf.can_misfit, {}});
    groups_[place->second].filters.push_back(std::move(leaf.filter));
  }
  std::vector<Group>& groups() { return groups_; }

 private:
  std::vector<Group> groups_;
  std::map<ColumnPath, size_t> places_;
};

FilterNode NodeOf(FilterNode::Kind kind) {
  FilterNode node;
  node.kind = kind;
  return node;
}

class TreeBuilder {
 public:
  explicit TreeBuilder(std::vector<ColumnPath>* columns) : columns_(columns) {}

  FilterNode Build(const BoundExpression& node, bool negated) {
    if (node.op == BoundOp::kNot) return Build(node.children[0], !negated);
    if (node.is_constant()) {
      return NodeOf(node.IsConstant(!negated) ? FilterNode::Kind::kTrue
                                              : FilterNode::Kind::kNotTrue);
    }
    if (node.op == BoundOp::kAnd || node.op == BoundOp::kOr) return BuildChain(node, negated);
    if (auto leaf = LeafFilterOf(node, negated)) return BuildLeaf(*std::move(leaf));
    return NodeOf(FilterNode::Kind::kUnknown);
  }

 private:
  FilterNode BuildLeaf(LeafFilter leaf) {
    const bool is_none = leaf.filter.kind == ColumnFilter::Kind::kNone;
    const bool is_all = leaf.filter.kind == ColumnFilter::Kind::kAll;
    const bool is_constant = leaf.filter.null_passes ? is_all : is_none;
    if (is_constant) {
      // The same for every value, but not for a row that is an error.
      if (leaf.can_misfit) return NodeOf(FilterNode::Kind::kUnknown);
      return NodeOf(is_all ? FilterNode::Kind::kTrue : FilterNode::Kind::kNotTrue);
    }
    const auto [place, is_new] =
        places_.try_emplace(leaf.column, static_cast<int32_t>(columns_->size()));
    if (is_new) columns_->push_back(std::move(leaf.column));
    FilterNode node = NodeOf(FilterNode::Kind::kColumn);
    node.column = place->second;
    node.filter = std::move(leaf.filter);
    return node;
  }

  /// Operands that ask of one column are put together where that is exact.
  FilterNode BuildChain(const BoundExpression& chain, bool negated) {
    const bool is_and = (chain.op == BoundOp::kAnd) != negated;
    FilterNode node = NodeOf(is_and ? FilterNode::Kind::kAnd : FilterNode::Kind::kOr);
    ColumnGroups columns;
    for (const BoundExpression& child : chain.children) {
      if (auto leaf = LeafFilterOf(child, negated)) {
        columns.Add(*std::move(leaf));
      } else {
        node.children.push_back(Build(child, negated));
      }
    }
    for (ColumnGroups::Group& group : columns.groups()) {
      std::vector<ColumnFilter> filters;
      if (is_and) {
        filters = IntersectionOf(group.filters);
      } else if (auto joined = UnionOf(group.filters)) {
        filters = {*std::move(joined)};
      } else {
        filters = std::move(group.filters);
      }
      for (ColumnFilter& filter : filters) {
        node.children.push_back(BuildLeaf({group.column, std::move(filter), group.can_misfit}));
      }
    }
    if (node.children.size() == 1) return FilterNode(std::move(node.children[0]));
    if (node.children.empty()) {
      return NodeOf(is_and ? FilterNode::Kind::kTrue : FilterNode::Kind::kNotTrue);
    }
    return node;
  }

  std::vector<ColumnPath>* columns_;
  std::map<ColumnPath, int32_t> places_;
};

}  // namespace

std::optional<BoundExpression> AllOf(const std::vector<ResidualConjunct>& conjuncts) {
  if (conjuncts.empty()) return std::nullopt;
  if (conjuncts.size() == 1) return conjuncts[0].expression;
  std::vector<BoundExpression> operands;
  for (const ResidualConjunct& conjunct : conjuncts) operands.push_back(conjunct.expression);
  return BoundExpression::Make(BoundOp::kAnd, BooleanType(), std::move(operands));
}

PredicateParts SplitPredicate(const BoundExpression& predicate,
                              const std::function<bool(const ColumnPath&)>& can_filter) {
  PredicateParts parts;
  TreeBuilder trees(&parts.columns);
  parts.tree = trees.Build(predicate, false);
  ColumnGroups columns;
  std::vector<Conjunct> conjuncts;
  CollectConjuncts(predicate, false, &conjuncts);
  for (const auto& [node, negated] : conjuncts) {
    if (node->IsConstant(!negated)) continue;
    auto leaf = LeafFilterOf(*node, negated);
    if (leaf && (!can_filter || can_filter(leaf->column))) {
      columns.Add(*std::move(leaf));
    } else {
      parts.residual.push_back(
          {negated ? BoundExpression::Not(*node) : *node, trees.Build(*node, negated)});
    }
  }
  for (ColumnGroups::Group& group : columns.groups()) {
    for (ColumnFilter& filter : IntersectionOf(group.filters)) {
      parts.filters.push_back({group.column, std::move(filter), group.can_misfit});
    }
  }
  return parts;
}

}  // namespace sluice::inline v0::engine
