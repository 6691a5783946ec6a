#pragma once

// LIKE on bytes that are meant as UTF-8 and need not be.
//
// A text is cut into characters from its front: the well-formed ones of UTF-8, and single bytes
// that begin none. `%` and `_` end where a character ends; the other bytes of a pattern match
// themselves.

#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// Whether all of `text` matches the pattern, as ColumnFilter::pattern.
bool LikeMatches(std::string_view pattern, std::string_view text);

/// What a pattern begins with.
struct LikePrefix {
  std::string bytes;           ///< Everything that matches begins with these.
  bool is_sufficient = false;  ///< And everything that begins with these matches.
};
LikePrefix PrefixOfLike(std::string_view pattern);

}  // namespace sluice::inline v0
