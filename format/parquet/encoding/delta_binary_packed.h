#pragma once

// DELTA_BINARY_PACKED of parquet-format Encodings.md, "Delta Encoding":
//
//   header     | block size | miniblocks a block | value count | first value |     varints, the
//   block      | min delta | bit width of each miniblock, 1 byte each | miniblocks |   signed ones
//   miniblock  | block size / miniblocks deltas less min delta, bit-packed |           as zigzag
//
// All arithmetic wraps around (fault E2). Miniblocks behind the last value have a width byte, which
// may be anything, and no body (fault E1). Deltas of INT32 must not have more than 32 bits, but
// writers that subtract in 64 bits (DuckDB 2.0, old arrow2) write up to 33: their low 32 bits are
// what the others would have written, so widths up to 64 are read.

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/model/kernels/kernels.h"
#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/encoded_values.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// Reads the values, uint32_t for INT32 and uint64_t for INT64, front to back.
///
/// Errors: kCorruption with the byte offset; kInvalidArgument for more values than remain().
/// Threads: confined. `body` outlives this.
template <typename T>
class DeltaBinaryPackedReader {
 public:
  DeltaBinaryPackedReader() = default;
  /// The header begins at byte `begin` of `body` and must count `num_values` values; where that is
  /// 0 there need not be one.
  static Result<DeltaBinaryPackedReader> Open(PageBody* body, int64_t begin, int64_t num_values);

  /// Values that were neither taken nor skipped.
  int64_t remaining() const { return remaining_; }

  Status Read(int64_t count, T* out);
  /// Writes the values whose bit is set in `selection`, densely; steps over all.
  Status Select(int64_t count, const uint64_t* selection, T* out);
  /// Sums up what is skipped once a value behind it is wanted.
  Status Skip(int64_t count);

  /// The miniblock at the present place; remaining() must be positive. The first value of all is a
  /// miniblock of its own.
  Result<DeltaMiniblock> Miniblock();

  /// The byte of the body behind the last miniblock, found by way of the headers alone.
  Result<int64_t> FindEnd() const;

 private:
  Status ReadHeader(int64_t begin, int64_t num_values);
  Status ReadBlockHeader();
  Status OpenMiniblock();
  Status CheckCount(int64_t count) const;
  Status Unpack(int64_t count, T* out);
  void UnpackWide(const uint8_t* packed, int64_t count, T* out) const;
  Status Decode(int64_t count, T* out);
  Status StepOver(int64_t count);
  Status StepOverSkipped();

  PageBody* body_ = nullptr;
  const kernels::KernelTable* kernels_ = nullptr;
  int64_t remaining_ = 0;
  int64_t skipped_ = 0;  ///< Values at the present place that are still to be stepped over.

  int64_t values_per_miniblock_ = 0;
  int64_t num_miniblocks_ = 0;  ///< A block.
  bool is_first_ = false;       ///< The first value, `previous_`, is still to be given.
  T previous_ = 0;

  int64_t position_ = 0;   ///< Of the next miniblock's body or the next block's header.
  int64_t unopened_ = 0;   ///< Values in miniblocks that were not opened yet.
  int64_t miniblock_ = 0;  ///< The next one of the block.
  int64_t widths_at_ = 0;  ///< Position of the block's bit widths.
  T min_delta_ = 0;

  int64_t packed_at_ = 0;   ///< Of the open miniblock: the byte of its next value,
  int64_t bit_offset_ = 0;  ///< the bit in it,
  int32_t bit_width_ = 0;
  int64_t left_ = 0;  ///< and the values left.
};

extern template class DeltaBinaryPackedReader<uint32_t>;
extern template class DeltaBinaryPackedReader<uint64_t>;

/// `width` is 4 or 8.
Result<std::unique_ptr<ValueDecoder>> MakeDeltaBinaryPackedDecoder(int32_t width,
                                                                   int64_t num_values,
                                                                   PageBody* body);

}  // namespace sluice::inline v0::parquet
