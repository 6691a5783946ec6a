#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::support {

__extension__ typedef __int128 Wide;

/// A whole number of any size, calculated with digit by digit as on paper: slow, and so plain that
/// it can be the oracle of faster ways.
class LongNumber {
 public:
  LongNumber() = default;
  LongNumber(Wide value);  // NOLINT: implicit, every number has one.
  /// Two's complement, least significant byte first.
  static LongNumber OfBytes(std::string_view bytes, bool is_unsigned);
  static LongNumber OfDigits(bool is_negative, std::string_view digits);
  static LongNumber PowerOfTwo(int exponent);

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return is_negative_; }
  /// Without leading zeros; none for zero.
  const std::string& digits() const { return digits_; }
  int64_t num_digits() const { return static_cast<int64_t>(digits_.size()); }
  /// Absent where the magnitude has more than 38 digits.
  std::optional<Wide> ToWide() const;
  std::string ToString() const;
  /// Whether the number is one of `bits` bits in two's complement, or without a sign.
  bool Fits(int bits, bool is_unsigned) const;

  LongNumber operator-() const;
  LongNumber operator+(const LongNumber& other) const;
  LongNumber operator-(const LongNumber& other) const { return *this + -other; }
  LongNumber operator*(const LongNumber& other) const;
  /// Times 10^exponent; a negative exponent divides, and rounds halves away from zero.
  LongNumber Scaled(int64_t exponent) const;
  /// Divided by 10^exponent, rounded down.
  LongNumber FlooredBy(int64_t exponent) const;

  bool operator==(const LongNumber&) const = default;
  std::strong_ordering operator<=>(const LongNumber& other) const;

 private:
  bool is_negative_ = false;
  std::string digits_;
};

/// The greatest multiple of `divisor`, which is positive, not above `value`, divided by it.
inline Wide FloorOf(Wide value, Wide divisor) {
  const Wide quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1 : quotient;
}

}  // namespace sluice::support
