#include "format/model/like.h"

#include <cstdint>

#include "format/model/text/scalar_text.h"

namespace sluice::inline v0 {
namespace {

/// Whether no character of the text lies across `position`. A well-formed character has
/// continuation bytes only after its first byte, so that only the three bytes before can begin it.
bool IsBoundary(std::string_view text, size_t position) {
  if (position == text.size()) return true;
  const auto is_continuation = [&](size_t at) {
    return (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80;
  };
  if (!is_continuation(position)) return true;
  size_t begin = position;
  while (begin > 0 && position - begin < 3 && is_continuation(begin)) --begin;
  return begin + text::CharacterLength(text.substr(begin)) <= position;
}

size_t NextBoundary(std::string_view text, size_t position) {
  do ++position;
  while (!IsBoundary(text, position));
  return position;
}

/// One element of a pattern: a wildcard, or a byte that stands for itself.
struct Element {
  enum class Kind : uint8_t { kByte, kCharacter, kAnything } kind;
  char byte;
  size_t length;  ///< In the pattern.
};

Element ElementAt(std::string_view pattern, size_t at) {
  switch (pattern[at]) {
    case '%':
      return {Element::Kind::kAnything, 0, 1};
    case '_':
      return {Element::Kind::kCharacter, 0, 1};
    case '\\':
      if (at + 1 < pattern.size()) return {Element::Kind::kByte, pattern[at + 1], 2};
      [[fallthrough]];
    default:
      return {Element::Kind::kByte, pattern[at], 1};
  }
}

}  // namespace

bool LikeMatches(std::string_view pattern, std::string_view text) {
  // Each `%` takes as little as it can: a longer match of one only narrows what the next may take,
  // so that only the last one seen is ever widened.
  size_t at = 0;
  size_t position = 0;
  bool has_anything = false;
  size_t retry_at = 0;        // After the last `%` of the pattern that was reached,
  size_t retry_position = 0;  // and where in the text what follows it was tried.
  while (true) {
    if (at < pattern.size()) {
      const Element element = ElementAt(pattern, at);
      if (element.kind == Element::Kind::kAnything) {
        while (!IsBoundary(text, position)) ++position;
        at += element.length;
        has_anything = true;
        retry_at = at;
        retry_position = position;
        continue;
      }
      if (position < text.size()) {
        const bool is_character = element.kind == Element::Kind::kCharacter;
        if (is_character || element.byte == text[position]) {
          at += element.length;
          position = is_character ? NextBoundary(text, position) : position + 1;
          continue;
        }
      }
    } else if (position == text.size()) {
      return true;
    }
    if (!has_anything || retry_position == text.size()) return false;
    retry_position = NextBoundary(text, retry_position);
    at = retry_at;
    position = retry_position;
  }
}

LikePrefix PrefixOfLike(std::string_view pattern) {
  LikePrefix prefix;
  size_t at = 0;
  while (at < pattern.size()) {
    const Element element = ElementAt(pattern, at);
    if (element.kind != Element::Kind::kByte) break;
    prefix.bytes += element.byte;
    at += element.length;
  }
  const std::string_view rest = pattern.substr(at);
  prefix.is_sufficient = !rest.empty() && rest.find_first_not_of('%') == std::string_view::npos;
  return prefix;
}

}  // namespace sluice::inline v0
