#include "engine/split/split_predicate.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/bind/simplify.h"
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

/// Of one operand at least.
BoundExpression AndOf(std::vector<BoundExpression> operands) {
  if (operands.size() == 1) return std::move(operands[0]);
  return BoundExpression::Make(BoundOp::kAnd, BooleanType(), std::move(operands));
}

/// Says of columns whose widening can fail that they can misfit; whether there are any.
bool MarkMisfits(BoundExpression& node) {
  if (IsPartlyWidened(node)) {
    node.children[0].can_misfit = true;
    node.is_simple = false;
    return true;
  }
  bool is_marked = false;
  for (BoundExpression& child : node.children) is_marked |= MarkMisfits(child);
  if (is_marked) node.is_simple = false;
  return is_marked;
}

/// The expression with such columns: where they do not misfit widening is exact, so that what asks
/// of the wider value asks of the column's own. Absent where there are none.
std::optional<BoundExpression> WithMisfits(const BoundExpression& node) {
  bool is_needed = false;
  VisitNodes(node, [&](const BoundExpression& one) { is_needed |= IsPartlyWidened(one); });
  if (!is_needed) return std::nullopt;
  BoundExpression marked = node;
  MarkMisfits(marked);
  return Simplify(std::move(marked));
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

/// Splits operand by operand.
class Splitter {
 public:
  explicit Splitter(const std::function<bool(const ColumnPath&)>& can_filter)
      : can_filter_(can_filter), trees_(&parts_.columns) {}

  PredicateParts Split(const BoundExpression& predicate) && {
    parts_.tree = TreeOf(predicate);
    std::vector<Conjunct> conjuncts;
    CollectConjuncts(predicate, false, &conjuncts);
    for (const auto& [node, negated] : conjuncts) {
      if (!node->IsConstant(!negated)) Add(negated ? BoundExpression::Not(*node) : *node);
    }
    for (ColumnGroups::Group& group : columns_.groups()) {
      for (ColumnFilter& filter : IntersectionOf(group.filters)) {
        parts_.filters.push_back({group.column, std::move(filter), false});
      }
    }
    for (ColumnGroups::Group& group : misfits_.groups()) {
      ResidualConjunct conjunct = ConjunctOf(AndOf(std::move(asked_[group.column])));
      for (ColumnFilter& filter : IntersectionOf(group.filters)) {
        conjunct.filters.push_back({group.column, std::move(filter), true});
      }
      parts_.residual.push_back(std::move(conjunct));
    }
    return std::move(parts_);
  }

 private:
  FilterNode TreeOf(const BoundExpression& node) {
    const std::optional<BoundExpression> marked = WithMisfits(node);
    return trees_.Build(marked ? *marked : node, false);
  }
  ResidualConjunct ConjunctOf(BoundExpression expression) {
    FilterNode tree = TreeOf(expression);
    return {std::move(expression), std::move(tree), {}};
  }
  void Add(BoundExpression expression) {
    const std::optional<BoundExpression> marked = WithMisfits(expression);
    auto leaf = LeafFilterOf(marked ? *marked : expression, false);
    if (!leaf || (can_filter_ && !can_filter_(leaf->column))) {
      parts_.residual.push_back(ConjunctOf(std::move(expression)));
    } else if (leaf->can_misfit) {
      asked_[leaf->column].push_back(std::move(expression));
      misfits_.Add(*std::move(leaf));
    } else {
      columns_.Add(*std::move(leaf));
    }
  }

  const std::function<bool(const ColumnPath&)>& can_filter_;
  PredicateParts parts_;
  TreeBuilder trees_;
  ColumnGroups columns_;
  ColumnGroups misfits_;
  std::map<ColumnPath, std::vector<BoundExpression>> asked_;  ///< Of columns that can misfit.
};

}  // namespace

std::optional<BoundExpression> AllOf(const std::vector<ResidualConjunct>& conjuncts) {
  if (conjuncts.empty()) return std::nullopt;
  std::vector<BoundExpression> operands;
  for (const ResidualConjunct& conjunct : conjuncts) operands.push_back(conjunct.expression);
  return AndOf(std::move(operands));
}

PredicateParts SplitPredicate(const BoundExpression& predicate,
                              const std::function<bool(const ColumnPath&)>& can_filter) {
  return Splitter(can_filter).Split(predicate);
}

}  // namespace sluice::inline v0::engine
