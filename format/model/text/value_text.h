#pragma once

#include <sluice/column.h>

#include <cstdint>
#include <string>

namespace sluice::inline v0::text {

enum class Style : uint8_t {
  kJson,   ///< Canonical JSON (AppendCanonical).
  kPlain,  ///< A value whose canonical form is a JSON string is that string's contents.
};

/// Appends row `row`, "null" where it is null. Recursion is as deep as the type.
void AppendValue(const Column& column, int64_t row, Style style, std::string& out);

/// Whether row `row` is null, also through a dictionary.
bool IsNullValue(const Column& column, int64_t row);

}  // namespace sluice::inline v0::text
