#pragma once

#include <sluice/filter.h>
#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "format/model/filters/key_set.h"
#include "format/model/kernels/kernels.h"

namespace sluice::inline v0 {

/// A filter of values of 1, 2, 4 or 8 bytes: numbers, and everything that is stored as one. Ranges
/// and sets of it are ranges of keys (kernels.h) and single bit patterns.
///
/// Threads: immutable. Lifetime: `kernels` outlives it.
class KeyFilter {
 public:
  /// Whether values of `type` are ordered by such keys.
  static bool Serves(const DataType& type);
  /// `filter` is kRanges or kSet, and its values are of its type.
  KeyFilter(const ColumnFilter& filter, const kernels::KernelTable* kernels);

  /// Bit i of `out`: value i, in the type's layout, passes. Writes BitmapWords(count) words, the
  /// bits past the count zero. kReadPadding bytes behind the values are read.
  void Test(const uint8_t* values, int64_t count, uint64_t* out) const;

  /// Whether testing takes no longer than copying the values.
  bool is_quick() const { return !set_ && kernels_->level != kernels::SimdLevel::kPlain; }

  enum class Outcome : uint8_t { kNonePasses, kUnknown, kAllPass };
  /// What comes of integers that all lie in `range`.
  Outcome OutcomeOf(kernels::KeyRange range) const;

  int64_t held_bytes() const {
    return static_cast<int64_t>(points_.capacity() * sizeof(uint64_t)) +
           (set_ ? set_->held_bytes() : 0);
  }

 private:
  void MakeRanges(const ColumnFilter& filter);
  void MakeSet(const ColumnFilter& filter);
  bool TryRanges(const std::vector<kernels::KeyRange>& ranges);
  void TestRanges(const uint8_t* values, int64_t count, uint64_t* out) const;
  void TestPoints(const uint8_t* values, int64_t count, uint64_t* out) const;

  int32_t width_;
  const kernels::KernelTable* kernels_;
  bool is_inverted_ = false;  ///< What is in the ranges or is a point does not pass.
  kernels::KeyRanges ranges_;
  std::vector<uint64_t> points_;  ///< Ascending bit patterns, besides the ranges.
  std::optional<KeySet> set_;     ///< Of the points, where they are many.
};

}  // namespace sluice::inline v0
