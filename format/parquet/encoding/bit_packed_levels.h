#pragma once

#include <sluice/status.h>

#include <cstdint>

#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet {

/// Levels in the deprecated BIT_PACKED encoding: values of `bit_width` bits back to back, most
/// significant bit first, unlike everything else (fault E14), without a length in front.
/// Source: parquet-format Encodings.md, "Bit-packed (Deprecated)".
///
/// Threads: confined. `body` outlives this.
class BitPackedLevelDecoder {
 public:
  BitPackedLevelDecoder() = default;

  /// Bytes that `num_values` levels of `bit_width` (0..16) bits take.
  static int64_t ByteLength(int32_t bit_width, int64_t num_values) {
    return (num_values * bit_width + 7) / 8;
  }

  /// The levels begin at byte `begin` of `body`.
  /// Errors: kCorruption where the body ends before the levels or the bit width is above 16.
  static Result<BitPackedLevelDecoder> Open(PageBody* body, int64_t begin, int32_t bit_width,
                                            int64_t num_values);

  int64_t remaining() const { return remaining_; }

  /// Errors: kInvalidArgument for more than remaining(); what decompression gives.
  Status Read(int64_t count, uint16_t* out);
  Status Skip(int64_t count);

 private:
  Status CheckCount(int64_t count) const;

  PageBody* body_ = nullptr;
  int64_t bit_ = 0;  ///< Of the next level, from the front of the body.
  int32_t bit_width_ = 0;
  int64_t remaining_ = 0;
};

}  // namespace sluice::inline v0::parquet
