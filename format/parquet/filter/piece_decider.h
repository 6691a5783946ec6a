#pragma once

// One way for all encodings to decide the values of a run: piece by piece, each piece whole where
// much of it is wanted, else only what is wanted of it.

#include <sluice/status.h>

#include <cstdint>

#include "format/model/kernels/kernels.h"
#include "format/parquet/value_run.h"

namespace sluice::inline v0::parquet {

/// How the next values of one page are tested. Every call steps over `count` values; `out` has
/// BitmapWords words, whose bits past the values are zero afterwards.
///
/// Threads: confined.
class PieceDecider {
 public:
  virtual ~PieceDecider() = default;

  /// Values that a piece has at most; a multiple of 64.
  virtual int64_t piece_values() const { return kMaxPieceValues; }
  /// Of how many values one must be wanted, for all of them to be tested; 0: always all.
  virtual int64_t sparse_ratio() const = 0;

  /// Bit i of `out`: the i-th value passes.
  virtual Status TestAll(int64_t count, uint64_t* out) = 0;
  /// The same for the `selected` values whose bit is set, counted densely.
  virtual Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                              uint64_t* out) = 0;
  virtual Status Skip(int64_t count) = 0;

  static constexpr int64_t kMaxPieceValues = 4096;
};

/// Runs `test` over `run`. `passes` as of ValueFilter::Decide.
Status DecideByPieces(PieceDecider& test, const ValueRun& run, const kernels::KernelTable& kernels,
                      uint64_t* passes);

}  // namespace sluice::inline v0::parquet
