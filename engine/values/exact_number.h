#pragma once

// Numbers as text has them: exact, of any size.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/values/int256.h"

namespace sluice::inline v0::engine {

/// The greatest integer not above a number, or that there is none of 256 bits.
struct IntegerFloor {
  enum class Range : uint8_t { kInside, kBelow, kAbove } range = Range::kInside;
  Int256 value;
  bool is_exact = true;
};

/// `digits` * 10^-scale with a sign.
struct ExactNumber {
  bool negative = false;
  std::string digits;  ///< Without leading zeros: none at all for zero.
  int64_t scale = 0;   ///< As written: 2 for 1.50, -3 for 1e3.
  bool has_exponent = false;

  /// [+-]digits[.digits][e[+-]digits], with spaces around it.
  static std::optional<ExactNumber> Parse(std::string_view text);
  static ExactNumber Of(const Int256& value, int32_t scale);

  bool is_zero() const { return digits.empty(); }
  /// The digits in all, and those behind the point, that a decimal of this number needs.
  int64_t precision() const;
  int64_t fraction_digits() const { return scale > 0 ? scale : 0; }

  /// Of the number times 10^scale.
  IntegerFloor FloorAtScale(int32_t target_scale) const;
  /// The number times 10^scale, rounded to the nearest integer, halves away from zero.
  std::optional<Int256> RoundAtScale(int32_t target_scale) const;

  /// The nearest value; infinite where the magnitude is beyond the greatest.
  double ToDouble() const;
  float ToFloat() const;
};

}  // namespace sluice::inline v0::engine
