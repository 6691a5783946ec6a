#pragma once

// What the oracle of expressions knows of text: characters, patterns, and numbers and bytes as
// text. Written from engine/EXPRESSIONS.md, and on its own.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/long_number.h"

namespace sluice::support {

/// Where the characters of a text end, the last end being its size. Bytes that begin no well-formed
/// character of UTF-8 are one each.
std::vector<size_t> CharacterEnds(std::string_view text);

/// LIKE: `%` and `_` end where a character ends, other bytes match themselves. Absent where the
/// pattern ends with the escape character, which may be empty.
std::optional<bool> OracleLike(std::string_view text, std::string_view pattern,
                               std::string_view escape);

/// Characters from `start`, the first being 1 and the last -1; a negative length counts backwards.
std::string OracleSubstr(std::string_view text, int64_t start, std::optional<int64_t> length);

/// Of the letters of ASCII, and of these: é É ß ſ İ ı σ ς Σ 𐐀 𐐨.
std::string OracleCase(std::string_view text, bool is_upper);

/// digits * 10^-scale.
struct OracleDecimal {
  LongNumber digits;
  int64_t scale = 0;
  bool has_exponent = false;
  bool has_point = false;

  /// The decimal as a text that strtod reads.
  std::string ToText() const { return digits.ToString() + "e" + std::to_string(-scale); }
};
/// [+-]digits[.digits][e[+-]digits] with spaces around.
std::optional<OracleDecimal> ParseOracleDecimal(std::string_view text);
/// nan, inf, infinity, with a sign or not.
std::optional<double> ParseOracleWord(std::string_view text);

std::string OracleFloatText(float value);
std::string OracleDoubleText(double value);

std::optional<bool> ParseOracleBoolean(std::string_view text);
std::optional<std::string> ParseOracleUuid(std::string_view text);
std::string OracleUuidText(std::string_view bytes);
std::optional<std::string> ParseOracleBinary(std::string_view text);
std::string OracleBinaryText(std::string_view bytes);

std::string OracleLower(std::string_view ascii);
std::string_view OracleTrim(std::string_view text);

}  // namespace sluice::support
