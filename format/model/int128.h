#pragma once

namespace sluice::inline v0 {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

}  // namespace sluice::inline v0
