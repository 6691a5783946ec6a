#include "engine/split/column_filters.h"

#include <sluice/value.h>

#include <algorithm>
#include <utility>

#include "engine/split/value_ranges.h"
#include "format/model/value_range.h"

namespace sluice::inline v0::engine {
namespace {

using Kind = ColumnFilter::Kind;
using Values = std::vector<std::string>;

constexpr size_t kMostRanges = 2;

ColumnFilter Plain(const DataType& type, Kind kind) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = kind;
  return filter;
}

void SortDistinct(const DataType& type, Values* values) {
  std::sort(values->begin(), values->end(), [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  });
  const auto same = [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) == 0;
  };
  values->erase(std::unique(values->begin(), values->end(), same), values->end());
}

/// Of ascending, distinct values.
ColumnFilter FilterOfSet(const DataType& type, Values values, bool negated) {
  if (values.empty()) return Plain(type, negated ? Kind::kAll : Kind::kNone);
  if (values.size() == 1 && !negated) return FilterOfRange(type, RangeOfValue(values[0]));
  ColumnFilter filter = Plain(type, Kind::kSet);
  filter.negated = negated;
  filter.set = std::make_shared<const Values>(std::move(values));
  return filter;
}

/// Of ranges as JoinRanges makes them; absent where they are too many.
std::optional<ColumnFilter> FilterOfRanges(const DataType& type, std::vector<ValueRange> ranges) {
  if (ranges.empty()) return Plain(type, Kind::kNone);
  if (ranges.size() > kMostRanges) return std::nullopt;
  if (ranges.size() == 1 && !ranges[0].lower && !ranges[0].upper) return Plain(type, Kind::kAll);
  ColumnFilter filter = Plain(type, Kind::kRanges);
  filter.ranges = std::move(ranges);
  return filter;
}

/// Filters by what can be calculated with; `others` are LIKE and negated prefixes.
struct Parts {
  bool has_all = false;
  bool has_none = false;
  std::vector<std::vector<ValueRange>> ranges;
  std::vector<std::shared_ptr<const Values>> sets;
  std::vector<std::shared_ptr<const Values>> negated_sets;
  std::vector<ColumnFilter> others;
  bool any_null_passes = false;
  bool all_nulls_pass = true;
};

bool IsSame(const ColumnFilter& a, const ColumnFilter& b) {
  return a.kind == b.kind && a.negated == b.negated && a.pattern == b.pattern;
}

Parts PartsOf(const std::vector<ColumnFilter>& filters) {
  Parts parts;
  for (const ColumnFilter& filter : filters) {
    parts.any_null_passes |= filter.null_passes;
    parts.all_nulls_pass &= filter.null_passes;
    switch (filter.kind) {
      case Kind::kAll:
        parts.has_all = true;
        break;
      case Kind::kNone:
        parts.has_none = true;
        break;
      case Kind::kRanges:
        parts.ranges.push_back(filter.ranges);
        break;
      case Kind::kSet:
        (filter.negated ? parts.negated_sets : parts.sets).push_back(filter.set);
        break;
      case Kind::kPrefix:
      case Kind::kLike: {
        if (filter.kind == Kind::kPrefix && !filter.negated && filters.size() > 1) {
          parts.ranges.push_back({RangeOfPrefix(filter.pattern)});
          break;
        }
        const bool is_known =
            std::any_of(parts.others.begin(), parts.others.end(),
                        [&](const ColumnFilter& other) { return IsSame(other, filter); });
        if (!is_known) parts.others.push_back(filter);
        break;
      }
    }
  }
  return parts;
}

/// The ranges and values of sets together, if they are a set or few ranges.
std::optional<ColumnFilter> UnionOfPoints(const DataType& type, const Parts& parts) {
  std::vector<ValueRange> ranges;
  Values values;
  for (const auto& some : parts.ranges) {
    for (const ValueRange& range : some) {
      const auto only = OnlyValue(type, range);
      if (only) {
        values.emplace_back(*only);
      } else {
        ranges.push_back(range);
      }
    }
  }
  for (const auto& set : parts.sets) values.insert(values.end(), set->begin(), set->end());
  SortDistinct(type, &values);
  ranges = JoinRanges(type, std::move(ranges));
  if (ranges.empty()) return FilterOfSet(type, std::move(values), false);
  if (ranges.size() > kMostRanges) return std::nullopt;
  std::erase_if(values, [&](const std::string& value) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const ValueRange& range) { return Contains(type, range, value); });
  });
  // More values than these cannot all join two ranges.
  constexpr size_t kMostJoined = 2 * kMostRanges;
  if (values.size() > kMostJoined) return std::nullopt;
  for (const std::string& value : values) ranges.push_back(RangeOfValue(value));
  return FilterOfRanges(type, JoinRanges(type, std::move(ranges)));
}

/// What is in all of the sets, which are ascending.
Values CommonValues(const DataType& type, const std::vector<std::shared_ptr<const Values>>& sets) {
  Values common = *sets[0];
  for (size_t i = 1; i < sets.size(); ++i) {
    Values kept;
    std::set_intersection(
        common.begin(), common.end(), sets[i]->begin(), sets[i]->end(), std::back_inserter(kept),
        [&](const std::string& a, const std::string& b) { return CompareValues(type, a, b) < 0; });
    common = std::move(kept);
  }
  return common;
}

Values AllValues(const DataType& type, const std::vector<std::shared_ptr<const Values>>& sets) {
  Values all;
  for (const auto& set : sets) all.insert(all.end(), set->begin(), set->end());
  SortDistinct(type, &all);
  return all;
}

bool PassesAll(const std::vector<ColumnFilter>& filters, const std::string& value) {
  return std::all_of(filters.begin(), filters.end(),
                     [&](const ColumnFilter& filter) { return filter.Passes(value); });
}

/// Ranges without the values, which are ascending; with those that did not fit as they were.
std::vector<ColumnFilter> WithoutValues(const DataType& type, const std::vector<ValueRange>& ranges,
                                        Values values) {
  std::erase_if(values, [&](const std::string& value) {
    return std::none_of(ranges.begin(), ranges.end(),
                        [&](const ValueRange& range) { return Contains(type, range, value); });
  });
  std::vector<ColumnFilter> filters;
  if (values.size() <= kMostRanges) {
    std::vector<ValueRange> holes;
    for (const std::string& value : values) holes.push_back(RangeOfValue(value));
    const auto cut = CutRanges(type, ranges, InvertRanges(type, JoinRanges(type, holes)));
    if (auto filter = FilterOfRanges(type, cut)) return {*std::move(filter)};
  }
  if (auto filter = FilterOfRanges(type, ranges)) filters.push_back(*std::move(filter));
  filters.push_back(FilterOfSet(type, std::move(values), true));
  return filters;
}

}  // namespace

ColumnFilter FilterOfRange(const DataType& type, ValueRange range) {
  return *FilterOfRanges(type, JoinRanges(type, {std::move(range)}));
}

ColumnFilter FilterOfValue(const DataType& type, std::string value) {
  return FilterOfRange(type, RangeOfValue(value));
}

std::optional<ColumnFilter> UnionOf(const std::vector<ColumnFilter>& filters) {
  const DataType& type = filters[0].type;
  const Parts parts = PartsOf(filters);
  std::optional<ColumnFilter> joined;
  const bool has_points = !parts.ranges.empty() || !parts.sets.empty();
  if (parts.has_all) {
    joined = Plain(type, Kind::kAll);
  } else if (!parts.others.empty()) {
    // Nothing is known of what they share with others.
    if (parts.others.size() > 1 || has_points || !parts.negated_sets.empty()) return std::nullopt;
    joined = parts.others[0];
  } else if (!parts.negated_sets.empty()) {
    // All but the values that none of the filters passes.
    Values excluded = CommonValues(type, parts.negated_sets);
    std::erase_if(excluded, [&](const std::string& value) {
      return std::any_of(filters.begin(), filters.end(),
                         [&](const ColumnFilter& filter) { return filter.Passes(value); });
    });
    joined = FilterOfSet(type, std::move(excluded), true);
  } else if (has_points) {
    joined = UnionOfPoints(type, parts);
  } else {
    joined = Plain(type, Kind::kNone);
  }
  if (joined) joined->null_passes = parts.any_null_passes;
  return joined;
}

std::vector<ColumnFilter> IntersectionOf(const std::vector<ColumnFilter>& filters) {
  const DataType& type = filters[0].type;
  const Parts parts = PartsOf(filters);
  std::vector<ColumnFilter> result;
  if (parts.has_none) {
    result = {Plain(type, Kind::kNone)};
  } else if (!parts.sets.empty()) {
    Values values = CommonValues(type, parts.sets);
    std::erase_if(values, [&](const std::string& value) { return !PassesAll(filters, value); });
    result = {FilterOfSet(type, std::move(values), false)};
  } else {
    Values excluded = AllValues(type, parts.negated_sets);
    if (!parts.ranges.empty()) {
      std::vector<ValueRange> ranges = parts.ranges[0];
      for (size_t i = 1; i < parts.ranges.size(); ++i) {
        ranges = CutRanges(type, ranges, parts.ranges[i]);
      }
      if (ranges.size() <= kMostRanges) {
        result = WithoutValues(type, ranges, std::move(excluded));
      } else {
        for (const auto& some : parts.ranges) result.push_back(*FilterOfRanges(type, some));
        if (!excluded.empty()) result.push_back(FilterOfSet(type, std::move(excluded), true));
      }
    } else if (!excluded.empty()) {
      result = {FilterOfSet(type, std::move(excluded), true)};
    }
    const bool is_nothing = result.size() == 1 && result[0].kind == Kind::kNone;
    if (!is_nothing) result.insert(result.end(), parts.others.begin(), parts.others.end());
    if (result.empty()) result = {Plain(type, Kind::kAll)};
  }
  for (ColumnFilter& filter : result) filter.null_passes = parts.all_nulls_pass;
  return result;
}

ColumnFilter ComplementOf(ColumnFilter filter, bool null_passes) {
  switch (filter.kind) {
    case Kind::kNone:
      filter.kind = Kind::kAll;
      break;
    case Kind::kAll:
      filter.kind = Kind::kNone;
      break;
    case Kind::kRanges:
      if (OnlyValue(filter.type, filter.ranges[0])) {
        filter = FilterOfSet(filter.type, {filter.ranges[0].lower->value}, true);
      } else {
        filter = *FilterOfRanges(filter.type, InvertRanges(filter.type, filter.ranges));
      }
      break;
    case Kind::kSet:
      filter = FilterOfSet(filter.type, *filter.set, !filter.negated);
      break;
    default:
      filter.negated = !filter.negated;
  }
  filter.null_passes = null_passes;
  return filter;
}

}  // namespace sluice::inline v0::engine
