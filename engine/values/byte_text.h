#pragma once

// Bytes as text, where that is more than the bytes themselves.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

/// 32 hexadecimal digits, with hyphens as 8-4-4-4-12 or without, in braces or not.
std::optional<std::array<char, 16>> ParseUuid(std::string_view text);

/// Appends the bytes of ASCII text where \xHH is a byte. False where it is not that.
bool ParseBinary(std::string_view text, std::string* out);
/// The way back: bytes beyond printable ASCII, and backslashes, quotes, as \xHH.
void AppendBinaryText(std::string_view bytes, std::string* out);

/// true, t, yes, y, 1 and their opposites, in any case.
std::optional<bool> ParseBoolean(std::string_view text);

}  // namespace sluice::inline v0::engine
