#pragma once

#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

/// Appends the text with every character in upper case, or lower: the simple mappings of Unicode
/// 14.0, one character to one. Bytes that begin no character stay.
void AppendMapped(std::string_view text, bool is_upper, std::string* out);

}  // namespace sluice::inline v0::engine
