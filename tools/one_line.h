#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace sluice::tools {

using Json = nlohmann::ordered_json;

inline constexpr size_t kShownValue = 72;
inline constexpr size_t kShownName = 400;  ///< What tells columns, files and writers apart.

/// One line, cut where it is long: JSON without quotes around, text as it is where it can be
/// printed.
std::string OneLine(const Json& value, size_t shown = kShownValue);
/// OneLine, in quotes where the text could be mixed up with what stands around it.
std::string OneWord(const Json& value, size_t shown = kShownValue);

}  // namespace sluice::tools
