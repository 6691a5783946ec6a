#include "engine/bind/literal_text.h"

#include <cmath>
#include <limits>

#include "engine/bound/type_rules.h"
#include "engine/parse/lexer.h"
#include "engine/values/byte_text.h"
#include "engine/values/float_text.h"

namespace sluice::inline v0::engine {
namespace {

/// Of a number beyond the greatest finite one, which is infinite when rounded but no infinity.
Placement PlaceBeyondFinite(double infinity, TypeId image, const DataType& type) {
  Placement placement = PlaceFloating(infinity, image, type);
  if (infinity > 0) {
    placement.above = placement.at_least;
  } else {
    placement.at_least = placement.above;
  }
  placement.is_exact = false;
  return placement;
}

Placement PlaceRounded(const ExactNumber& number, TypeId image, const DataType& type) {
  const double nearest = image == TypeId::kDouble ? number.ToDouble() : number.ToFloat();
  if (std::isinf(nearest)) return PlaceBeyondFinite(nearest, image, type);
  return PlaceFloating(nearest, image, type);
}

/// What values of a floating-point type are where a number of their own kind stands beside them.
TypeId OwnImage(const DataType& type) {
  return type.id == TypeId::kDouble ? TypeId::kDouble : TypeId::kFloat;
}

std::optional<Placement> PlaceNumberText(std::string_view text, const DataType& type) {
  const auto number = ExactNumber::Parse(text);
  if (!IsFloatingType(type)) {
    if (!number) return std::nullopt;
    return PlaceNumber(*number, type);
  }
  if (number) return PlaceRounded(*number, OwnImage(type), type);
  const auto word = ParseFloatWord(text);
  if (!word) return std::nullopt;
  return PlaceFloating(*word, OwnImage(type), type);
}

std::optional<Placement> PlaceTimeText(std::string_view text, const DataType& type,
                                       int32_t zone_offset) {
  switch (TypeClassOf(type)) {
    case TypeClass::kDate: {
      const auto days = ParseDate(text);
      if (!days) return std::nullopt;
      return PlaceNanoseconds(Int128{*days} * kNanosecondsPerDay, type);
    }
    case TypeClass::kTime: {
      const auto time = ParseTime(text);
      if (!time) return std::nullopt;
      return PlaceNanoseconds(time->nanoseconds, type);
    }
    case TypeClass::kTimestamp: {
      const auto timestamp = ParseTimestamp(text);
      if (!timestamp || (timestamp->offset && !IsInstant(type))) return std::nullopt;
      return PlaceNanoseconds(InstantOf(*timestamp, IsInstant(type) ? zone_offset : 0), type);
    }
    default: {
      const auto interval = ParseInterval(text);
      if (!interval || interval->months != 0) return std::nullopt;
      return PlaceNanoseconds(Int128{interval->days} * kNanosecondsPerDay + interval->nanoseconds,
                              type);
    }
  }
}

}  // namespace

Int128 InstantOf(const TimestampText& timestamp, int32_t zone_offset) {
  return timestamp.nanoseconds -
         Int128{timestamp.offset.value_or(zone_offset)} * kNanosecondsPerSecond;
}

Placement PlaceLiteralNumber(const ExactNumber& number, const DataType& type) {
  if (number.has_exponent) return PlaceRounded(number, TypeId::kDouble, type);
  if (IsFloatingType(type)) return PlaceRounded(number, OwnImage(type), type);
  return PlaceNumber(number, type);
}

std::optional<Placement> PlaceString(std::string_view text, const DataType& type,
                                     int32_t zone_offset) {
  switch (TypeClassOf(type)) {
    case TypeClass::kInteger:
    case TypeClass::kDecimal:
    case TypeClass::kFloating:
      return PlaceNumberText(text, type);
    case TypeClass::kDate:
    case TypeClass::kTime:
    case TypeClass::kTimestamp:
    case TypeClass::kDuration:
      return PlaceTimeText(text, type, zone_offset);
    case TypeClass::kText:
      return PlaceBytes(text, type);
    case TypeClass::kBinary: {
      std::string bytes;
      if (!ParseBinary(text, &bytes)) return std::nullopt;
      return PlaceBytes(bytes, type);
    }
    case TypeClass::kUuid: {
      const auto uuid = ParseUuid(text);
      if (!uuid) return std::nullopt;
      return PlaceBytes({uuid->data(), uuid->size()}, type);
    }
    case TypeClass::kBoolean: {
      const auto value = ParseBoolean(text);
      if (!value) return std::nullopt;
      return PlaceConstant(BoundExpression::Boolean(*value), type);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace sluice::inline v0::engine
