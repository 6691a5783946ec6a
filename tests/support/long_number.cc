#include "tests/support/long_number.h"

#include <algorithm>

namespace sluice::support {
namespace {

std::string WithoutLeadingZeros(std::string digits) {
  digits.erase(0, digits.find_first_not_of('0'));
  return digits;
}

/// Of magnitudes, as digits.
bool IsLess(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

int DigitFromEnd(std::string_view digits, size_t i) {
  return i < digits.size() ? digits[digits.size() - 1 - i] - '0' : 0;
}

std::string Sum(std::string_view a, std::string_view b) {
  std::string sum(std::max(a.size(), b.size()) + 1, '0');
  int carry = 0;
  for (size_t i = 0; i < sum.size(); ++i) {
    const int column = DigitFromEnd(a, i) + DigitFromEnd(b, i) + carry;
    sum[sum.size() - 1 - i] = static_cast<char>('0' + column % 10);
    carry = column / 10;
  }
  return WithoutLeadingZeros(std::move(sum));
}

/// `a` is not less than `b`.
std::string Difference(std::string_view a, std::string_view b) {
  std::string difference(a.size(), '0');
  int borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const int column = DigitFromEnd(a, i) - DigitFromEnd(b, i) - borrow;
    borrow = column < 0 ? 1 : 0;
    difference[a.size() - 1 - i] = static_cast<char>('0' + column + borrow * 10);
  }
  return WithoutLeadingZeros(std::move(difference));
}

}  // namespace

LongNumber::LongNumber(Wide value) : is_negative_(value < 0) {
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits_ += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  std::reverse(digits_.begin(), digits_.end());
}

LongNumber LongNumber::OfBytes(std::string_view bytes, bool is_unsigned) {
  if (bytes.size() <= 8) {
    Wide value = 0;
    for (size_t i = bytes.size(); i > 0; --i) {
      value = value * 256 + static_cast<uint8_t>(bytes[i - 1]);
    }
    const bool is_negative = !is_unsigned && (bytes.back() & 0x80) != 0;
    return is_negative ? value - (Wide{1} << (8 * bytes.size())) : value;
  }
  LongNumber value;
  for (size_t i = bytes.size(); i > 0; --i) {
    value = value * LongNumber(256) + LongNumber(static_cast<uint8_t>(bytes[i - 1]));
  }
  const bool is_negative = !is_unsigned && (bytes.back() & 0x80) != 0;
  return is_negative ? value - PowerOfTwo(static_cast<int>(8 * bytes.size())) : value;
}

LongNumber LongNumber::OfDigits(bool is_negative, std::string_view digits) {
  LongNumber number;
  number.digits_ = WithoutLeadingZeros(std::string(digits));
  number.is_negative_ = is_negative && !number.is_zero();
  return number;
}

LongNumber LongNumber::PowerOfTwo(int exponent) {
  constexpr int kStep = 60;
  LongNumber power(1);
  for (; exponent >= kStep; exponent -= kStep) power = power * LongNumber(Wide{1} << kStep);
  return power * LongNumber(Wide{1} << exponent);
}

std::optional<Wide> LongNumber::ToWide() const {
  if (num_digits() > 38) return std::nullopt;
  Wide value = 0;
  for (const char digit : digits_) value = value * 10 + (digit - '0');
  return is_negative_ ? -value : value;
}

std::string LongNumber::ToString() const {
  return is_zero() ? "0" : (is_negative_ ? "-" : "") + digits_;
}

bool LongNumber::Fits(int bits, bool is_unsigned) const {
  if (is_unsigned) return !is_negative_ && *this < PowerOfTwo(bits);
  const LongNumber end = PowerOfTwo(bits - 1);
  return *this < end && *this >= -end;
}

LongNumber LongNumber::operator-() const { return OfDigits(!is_negative_, digits_); }

LongNumber LongNumber::operator+(const LongNumber& other) const {
  if (is_negative_ == other.is_negative_) {
    return OfDigits(is_negative_, Sum(digits_, other.digits_));
  }
  if (IsLess(digits_, other.digits_)) {
    return OfDigits(other.is_negative_, Difference(other.digits_, digits_));
  }
  return OfDigits(is_negative_, Difference(digits_, other.digits_));
}

LongNumber LongNumber::operator*(const LongNumber& other) const {
  std::string product(digits_.size() + other.digits_.size(), '0');
  for (size_t i = 0; i < digits_.size(); ++i) {
    int carry = 0;
    for (size_t j = 0; j < other.digits_.size() || carry > 0; ++j) {
      char& place = product[product.size() - 1 - i - j];
      const int column =
          place - '0' + DigitFromEnd(digits_, i) * DigitFromEnd(other.digits_, j) + carry;
      place = static_cast<char>('0' + column % 10);
      carry = column / 10;
    }
  }
  return OfDigits(is_negative_ != other.is_negative_, product);
}

LongNumber LongNumber::Scaled(int64_t exponent) const {
  if (exponent >= 0) {
    return OfDigits(is_negative_, digits_ + std::string(static_cast<size_t>(exponent), '0'));
  }
  const auto dropped = static_cast<size_t>(-exponent);
  if (dropped > digits_.size()) return {};
  const size_t kept = digits_.size() - dropped;
  const LongNumber truncated = OfDigits(is_negative_, digits_.substr(0, kept));
  if (digits_[kept] < '5') return truncated;
  return truncated + LongNumber(is_negative_ ? -1 : 1);
}

LongNumber LongNumber::FlooredBy(int64_t exponent) const {
  const auto dropped = static_cast<size_t>(exponent);
  const size_t kept = digits_.size() > dropped ? digits_.size() - dropped : 0;
  const LongNumber truncated = OfDigits(is_negative_, digits_.substr(0, kept));
  const bool is_exact = digits_.find_first_not_of('0', kept) == std::string::npos;
  return is_negative_ && !is_exact ? truncated - LongNumber(1) : truncated;
}

std::strong_ordering LongNumber::operator<=>(const LongNumber& other) const {
  if (is_negative_ != other.is_negative_) {
    return is_negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  if (digits_ == other.digits_) return std::strong_ordering::equal;
  return IsLess(digits_, other.digits_) != is_negative_ ? std::strong_ordering::less
                                                        : std::strong_ordering::greater;
}

}  // namespace sluice::support
