#pragma once

// Values of one type as values of a wider one, where every value has exactly one counterpart and
// their order is the same: integers to wider ones, floating point to wider, decimals to more digits
// on either side of the point, dates to timestamps, one kind of text to another.

#include <sluice/evidence.h>
#include <sluice/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0 {

/// Whether there is such a conversion. A type widens to itself.
bool CanWiden(const DataType& from, const DataType& to);

/// The value, as Value::bytes, in the wider type. Nothing where CanWiden is false, or where it has
/// no counterpart: a date outside the timestamps, a decimal of more digits than its type says.
std::optional<std::string> WidenValue(const DataType& from, std::string_view value,
                                      const DataType& to);

/// The value of `from` that is widened to `value`; nothing where none is, and for NaN, which has
/// several forms.
std::optional<std::string> NarrowValue(const DataType& from, std::string_view value,
                                       const DataType& to);

/// Evidence of a column that is read as `to`, from that of the type it is stored as. Bounds are
/// converted; where that is not exact they are missing. Distinct values and membership stay only
/// where the types are the same.
void WidenEvidence(Evidence& evidence, std::shared_ptr<const DataType> to);

}  // namespace sluice::inline v0
