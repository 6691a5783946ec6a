#pragma once

#include <sluice/random_access_file.h>

#include <cstdint>
#include <vector>

namespace sluice::inline v0::parquet {

/// The ranges in ascending order, those that are no further apart than `gap` joined, up to 32 MiB
/// at a time. Their ends do not overflow.
std::vector<ByteRange> JoinRanges(std::vector<ByteRange> ranges, int64_t gap);

}  // namespace sluice::inline v0::parquet
