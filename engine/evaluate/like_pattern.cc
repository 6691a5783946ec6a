#include "engine/evaluate/like_pattern.h"

#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {
namespace {

/// A byte that begins no character is one.
size_t LengthOfFirst(std::string_view bytes) {
  const size_t length = text::CharacterLength(bytes);
  return length == 0 ? 1 : length;
}

}  // namespace

bool IsEscape(std::string_view text) { return text.empty() || LengthOfFirst(text) == text.size(); }

bool NormalizeLikePattern(std::string_view pattern, std::string_view escape, std::string* normal) {
  normal->clear();
  while (!pattern.empty()) {
    const bool is_escaped = !escape.empty() && pattern.starts_with(escape);
    if (is_escaped) {
      pattern.remove_prefix(escape.size());
      if (pattern.empty()) return false;
    }
    const size_t length = LengthOfFirst(pattern);
    const char first = pattern.front();
    if (first == '\\' || (is_escaped && (first == '%' || first == '_'))) *normal += '\\';
    *normal += pattern.substr(0, length);
    pattern.remove_prefix(length);
  }
  return true;
}

}  // namespace sluice::inline v0::engine
