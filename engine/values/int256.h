#pragma once

// Integers of 128 and 256 bits: what decimals are made of.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/model/int128.h"

namespace sluice::inline v0::engine {

inline constexpr Int128 kMinInt128 = static_cast<Int128>(Uint128{1} << 127);
inline constexpr Int128 kMaxInt128 = ~kMinInt128;
inline constexpr int kMaxDigits128 = 38;
inline constexpr int kMaxDigits256 = 76;

/// 10^exponent, 0 to 38.
Int128 PowerOfTen(int exponent);

/// Two's complement, least significant word first: the layout of decimals of 32 bytes.
struct Int256 {
  std::array<uint64_t, 4> words{};

  constexpr Int256() = default;
  constexpr Int256(Int128 value)  // NOLINT: implicit, every value has one
      : words{static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64),
              static_cast<uint64_t>(value >> 127), static_cast<uint64_t>(value >> 127)} {}
  static Int256 Min();
  static Int256 Max();
  /// Decimal digits without a sign; absent where the number does not fit.
  static std::optional<Int256> FromDigits(bool negative, std::string_view digits);

  bool is_negative() const { return words[3] >> 63 != 0; }
  bool FitsInt128() const;
  Int128 ToInt128() const { return static_cast<Int128>(Uint128{words[1]} << 64 | words[0]); }
  /// The sign and the digits, "0" for zero.
  std::string ToString() const;

  /// Two's complement without any check: they wrap.
  Int256 Negated() const;
  Int256 Plus(const Int256& other) const;

  bool operator==(const Int256&) const = default;
  std::strong_ordering operator<=>(const Int256& other) const;
};

/// value * 10^exponent; absent where it does not fit.
std::optional<Int256> MultiplyByPowerOfTen(const Int256& value, int exponent);
/// value / 10^exponent, rounded to the nearest, halves away from zero.
Int256 DivideByPowerOfTen(const Int256& value, int exponent);
/// Whether the magnitude has at most so many digits.
bool HasAtMostDigits(const Int256& value, int digits);
bool HasAtMostDigits(Int128 value, int digits);

}  // namespace sluice::inline v0::engine
