#pragma once

#include <cstdint>

namespace sluice::inline v0::parquet {

/// Values that a decoder works on at a time where it needs scratch space. A multiple of 64, so that
/// the chunks of a selection begin at whole words.
inline constexpr int64_t kChunkValues = 1024;

}  // namespace sluice::inline v0::parquet
