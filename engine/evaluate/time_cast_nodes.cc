// Casts between dates, times, timestamps and durations.

#include "engine/bound/type_rules.h"
#include "engine/evaluate/cast_nodes.h"
#include "engine/evaluate/map_node.h"
#include "format/model/calendar.h"

namespace sluice::inline v0::engine {
namespace {

/// Nanoseconds of one number of the type.
Int128 NanosecondsPer(const DataType& type) {
  if (type.id == TypeId::kDate) return kNanosecondsPerDay;
  const bool is_counted_in_them = type.id == TypeId::kInt96 || type.id == TypeId::kDecimal;
  return is_counted_in_them ? 1 : NanosecondsPerUnit(type.unit);
}

/// What is added to nanoseconds of `from` so that they mean the same in `to`: naive times are those
/// of the zone.
Int128 Shift(const BoundExpression& expression) {
  const DataType& from = expression.children[0].type;
  const DataType& to = expression.type;
  const bool leads_to_naive = IsInstant(from) && !IsInstant(to) && to.id != TypeId::kDecimal;
  const bool leads_to_instant = !IsInstant(from) && IsInstant(to);
  const Int128 offset = Int128{expression.zone_offset} * kNanosecondsPerSecond;
  return leads_to_naive ? offset : leads_to_instant ? -offset : 0;
}

template <typename From, typename To>
NodeRef MakeTime(const BoundExpression& expression, ScratchLayout& layout) {
  const Int128 multiplied = NanosecondsPer(expression.children[0].type);
  const Int128 divided = NanosecondsPer(expression.type);
  const Int128 shift = Shift(expression);
  const bool is_time_of_day = expression.type.id == TypeId::kTime &&
                              TypeClassOf(expression.children[0].type) == TypeClass::kTimestamp;
  return MakeMap<From, To>(
      expression, layout,
      [=](const From& value, To* result) {
        Int128 nanoseconds = static_cast<Int128>(value) * multiplied + shift;
        if (is_time_of_day) nanoseconds = FloorRemainder<Int128>(nanoseconds, kNanosecondsPerDay);
        const Int128 number = FloorDivide(nanoseconds, divided);
        *result = static_cast<To>(number);
        return static_cast<Int128>(*result) == number;
      },
      [&expression](const std::string& value) { return CastError(value, expression.type); });
}

template <typename From>
NodeRef MakeTimeFrom(const BoundExpression& expression, ScratchLayout& layout) {
  switch (NativeOf(expression.type)) {
    case Native::kInt32:
      return MakeTime<From, int32_t>(expression, layout);
    case Native::kInt64:
      return MakeTime<From, int64_t>(expression, layout);
    default:
      return MakeTime<From, Int128>(expression, layout);
  }
}

}  // namespace

NodeRef MakeTimeCast(const BoundExpression& expression, ScratchLayout& layout) {
  switch (NativeOf(expression.children[0].type)) {
    case Native::kInt32:
      return MakeTimeFrom<int32_t>(expression, layout);
    case Native::kInt64:
      return MakeTimeFrom<int64_t>(expression, layout);
    default:
      return MakeTimeFrom<Int128>(expression, layout);
  }
}

}  // namespace sluice::inline v0::engine
