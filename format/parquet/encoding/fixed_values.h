#pragma once

#include <cstdint>

#include "format/model/kernels/by_width.h"

namespace sluice::inline v0::parquet {

/// Packs the selected ones of `count` values of `width` bytes to the front of `out`, which does not
/// overlap `in`; returns the end of what was written.
inline uint8_t* CompactValues(const kernels::KernelTable& kernels, const uint8_t* in,
                              const uint64_t* selection, int64_t count, int64_t width,
                              uint8_t* out) {
  return out + kernels::CompressValues(kernels, width, in, selection, count, out) * width;
}

}  // namespace sluice::inline v0::parquet
