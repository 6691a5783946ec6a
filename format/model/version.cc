#include <sluice/version.h>

namespace sluice::inline v0 {

std::string_view Version() { return kVersion; }

}  // namespace sluice::inline v0
