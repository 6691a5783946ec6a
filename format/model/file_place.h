#pragma once

// The one form in which messages name a file: "file '/data/x.parquet': ".

#include <sluice/status.h>

#include <string>
#include <string_view>

namespace sluice::inline v0 {

/// "file 'NAME'".
std::string FilePlace(std::string_view name);

/// `status` with FilePlace in front of its message, unless that is there already: what reads a file
/// knows its name, and so does what calls it.
Status InFile(std::string_view name, const Status& status);

}  // namespace sluice::inline v0
