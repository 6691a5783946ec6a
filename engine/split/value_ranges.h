#pragma once

// Ranges of values of an ordered type.

#include <sluice/filter.h>
#include <sluice/types.h>

#include <optional>
#include <string_view>
#include <vector>

namespace sluice::inline v0::engine {

/// Whether no value of the type is in the range, as far as the type tells which values it has.
bool IsEmptyRange(const DataType& type, const ValueRange& range);
/// The range [value, value].
ValueRange RangeOfValue(std::string_view value);
/// The value that is the only one in a range [value, value].
std::optional<std::string_view> OnlyValue(const DataType& type, const ValueRange& range);
/// What begins with the prefix, which is not empty.
ValueRange RangeOfPrefix(std::string_view prefix);

/// Ascending and disjoint, empty ones dropped, and those that leave no value between them joined.
std::vector<ValueRange> JoinRanges(const DataType& type, std::vector<ValueRange> ranges);
/// What is in a range of `a` and a range of `b`, each ascending and disjoint.
std::vector<ValueRange> CutRanges(const DataType& type, const std::vector<ValueRange>& a,
                                  const std::vector<ValueRange>& b);
/// What is in none of the ranges, which are ascending and disjoint.
std::vector<ValueRange> InvertRanges(const DataType& type, const std::vector<ValueRange>& ranges);

}  // namespace sluice::inline v0::engine
