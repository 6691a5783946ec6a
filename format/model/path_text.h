#pragma once

#include <string>
#include <string_view>

namespace sluice::inline v0 {

/// Appends one more part to a path of names, joined by dots; a part is quoted where it is empty, or
/// a dot, comma or quote in it could be taken for the path's own. For messages: ParseColumnPaths
/// takes it apart again.
inline void AppendPathPart(std::string_view part, std::string& path) {
  if (!path.empty()) path += '.';
  if (!part.empty() && part.find_first_of(".,\"") == std::string_view::npos) {
    path += part;
    return;
  }
  path += '"';
  for (const char letter : part) {
    if (letter == '"') path += '"';
    path += letter;
  }
  path += '"';
}

}  // namespace sluice::inline v0
