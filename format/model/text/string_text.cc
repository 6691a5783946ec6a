#include <array>
#include <cstring>

#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::text {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void AppendHex(std::string_view bytes, std::string& out) {
  const size_t begin = out.size();
  out.resize(begin + 2 * bytes.size());
  char* digits = out.data() + begin;
  for (const char byte : bytes) {
    const auto value = static_cast<uint8_t>(byte);
    *digits++ = kHexDigits[value >> 4];
    *digits++ = kHexDigits[value & 15];
  }
}

/// What follows the backslash for each byte: 0 for bytes that stand as they are.
constexpr std::array<char, 256> MakeEscapes() {
  std::array<char, 256> escapes{};
  for (size_t byte = 0; byte < 0x20; ++byte) escapes[byte] = 'u';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}
constexpr std::array<char, 256> kEscapes = MakeEscapes();

}  // namespace

// Source: The Unicode Standard, table 3-7.
size_t CharacterLength(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  size_t length = 0;
  uint8_t lowest = 0x80;   // Of the second byte: narrower for leads that could be overlong,
  uint8_t highest = 0xbf;  // a surrogate, or past U+10FFFF.
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) lowest = 0xa0;
    if (lead == 0xed) highest = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) lowest = 0x90;
    if (lead == 0xf4) highest = 0x8f;
  }
  if (length == 0 || bytes.size() < length || at(1) < lowest || at(1) > highest) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool IsUtf8(std::string_view bytes) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  while (!bytes.empty()) {
    uint64_t word;
    if (bytes.size() >= sizeof(word)) {
      std::memcpy(&word, bytes.data(), sizeof(word));
      if ((word & kHighBits) == 0) {
        bytes.remove_prefix(sizeof(word));
        continue;
      }
    }
    const size_t length = CharacterLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

void AppendEscaped(std::string_view bytes, std::string& out) {
  size_t begin = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out.append(bytes, begin, i - begin);
    begin = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') {
      out += "00";
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
    }
  }
  out.append(bytes, begin, bytes.size() - begin);
}

void AppendHexObject(std::string_view bytes, std::string& out) {
  out += "{\"hex\":\"";
  AppendHex(bytes, out);
  out += "\"}";
}

void AppendUuid(const uint8_t* bytes, std::string& out) {
  const auto* chars = reinterpret_cast<const char*>(bytes);
  size_t at = 0;
  for (const size_t group : {4, 2, 2, 2, 6}) {
    if (at > 0) out += '-';
    AppendHex({chars + at, group}, out);
    at += group;
  }
}

}  // namespace sluice::inline v0::text
