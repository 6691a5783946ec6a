#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0 {

/// The little-endian integer `bytes`, two's complement if `is_signed`, in `width` bytes; nothing
/// where its value does not fit.
std::optional<std::string> FitInteger(std::string_view bytes, size_t width, bool is_signed);

}  // namespace sluice::inline v0
