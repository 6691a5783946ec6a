#include "tools/one_line.h"

#include <algorithm>
#include <cstdint>

namespace sluice::tools {
namespace {

bool IsPrintable(char letter) { return letter >= ' ' && letter <= '~'; }

std::string Cut(std::string text, size_t shown) {
  if (text.size() <= shown) return text;
  while (shown > 0 && (static_cast<uint8_t>(text[shown]) & 0xc0) == 0x80) --shown;
  return text.substr(0, shown) + "...";
}

/// JSON without the quotes around; nlohmann writes what is not UTF-8 as U+FFFD.
std::string Escaped(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return value.is_string() ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string OneLine(const Json& value, size_t shown) {
  const auto* string = value.get_ptr<const std::string*>();
  const bool is_printable =
      string != nullptr && std::all_of(string->begin(), string->end(), IsPrintable);
  return Cut(is_printable ? *string : Escaped(value), shown);
}

std::string OneWord(const Json& value, size_t shown) {
  const auto* string = value.get_ptr<const std::string*>();
  const bool is_word =
      string == nullptr || (!string->empty() && string->find_first_of(" ,\"") == std::string::npos);
  return is_word ? OneLine(value, shown) : '"' + Cut(Escaped(value), shown) + '"';
}

}  // namespace sluice::tools
