#pragma once

#include <sluice/filter.h>
#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/model/filters/byte_set.h"
#include "format/model/filters/byte_strings.h"

namespace sluice::inline v0 {

/// A filter of values that are ordered as byte strings, and sets of all values that are equal by
/// their bytes alone.
///
/// Threads: immutable.
class ByteFilter {
 public:
  /// Whether all that a filter of this kind asks of such values is asked of their bytes.
  static bool Serves(const ColumnFilter& filter);
  explicit ByteFilter(const ColumnFilter& filter);

  /// Bit i of `out`: value i passes. Writes BitmapWords(count) words, the bits past the count zero.
  void TestViews(const StringView* views, const BufferRef* buffers, int64_t count,
                 uint64_t* out) const;
  void TestFixed(const uint8_t* values, int32_t width, int64_t count, uint64_t* out) const;

  int64_t held_bytes() const { return set_ ? set_->held_bytes() : 0; }

 private:
  enum class Method : uint8_t { kRanges, kEqual, kSet, kPrefix, kSuffix, kContains, kLike };
  struct Bound {
    std::string bytes;
    StringFront front;
    bool is_inclusive = true;
  };
  /// With what the order of keys says of its bounds at hand, below or above all of them where there
  /// is none.
  struct Range {
    std::optional<Bound> lower;
    std::optional<Bound> upper;
    int64_t lower_order = -1;
    int64_t upper_order = INT64_MAX;
  };

  static Range RangeOf(const ValueRange& range);
  void MakeLike(const std::string& pattern);
  template <typename Strings>
  void Test(const Strings& strings, int64_t count, uint64_t* out) const;
  template <typename Strings>
  void TestRanges(const Strings& strings, int64_t count, uint64_t* out) const;
  template <typename Strings>
  void TestLiteral(const Strings& strings, int64_t count, uint64_t* out) const;
  template <typename Strings>
  static int Compare(const Strings& strings, int64_t i, const Bound& bound);
  template <typename Strings>
  bool IsInside(const Strings& strings, int64_t i) const;

  Method method_ = Method::kRanges;
  bool is_negated_ = false;
  std::vector<Range> ranges_;
  std::optional<ByteSet> set_;
  std::string pattern_;  ///< kLike.
  /// kEqual, kPrefix, kSuffix, kContains: these bytes. kLike: what it begins with.
  std::string literal_;
  StringKey literal_key_;
};

}  // namespace sluice::inline v0
