#include "engine/values/byte_text.h"

#include <algorithm>

#include "engine/parse/lexer.h"

namespace sluice::inline v0::engine {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The byte of two digits; negative where they are none.
int HexByte(std::string_view digits) {
  if (digits.size() < 2) return -1;
  const int high = HexDigit(digits[0]);
  const int low = HexDigit(digits[1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

std::optional<std::array<char, 16>> ParseUuid(std::string_view text) {
  if (text.starts_with('{')) {
    if (!text.ends_with('}')) return std::nullopt;
    text = text.substr(1, text.size() - 2);
  }
  const bool has_hyphens = text.size() == 36;
  if (!has_hyphens && text.size() != 32) return std::nullopt;
  std::array<char, 16> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    const bool begins_group = i == 4 || i == 6 || i == 8 || i == 10;
    if (has_hyphens && begins_group) {
      if (text.front() != '-') return std::nullopt;
      text.remove_prefix(1);
    }
    const int byte = HexByte(text);
    if (byte < 0) return std::nullopt;
    bytes[i] = static_cast<char>(byte);
    text.remove_prefix(2);
  }
  return bytes;
}

bool ParseBinary(std::string_view text, std::string* out) {
  while (!text.empty()) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) >= 0x80) return false;
    if (c != '\\') {
      *out += c;
      text.remove_prefix(1);
      continue;
    }
    const int byte = text.size() >= 4 && text[1] == 'x' ? HexByte(text.substr(2)) : -1;
    if (byte < 0) return false;
    *out += static_cast<char>(byte);
    text.remove_prefix(4);
  }
  return true;
}

void AppendBinaryText(std::string_view bytes, std::string* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~' && c != '\\' && c != '\'' && c != '"') {
      *out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    *out += "\\x";
    *out += kDigits[byte >> 4];
    *out += kDigits[byte & 15];
  }
}

std::optional<bool> ParseBoolean(std::string_view text) {
  constexpr size_t kLongest = 5;
  if (text.size() > kLongest) return std::nullopt;
  const std::string lower = LowerAscii(text);
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), lower) != words.end();
  };
  if (is_one_of({"true", "t", "yes", "y", "1"})) return true;
  if (is_one_of({"false", "f", "no", "n", "0"})) return false;
  return std::nullopt;
}

}  // namespace sluice::inline v0::engine
