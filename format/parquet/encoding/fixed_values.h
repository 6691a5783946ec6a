#pragma once

#include <cstdint>
#include <cstring>

#include "format/model/kernels/kernels.h"
#include "format/parquet/encoding/selection.h"

namespace sluice::inline v0::parquet {

/// Packs the selected ones of `count` values of `width` bytes to the front of `out`, which does not
/// overlap `in`; returns the end of what was written.
inline uint8_t* CompactValues(const kernels::KernelTable& kernels, const uint8_t* in,
                              const uint64_t* selection, int64_t count, int64_t width,
                              uint8_t* out) {
  switch (width) {
    case 1:
      return out + kernels.compress_1(in, selection, count, out);
    case 2:
      return out + kernels.compress_2(in, selection, count, out) * 2;
    case 4:
      return out + kernels.compress_4(in, selection, count, out) * 4;
    case 8:
      return out + kernels.compress_8(in, selection, count, out) * 8;
    case 16:
      return out + kernels.compress_16(in, selection, count, out) * 16;
    default:
      break;
  }
  ForEachSelectedRun(selection, count, [&](int64_t begin, int64_t length) {
    std::memcpy(out, in + begin * width, static_cast<size_t>(length * width));
    out += length * width;
  });
  return out;
}

}  // namespace sluice::inline v0::parquet
