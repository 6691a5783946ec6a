#pragma once

// Where a constant falls among the values of a type that need not hold it.

#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/bound/bound_expression.h"
#include "engine/values/exact_number.h"

namespace sluice::inline v0::engine {

/// The two values that the constant lies between, which are one where it is a value of the type:
/// each the least of its kind in the order of CompareValues, as Value::bytes, absent where there is
/// none. By them every comparison with the constant becomes one with a value of the type, or one
/// that does not depend on the value; nothing wraps around.
struct Placement {
  std::optional<std::string> at_least;  ///< The least value that is not below the constant.
  std::optional<std::string> above;     ///< The least value that is above it.
  bool is_exact = false;                ///< Exactly one value equals the constant: `at_least`.
  bool is_below_all = false;            ///< Every value is above the constant.
};

/// Of a number, among the values of an integer or decimal type.
Placement PlaceNumber(const ExactNumber& number, const DataType& type);
/// Of a number that values are rounded to when they are compared with it: integers, decimals and
/// floating-point values become `image`, kFloat or kDouble, to be compared with `constant`.
Placement PlaceFloating(double constant, TypeId image, const DataType& type);
/// Of nanoseconds since 1970 or midnight, or in all, among dates, times, timestamps or durations.
Placement PlaceNanoseconds(Int128 nanoseconds, const DataType& type);
/// Of bytes, among values of `type`: text, binary of any kind, or UUIDs.
Placement PlaceBytes(std::string_view bytes, const DataType& type);

/// Of a constant that is not null and has a ComparisonType with `type`: as if both were cast to
/// that and compared.
Placement PlaceConstant(const BoundExpression& constant, const DataType& type);

/// `operand` compared with a constant by its placement among the operand's values. NULL operands
/// stay NULL (IS DISTINCT FROM apart). The operand is read at most once or is a column.
BoundExpression ComparePlaced(ComparisonOp op, BoundExpression operand, const Placement& placement);

}  // namespace sluice::inline v0::engine
