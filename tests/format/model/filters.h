#pragma once

// Filters written down shortly, for tests.

#include <sluice/filter.h>
#include <sluice/value.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

template <typename T>
std::string BytesOf(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(T));
}

inline ColumnFilter FilterOf(const DataType& type, ColumnFilter::Kind kind) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = kind;
  return filter;
}

inline ColumnFilter RangesOf(const DataType& type, std::vector<ValueRange> ranges) {
  ColumnFilter filter = FilterOf(type, ColumnFilter::Kind::kRanges);
  filter.ranges = std::move(ranges);
  return filter;
}

/// `set` in any order, equal values given once.
inline ColumnFilter SetOf(const DataType& type, std::vector<std::string> set,
                          bool negated = false) {
  ColumnFilter filter = FilterOf(type, ColumnFilter::Kind::kSet);
  std::sort(set.begin(), set.end(), [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  });
  filter.set = std::make_shared<const std::vector<std::string>>(std::move(set));
  filter.negated = negated;
  return filter;
}

inline ColumnFilter PatternOf(const DataType& type, ColumnFilter::Kind kind, std::string pattern,
                              bool negated = false) {
  ColumnFilter filter = FilterOf(type, kind);
  filter.pattern = std::move(pattern);
  filter.negated = negated;
  return filter;
}

inline ColumnFilter OrNull(ColumnFilter filter) {
  filter.null_passes = true;
  return filter;
}

inline ColumnFilter IsNull() {
  return OrNull(FilterOf(DataType::Of(TypeId::kNull), ColumnFilter::Kind::kNone));
}
inline ColumnFilter IsNotNull() {
  return FilterOf(DataType::Of(TypeId::kNull), ColumnFilter::Kind::kAll);
}

inline ColumnFilter Equal(const DataType& type, const std::string& value) {
  return RangesOf(type, {{ValueBound{value}, ValueBound{value}}});
}
inline ColumnFilter NotEqual(const DataType& type, const std::string& value) {
  return RangesOf(
      type, {{std::nullopt, ValueBound{value, false}}, {ValueBound{value, false}, std::nullopt}});
}
inline ColumnFilter Less(const DataType& type, const std::string& value) {
  return RangesOf(type, {{std::nullopt, ValueBound{value, false}}});
}
inline ColumnFilter LessOrEqual(const DataType& type, const std::string& value) {
  return RangesOf(type, {{std::nullopt, ValueBound{value}}});
}
inline ColumnFilter Greater(const DataType& type, const std::string& value) {
  return RangesOf(type, {{ValueBound{value, false}, std::nullopt}});
}
inline ColumnFilter GreaterOrEqual(const DataType& type, const std::string& value) {
  return RangesOf(type, {{ValueBound{value}, std::nullopt}});
}
inline ColumnFilter Between(const DataType& type, const std::string& low, const std::string& high) {
  return RangesOf(type, {{ValueBound{low}, ValueBound{high}}});
}

inline FilterNode Leaf(int32_t column, ColumnFilter filter) {
  FilterNode node;
  node.kind = FilterNode::Kind::kColumn;
  node.column = column;
  node.filter = std::move(filter);
  return node;
}
inline FilterNode Node(FilterNode::Kind kind, std::vector<FilterNode> children = {}) {
  FilterNode node;
  node.kind = kind;
  node.children = std::move(children);
  return node;
}
inline FilterNode And(std::vector<FilterNode> children) {
  return Node(FilterNode::Kind::kAnd, std::move(children));
}
inline FilterNode Or(std::vector<FilterNode> children) {
  return Node(FilterNode::Kind::kOr, std::move(children));
}

}  // namespace sluice
