#pragma once

// What a page says of its values before they are decoded. A filter decides on these where it can: a
// whole run at once, bit-packed codes by a table, a miniblock by the range that its header leaves.

#include <cstdint>

namespace sluice::inline v0::parquet {

/// Values that follow one another in the stream: either one value `length` times, or
/// bit-packed ones.
struct HybridRun {
  int64_t length = 0;        ///< Values left in the run, at most what the caller still expects.
  bool is_repeated = false;  ///< RLE: all are `value`.
  uint32_t value = 0;
  const uint8_t* packed = nullptr;  ///< Bit-packed: the bytes in which the first value begins,
  int32_t bit_offset = 0;           ///< at this bit (0..7).
};

/// What the headers say of the next values: the k-th of them (from 1) is
/// `previous` + k * `min_delta` + the sum of k unsigned integers of `bit_width` bits, wrapping.
struct DeltaMiniblock {
  uint64_t previous = 0;   ///< The value before them.
  uint64_t min_delta = 0;  ///< In two's complement.
  int32_t bit_width = 0;
  int64_t length = 0;  ///< Values left in the miniblock and those like it that follow.
};

}  // namespace sluice::inline v0::parquet
