#include "engine/bind/placement.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/bind/value_keys.h"
#include "engine/bound/type_rules.h"
#include "format/model/calendar.h"

namespace sluice::inline v0::engine {
namespace {

/// By the greatest key not above the constant.
Placement PlaceKey(const IntegerFloor& floor, const DataType& type) {
  const KeyRange keys = KeysOf(type);
  Placement placement;
  if (floor.range == IntegerFloor::Range::kBelow ||
      (floor.range == IntegerFloor::Range::kInside && floor.value < keys.least)) {
    placement.at_least = BytesOfKey(keys.least, type);
    placement.above = placement.at_least;
    placement.is_below_all = true;
    return placement;
  }
  if (floor.range == IntegerFloor::Range::kAbove || floor.value > keys.greatest) return placement;
  if (floor.value < keys.greatest) placement.above = BytesOfKey(floor.value.Plus(1), type);
  placement.at_least = floor.is_exact ? BytesOfKey(floor.value, type) : placement.above;
  placement.is_exact = floor.is_exact;
  return placement;
}

/// Whether `a` is below `b`, NaN being the greatest of all.
bool IsBelow(double a, double b) {
  if (std::isnan(b)) return !std::isnan(a);
  return a < b;
}

/// The first of the keys that `is_reached`, which from there on all are; absent where none is.
template <typename Predicate>
std::optional<Int256> FirstKey(KeyRange keys, Predicate is_reached) {
  if (!is_reached(keys.greatest)) return std::nullopt;
  while (keys.least < keys.greatest) {
    const Int256 middle = Midpoint(keys.least, keys.greatest);
    if (is_reached(middle)) {
      keys.greatest = middle;
    } else {
      keys.least = middle.Plus(1);
    }
  }
  return keys.least;
}

/// Keys close to the constant, where the type has them: rounding moves no value further.
KeyRange KeysAround(double constant, const DataType& type) {
  const KeyRange all = KeysOf(type);
  if (IsFloatingType(type) || !std::isfinite(constant)) return all;
  const IntegerFloor floor = ExactNumberOf(constant).FloorAtScale(type.scale);
  if (floor.range != IntegerFloor::Range::kInside) return all;
  // A float has 24 bits, so that this is more than its distance to the next.
  constexpr int kBits = 20;
  const Int256 room =
      ShiftRight(floor.value.is_negative() ? floor.value.Negated() : floor.value, kBits).Plus(2);
  const Int256 least = std::max(all.least, floor.value.Plus(room.Negated()));
  const Int256 greatest = std::min(all.greatest, floor.value.Plus(room));
  return least <= greatest ? KeyRange{least, greatest} : all;
}

Int128 NanosecondsPerKey(const DataType& type) {
  if (type.id == TypeId::kDate) return kNanosecondsPerDay;
  return type.id == TypeId::kInt96 ? 1 : NanosecondsPerUnit(type.unit);
}

/// Of values of `width` bytes each. A prefix comes before what it is one of.
Placement PlaceFixedBytes(std::string_view bytes, size_t width) {
  Placement placement;
  std::string next(bytes.substr(0, width));
  placement.is_exact = bytes.size() == width;
  if (placement.is_exact) placement.at_least = next;
  if (bytes.size() >= width) {
    size_t last = width;
    while (last > 0 && next[last - 1] == '\xff') next[--last] = '\0';
    if (last == 0) return placement;
    next[last - 1] = static_cast<char>(next[last - 1] + 1);
  } else {
    next.resize(width, '\0');
    placement.is_below_all = next.find_first_not_of('\0') == std::string::npos;
  }
  placement.above = next;
  if (!placement.is_exact) placement.at_least = next;
  return placement;
}

/// What a constant of a time-like type says in nanoseconds.
Int128 NanosecondsOf(const BoundExpression& constant) {
  return KeyOfBytes(*constant.bytes, constant.type).ToInt128() * NanosecondsPerKey(constant.type);
}

}  // namespace

Placement PlaceNumber(const ExactNumber& number, const DataType& type) {
  return PlaceKey(number.FloorAtScale(type.scale), type);
}

Placement PlaceFloating(double constant, TypeId image, const DataType& type) {
  const auto is_at_least = [&](const Int256& key) {
    return !IsBelow(ImageOfKey(key, type, image), constant);
  };
  const auto is_above = [&](const Int256& key) {
    return IsBelow(constant, ImageOfKey(key, type, image));
  };
  const KeyRange all = KeysOf(type);
  KeyRange keys = KeysAround(constant, type);
  const bool is_around = (keys.least == all.least || !is_at_least(keys.least)) &&
                         (keys.greatest == all.greatest || is_above(keys.greatest));
  if (!is_around) keys = all;
  const auto at_least = FirstKey(keys, is_at_least);
  const auto above = FirstKey(keys, is_above);
  Placement placement;
  if (at_least) placement.at_least = BytesOfKey(*at_least, type);
  if (above) placement.above = BytesOfKey(*above, type);
  placement.is_below_all = above == all.least;
  placement.is_exact =
      at_least && (above ? at_least->Plus(1) == *above : *at_least == all.greatest);
  return placement;
}

Placement PlaceNanoseconds(Int128 nanoseconds, const DataType& type) {
  const Int128 unit = NanosecondsPerKey(type);
  return PlaceKey(
      {IntegerFloor::Range::kInside, FloorDivide(nanoseconds, unit), nanoseconds % unit == 0},
      type);
}

Placement PlaceBytes(std::string_view bytes, const DataType& type) {
  if (type.id == TypeId::kFixedBinary) {
    return PlaceFixedBytes(bytes, static_cast<size_t>(type.byte_width));
  }
  Placement placement;
  placement.at_least = bytes;
  placement.above = std::string(bytes) + '\0';
  placement.is_exact = true;
  return placement;
}

Placement PlaceConstant(const BoundExpression& constant, const DataType& type) {
  const DataType& from = constant.type;
  if (IsTimeLike(from)) return PlaceNanoseconds(NanosecondsOf(constant), type);
  switch (TypeClassOf(from)) {
    case TypeClass::kInteger:
    case TypeClass::kDecimal: {
      const ExactNumber number = ExactNumber::Of(KeyOfBytes(*constant.bytes, from), from.scale);
      if (type.id == TypeId::kDouble) return PlaceFloating(number.ToDouble(), type.id, type);
      if (IsFloatingType(type)) return PlaceFloating(number.ToFloat(), TypeId::kFloat, type);
      return PlaceNumber(number, type);
    }
    case TypeClass::kFloating: {
      const bool is_double = from.id == TypeId::kDouble || type.id == TypeId::kDouble;
      return PlaceFloating(FloatingOfBytes(*constant.bytes, from),
                           is_double ? TypeId::kDouble : TypeId::kFloat, type);
    }
    case TypeClass::kBoolean:
      return PlaceKey({IntegerFloor::Range::kInside, Int256(constant.bytes->front()), true}, type);
    default:
      return PlaceBytes(*constant.bytes, type);
  }
}

BoundExpression ComparePlaced(ComparisonOp op, BoundExpression operand,
                              const Placement& placement) {
  const DataType type = operand.type;
  const auto compare = [&](ComparisonOp with, const std::string& bytes) {
    return BoundExpression::Compare(with, operand, BoundExpression::Constant(type, bytes));
  };
  const auto always = [&](Truth truth, Truth when_null = Truth::kNull) {
    return BoundExpression::NullTest(operand, when_null, truth);
  };
  if (placement.is_exact) return compare(op, *placement.at_least);
  const bool is_empty = placement.at_least == placement.above;
  const auto is_inside = [&] {
    std::vector<BoundExpression> both;
    both.push_back(compare(ComparisonOp::kGreaterEqual, *placement.at_least));
    if (placement.above) both.push_back(compare(ComparisonOp::kLess, *placement.above));
    return BoundExpression::Make(BoundOp::kAnd, BooleanType(), std::move(both));
  };
  switch (op) {
    case ComparisonOp::kEqual:
      return is_empty ? always(Truth::kFalse) : is_inside();
    case ComparisonOp::kNotEqual:
      return is_empty ? always(Truth::kTrue) : BoundExpression::Not(is_inside());
    case ComparisonOp::kDistinct:
    case ComparisonOp::kNotDistinct: {
      const Truth when_distinct = op == ComparisonOp::kDistinct ? Truth::kTrue : Truth::kFalse;
      if (is_empty) return always(when_distinct, when_distinct);
      std::vector<BoundExpression> both;
      both.push_back(always(Truth::kTrue, Truth::kFalse));
      both.push_back(is_inside());
      BoundExpression same = BoundExpression::Make(BoundOp::kAnd, BooleanType(), std::move(both));
      return op == ComparisonOp::kNotDistinct ? same : BoundExpression::Not(std::move(same));
    }
    case ComparisonOp::kLess:
    case ComparisonOp::kGreaterEqual: {
      const bool is_less = op == ComparisonOp::kLess;
      if (!placement.at_least) return always(is_less ? Truth::kTrue : Truth::kFalse);
      if (placement.is_below_all) return always(is_less ? Truth::kFalse : Truth::kTrue);
      return compare(op, *placement.at_least);
    }
    case ComparisonOp::kLessEqual:
    case ComparisonOp::kGreater: {
      const bool is_less = op == ComparisonOp::kLessEqual;
      if (!placement.above) return always(is_less ? Truth::kTrue : Truth::kFalse);
      if (placement.is_below_all) return always(is_less ? Truth::kFalse : Truth::kTrue);
      return compare(is_less ? ComparisonOp::kLess : ComparisonOp::kGreaterEqual, *placement.above);
    }
  }
  return always(Truth::kNull);
}

}  // namespace sluice::inline v0::engine
