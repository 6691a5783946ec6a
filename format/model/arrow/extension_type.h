#pragma once

// Types that Arrow has by a name beside the layout: extension types.

#include <sluice/status.h>
#include <sluice/types.h>

#include <optional>
#include <string>

namespace sluice::inline v0::arrow {

struct ExtensionType {
  std::string name;
  std::optional<std::string> parameters;  ///< Absent where the type wants none, not even empty.
};

/// The extension type of a type; nothing for one that has none, and for a variant whose parts are
/// not as Arrow wants them.
/// Errors: kUnsupported for a crs that is not UTF-8.
Result<std::optional<ExtensionType>> ExtensionTypeOf(const DataType& type);

}  // namespace sluice::inline v0::arrow
