#include "engine/values/exact_number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace sluice::inline v0::engine {
namespace {

/// Greater exponents mean the same for every type there is.
constexpr int64_t kMaxExponent = 1'000'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// Takes the digits at the front of `text` and appends them.
size_t TakeDigits(std::string_view* text, std::string* out) {
  size_t count = 0;
  while (count < text->size() && IsDigit((*text)[count])) ++count;
  if (out != nullptr) out->append(text->substr(0, count));
  text->remove_prefix(count);
  return count;
}

bool TakeSign(std::string_view* text) {
  if (text->empty() || (text->front() != '+' && text->front() != '-')) return false;
  const bool negative = text->front() == '-';
  text->remove_prefix(1);
  return negative;
}

/// [+-]digits and nothing behind; absent unless it is that.
std::optional<int64_t> ParseExponent(std::string_view text) {
  const bool negative = TakeSign(&text);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    value = std::min(value * 10 + (c - '0'), kMaxExponent);
  }
  return negative ? -value : value;
}

template <typename T>
T Nearest(const ExactNumber& number) {
  if (number.is_zero()) return number.negative ? -T{0} : T{0};
  const std::string text =
      (number.negative ? "-" : "") + number.digits + "e" + std::to_string(-number.scale);
  T value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    const bool is_large = static_cast<int64_t>(number.digits.size()) > number.scale;
    value = is_large ? std::numeric_limits<T>::infinity() : T{0};
    return number.negative ? -value : value;
  }
  return value;
}

}  // namespace

std::optional<ExactNumber> ExactNumber::Parse(std::string_view text) {
  text = Trim(text);
  ExactNumber number;
  number.negative = TakeSign(&text);
  size_t count = TakeDigits(&text, &number.digits);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    const size_t fraction = TakeDigits(&text, &number.digits);
    number.scale = static_cast<int64_t>(fraction);
    count += fraction;
  }
  if (count == 0) return std::nullopt;
  if (!text.empty()) {
    if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
    const auto exponent = ParseExponent(text.substr(1));
    if (!exponent) return std::nullopt;
    number.scale -= *exponent;
    number.has_exponent = true;
  }
  number.digits.erase(0, number.digits.find_first_not_of('0'));
  return number;
}

ExactNumber ExactNumber::Of(const Int256& value, int32_t scale) {
  ExactNumber number;
  number.negative = value.is_negative();
  number.digits = value.ToString().substr(number.negative ? 1 : 0);
  if (number.digits == "0") number.digits.clear();
  number.scale = scale;
  return number;
}

int64_t ExactNumber::precision() const {
  const auto count = static_cast<int64_t>(digits.size());
  return std::max<int64_t>(1, scale >= 0 ? std::max(count, scale) : count - scale);
}

IntegerFloor ExactNumber::FloorAtScale(int32_t target_scale) const {
  IntegerFloor floor;
  if (is_zero()) return floor;
  const IntegerFloor outside{
      negative ? IntegerFloor::Range::kBelow : IntegerFloor::Range::kAbove, {}, false};
  const int64_t shift = target_scale - scale;
  const auto count = static_cast<int64_t>(digits.size());
  if (count + shift > kMaxDigits256 + 2) return outside;
  std::string shifted;
  if (shift >= 0) {
    shifted = digits + std::string(static_cast<size_t>(shift), '0');
  } else {
    const auto kept = static_cast<size_t>(std::max<int64_t>(0, count + shift));
    shifted = digits.substr(0, kept);
    floor.is_exact = digits.find_first_not_of('0', kept) == std::string::npos;
  }
  auto value = Int256::FromDigits(negative, shifted);
  if (!value) return outside;
  if (negative && !floor.is_exact) {
    if (*value == Int256::Min()) return outside;
    value = value->Plus(Int256(-1));
  }
  floor.value = *value;
  return floor;
}

std::optional<Int256> ExactNumber::RoundAtScale(int32_t target_scale) const {
  if (is_zero()) return Int256();
  const int64_t shift = target_scale - scale;
  const auto count = static_cast<int64_t>(digits.size());
  if (shift >= 0 || count + shift < 0) {
    if (shift < 0) return Int256();
    const IntegerFloor floor = FloorAtScale(target_scale);
    if (floor.range != IntegerFloor::Range::kInside) return std::nullopt;
    return floor.value;
  }
  const auto kept = static_cast<size_t>(count + shift);
  const auto truncated = Int256::FromDigits(negative, std::string_view(digits).substr(0, kept));
  if (!truncated || digits[kept] < '5') return truncated;
  const Int256 limit = negative ? Int256::Min() : Int256::Max();
  if (*truncated == limit) return std::nullopt;
  return truncated->Plus(Int256(negative ? -1 : 1));
}

double ExactNumber::ToDouble() const { return Nearest<double>(*this); }
float ExactNumber::ToFloat() const { return Nearest<float>(*this); }

}  // namespace sluice::inline v0::engine
