#include "engine/split/leaf_filter.h"

#include <sluice/value.h>

#include "engine/bind/value_keys.h"
#include "engine/bound/type_rules.h"
#include "engine/split/column_filters.h"
#include "engine/split/value_ranges.h"
#include "format/model/like.h"

namespace sluice::inline v0::engine {
namespace {

using Kind = ColumnFilter::Kind;

std::optional<LeafFilter> Leaf(const BoundExpression& column, ColumnFilter filter) {
  return LeafFilter{column.path, std::move(filter), column.can_misfit};
}

ColumnFilter Plain(const DataType& type, bool passes, bool null_passes) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = passes ? Kind::kAll : Kind::kNone;
  filter.null_passes = null_passes;
  return filter;
}

bool IsLeafColumn(const BoundExpression& node) {
  return node.op == BoundOp::kColumn && !node.type.is_nested();
}

/// The column behind conversions between texts, whose bytes are the same: casts, and widening to
/// binary too.
const BoundExpression& BehindTextCast(const BoundExpression& node) {
  const auto is_text = [&](const DataType& type) {
    const TypeClass kind = TypeClassOf(type);
    return kind == TypeClass::kText ||
           (kind == TypeClass::kBinary && type.is_view() && node.op == BoundOp::kWiden);
  };
  const bool is_text_cast = (node.op == BoundOp::kCast || node.op == BoundOp::kWiden) &&
                            is_text(node.type) && is_text(node.children[0].type);
  return is_text_cast ? BehindTextCast(node.children[0]) : node;
}

/// `filter` says when the expression is TRUE; where it is wanted FALSE, that is its complement.
/// NULL is neither.
ColumnFilter Wanted(ColumnFilter filter, bool negated) {
  return negated ? ComplementOf(std::move(filter), false) : filter;
}

ColumnFilter FilterOfComparison(ComparisonOp op, const DataType& type, const std::string& value) {
  ValueRange range;
  switch (op) {
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotDistinct:
      return FilterOfValue(type, value);
    case ComparisonOp::kNotEqual:
      return ComplementOf(FilterOfValue(type, value), false);
    case ComparisonOp::kDistinct:
      return ComplementOf(FilterOfValue(type, value), true);
    case ComparisonOp::kLess:
    case ComparisonOp::kLessEqual:
      range.upper = ValueBound{value, op == ComparisonOp::kLessEqual};
      break;
    case ComparisonOp::kGreater:
    case ComparisonOp::kGreaterEqual:
      range.lower = ValueBound{value, op == ComparisonOp::kGreaterEqual};
      break;
  }
  return FilterOfRange(type, std::move(range));
}

std::optional<LeafFilter> OfComparison(const BoundExpression& node, bool negated) {
  const BoundExpression& column = BehindTextCast(node.children[0]);
  const BoundExpression& constant = node.children[1];
  if (!IsLeafColumn(column) || !constant.is_constant() || constant.is_null()) return std::nullopt;
  ColumnFilter filter = FilterOfComparison(node.comparison, column.type, *constant.bytes);
  if (!negated) return Leaf(column, std::move(filter));
  // IS DISTINCT FROM and its opposite are never NULL.
  const bool null_passes = node.comparison == ComparisonOp::kNotDistinct;
  return Leaf(column, ComplementOf(std::move(filter), null_passes));
}

std::optional<LeafFilter> OfNullTest(const BoundExpression& node, bool negated) {
  const BoundExpression& column = node.children[0];
  if (!IsLeafColumn(column)) return std::nullopt;
  const Truth wanted = negated ? Truth::kFalse : Truth::kTrue;
  return Leaf(column, Plain(column.type, node.when_value == wanted, node.when_null == wanted));
}

std::optional<LeafFilter> OfSet(const BoundExpression& node, bool negated) {
  const BoundExpression& column = BehindTextCast(node.children[0]);
  if (!IsLeafColumn(column)) return std::nullopt;
  // Where it is not in the set it is NULL, not FALSE.
  if (negated && node.set_has_null) return Leaf(column, Plain(column.type, false, false));
  ColumnFilter filter;
  filter.type = column.type;
  filter.kind = Kind::kSet;
  filter.set = node.set;
  if (node.set->size() == 1) filter = FilterOfValue(column.type, node.set->front());
  return Leaf(column, Wanted(std::move(filter), negated));
}

ColumnFilter FilterOfPrefix(const DataType& type, std::string prefix) {
  if (prefix.empty()) return Plain(type, true, false);
  ColumnFilter filter;
  filter.type = type;
  filter.kind = Kind::kPrefix;
  filter.pattern = std::move(prefix);
  return filter;
}

/// The text that a pattern without wildcards is; absent where it has some.
std::optional<std::string> TextOfPattern(std::string_view pattern) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%' || pattern[i] == '_') return std::nullopt;
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    text += pattern[i];
  }
  return text;
}

std::optional<LeafFilter> OfPattern(const BoundExpression& node, bool negated) {
  const BoundExpression& column = BehindTextCast(node.children[0]);
  const BoundExpression& pattern = node.children[1];
  const bool has_escape = node.op == BoundOp::kLike && node.bytes.has_value();
  if (!IsLeafColumn(column) || !pattern.is_constant() || pattern.is_null() || has_escape) {
    return std::nullopt;
  }
  if (node.op == BoundOp::kStartsWith) {
    return Leaf(column, Wanted(FilterOfPrefix(column.type, *pattern.bytes), negated));
  }
  if (auto text = TextOfPattern(*pattern.bytes)) {
    return Leaf(column, Wanted(FilterOfValue(column.type, *std::move(text)), negated));
  }
  LikePrefix prefix = PrefixOfLike(*pattern.bytes);
  if (prefix.is_sufficient) {
    return Leaf(column, Wanted(FilterOfPrefix(column.type, std::move(prefix.bytes)), negated));
  }
  ColumnFilter filter;
  filter.type = column.type;
  filter.kind = Kind::kLike;
  filter.pattern = *pattern.bytes;
  return Leaf(column, Wanted(std::move(filter), negated));
}

std::optional<LeafFilter> OfIsNan(const BoundExpression& node, bool negated) {
  const BoundExpression& column = node.children[0];
  if (!IsLeafColumn(column)) return std::nullopt;
  const std::string nan = BytesOfKey(KeysOf(column.type).greatest, column.type);
  return Leaf(column, Wanted(FilterOfRange(column.type, {ValueBound{nan, true}, {}}), negated));
}

std::optional<LeafFilter> OfChain(const BoundExpression& chain, bool negated) {
  bool can_misfit = false;
  std::vector<ColumnFilter> filters;
  ColumnPath column;
  for (const BoundExpression& child : chain.children) {
    auto leaf = LeafFilterOf(child, negated);
    if (!leaf || (!filters.empty() && leaf->column != column)) return std::nullopt;
    column = std::move(leaf->column);
    can_misfit = leaf->can_misfit;
    filters.push_back(std::move(leaf->filter));
  }
  if (filters.empty()) return std::nullopt;
  const bool is_and = (chain.op == BoundOp::kAnd) != negated;
  if (!is_and) {
    auto joined = UnionOf(filters);
    if (!joined) return std::nullopt;
    return LeafFilter{std::move(column), *std::move(joined), can_misfit};
  }
  std::vector<ColumnFilter> both = IntersectionOf(filters);
  if (both.size() > 1) return std::nullopt;
  return LeafFilter{std::move(column), std::move(both[0]), can_misfit};
}

}  // namespace

std::optional<LeafFilter> LeafFilterOf(const BoundExpression& node, bool negated) {
  switch (node.op) {
    case BoundOp::kNot:
      return LeafFilterOf(node.children[0], !negated);
    case BoundOp::kAnd:
    case BoundOp::kOr:
      return OfChain(node, negated);
    case BoundOp::kColumn:
      if (!IsLeafColumn(node)) return std::nullopt;
      return Leaf(node, FilterOfValue(node.type, std::string(1, negated ? '\0' : '\1')));
    case BoundOp::kCompare:
      return OfComparison(node, negated);
    case BoundOp::kNullTest:
      return OfNullTest(node, negated);
    case BoundOp::kInSet:
      return OfSet(node, negated);
    case BoundOp::kLike:
    case BoundOp::kStartsWith:
      return OfPattern(node, negated);
    case BoundOp::kIsNan:
      return OfIsNan(node, negated);
    default:
      return std::nullopt;
  }
}

}  // namespace sluice::inline v0::engine
