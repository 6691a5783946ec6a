#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "format/model/int128.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::text {
namespace {

template <typename T>
void AppendDigits(T value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

/// `digits` with the decimal point after the first `point` of them; both may lie outside.
/// Source: ECMA-262, Number::toString.
void LayOut(std::string_view digits, int point, std::string& out) {
  const int count = static_cast<int>(digits.size());
  if (point > 21 || point <= -6) {
    out += digits[0];
    if (count > 1) {
      out += '.';
      out += digits.substr(1);
    }
    out += point > 0 ? "e+" : "e-";
    AppendDigits(std::abs(point - 1), out);
  } else if (point <= 0) {
    out += "0.";
    out.append(static_cast<size_t>(-point), '0');
    out += digits;
  } else if (count <= point) {
    out += digits;
    out.append(static_cast<size_t>(point - count), '0');
  } else {
    out += digits.substr(0, static_cast<size_t>(point));
    out += '.';
    out += digits.substr(static_cast<size_t>(point));
  }
}

template <typename T>
void AppendFloating(T value, std::string& out) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (value == 0) {
    out += std::signbit(value) ? "-0.0" : "0";
    return;
  }
  if (std::signbit(value)) out += '-';
  value = std::fabs(value);
  if (std::isinf(value)) {
    out += "Infinity";
    return;
  }
  // Scientific form, for its digits are always the shortest: "d.ddde+xx".
  char text[40];
  const char* end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific).ptr;
  const char* mark = static_cast<const char*>(std::memchr(text, 'e', sizeof(text)));
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  size_t count = static_cast<size_t>(mark - text);
  if (count > 1) {
    text[1] = text[0];  // Over the point, so that the digits are together.
    --count;
    LayOut({text + 1, count}, exponent + 1, out);
  } else {
    LayOut({text, 1}, exponent + 1, out);
  }
}

/// The digits of a magnitude of four 64-bit words, least significant first, which are used up.
std::string_view WideDigits(uint64_t* words, char* end) {
  constexpr uint64_t kPart = 1'000'000'000'000'000'000;
  constexpr int kPartDigits = 18;
  char* begin = end;
  int top = 3;
  while (true) {
    while (top >= 0 && words[top] == 0) --top;
    if (top < 0) break;
    uint64_t remainder = 0;
    for (int i = top; i >= 0; --i) {
      const Uint128 dividend = (static_cast<Uint128>(remainder) << 64) | words[i];
      words[i] = static_cast<uint64_t>(dividend / kPart);
      remainder = static_cast<uint64_t>(dividend % kPart);
    }
    for (int i = 0; i < kPartDigits; ++i, remainder /= 10) {
      *--begin = static_cast<char>('0' + remainder % 10);
    }
  }
  while (begin != end && *begin == '0') ++begin;
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

void AppendInteger(int64_t value, std::string& out) { AppendDigits(value, out); }
void AppendInteger(uint64_t value, std::string& out) { AppendDigits(value, out); }

void AppendFloat(float value, std::string& out) { AppendFloating(value, out); }
void AppendDouble(double value, std::string& out) { AppendFloating(value, out); }

float WidenFloat16(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const uint32_t fraction = bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t widened = exponent == 0x1f ? 0xff : exponent - 15 + 127;
  return std::bit_cast<float>(sign | (widened << 23) | (fraction << 13));
}

void AppendDecimal(const uint8_t* bytes, int32_t width, int32_t scale, std::string& out) {
  const bool is_negative = (bytes[width - 1] & 0x80) != 0;
  uint64_t words[4];
  std::memset(words, is_negative ? 0xff : 0, sizeof(words));
  std::memcpy(words, bytes, static_cast<size_t>(width));
  if (is_negative) {
    uint64_t carry = 1;
    for (uint64_t& word : words) {
      word = ~word + carry;
      carry &= static_cast<uint64_t>(word == 0);
    }
  }
  char buffer[96];
  std::string_view digits;
  if ((words[1] | words[2] | words[3]) == 0) {
    const char* end = std::to_chars(buffer, buffer + sizeof(buffer), words[0]).ptr;
    digits = {buffer, words[0] == 0 ? 0 : static_cast<size_t>(end - buffer)};
  } else {
    digits = WideDigits(words, buffer + sizeof(buffer));
  }
  if (is_negative) out += '-';
  const auto fraction = static_cast<size_t>(scale);
  if (digits.size() > fraction) {
    out += digits.substr(0, digits.size() - fraction);
  } else {
    out += '0';
  }
  if (fraction == 0) return;
  out += '.';
  if (digits.size() < fraction) out.append(fraction - digits.size(), '0');
  out += digits.substr(digits.size() > fraction ? digits.size() - fraction : 0);
}

}  // namespace sluice::inline v0::text
