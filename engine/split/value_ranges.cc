#include "engine/split/value_ranges.h"

#include <sluice/value.h>

#include <algorithm>

#include "engine/bind/value_keys.h"

namespace sluice::inline v0::engine {
namespace {

/// Whether the lower end `a` lets more values in than `b`.
bool BeginsBefore(const DataType& type, const ValueRange& a, const ValueRange& b) {
  if (!a.lower || !b.lower) return !a.lower && b.lower.has_value();
  const int order = CompareValues(type, a.lower->value, b.lower->value);
  return order < 0 || (order == 0 && a.lower->inclusive && !b.lower->inclusive);
}

/// Whether the upper end of `a` lets fewer values in than that of `b`.
bool EndsBefore(const DataType& type, const ValueRange& a, const ValueRange& b) {
  if (!a.upper || !b.upper) return a.upper.has_value() && !b.upper;
  const int order = CompareValues(type, a.upper->value, b.upper->value);
  return order < 0 || (order == 0 && !a.upper->inclusive && b.upper->inclusive);
}

/// Whether no value lies between the end of `a` and the beginning of `b`, which begins no earlier.
bool Touch(const DataType& type, const ValueRange& a, const ValueRange& b) {
  if (!a.upper || !b.lower) return true;
  const int order = CompareValues(type, a.upper->value, b.lower->value);
  if (order > 0) return true;
  if (order == 0) return a.upper->inclusive || b.lower->inclusive;
  if (!HasKeys(type) || !a.upper->inclusive || !b.lower->inclusive) return false;
  return KeyOfBytes(a.upper->value, type).Plus(1) == KeyOfBytes(b.lower->value, type);
}

}  // namespace

bool IsEmptyRange(const DataType& type, const ValueRange& range) {
  if (HasKeys(type)) {
    const KeyRange all = KeysOf(type);
    Int256 least = all.least;
    Int256 greatest = all.greatest;
    if (range.lower) {
      const Int256 key = KeyOfBytes(range.lower->value, type);
      if (!range.lower->inclusive && key == all.greatest) return true;
      least = range.lower->inclusive ? key : key.Plus(1);
    }
    if (range.upper) {
      const Int256 key = KeyOfBytes(range.upper->value, type);
      if (!range.upper->inclusive && key == all.least) return true;
      greatest = range.upper->inclusive ? key : key.Plus(-1);
    }
    return least > greatest;
  }
  if (range.upper && !range.upper->inclusive && range.upper->value.empty()) return true;
  if (!range.lower || !range.upper) return false;
  const int order = CompareValues(type, range.lower->value, range.upper->value);
  return order > 0 || (order == 0 && !(range.lower->inclusive && range.upper->inclusive));
}

ValueRange RangeOfValue(std::string_view value) {
  return {ValueBound{std::string(value), true}, ValueBound{std::string(value), true}};
}

std::optional<std::string_view> OnlyValue(const DataType& type, const ValueRange& range) {
  if (!range.lower || !range.upper || !range.lower->inclusive || !range.upper->inclusive ||
      CompareValues(type, range.lower->value, range.upper->value) != 0) {
    return std::nullopt;
  }
  return range.lower->value;
}

ValueRange RangeOfPrefix(std::string_view prefix) {
  ValueRange range;
  range.lower = ValueBound{std::string(prefix), true};
  std::string next(prefix);
  while (!next.empty() && next.back() == '\xff') next.pop_back();
  if (next.empty()) return range;
  next.back() = static_cast<char>(next.back() + 1);
  range.upper = ValueBound{std::move(next), false};
  return range;
}

std::vector<ValueRange> JoinRanges(const DataType& type, std::vector<ValueRange> ranges) {
  std::erase_if(ranges, [&](const ValueRange& range) { return IsEmptyRange(type, range); });
  std::sort(ranges.begin(), ranges.end(),
            [&](const ValueRange& a, const ValueRange& b) { return BeginsBefore(type, a, b); });
  std::vector<ValueRange> joined;
  for (ValueRange& range : ranges) {
    if (joined.empty() || !Touch(type, joined.back(), range)) {
      joined.push_back(std::move(range));
    } else if (EndsBefore(type, joined.back(), range)) {
      joined.back().upper = std::move(range.upper);
    }
  }
  return joined;
}

std::vector<ValueRange> CutRanges(const DataType& type, const std::vector<ValueRange>& a,
                                  const std::vector<ValueRange>& b) {
  std::vector<ValueRange> cut;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    ValueRange both;
    both.lower = BeginsBefore(type, a[i], b[j]) ? b[j].lower : a[i].lower;
    both.upper = EndsBefore(type, a[i], b[j]) ? a[i].upper : b[j].upper;
    if (!IsEmptyRange(type, both)) cut.push_back(std::move(both));
    if (EndsBefore(type, a[i], b[j])) {
      ++i;
    } else {
      ++j;
    }
  }
  return cut;
}

std::vector<ValueRange> InvertRanges(const DataType& type, const std::vector<ValueRange>& ranges) {
  std::vector<ValueRange> between;
  ValueRange gap;
  for (const ValueRange& range : ranges) {
    if (range.lower) {
      gap.upper = ValueBound{range.lower->value, !range.lower->inclusive};
      if (!IsEmptyRange(type, gap)) between.push_back(gap);
    }
    if (!range.upper) return between;
    gap = {ValueBound{range.upper->value, !range.upper->inclusive}, std::nullopt};
  }
  if (!IsEmptyRange(type, gap)) between.push_back(gap);
  return between;
}

}  // namespace sluice::inline v0::engine
