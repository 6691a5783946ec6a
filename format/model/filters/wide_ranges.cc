#include "format/model/filters/wide_ranges.h"

#include <sluice/bitmap.h>

#include <algorithm>
#include <cstring>

#include "format/model/load.h"

namespace sluice::inline v0 {
namespace {

constexpr Int128 kLargest = static_cast<Int128>(~Uint128{0} >> 1);
constexpr Int128 kSmallest = -kLargest - 1;

}  // namespace

WideRanges::WideRanges(const ColumnFilter& filter) {
  for (const ValueRange& range : filter.ranges) {
    Int128 lower = kSmallest;
    Int128 upper = kLargest;
    if (range.lower) {
      lower = Load<Int128>(range.lower->value.data());
      if (!range.lower->inclusive) {
        if (lower == kLargest) continue;
        ++lower;
      }
    }
    if (range.upper) {
      upper = Load<Int128>(range.upper->value.data());
      if (!range.upper->inclusive) {
        if (upper == kSmallest) continue;
        --upper;
      }
    }
    if (lower > upper) continue;
    ranges_.push_back(
        {static_cast<Uint128>(lower), static_cast<Uint128>(upper) - static_cast<Uint128>(lower)});
  }
}

void WideRanges::Test(const uint8_t* values, int64_t count, uint64_t* out) const {
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t length = std::min<int64_t>(64, count - begin);
    uint64_t word = 0;
    for (int64_t i = 0; i < length; ++i) {
      const auto value = Load<Uint128>(values + (begin + i) * 16);
      bool is_in = false;
      for (const Range& range : ranges_) is_in |= value - range.first <= range.span;
      word |= uint64_t{is_in} << i;
    }
    *out++ = word;
  }
}

}  // namespace sluice::inline v0
