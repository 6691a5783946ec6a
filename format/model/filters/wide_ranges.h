#pragma once

#include <sluice/filter.h>

#include <cstdint>
#include <vector>

#include "format/model/int128.h"

namespace sluice::inline v0 {

/// Ranges of decimals of 16 bytes.
///
/// Threads: immutable.
class WideRanges {
 public:
  /// `filter` is kRanges over a decimal of that width.
  explicit WideRanges(const ColumnFilter& filter);

  /// Bit i of `out`: value i passes. Writes BitmapWords(count) words, the bits past the count zero.
  void Test(const uint8_t* values, int64_t count, uint64_t* out) const;

 private:
  /// The integers from `first` to `first` + `span`, in two's complement, wrapping.
  struct Range {
    Uint128 first;
    Uint128 span;
  };
  std::vector<Range> ranges_;
};

}  // namespace sluice::inline v0
