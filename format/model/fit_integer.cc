#include "format/model/fit_integer.h"

#include <cstdint>

namespace sluice::inline v0 {

std::optional<std::string> FitInteger(std::string_view bytes, size_t width, bool is_signed) {
  const auto is_negative = [&](std::string_view number) {
    return is_signed && !number.empty() && (static_cast<uint8_t>(number.back()) & 0x80) != 0;
  };
  const char sign = is_negative(bytes) ? '\xff' : '\0';
  std::string fitted(bytes.substr(0, width));
  fitted.resize(width, sign);
  if (is_negative(fitted) != is_negative(bytes)) return std::nullopt;
  for (size_t i = width; i < bytes.size(); ++i) {
    if (bytes[i] != sign) return std::nullopt;
  }
  return fitted;
}

}  // namespace sluice::inline v0
