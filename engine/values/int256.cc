#include "engine/values/int256.h"

#include <algorithm>

namespace sluice::inline v0::engine {
namespace {

constexpr int kWordDigits = 18;
constexpr uint64_t kWordPower = 1'000'000'000'000'000'000;

constexpr std::array<Int128, kMaxDigits128 + 1> MakePowers() {
  std::array<Int128, kMaxDigits128 + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr auto kPowers = MakePowers();

/// The magnitude of the least value is 2^255, which an unsigned reading of the words gives.
Int256 Magnitude(const Int256& value) { return value.is_negative() ? value.Negated() : value; }

/// words * factor + addend; returns what does not fit.
uint64_t MultiplyAdd(Int256* value, uint64_t factor, uint64_t addend) {
  Uint128 carry = addend;
  for (uint64_t& word : value->words) {
    carry += Uint128{word} * factor;
    word = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return static_cast<uint64_t>(carry);
}

/// Divides the unsigned words, and returns the remainder.
uint64_t DivideWords(Int256* value, uint64_t divisor) {
  Uint128 remainder = 0;
  for (size_t i = value->words.size(); i-- > 0;) {
    const Uint128 dividend = remainder << 64 | value->words[i];
    value->words[i] = static_cast<uint64_t>(dividend / divisor);
    remainder = dividend % divisor;
  }
  return static_cast<uint64_t>(remainder);
}

bool IsZero(const Int256& value) { return value == Int256(); }

/// The magnitude with its sign, if there is room for it.
std::optional<Int256> WithSign(const Int256& magnitude, bool negative) {
  if (!magnitude.is_negative()) return negative ? magnitude.Negated() : magnitude;
  if (negative && magnitude == Int256::Min()) return magnitude;
  return std::nullopt;
}

}  // namespace

Int128 PowerOfTen(int exponent) { return kPowers[static_cast<size_t>(exponent)]; }

Int256 Int256::Min() {
  Int256 value;
  value.words[3] = uint64_t{1} << 63;
  return value;
}

Int256 Int256::Max() {
  Int256 value;
  for (uint64_t& word : value.words) word = ~uint64_t{0};
  value.words[3] >>= 1;
  return value;
}

std::optional<Int256> Int256::FromDigits(bool negative, std::string_view digits) {
  Int256 value;
  while (!digits.empty()) {
    const auto taken = std::min(digits.size(), static_cast<size_t>(kWordDigits));
    uint64_t part = 0;
    for (const char digit : digits.substr(0, taken)) {
      part = part * 10 + static_cast<uint64_t>(digit - '0');
    }
    const auto power = static_cast<uint64_t>(PowerOfTen(static_cast<int>(taken)));
    if (MultiplyAdd(&value, power, part) != 0) return std::nullopt;
    digits.remove_prefix(taken);
  }
  return WithSign(value, negative);
}

bool Int256::FitsInt128() const {
  const uint64_t sign = words[1] >> 63 != 0 ? ~uint64_t{0} : 0;
  return words[2] == sign && words[3] == sign;
}

std::string Int256::ToString() const {
  Int256 rest = Magnitude(*this);
  std::string reversed;
  do {
    uint64_t part = DivideWords(&rest, kWordPower);
    for (int i = 0; i < kWordDigits; ++i, part /= 10) {
      reversed += static_cast<char>('0' + part % 10);
    }
  } while (!IsZero(rest));
  while (reversed.size() > 1 && reversed.back() == '0') reversed.pop_back();
  if (is_negative()) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

Int256 Int256::Negated() const {
  Int256 value;
  for (size_t i = 0; i < words.size(); ++i) value.words[i] = ~words[i];
  return value.Plus(Int256(1));
}

Int256 Int256::Plus(const Int256& other) const {
  Int256 sum;
  Uint128 carry = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    carry += Uint128{words[i]} + other.words[i];
    sum.words[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return sum;
}

std::strong_ordering Int256::operator<=>(const Int256& other) const {
  const auto order = static_cast<int64_t>(words[3]) <=> static_cast<int64_t>(other.words[3]);
  if (order != 0) return order;
  for (size_t i = 3; i-- > 0;) {
    if (words[i] != other.words[i]) return words[i] <=> other.words[i];
  }
  return std::strong_ordering::equal;
}

std::optional<Int256> MultiplyByPowerOfTen(const Int256& value, int exponent) {
  Int256 magnitude = Magnitude(value);
  if (IsZero(magnitude)) return magnitude;
  for (; exponent > 0; exponent -= kWordDigits) {
    const auto power = static_cast<uint64_t>(PowerOfTen(std::min(exponent, kWordDigits)));
    if (MultiplyAdd(&magnitude, power, 0) != 0) return std::nullopt;
  }
  return WithSign(magnitude, value.is_negative());
}

Int256 DivideByPowerOfTen(const Int256& value, int exponent) {
  Int256 magnitude = Magnitude(value);
  uint64_t last_digit = 0;
  for (; exponent > kWordDigits; exponent -= kWordDigits) DivideWords(&magnitude, kWordPower);
  if (exponent > 0) {
    DivideWords(&magnitude, static_cast<uint64_t>(PowerOfTen(exponent - 1)));
    last_digit = DivideWords(&magnitude, 10);
  }
  if (last_digit >= 5) magnitude = magnitude.Plus(Int256(1));
  return value.is_negative() ? magnitude.Negated() : magnitude;
}

bool HasAtMostDigits(const Int256& value, int digits) {
  if (value.FitsInt128()) return HasAtMostDigits(value.ToInt128(), digits);
  if (digits <= kMaxDigits128) return false;
  const auto limit = MultiplyByPowerOfTen(Int256(1), digits);
  if (!limit) return true;
  const Int256 magnitude = Magnitude(value);
  return !magnitude.is_negative() && magnitude < *limit;
}

bool HasAtMostDigits(Int128 value, int digits) {
  if (digits > kMaxDigits128) return true;
  const Int128 limit = PowerOfTen(digits);
  return -limit < value && value < limit;
}

}  // namespace sluice::inline v0::engine
