#include "tests/support/oracle_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sluice::support {
namespace {

/// The bytes of the well-formed character at the front, 1 where there is none.
size_t FirstCharacter(std::string_view text) {
  const auto byte = [&](size_t i) -> int {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : -1;
  };
  const auto follows = [&](size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xbf; };
  const int first = byte(0);
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 1;
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool is_surrogate = first == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !is_overlong && !is_surrogate ? 3 : 1;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && byte(1) < 0x90;
    const bool is_beyond = first == 0xf4 && byte(1) > 0x8f;
    return follows(1) && follows(2) && follows(3) && !is_overlong && !is_beyond ? 4 : 1;
  }
  return 1;
}

constexpr std::pair<std::string_view, std::string_view> kUpperOf[] = {
    {"é", "É"}, {"ſ", "S"}, {"ı", "I"}, {"σ", "Σ"}, {"ς", "Σ"}, {"𐐨", "𐐀"},
};
constexpr std::pair<std::string_view, std::string_view> kLowerOf[] = {
    {"É", "é"},
    {"İ", "i"},
    {"Σ", "σ"},
    {"𐐀", "𐐨"},
};

template <typename T>
T ReadFloat(const char* text) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return std::strtof(text, nullptr);
  } else {
    return std::strtod(text, nullptr);
  }
}

/// The fewest digits that read as the value again.
template <typename T>
std::string FloatText(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[400];
  int digits = 0;
  do {
    std::snprintf(text, sizeof(text), "%.*e", digits++, static_cast<double>(value));
  } while (ReadFloat<T>(text) != value);
  const std::string_view found(text);
  const int exponent = std::atoi(text + found.find('e') + 1);
  if (exponent < -4 || exponent > 15) return std::string(found);
  const int fraction = std::max(0, digits - 1 - exponent);
  std::snprintf(text, sizeof(text), "%.*f", std::max(1, fraction), static_cast<double>(value));
  return text;
}

int HexValue(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  const size_t found = kDigits.find(lower);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

/// The byte of two hexadecimal digits at `at`, -1 where there are none.
int HexByteAt(std::string_view text, size_t at) {
  if (at + 2 > text.size()) return -1;
  const int high = HexValue(text[at]);
  const int low = HexValue(text[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

std::vector<size_t> CharacterEnds(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t at = 0; at < text.size();) {
    at += FirstCharacter(text.substr(at));
    ends.push_back(at);
  }
  return ends;
}

std::optional<bool> OracleLike(std::string_view text, std::string_view pattern,
                               std::string_view escape) {
  // After each element of the pattern: which places of the text its matches may end at.
  std::vector<char> is_end(text.size() + 1, 0);
  for (const size_t end : CharacterEnds(text)) is_end[end] = 1;
  is_end[0] = 1;
  std::vector<char> reached(text.size() + 1, 0);
  reached[0] = 1;
  const auto match_byte = [&](char byte) {
    std::vector<char> next(text.size() + 1, 0);
    for (size_t i = 0; i < text.size(); ++i) next[i + 1] = reached[i] && text[i] == byte;
    reached = std::move(next);
  };
  while (!pattern.empty()) {
    const bool is_escaped = !escape.empty() && pattern.starts_with(escape);
    if (is_escaped) pattern.remove_prefix(escape.size());
    if (pattern.empty()) return std::nullopt;
    const char first = pattern.front();
    if (!is_escaped && (first == '%' || first == '_')) {
      std::vector<char> next(text.size() + 1, 0);
      char open = 0;  // Whether a match may end at the next end of a character.
      for (size_t i = 0; i <= text.size(); ++i) {
        if (first == '%') open = open || reached[i];
        if (is_end[i] && open) {
          next[i] = 1;
          if (first == '_') open = 0;
        }
        if (first == '_') open = open || reached[i];
      }
      reached = std::move(next);
      pattern.remove_prefix(1);
      continue;
    }
    const size_t size = FirstCharacter(pattern);
    for (size_t i = 0; i < size; ++i) match_byte(pattern[i]);
    pattern.remove_prefix(size);
  }
  return reached[text.size()] != 0;
}

std::string OracleSubstr(std::string_view text, int64_t start, std::optional<int64_t> length) {
  std::vector<size_t> places = CharacterEnds(text);
  const auto count = static_cast<Wide>(places.size());
  places.insert(places.begin(), 0);
  Wide begin = start < 0 ? count + start : Wide{start} - 1;
  Wide end = length ? begin + *length : count;
  if (length && *length < 0) std::swap(begin, end);
  const auto inside = [&](Wide place) { return place < 0 ? 0 : place > count ? count : place; };
  begin = inside(begin);
  end = inside(end);
  if (end <= begin) return {};
  const size_t first = places[static_cast<size_t>(begin)];
  return std::string(text.substr(first, places[static_cast<size_t>(end)] - first));
}

std::string OracleCase(std::string_view text, bool is_upper) {
  std::string mapped;
  size_t begin = 0;
  for (const size_t end : CharacterEnds(text)) {
    std::string character(text.substr(begin, end - begin));
    begin = end;
    char& first = character[0];
    if (character.size() == 1) {
      if (is_upper && first >= 'a' && first <= 'z') first = static_cast<char>(first - 32);
      if (!is_upper && first >= 'A' && first <= 'Z') first = static_cast<char>(first + 32);
    }
    const auto look_up = [&](const auto& pairs) {
      for (const auto& [from, to] : pairs) {
        if (character == from) return std::string(to);
      }
      return character;
    };
    mapped += is_upper ? look_up(kUpperOf) : look_up(kLowerOf);
  }
  return mapped;
}

std::string OracleLower(std::string_view ascii) {
  std::string lower(ascii);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

std::string_view OracleTrim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<OracleDecimal> ParseOracleDecimal(std::string_view text) {
  text = OracleTrim(text);
  OracleDecimal decimal;
  std::string digits;
  size_t at = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  if (is_negative || (!text.empty() && text[0] == '+')) ++at;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !decimal.has_point) {
      decimal.has_point = true;
    } else if (text[at] >= '0' && text[at] <= '9') {
      digits += text[at];
      if (decimal.has_point) ++decimal.scale;
    } else {
      break;
    }
  }
  if (digits.empty()) return std::nullopt;
  decimal.digits = LongNumber::OfDigits(is_negative, digits);
  if (at == text.size()) return decimal;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  std::string exponent(text.substr(at + 1));
  const size_t begin = !exponent.empty() && (exponent[0] == '+' || exponent[0] == '-') ? 1 : 0;
  if (begin == exponent.size()) return std::nullopt;
  if (exponent.find_first_not_of("0123456789", begin) != std::string::npos) return std::nullopt;
  decimal.scale -= std::strtoll(exponent.c_str(), nullptr, 10);
  decimal.has_exponent = true;
  return decimal;
}

std::optional<double> ParseOracleWord(std::string_view text) {
  std::string word = OracleLower(OracleTrim(text));
  const bool is_negative = !word.empty() && word[0] == '-';
  if (is_negative || (!word.empty() && word[0] == '+')) word.erase(0, 1);
  double value = 0;
  if (word == "nan") {
    value = std::nan("");
  } else if (word == "inf" || word == "infinity") {
    value = HUGE_VAL;
  } else {
    return std::nullopt;
  }
  return is_negative ? -value : value;
}

std::string OracleFloatText(float value) { return FloatText(value); }
std::string OracleDoubleText(double value) { return FloatText(value); }

std::optional<bool> ParseOracleBoolean(std::string_view text) {
  const std::string word = OracleLower(text);
  for (const std::string_view known : {"true", "t", "yes", "y", "1"}) {
    if (word == known) return true;
  }
  for (const std::string_view known : {"false", "f", "no", "n", "0"}) {
    if (word == known) return false;
  }
  return std::nullopt;
}

std::optional<std::string> ParseOracleUuid(std::string_view text) {
  std::string digits(text);
  if (digits.size() >= 2 && digits.front() == '{' && digits.back() == '}') {
    digits = digits.substr(1, digits.size() - 2);
  }
  if (digits.size() == 36) {
    for (const size_t hyphen : {23, 18, 13, 8}) {
      if (digits[hyphen] != '-') return std::nullopt;
      digits.erase(hyphen, 1);
    }
  }
  if (digits.size() != 32) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < 32; i += 2) {
    if (HexByteAt(digits, i) < 0) return std::nullopt;
    bytes += static_cast<char>(HexByteAt(digits, i));
  }
  return bytes;
}

std::string OracleUuidText(std::string_view bytes) {
  std::string text;
  char digits[3];
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<uint8_t>(bytes[i]));
    text += digits;
  }
  return text;
}

std::optional<std::string> ParseOracleBinary(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0x80) != 0) return std::nullopt;
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != 'x' || HexByteAt(text, i + 2) < 0) {
      return std::nullopt;
    }
    bytes += static_cast<char>(HexByteAt(text, i + 2));
    i += 3;
  }
  return bytes;
}

std::string OracleBinaryText(std::string_view bytes) {
  std::string text;
  char escape[5];
  for (const char c : bytes) {
    const bool is_plain = c >= 32 && c < 127 && c != '\\' && c != '\'' && c != '"';
    std::snprintf(escape, sizeof(escape), "\\x%02X", static_cast<uint8_t>(c));
    text += is_plain ? std::string(1, c) : escape;
  }
  return text;
}

}  // namespace sluice::support
