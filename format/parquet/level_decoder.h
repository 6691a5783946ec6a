#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <variant>

#include "format/model/kernels/kernels.h"
#include "format/parquet/encoding/bit_packed_levels.h"
#include "format/parquet/encoding/rle_hybrid.h"

namespace sluice::inline v0::parquet {

/// How the levels of a page are spread, found out before any is used.
struct LevelCounts {
  int64_t at_maximum = 0;  ///< Levels equal to the maximum.
  int64_t at_zero = 0;
};

/// The definition or repetition levels of one page.
///
/// Threads: confined.
class LevelDecoder {
 public:
  /// Of a column whose maximum level is 0: nothing is stored, every level is 0.
  static LevelDecoder None(int64_t num_levels);
  /// RLE levels in bytes [begin, end) of `body`.
  static Result<LevelDecoder> OpenRle(PageBody* body, int64_t begin, int64_t end, int32_t max_level,
                                      int64_t num_levels);
  /// BIT_PACKED levels (deprecated), most significant bit first, from byte `begin` of `body` on.
  static Result<LevelDecoder> OpenBitPacked(PageBody* body, int64_t begin, int32_t max_level,
                                            int64_t num_levels);

  /// Bytes that BIT_PACKED levels take.
  static int64_t BitPackedBytes(int32_t max_level, int64_t num_levels);

  /// Reads the whole stream on a copy of this decoder, which must be at its start.
  /// Errors: kCorruption where a run is cut short, or for a level above the maximum.
  Result<LevelCounts> Count(const kernels::KernelTable& kernels) const;

  Status Read(int64_t count, uint16_t* out);
  /// For a maximum of 1: appends level == 1 at bit `out_bit` of `out`, zero from there on.
  Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit);

 private:
  Result<LevelCounts> CountBits();
  Result<LevelCounts> CountLevels(const kernels::KernelTable& kernels);

  int32_t max_level_ = 0;
  int64_t remaining_ = 0;
  std::variant<std::monostate, RleHybridDecoder, BitPackedLevelDecoder> stream_;
};

}  // namespace sluice::inline v0::parquet
