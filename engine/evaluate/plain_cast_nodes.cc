// Casts between numbers that are one conversion of C++: loops that compilers make vectors of.

#include <cmath>
#include <limits>

#include "engine/bound/type_rules.h"
#include "engine/evaluate/cast_nodes.h"
#include "engine/evaluate/map_node.h"

namespace sluice::inline v0::engine {
namespace {

/// Whether every integer of one type is one of the other.
template <typename From, typename To>
constexpr bool kIsWidening = std::is_integral_v<From>&& std::is_integral_v<To> &&
                             (std::is_signed_v<To> ||
                              std::is_unsigned_v<From>)&&std::numeric_limits<To>::digits
                                 > std::numeric_limits<From>::digits;

bool IsInteger(const DataType& type) { return TypeClassOf(type) == TypeClass::kInteger; }

template <typename From>
NodeRef MakeFromInteger(const BoundExpression& expression, ScratchLayout& layout) {
  NodeRef node;
  VisitNative(NativeOf(expression.type), [&]<typename To>(std::type_identity<To>) {
    if constexpr (kIsWidening<From, To> || std::is_floating_point_v<To>) {
      node = MakeTotalMap<From, To>(expression, layout,
                                    [](From value) { return static_cast<To>(value); });
    }
  });
  return node;
}

NodeRef MakeFloatToDouble(const BoundExpression& expression, ScratchLayout& layout) {
  return MakeTotalMap<float, double>(expression, layout,
                                     [](float value) { return static_cast<double>(value); });
}

NodeRef MakeDoubleToFloat(const BoundExpression& expression, ScratchLayout& layout) {
  return MakeMap<double, float>(
      expression, layout,
      [](double value, float* result) {
        *result = static_cast<float>(value);
        return std::isinf(value) || !std::isinf(*result);
      },
      [&expression](const std::string& value) { return CastError(value, expression.type); });
}

/// Between float16 and float.
NodeRef MakeFloatToFloat(const BoundExpression& expression, ScratchLayout& layout) {
  return MakeTotalMap<float, float>(expression, layout, [](float value) { return value; });
}

}  // namespace

NodeRef MakePlainCast(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  const DataType& to = expression.type;
  NodeRef node;
  if (IsFloatingType(from) && IsFloatingType(to)) {
    if (NativeOf(from) == Native::kDouble) return MakeDoubleToFloat(expression, layout);
    return NativeOf(to) == Native::kDouble ? MakeFloatToDouble(expression, layout)
                                           : MakeFloatToFloat(expression, layout);
  }
  if (!IsInteger(from) || !(IsInteger(to) || IsFloatingType(to))) return nullptr;
  VisitNative(NativeOf(from), [&]<typename From>(std::type_identity<From>) {
    if constexpr (std::is_integral_v<From>) node = MakeFromInteger<From>(expression, layout);
  });
  return node;
}

}  // namespace sluice::inline v0::engine
