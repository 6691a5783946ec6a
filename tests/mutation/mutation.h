#pragma once

// Seeded damage to files.

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::support {

/// `bytes` with one to three of: bits flipped, bytes overwritten, a stretch cut out, random bytes
/// inserted, a stretch copied to another place. A quarter of the damage is to the footer, and a
/// quarter to the first bytes, where pages begin.
std::string Mutate(std::string_view bytes, uint64_t seed);

}  // namespace sluice::support
