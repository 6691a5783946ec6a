#pragma once

// Values of one type as values of a wider one, where each has exactly one counterpart at most and
// their order is the same:
//
//   integers           wider ones (unsigned ones also signed ones that hold them), decimals with
//                      room for their digits, floating point with room for their bits
//   floating point     wider floating point
//   decimals           decimals with as many digits on either side of the point, or more
//   dates              timestamps without a zone
//   times, timestamps, the same, in finer units
//   durations
//   INT96              timestamps without a zone, of nanoseconds
//   one kind of text   another

#include <sluice/evidence.h>
#include <sluice/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "format/model/int128.h"

namespace sluice::inline v0 {

/// Whether there is such a conversion. A type widens to itself.
bool CanWiden(const DataType& from, const DataType& to);

/// Whether there is one, and every value that the bytes of `from` can hold has a counterpart.
bool IsTotalWidening(const DataType& from, const DataType& to);

/// Whether values of some type that widens to `to` may have no counterpart there.
bool HasPartialWidening(const DataType& to);

/// Of integers, decimals, dates, times and durations of 16 bytes at most: what the number is
/// multiplied with to be that of the wider type, which has 16 bytes at most too. 0 for all others,
/// and where it is beyond 10^38.
Int128 WideningFactor(const DataType& from, const DataType& to);

/// The value, as Value::bytes, in the wider type. Nothing where CanWiden is false, or where it has
/// no counterpart: a date or time outside the timestamps, a decimal of more digits than its type
/// says.
std::optional<std::string> WidenValue(const DataType& from, std::string_view value,
                                      const DataType& to);

/// The value of `from` that is widened to `value`; nothing where none is, and for NaN and INT96,
/// whose values have several forms.
std::optional<std::string> NarrowValue(const DataType& from, std::string_view value,
                                       const DataType& to);

/// Whether the bounds of a column, in the type it is stored as, prove that every value has a
/// counterpart in `to`.
bool ProvesWidening(const Evidence& evidence, const DataType& to);

/// Evidence of a column that is read as `to`, from that of the type it is stored as. Bounds are
/// converted. Where they cannot be, or one of the two is missing, values without counterpart may be
/// there: AllowMisfits. Distinct values and membership stay only where the types are the same.
void WidenEvidence(Evidence& evidence, std::shared_ptr<const DataType> to);

/// Evidence of a column in the type it is read as, where nothing is known of the type it is stored
/// as: AllowMisfits, unless the values that there are exclude them.
void AllowUnknownWidening(Evidence& evidence, const DataType& to);

/// Evidence of rows of which some may be errors, for a value without counterpart: that rows are not
/// null says nothing then, nor does where values lie. That all are null is kept.
void AllowMisfits(Evidence& evidence, Reason why);

}  // namespace sluice::inline v0
