#pragma once

#include <sluice/filter.h>
#include <sluice/types.h>

#include <string_view>

namespace sluice::inline v0 {

/// Whether a value of the type, which has an order, is in the range.
bool Contains(const DataType& type, const ValueRange& range, std::string_view value);

}  // namespace sluice::inline v0
