#include <fmt/format.h>
#include <sluice/filter.h>
#include <sluice/value.h>

#include <algorithm>

#include "format/model/like.h"
#include "format/model/value_range.h"

namespace sluice::inline v0 {
namespace {

bool IsMember(const ColumnFilter& filter, std::string_view value) {
  return std::binary_search(
      filter.set->begin(), filter.set->end(), value,
      [&](std::string_view a, std::string_view b) { return CompareValues(filter.type, a, b) < 0; });
}

std::string Text(const DataType& type, const std::string& value) {
  return Value{type, value}.ToString();
}

std::string RangeText(const DataType& type, const ValueRange& range) {
  const auto& [lower, upper] = range;
  if (!lower && !upper) return "any value";
  if (!upper) return fmt::format("{} {}", lower->inclusive ? ">=" : ">", Text(type, lower->value));
  if (!lower) return fmt::format("{} {}", upper->inclusive ? "<=" : "<", Text(type, upper->value));
  if (CompareValues(type, lower->value, upper->value) == 0) {
    return fmt::format("= {}", Text(type, lower->value));
  }
  return fmt::format("in {}{}, {}{}", lower->inclusive ? '[' : '(', Text(type, lower->value),
                     Text(type, upper->value), upper->inclusive ? ']' : ')');
}

std::string SetText(const ColumnFilter& filter) {
  constexpr size_t kShown = 8;
  const std::vector<std::string>& set = *filter.set;
  std::string text = filter.negated ? "not in {" : "in {";
  for (size_t i = 0; i < std::min(set.size(), kShown); ++i) {
    if (i > 0) text += ", ";
    text += Text(filter.type, set[i]);
  }
  if (set.size() > kShown) text += fmt::format(", and {} more", set.size() - kShown);
  return text + "}";
}

std::string PatternText(const ColumnFilter& filter) {
  return Text(DataType::Of(TypeId::kString), filter.pattern);
}

std::string ValuesText(const ColumnFilter& filter) {
  switch (filter.kind) {
    case ColumnFilter::Kind::kNone:
      return "nothing";
    case ColumnFilter::Kind::kAll:
      return "not null";
    case ColumnFilter::Kind::kSet:
      return SetText(filter);
    case ColumnFilter::Kind::kPrefix:
      return (filter.negated ? "does not begin with " : "begins with ") + PatternText(filter);
    case ColumnFilter::Kind::kLike:
      return (filter.negated ? "not like " : "like ") + PatternText(filter);
    case ColumnFilter::Kind::kRanges:
      break;
  }
  std::string text;
  for (const ValueRange& range : filter.ranges) {
    if (!text.empty()) text += " or ";
    text += RangeText(filter.type, range);
  }
  return text;
}

}  // namespace

bool Contains(const DataType& type, const ValueRange& range, std::string_view value) {
  if (range.lower) {
    const int order = CompareValues(type, value, range.lower->value);
    if (order < 0 || (order == 0 && !range.lower->inclusive)) return false;
  }
  if (range.upper) {
    const int order = CompareValues(type, value, range.upper->value);
    if (order > 0 || (order == 0 && !range.upper->inclusive)) return false;
  }
  return true;
}

bool ColumnFilter::Passes(std::string_view value) const {
  switch (kind) {
    case Kind::kNone:
      return false;
    case Kind::kAll:
      return true;
    case Kind::kRanges:
      return std::any_of(ranges.begin(), ranges.end(),
                         [&](const ValueRange& range) { return Contains(type, range, value); });
    case Kind::kSet:
      return IsMember(*this, value) != negated;
    case Kind::kPrefix:
      return value.starts_with(pattern) != negated;
    case Kind::kLike:
      return LikeMatches(pattern, value) != negated;
  }
  return false;
}

std::string ColumnFilter::ToString() const {
  if (kind == Kind::kNone && null_passes) return "null";
  if (kind == Kind::kAll && null_passes) return "anything";
  return ValuesText(*this) + (null_passes ? " or null" : "");
}

}  // namespace sluice::inline v0
