#pragma once

// What several filters of one column say together.

#include <sluice/filter.h>
#include <sluice/types.h>

#include <optional>
#include <vector>

namespace sluice::inline v0::engine {

/// Filters of one value or range, normalised: none empty.
ColumnFilter FilterOfRange(const DataType& type, ValueRange range);
ColumnFilter FilterOfValue(const DataType& type, std::string value);

/// The filter that passes what any of the filters, at least one and of one type, passes: values of
/// sets and ranges join where that makes a set or at most two ranges. Absent where no one filter is
/// exactly that.
std::optional<ColumnFilter> UnionOf(const std::vector<ColumnFilter>& filters);

/// Filters that pass together exactly what all of the filters, at least one and of one type, pass:
/// as few as say that exactly.
std::vector<ColumnFilter> IntersectionOf(const std::vector<ColumnFilter>& filters);

/// The filter that passes the values that the filter, of at most one range, does not; nulls pass as
/// `null_passes` says.
ColumnFilter ComplementOf(ColumnFilter filter, bool null_passes);

}  // namespace sluice::inline v0::engine
