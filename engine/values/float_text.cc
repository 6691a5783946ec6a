#include "engine/values/float_text.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "engine/parse/lexer.h"
#include "engine/values/exact_number.h"

namespace sluice::inline v0::engine {
namespace {

template <typename T>
void AppendText(T value, std::string* out) {
  if (std::isnan(value)) {
    *out += "nan";
    return;
  }
  if (std::isinf(value)) {
    *out += value < 0 ? "-inf" : "inf";
    return;
  }
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  const std::string_view digits(text, static_cast<size_t>(end.ptr - text));
  const size_t mark = digits.find('e');
  int exponent = 0;
  std::from_chars(text + mark + (text[mark + 1] == '+' ? 2 : 1), end.ptr, exponent);
  if (exponent < -4 || exponent > 15) {
    *out += digits;
    return;
  }
  const auto plain_end = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed);
  const std::string_view plain(text, static_cast<size_t>(plain_end.ptr - text));
  *out += plain;
  if (plain.find('.') == std::string_view::npos) *out += ".0";
}

template <typename T>
std::optional<T> Parse(std::string_view text) {
  if (const auto word = ParseFloatWord(text)) return static_cast<T>(*word);
  const auto number = ExactNumber::Parse(text);
  if (!number) return std::nullopt;
  if constexpr (sizeof(T) == sizeof(float)) {
    return number->ToFloat();
  } else {
    return number->ToDouble();
  }
}

}  // namespace

std::optional<double> ParseFloatWord(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
  const bool is_negative = text.front() == '-';
  if (is_negative || text.front() == '+') text.remove_prefix(1);
  constexpr size_t kLongest = 8;
  if (text.size() > kLongest) return std::nullopt;
  const std::string lower = LowerAscii(text);
  double value;
  if (lower == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (lower == "inf" || lower == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else {
    return std::nullopt;
  }
  return is_negative ? -value : value;
}

std::optional<double> ParseDouble(std::string_view text) { return Parse<double>(text); }
std::optional<float> ParseFloat(std::string_view text) { return Parse<float>(text); }

void AppendDoubleText(double value, std::string* out) { AppendText(value, out); }
void AppendFloatText(float value, std::string* out) { AppendText(value, out); }

}  // namespace sluice::inline v0::engine
