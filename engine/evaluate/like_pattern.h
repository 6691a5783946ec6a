#pragma once

// Patterns of LIKE in the one spelling of ColumnFilter::pattern.

#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

/// Whether `text` is at most one character.
bool IsEscape(std::string_view text);

/// Sets `normal` to the pattern with a backslash for its escape character, which is one character
/// or none. False where the pattern ends with it.
bool NormalizeLikePattern(std::string_view pattern, std::string_view escape, std::string* normal);

}  // namespace sluice::inline v0::engine
