#pragma once

// The RLE/bit-packing hybrid of parquet-format Encodings.md, "Run Length Encoding / Bit-Packing
// Hybrid": levels, dictionary indices and booleans. Runs are exposed, so that a filter can decide a
// whole run at once and test bit-packed groups without materialising them.
//
//   run          := header varint, then
//   header & 1 0 := header >> 1 times one value of ceil(bit_width / 8) little-endian bytes
//   header & 1 1 := header >> 1 groups of 8 values of bit_width bits, least significant bit first
//
// A run of no values has a header and no body (fault P4). The last bit-packed run may be cut short
// where only padding is missing (ODDITIES: old Impala and fastparquet).

#include <sluice/status.h>

#include <cstdint>

#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet {

/// Values that follow one another in the stream: either one value `run_length` times, or
/// bit-packed ones.
struct HybridRun {
  int64_t length = 0;        ///< Values left in the run, at most what the caller still expects.
  bool is_repeated = false;  ///< RLE: all are `value`.
  uint32_t value = 0;
  const uint8_t* packed = nullptr;  ///< Bit-packed: the bytes in which the first value begins,
  int32_t bit_offset = 0;           ///< at this bit (0..7 plus whole bytes already skipped).
};

/// Reads a hybrid stream front to back. The stream is checked to hold `num_values` values as runs
/// are opened: a run whose bytes are missing is kCorruption (faults P3, P5, P7).
///
/// Threads: confined. `body` outlives this.
class RleHybridDecoder {
 public:
  RleHybridDecoder() = default;
  /// Values begin at byte `begin` of `body` and end before byte `end` (<= body->size()).
  /// Errors: kCorruption for a bit width above 32.
  static Result<RleHybridDecoder> Open(PageBody* body, int64_t begin, int64_t end,
                                       int32_t bit_width, int64_t num_values);

  int64_t remaining() const { return remaining_; }
  int32_t bit_width() const { return bit_width_; }

  /// The run at the present place, opening the next one if needed; remaining() must be positive.
  /// Valid until the next call.
  Result<HybridRun> Run();
  /// Steps over `count` values of the run that Run() returned.
  void Take(int64_t count);

  /// Writes `count` values.
  Status Read(int64_t count, uint32_t* out);
  Status Read(int64_t count, uint16_t* out);
  /// Writes the values whose bit is set in `selection`, densely; steps over all.
  Status Select(int64_t count, const uint64_t* selection, uint32_t* out);
  /// bit_width 0 or 1 only: appends one bit a value at bit `out_bit`; bits from there on are zero.
  Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit);
  Status Skip(int64_t count);

 private:
  Status OpenRun();

  PageBody* body_ = nullptr;
  int64_t position_ = 0;  ///< Of the next run's header.
  int64_t end_ = 0;
  int32_t bit_width_ = 0;
  int64_t remaining_ = 0;
  HybridRun run_;
};

}  // namespace sluice::inline v0::parquet
