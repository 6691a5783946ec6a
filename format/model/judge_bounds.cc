#include "format/model/judge_bounds.h"

#include <algorithm>

#include "format/model/like.h"

namespace sluice::inline v0 {
namespace {

using Kind = ColumnFilter::Kind;
using View = std::optional<std::string_view>;

struct Ends {
  View low;
  View high;
};

constexpr std::string_view kInfinityOfHalf{"\x00\x7c", 2};
constexpr std::string_view kInfinityOfFloat{"\x00\x00\x80\x7f", 4};
constexpr std::string_view kInfinityOfDouble{"\x00\x00\x00\x00\x00\x00\xf0\x7f", 8};
constexpr std::string_view kMinusInfinityOfHalf{"\x00\xfc", 2};
constexpr std::string_view kMinusInfinityOfFloat{"\x00\x00\x80\xff", 4};
constexpr std::string_view kMinusInfinityOfDouble{"\x00\x00\x00\x00\x00\x00\xf0\xff", 8};

Ends EndsOf(const DataType& type, const ValueKnowledge& knowledge) {
  Ends ends{knowledge.low, knowledge.high};
  if (!IsFloating(type)) return ends;
  const bool is_double = type.id == TypeId::kDouble;
  const bool is_half = type.id == TypeId::kFloat16;
  if (!ends.low) {
    ends.low = is_double ? kMinusInfinityOfDouble
               : is_half ? kMinusInfinityOfHalf
                         : kMinusInfinityOfFloat;
  }
  if (!ends.high) {
    ends.high = is_double ? kInfinityOfDouble : is_half ? kInfinityOfHalf : kInfinityOfFloat;
  }
  return ends;
}

/// Whether the range ends before every value, or begins after it.
bool IsOutside(const DataType& type, const ValueRange& range, const Ends& ends) {
  if (range.lower && ends.high) {
    const int order = CompareValues(type, *ends.high, range.lower->value);
    if (order < 0 || (order == 0 && !range.lower->inclusive)) return true;
  }
  if (range.upper && ends.low) {
    const int order = CompareValues(type, *ends.low, range.upper->value);
    if (order > 0 || (order == 0 && !range.upper->inclusive)) return true;
  }
  return false;
}

/// Whether the range holds every value.
bool HoldsAll(const DataType& type, const ValueRange& range, const Ends& ends) {
  if (range.lower) {
    if (!ends.low) return false;
    const int order = CompareValues(type, *ends.low, range.lower->value);
    if (order < 0 || (order == 0 && !range.lower->inclusive)) return false;
  }
  if (range.upper) {
    if (!ends.high) return false;
    const int order = CompareValues(type, *ends.high, range.upper->value);
    if (order > 0 || (order == 0 && !range.upper->inclusive)) return false;
  }
  return true;
}

BoundsJudgement JudgeRanges(const ColumnFilter& filter, const Ends& ends) {
  const auto& ranges = filter.ranges;
  return {std::all_of(ranges.begin(), ranges.end(),
                      [&](const ValueRange& range) { return IsOutside(filter.type, range, ends); }),
          std::any_of(ranges.begin(), ranges.end(),
                      [&](const ValueRange& range) { return HoldsAll(filter.type, range, ends); })};
}

/// Values that begin with a prefix lie between it and everything that it is no prefix of.
BoundsJudgement JudgePrefix(std::string_view prefix, bool is_sufficient, const Ends& ends) {
  const bool none = (ends.high && *ends.high < prefix) ||
                    (ends.low && ends.low->substr(0, prefix.size()) > prefix);
  const auto begins = [&](const View& end) { return end && end->starts_with(prefix); };
  const bool all = is_sufficient && (prefix.empty() || (begins(ends.low) && begins(ends.high)));
  return {none, all};
}

BoundsJudgement NegatedIf(bool negated, BoundsJudgement judgement) {
  if (negated) std::swap(judgement.none, judgement.all);
  return judgement;
}

}  // namespace

std::pair<SetIterator, SetIterator> MembersInside(const ColumnFilter& filter,
                                                  const ValueKnowledge& knowledge) {
  const Ends ends = EndsOf(filter.type, knowledge);
  SetIterator begin = filter.set->begin();
  SetIterator end = filter.set->end();
  const auto is_below = [&](std::string_view a, std::string_view b) {
    return CompareValues(filter.type, a, b) < 0;
  };
  if (ends.low) begin = std::lower_bound(begin, end, *ends.low, is_below);
  if (ends.high) end = std::upper_bound(begin, end, *ends.high, is_below);
  return {begin, end};
}

BoundsJudgement JudgeBounds(const ColumnFilter& filter, const ValueKnowledge& knowledge) {
  const Ends ends = EndsOf(filter.type, knowledge);
  if (ends.low && ends.high && CompareValues(filter.type, *ends.low, *ends.high) == 0) {
    const bool passes = filter.Passes(*ends.low);
    return {!passes, passes};
  }
  switch (filter.kind) {
    case Kind::kNone:
    case Kind::kAll:
      break;
    case Kind::kRanges:
      return JudgeRanges(filter, ends);
    case Kind::kSet: {
      const auto [begin, end] = MembersInside(filter, knowledge);
      return NegatedIf(filter.negated, {begin == end, false});
    }
    case Kind::kPrefix:
      return NegatedIf(filter.negated, JudgePrefix(filter.pattern, true, ends));
    case Kind::kLike: {
      const LikePrefix prefix = PrefixOfLike(filter.pattern);
      return NegatedIf(filter.negated, JudgePrefix(prefix.bytes, prefix.is_sufficient, ends));
    }
  }
  return {filter.kind == Kind::kNone, filter.kind == Kind::kAll};
}

}  // namespace sluice::inline v0
