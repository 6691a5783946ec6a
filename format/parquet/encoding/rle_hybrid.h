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

#include "format/model/kernels/kernels.h"
#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/encoded_values.h"

namespace sluice::inline v0::parquet {

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

  /// Values that were neither taken nor skipped. Asking for more is kInvalidArgument.
  int64_t remaining() const { return remaining_; }
  int32_t bit_width() const { return bit_width_; }
  /// Where in the body the next run begins.
  int64_t position() const { return position_; }

  /// The first min(at_most, its length) values of the run at the present place, opening the next
  /// run if needed; remaining() and `at_most` must be positive. Valid until the next call. The
  /// bytes of bit-packed values are available: `at_most` says how far a body need be decompressed.
  Result<HybridRun> Run(int64_t at_most = INT64_MAX);
  /// Steps over `count` values of the run that Run() returned.
  void Take(int64_t count);

  /// Writes `count` values. 16-bit ones need a bit width of 16 at most.
  Status Read(int64_t count, uint32_t* out);
  Status Read(int64_t count, uint16_t* out);
  /// Writes the values whose bit is set in `selection`, densely; steps over all.
  Status Select(int64_t count, const uint64_t* selection, uint32_t* out);
  /// bit_width 0 or 1 only: appends one bit a value at bit `out_bit`; bits from there on are zero.
  Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit);
  /// Looks at no run behind the present one until a value of it is wanted.
  Status Skip(int64_t count);

 private:
  template <typename T>
  Status ReadValues(int64_t count, T* out);
  Status CheckCount(int64_t count) const;
  Status OpenRun();
  Status ReadHeader();
  Status RequirePacked(int64_t count);
  void Advance(int64_t count);
  void SelectPacked(int64_t count, const uint64_t* selection, int64_t begin, uint32_t* out) const;

  PageBody* body_ = nullptr;
  const kernels::KernelTable* kernels_ = nullptr;
  int64_t position_ = 0;  ///< Of the next run's header.
  int64_t end_ = 0;
  int32_t bit_width_ = 0;
  int64_t remaining_ = 0;
  int64_t skipped_ = 0;  ///< Values behind `run_` that are still to be stepped over.
  HybridRun run_;
};

}  // namespace sluice::inline v0::parquet
