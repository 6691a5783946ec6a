#pragma once

// Lower and upper bounds as statistics and column indexes hold them: in which order a leaf's values
// stand, the bounds of a run of values, and how long bounds are cut.

#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/parquet/write/leaf_rows.h"

namespace sluice::inline v0::parquet {

/// The order of a leaf's values under TYPE_ORDER. Source: parquet.thrift, ColumnOrder.
enum class BoundOrder : uint8_t {
  kNone,  ///< Undefined for the type: no bounds are written.
  kBoolean,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,  ///< Floats by value, NaN left out, zeros of both signs equal.
  kFloat,
  kDouble,
  kSignedBytes,  ///< Two's complement, big-endian, all of one width.
  kBytes,        ///< Unsigned, byte by byte.
};

bool IsFloatOrder(BoundOrder order);

/// Whether `a` comes before `b`, both in PLAIN bytes and neither NaN; never under kNone.
bool BoundLess(BoundOrder order, std::string_view a, std::string_view b);

/// One bound in PLAIN bytes without length.
struct Bound {
  std::string bytes;
  bool is_exact = true;  ///< Whether it occurs among the values.
};

/// The smallest and largest of the values that it is shown, and how many were NaN.
///
/// Threads: confined.
class BoundsBuilder {
 public:
  explicit BoundsBuilder(BoundOrder order) : order_(order) {}

  /// Takes values [begin, end) of `values`, which are of the type that the order is for.
  void Update(const LeafRows& values, int64_t begin, int64_t end);
  void Merge(const BoundsBuilder& other);
  void Clear();

  BoundOrder order() const { return order_; }
  /// Whether any value that can be a bound was seen.
  bool has_bounds() const { return has_bounds_; }
  int64_t nan_count() const { return nan_count_; }
  /// Bytes of the bounds.
  int64_t held_bytes() const { return static_cast<int64_t>(min_.capacity() + max_.capacity()); }

  /// The bounds, with zeros of floats widened to -0.0 and +0.0 (fault S4); has_bounds() holds.
  Bound min() const;
  Bound max() const;

 private:
  template <typename T, typename Less>
  void UpdateFixed(const uint8_t* values, int64_t begin, int64_t end, Less less);
  template <typename T>
  void UpdateFloat(const uint8_t* values, int64_t begin, int64_t end);
  void UpdateBytes(const LeafRows& values, int64_t begin, int64_t end);
  /// Takes one candidate each, in PLAIN bytes.
  void Widen(std::string_view low, std::string_view high);

  BoundOrder order_;
  bool has_bounds_ = false;
  int64_t nan_count_ = 0;
  std::string min_;
  std::string max_;
};

/// `bound` cut to at most `max_bytes`. Where `is_utf8` and the bound is valid UTF-8, so is what is
/// left.
Bound CutLowerBound(Bound bound, int32_t max_bytes, bool is_utf8);
/// The same, rounded up so that it stays above every value that begins alike (fault S12). Absent
/// where no short bound is above.
std::optional<Bound> CutUpperBound(Bound bound, int32_t max_bytes, bool is_utf8);

/// The length of the longest prefix of `text` that is whole UTF-8 characters and at most
/// `max_bytes` long; -1 where `text` is not valid UTF-8.
int64_t WholeCharacters(std::string_view text, int64_t max_bytes);

}  // namespace sluice::inline v0::parquet
