#include "tests/support/random_filters.h"

#include <sluice/value.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace sluice::support {

namespace {

using Kind = ColumnFilter::Kind;

void AddLeaves(const DataType& type, LeafPath path, std::vector<LeafPath>& leaves) {
  if (!type.is_nested()) {
    path.type = type;
    leaves.push_back(std::move(path));
    return;
  }
  path.is_repeated |= type.id != TypeId::kStruct;
  for (size_t child = 0; child < type.children.size(); ++child) {
    LeafPath below = path;
    below.fields.push_back(child);
    AddLeaves(type.children[child].type, std::move(below), leaves);
  }
}

/// Ascending and distinct.
std::vector<std::string> Sorted(const DataType& type, std::vector<std::string> values) {
  std::sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  });
  const auto end = std::unique(
      values.begin(), values.end(),
      [&](const std::string& a, const std::string& b) { return CompareValues(type, a, b) == 0; });
  values.erase(end, values.end());
  return values;
}

ValueRange RangeOf(RandomColumns& random, const std::string* lower, const std::string* upper) {
  ValueRange range;
  if (lower != nullptr) range.lower = ValueBound{*lower, random.Chance(0.5)};
  if (upper != nullptr) range.upper = ValueBound{*upper, random.Chance(0.5)};
  return range;
}

/// One or two ranges between values that differ, so that none is empty and none touches another.
std::vector<ValueRange> Ranges(RandomColumns& random, const std::vector<std::string>& sorted) {
  const int64_t count = std::ssize(sorted);
  std::vector<size_t> cuts;
  for (int i = 0; i < 4; ++i) cuts.push_back(static_cast<size_t>(random.Below(count)));
  std::sort(cuts.begin(), cuts.end());
  if (cuts[0] == cuts[1] || cuts[1] == cuts[2] || cuts[2] == cuts[3] || random.Chance(0.5)) {
    ValueRange range = RangeOf(random, random.Chance(0.7) ? &sorted[cuts[0]] : nullptr,
                               random.Chance(0.7) ? &sorted[cuts[3]] : nullptr);
    const bool is_point = cuts[0] == cuts[3] && range.lower && range.upper;
    if (is_point) range.lower->inclusive = range.upper->inclusive = true;
    return {range};
  }
  return {RangeOf(random, random.Chance(0.5) ? &sorted[cuts[0]] : nullptr, &sorted[cuts[1]]),
          RangeOf(random, &sorted[cuts[2]], random.Chance(0.5) ? &sorted[cuts[3]] : nullptr)};
}

std::string Pattern(RandomColumns& random, const std::string& value) {
  std::string pattern = random.Chance(0.5) ? "%" : "";
  for (const char byte : value.substr(0, 12)) {
    if (byte == '%' || byte == '_' || byte == '\\') pattern += '\\';
    if (random.Chance(0.15)) {
      pattern =
          pattern.ends_with('\\') ? pattern.substr(0, pattern.size() - 1) + "%" : pattern + "%";
      continue;
    }
    pattern += byte;
  }
  return random.Chance(0.7) ? pattern + "%" : pattern;
}

}  // namespace

std::vector<LeafPath> LeavesOf(const Schema& schema) {
  std::vector<LeafPath> leaves;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    AddLeaves(schema.fields[i].type, {.fields = {i}, .type = {}}, leaves);
  }
  return leaves;
}

std::optional<std::string> ValueOf(const LeafPath& leaf, const Cell& cell) {
  const Cell* at = &cell;
  for (size_t i = 1; i < leaf.fields.size(); ++i) {
    if (at->is_null) return std::nullopt;
    at = &at->children[leaf.fields[i]];
  }
  if (at->is_null) return std::nullopt;
  return at->bytes;
}

ColumnFilter RandomFilter(RandomColumns& random, const DataType& type,
                          const std::vector<std::optional<std::string>>& values) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = random.Chance(0.5) ? Kind::kNone : Kind::kAll;
  filter.null_passes = random.Chance(0.3);
  std::vector<std::string> some;
  for (int i = 0; i < 40 && !values.empty(); ++i) {
    const auto& value = values[static_cast<size_t>(random.Below(std::ssize(values)))];
    if (value) some.push_back(*value);
  }
  if (!IsOrdered(type) || some.empty() || random.Chance(0.1)) return filter;
  const bool is_text = type.is_view();
  switch (random.Below(is_text ? 5 : 3)) {
    case 0: {
      filter.kind = Kind::kSet;
      if (random.Chance(0.5)) some.resize(1 + some.size() / 10);
      filter.set = std::make_shared<const std::vector<std::string>>(Sorted(type, std::move(some)));
      filter.negated = random.Chance(0.3);
      break;
    }
    case 3:
      filter.kind = Kind::kPrefix;
      filter.pattern = some[0].substr(0, static_cast<size_t>(random.Below(8)));
      filter.negated = random.Chance(0.3);
      break;
    case 4:
      filter.kind = Kind::kLike;
      filter.pattern = Pattern(random, some[0]);
      filter.negated = random.Chance(0.3);
      break;
    default:
      filter.kind = Kind::kRanges;
      filter.ranges = Ranges(random, Sorted(type, std::move(some)));
      break;
  }
  return filter;
}

bool Passes(const ColumnFilter& filter, const std::optional<std::string>& value) {
  return value ? filter.Passes(*value) : filter.null_passes;
}

}  // namespace sluice::support
