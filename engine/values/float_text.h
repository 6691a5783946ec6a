#pragma once

// Floating-point numbers as text.

#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

/// nan, inf, infinity, with a sign or not, in any case, with spaces around.
std::optional<double> ParseFloatWord(std::string_view text);
/// A number or one of those words, to the nearest value; infinite beyond the greatest.
std::optional<double> ParseDouble(std::string_view text);
std::optional<float> ParseFloat(std::string_view text);

/// The fewest digits that tell the value from others, as DuckDB lays them out: 1.0, 0.0001, 1e-05,
/// 1e+16, nan, -inf.
void AppendDoubleText(double value, std::string* out);
void AppendFloatText(float value, std::string* out);

}  // namespace sluice::inline v0::engine
