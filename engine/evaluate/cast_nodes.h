#pragma once

#include <string>

#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {

/// What the error of a cast of a value says.
std::string CastError(const std::string& value, const DataType& type);

/// Between numbers where that is one conversion: of integers to wider ones, of integers and
/// floating-point numbers to these. Null where it is none.
NodeRef MakePlainCast(const BoundExpression& expression, ScratchLayout& layout);
/// From numbers and booleans to numbers.
NodeRef MakeNumberCast(const BoundExpression& expression, ScratchLayout& layout);
/// From text to anything.
NodeRef MakeTextCast(const BoundExpression& expression, ScratchLayout& layout);
/// To text or binary, but from text.
NodeRef MakeCastToBytes(const BoundExpression& expression, ScratchLayout& layout);
/// Between types whose values are the same bytes.
NodeRef MakeSameBytes(const BoundExpression& expression, ScratchLayout& layout);
/// From dates, times, timestamps and durations to one another, and to SecondsType.
NodeRef MakeTimeCast(const BoundExpression& expression, ScratchLayout& layout);

}  // namespace sluice::inline v0::engine
