#include "format/model/widen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "format/model/calendar.h"
#include "format/model/comparable.h"
#include "format/model/fit_integer.h"
#include "format/model/load.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0 {
namespace {

template <typename T>
std::string BytesOf(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

bool IsSignedInteger(TypeId id) {
  return id == TypeId::kInt8 || id == TypeId::kInt16 || id == TypeId::kInt32 ||
         id == TypeId::kInt64;
}
bool IsUnsignedInteger(TypeId id) {
  return id == TypeId::kUint8 || id == TypeId::kUint16 || id == TypeId::kUint32 ||
         id == TypeId::kUint64;
}

bool CanWidenInteger(const DataType& from, const DataType& to) {
  if (IsSignedInteger(from.id)) {
    return IsSignedInteger(to.id) && to.byte_width >= from.byte_width;
  }
  if (!IsUnsignedInteger(from.id)) return false;
  if (IsUnsignedInteger(to.id)) return to.byte_width >= from.byte_width;
  return IsSignedInteger(to.id) && to.byte_width > from.byte_width;
}

bool CanWidenDecimal(const DataType& from, const DataType& to) {
  return from.id == TypeId::kDecimal && to.id == TypeId::kDecimal && to.scale >= from.scale &&
         to.precision - to.scale >= from.precision - from.scale;
}

bool IsTimeLike(TypeId id) {
  return id == TypeId::kTime || id == TypeId::kTimestamp || id == TypeId::kDuration;
}

/// How many units of `to` are one of `from`, where dates and times are widened; 0 for others.
int64_t UnitFactor(const DataType& from, const DataType& to) {
  if (from.id == TypeId::kDate && to.id == TypeId::kTimestamp && !to.utc_adjusted) {
    return 86'400 * UnitsPerSecond(to.unit);
  }
  const bool is_finer = IsTimeLike(from.id) && to.id == from.id &&
                        from.utc_adjusted == to.utc_adjusted && from.unit < to.unit;
  return is_finer ? UnitsPerSecond(to.unit) / UnitsPerSecond(from.unit) : 0;
}

bool IsInt96ToTimestamp(const DataType& from, const DataType& to) {
  return from.id == TypeId::kInt96 && to.id == TypeId::kTimestamp &&
         to.unit == TimeUnit::kNanoseconds && !to.utc_adjusted;
}

/// The most decimal digits that an integer has.
int32_t DigitsOf(const DataType& integer) {
  switch (integer.byte_width) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 10;
    default:
      return IsSignedInteger(integer.id) ? 19 : 20;
  }
}

bool IsInteger(TypeId id) { return IsSignedInteger(id) || IsUnsignedInteger(id); }

bool IsIntegerToDecimal(const DataType& from, const DataType& to) {
  return IsInteger(from.id) && to.id == TypeId::kDecimal &&
         to.precision - to.scale >= DigitsOf(from);
}

bool IsIntegerToFloating(const DataType& from, const DataType& to) {
  if (!IsInteger(from.id)) return false;
  // A float holds integers of 24 bits, a double those of 53.
  return to.id == TypeId::kDouble ? from.byte_width <= 4
                                  : to.id == TypeId::kFloat && from.byte_width <= 2;
}

/// The magnitude of a decimal of up to 32 bytes, in four words.
struct Magnitude {
  std::array<uint64_t, 4> words{};
  bool is_negative = false;

  static Magnitude Of(std::string_view decimal) {
    const std::string bytes = *FitInteger(decimal, 32, true);
    Magnitude magnitude;
    std::memcpy(magnitude.words.data(), bytes.data(), bytes.size());
    magnitude.is_negative = magnitude.words[3] >> 63 != 0;
    if (magnitude.is_negative) magnitude.Negate();
    return magnitude;
  }

  void Negate() {
    uint64_t carry = 1;
    for (uint64_t& word : words) {
      word = ~word + carry;
      carry = carry != 0 && word == 0 ? 1 : 0;
    }
  }
  /// False where it overflows.
  bool TimesTen() {
    uint64_t carry = 0;
    for (uint64_t& word : words) {
      const Uint128 product = Uint128{word} * 10 + carry;
      word = static_cast<uint64_t>(product);
      carry = static_cast<uint64_t>(product >> 64);
    }
    return carry == 0;
  }
  /// False where there is a remainder.
  bool DivideByTen() {
    uint64_t remainder = 0;
    for (size_t i = words.size(); i-- > 0;) {
      const Uint128 dividend = Uint128{remainder} << 64 | words[i];
      words[i] = static_cast<uint64_t>(dividend / 10);
      remainder = static_cast<uint64_t>(dividend % 10);
    }
    return remainder == 0;
  }
  /// In `width` bytes; nothing where it does not fit.
  std::optional<std::string> ToDecimal(size_t width) const {
    Magnitude value = *this;
    if (is_negative) value.Negate();
    // A sign bit of its own would make the number another one.
    if ((value.words[3] >> 63 != 0) != is_negative && words != std::array<uint64_t, 4>{}) {
      return std::nullopt;
    }
    const std::string_view bytes(reinterpret_cast<const char*>(value.words.data()), 32);
    return FitInteger(bytes, width, true);
  }
};

/// Multiplied (steps > 0) or divided by ten, so often.
std::optional<std::string> Rescale(std::string_view decimal, int32_t steps, int32_t width) {
  Magnitude magnitude = Magnitude::Of(decimal);
  for (; steps > 0; --steps) {
    if (!magnitude.TimesTen()) return std::nullopt;
  }
  for (; steps < 0; ++steps) {
    if (!magnitude.DivideByTen()) return std::nullopt;
  }
  return magnitude.ToDecimal(static_cast<size_t>(width));
}

float HalfOrFloat(const DataType& type, std::string_view value) {
  return type.id == TypeId::kFloat16 ? text::WidenFloat16(Load<uint16_t>(value.data()))
                                     : Load<float>(value.data());
}

/// The float of the same value as a double, if there is one.
std::optional<float> ToFloat(double value) {
  // Beyond the largest float the cast is undefined.
  if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) {
    return std::nullopt;
  }
  const auto narrow = static_cast<float>(value);
  return narrow == value ? std::optional(narrow) : std::nullopt;
}

/// The half of the same value as a float, if there is one; it is not NaN.
std::optional<uint16_t> ToHalf(float value) {
  const auto bits = Load<uint32_t>(BytesOf(value).data());
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  if (value == 0) return sign;
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7c00);
  // A half is a multiple of 2^-24, and has 11 digits.
  int exponent = 0;
  const float fraction = std::frexp(std::abs(value), &exponent);  // In [0.5, 1).
  if (exponent > 16) return std::nullopt;
  const int digits = std::min(11, exponent + 24);
  if (digits <= 0) return std::nullopt;
  const float scaled = std::ldexp(fraction, digits);
  if (scaled != std::floor(scaled)) return std::nullopt;
  const auto whole = static_cast<uint16_t>(scaled);
  if (exponent < -13) return static_cast<uint16_t>(sign | whole);  // Subnormal.
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10 | (whole & 0x3ff)));
}

std::optional<std::string> NarrowFloating(const DataType& from, std::string_view value,
                                          const DataType& to) {
  const double wide =
      to.id == TypeId::kDouble ? Load<double>(value.data()) : Load<float>(value.data());
  if (std::isnan(wide)) return std::nullopt;
  const std::optional<float> single = ToFloat(wide);
  if (!single) return std::nullopt;
  if (from.id == TypeId::kFloat) return BytesOf(*single);
  const std::optional<uint16_t> half = ToHalf(*single);
  return half ? std::optional(BytesOf(*half)) : std::nullopt;
}

/// Of any width up to that of T.
template <typename T>
T LoadInteger(const DataType& type, std::string_view value) {
  return Load<T>(FitInteger(value, sizeof(T), !IsUnsignedInteger(type.id))->data());
}

std::optional<std::string> WidenUnits(const DataType& from, std::string_view value,
                                      int64_t factor) {
  int64_t units = 0;
  if (__builtin_mul_overflow(LoadInteger<int64_t>(from, value), factor, &units)) {
    return std::nullopt;
  }
  return BytesOf(units);
}

std::optional<std::string> NarrowUnits(const DataType& from, std::string_view value,
                                       int64_t factor) {
  const auto units = Load<int64_t>(value.data());
  if (units % factor != 0) return std::nullopt;
  return FitInteger(BytesOf(units / factor), static_cast<size_t>(from.byte_width), true);
}

std::optional<std::string> WidenInt96(std::string_view value) {
  const Int128 days = Int128{Load<int32_t>(value.data() + 8)} - kJulianDayOfEpoch;
  const Int128 instant = days * kNanosecondsPerDay + Load<int64_t>(value.data());
  const auto units = static_cast<int64_t>(instant);
  return units == instant ? std::optional(BytesOf(units)) : std::nullopt;
}

std::string IntegerToFloating(const DataType& from, std::string_view value, const DataType& to) {
  const auto integer = LoadInteger<int64_t>(from, value);
  return to.id == TypeId::kFloat ? BytesOf(static_cast<float>(integer))
                                 : BytesOf(static_cast<double>(integer));
}

std::optional<std::string> FloatingToInteger(const DataType& from, std::string_view value,
                                             const DataType& to) {
  const double wide =
      to.id == TypeId::kFloat ? Load<float>(value.data()) : Load<double>(value.data());
  constexpr double kLimit = 4294967296;  // No integer of 4 bytes is beyond.
  if (!(std::abs(wide) < kLimit) || wide != std::trunc(wide)) return std::nullopt;
  return FitInteger(BytesOf(static_cast<int64_t>(wide)), static_cast<size_t>(from.byte_width),
                    IsSignedInteger(from.id));
}

constexpr size_t kWidestDecimal = 32;

std::optional<std::string> IntegerToDecimal(const DataType& from, std::string_view value,
                                            const DataType& to) {
  return Rescale(*FitInteger(value, kWidestDecimal, IsSignedInteger(from.id)), to.scale,
                 to.byte_width);
}

std::optional<std::string> DecimalToInteger(const DataType& from, std::string_view value,
                                            const DataType& to) {
  const std::optional<std::string> whole = Rescale(value, -to.scale, kWidestDecimal);
  if (!whole) return std::nullopt;
  return FitInteger(*whole, static_cast<size_t>(from.byte_width), IsSignedInteger(from.id));
}

bool IsText(const DataType& type) { return type.is_view() && IsOrdered(type); }

/// Whether every value lies between two known ones.
bool IsBounded(const Evidence& evidence) {
  return evidence.type && evidence.lower && evidence.upper &&
         CompareValues(*evidence.type, evidence.lower->value, evidence.upper->value) <= 0;
}

bool CanWidenFloating(const DataType& from, const DataType& to) {
  return IsFloating(from) && IsFloating(to) && from.byte_width <= to.byte_width;
}

}  // namespace

bool CanWiden(const DataType& from, const DataType& to) {
  return IsComparable(from, to) || CanWidenInteger(from, to) || CanWidenFloating(from, to) ||
         CanWidenDecimal(from, to) || UnitFactor(from, to) != 0 || IsIntegerToDecimal(from, to) ||
         IsIntegerToFloating(from, to) || IsInt96ToTimestamp(from, to) ||
         (IsText(from) && IsText(to));
}

bool IsTotalWidening(const DataType& from, const DataType& to) {
  if (!CanWiden(from, to)) return false;
  if (IsComparable(from, to) || IsText(from) || IsFloating(from)) return true;
  // As the order is kept, what the greatest and the least have the others have.
  const auto width = static_cast<size_t>(from.byte_width);
  std::string least(width, '\0');
  std::string greatest(width, '\xff');
  if (!IsUnsignedInteger(from.id)) {
    least.back() = '\x80';
    greatest.back() = '\x7f';
  }
  return WidenValue(from, least, to).has_value() && WidenValue(from, greatest, to).has_value();
}

bool HasPartialWidening(const DataType& to) {
  return to.id == TypeId::kDecimal || IsTimeLike(to.id);
}

Int128 WideningFactor(const DataType& from, const DataType& to) {
  if (from.byte_width > 16 || to.byte_width > 16) return 0;
  if (const int64_t units = UnitFactor(from, to); units != 0) return units;
  int32_t steps = 0;
  if (CanWidenDecimal(from, to)) {
    steps = to.scale - from.scale;
  } else if (IsIntegerToDecimal(from, to)) {
    steps = to.scale;
  } else {
    return CanWidenInteger(from, to) ? 1 : 0;
  }
  if (steps > 38) return 0;
  Int128 factor = 1;
  for (; steps > 0; --steps) factor *= 10;
  return factor;
}

std::optional<std::string> WidenValue(const DataType& from, std::string_view value,
                                      const DataType& to) {
  if (IsComparable(from, to) || (IsText(from) && IsText(to))) return std::string(value);
  if (CanWidenInteger(from, to)) {
    return FitInteger(value, static_cast<size_t>(to.byte_width), IsSignedInteger(from.id));
  }
  if (CanWidenFloating(from, to)) {
    const float single = HalfOrFloat(from, value);
    return to.id == TypeId::kFloat ? BytesOf(single) : BytesOf(double{single});
  }
  if (CanWidenDecimal(from, to)) return Rescale(value, to.scale - from.scale, to.byte_width);
  if (const int64_t factor = UnitFactor(from, to)) return WidenUnits(from, value, factor);
  if (IsIntegerToDecimal(from, to)) return IntegerToDecimal(from, value, to);
  if (IsIntegerToFloating(from, to)) return IntegerToFloating(from, value, to);
  if (IsInt96ToTimestamp(from, to)) return WidenInt96(value);
  return std::nullopt;
}

std::optional<std::string> NarrowValue(const DataType& from, std::string_view value,
                                       const DataType& to) {
  if (IsNan(to, value)) return std::nullopt;
  if (IsComparable(from, to) || (IsText(from) && IsText(to))) return std::string(value);
  if (CanWidenInteger(from, to)) {
    return FitInteger(value, static_cast<size_t>(from.byte_width), IsSignedInteger(from.id));
  }
  if (CanWidenFloating(from, to)) return NarrowFloating(from, value, to);
  if (CanWidenDecimal(from, to)) return Rescale(value, from.scale - to.scale, from.byte_width);
  if (const int64_t factor = UnitFactor(from, to)) return NarrowUnits(from, value, factor);
  if (IsIntegerToDecimal(from, to)) return DecimalToInteger(from, value, to);
  if (IsIntegerToFloating(from, to)) return FloatingToInteger(from, value, to);
  return std::nullopt;
}

bool ProvesWidening(const Evidence& evidence, const DataType& to) {
  if (!evidence.type || !CanWiden(*evidence.type, to)) return false;
  const DataType& from = *evidence.type;
  // Past a missing bound there may be values without counterpart, whose rows are errors.
  if (!IsBounded(evidence) && !IsTotalWidening(from, to)) return false;
  const auto widens = [&](const std::optional<EvidenceBound>& bound) {
    return !bound || WidenValue(from, bound->value, to).has_value();
  };
  return widens(evidence.lower) && widens(evidence.upper);
}

void WidenEvidence(Evidence& evidence, std::shared_ptr<const DataType> to) {
  if (!evidence.type || *evidence.type == *to) return;
  const DataType from = *evidence.type;
  const bool is_proven = ProvesWidening(evidence, *to);
  evidence.type = std::move(to);
  const bool is_comparable = IsComparable(from, *evidence.type);
  if (!is_comparable) {
    evidence.distinct.reset();
    evidence.membership.reset();
  }
  if (!CanWiden(from, *evidence.type)) return AllowMisfits(evidence, Reason::kTypeChanged);
  if (!IsFloating(from)) evidence.nans = Occurrence::None();
  if (!is_proven) return AllowMisfits(evidence, Reason::kCastNotProvable);
  for (std::optional<EvidenceBound>* bound : {&evidence.lower, &evidence.upper}) {
    if (*bound) (*bound)->value = *WidenValue(from, (*bound)->value, *evidence.type);
  }
}

void AllowUnknownWidening(Evidence& evidence, const DataType& to) {
  const bool is_known = IsBounded(evidence) || evidence.distinct;
  if (!is_known && HasPartialWidening(to)) AllowMisfits(evidence, Reason::kCastNotProvable);
}

void AllowMisfits(Evidence& evidence, Reason why) {
  if (evidence.nulls.share != Occurrence::Share::kAll) evidence.nulls = Occurrence::Unknown(why);
  evidence.DropBounds(why);
  evidence.distinct.reset();
  evidence.membership.reset();
}

}  // namespace sluice::inline v0
