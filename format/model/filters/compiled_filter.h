#pragma once

#include <sluice/column.h>
#include <sluice/filter.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>

#include "format/model/filters/byte_filter.h"
#include "format/model/filters/key_filter.h"
#include "format/model/filters/wide_ranges.h"
#include "format/model/kernels/kernels.h"

namespace sluice::inline v0 {

/// A ColumnFilter made ready to run on values in memory, in the layout that columns of its type
/// have. The same outcome as ColumnFilter::Passes for each value.
///
/// Every test writes BitmapWords(count) words, bit i set if value i passes, the bits past the count
/// zero, and may read kReadPadding bytes behind the values.
///
/// Threads: immutable. Lifetime: `kernels` outlives it.
class CompiledFilter {
 public:
  /// Errors: kInvalidArgument for a filter that is not what ColumnFilter says of its members.
  static Result<CompiledFilter> Make(const ColumnFilter& filter,
                                     const kernels::KernelTable* kernels);

  const ColumnFilter& filter() const { return filter_; }
  /// Whether no value need be looked at, and what comes of each then.
  bool is_constant() const { return constant_.has_value(); }
  bool constant_passes() const { return constant_.value_or(false); }
  /// Of numbers of up to 8 bytes, unless constant; else null.
  const KeyFilter* keys() const { return keys_ ? &*keys_ : nullptr; }

  /// Booleans from bit 0 of `bits`.
  void TestBits(const uint64_t* bits, int64_t count, uint64_t* out) const;
  /// Values of the type's byte_width.
  void TestFixed(const uint8_t* values, int64_t count, uint64_t* out) const;
  void TestViews(const StringView* views, const BufferRef* buffers, int64_t count,
                 uint64_t* out) const;
  /// Rows [begin, begin + count) of a flat or view column of the type, none of them null.
  void TestRows(const Column& values, int64_t begin, int64_t count, uint64_t* out) const;

  /// Of tables of its own.
  int64_t held_bytes() const {
    return (keys_ ? keys_->held_bytes() : 0) + (bytes_ ? bytes_->held_bytes() : 0);
  }

 private:
  CompiledFilter(const ColumnFilter& filter, const kernels::KernelTable* kernels);

  ColumnFilter filter_;
  std::optional<bool> constant_;
  // One of these for values that are not bits; none: ColumnFilter::Passes.
  std::optional<KeyFilter> keys_;
  std::optional<ByteFilter> bytes_;
  std::optional<WideRanges> wide_ranges_;
  bool false_passes_ = false;
  bool true_passes_ = false;
};

}  // namespace sluice::inline v0
