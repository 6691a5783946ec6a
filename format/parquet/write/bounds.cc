#include "format/parquet/write/bounds.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

#include "format/model/load.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::parquet {
namespace {

template <typename T>
std::string_view BytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// IEEE binary16 as stored.
struct Half {
  uint16_t bits;
};

bool IsNan(float value) { return std::isnan(value); }
bool IsNan(double value) { return std::isnan(value); }
bool IsNan(Half value) { return (value.bits & 0x7fff) > 0x7c00; }

/// Numbers by value, -0.0 before +0.0; neither is NaN. Ordered this way the widened zeros are the
/// actual minimum or maximum wherever they occur.
template <typename T>
struct FloatLess {
  bool operator()(T a, T b) const {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  }
};
template <>
struct FloatLess<Half> {
  /// Sign and magnitude as a number: -0.0 is -1, +0.0 is 0.
  static int32_t Key(Half value) {
    const int32_t magnitude = value.bits & 0x7fff;
    return (value.bits & 0x8000) != 0 ? -1 - magnitude : magnitude;
  }
  bool operator()(Half a, Half b) const { return Key(a) < Key(b); }
};

/// Big-endian two's complement of equal width: flipping the sign bit makes the order unsigned.
bool SignedBytesLess(std::string_view a, std::string_view b) {
  if (a.empty()) return false;
  const auto a0 = static_cast<uint8_t>(static_cast<uint8_t>(a[0]) ^ 0x80);
  const auto b0 = static_cast<uint8_t>(static_cast<uint8_t>(b[0]) ^ 0x80);
  if (a0 != b0) return a0 < b0;
  return a.substr(1) < b.substr(1);
}

template <typename T, typename LessType>
bool LessFixed(std::string_view a, std::string_view b) {
  return LessType()(Load<T>(a.data()), Load<T>(b.data()));
}

/// Bytes of the zero of the given sign, or nothing where `value` is not a zero.
std::string_view ZeroFor(BoundOrder order, std::string_view value, bool negative) {
  static constexpr char kPositive[8] = {};
  static constexpr char kNegative[8] = {0, 0, 0, 0, 0, 0, 0, static_cast<char>(0x80)};
  if (!IsFloatOrder(order)) return {};
  for (size_t i = 0; i + 1 < value.size(); ++i) {
    if (value[i] != 0) return {};
  }
  if ((value.back() & 0x7f) != 0) return {};
  return {negative ? kNegative + 8 - value.size() : kPositive, value.size()};
}

uint32_t CodePoint(std::string_view character) {
  static constexpr uint8_t kLeadMask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t point = static_cast<uint8_t>(character[0]) & kLeadMask[character.size()];
  for (const char byte : character.substr(1))
    point = point << 6 | (static_cast<uint8_t>(byte) & 0x3f);
  return point;
}

std::string Encode(uint32_t point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | point >> 18), tail(12), tail(6), tail(0)};
}

/// The shortest text above everything that begins with the characters `prefix`; empty when there
/// is none of at most `max_bytes`.
std::string NextText(std::string_view prefix, int64_t max_bytes) {
  while (!prefix.empty()) {
    size_t start = prefix.size() - 1;
    while ((static_cast<uint8_t>(prefix[start]) & 0xc0) == 0x80) --start;
    uint32_t point = CodePoint(prefix.substr(start)) + 1;
    if (point == 0xd800) point = 0xe000;
    prefix = prefix.substr(0, start);
    if (point > 0x10ffff) continue;
    std::string next = std::string(prefix) + Encode(point);
    if (static_cast<int64_t>(next.size()) <= max_bytes) return next;
  }
  return {};
}

/// The same for bytes.
std::string NextBytes(std::string_view prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.remove_suffix(1);
  std::string next(prefix);
  if (!next.empty()) next.back() = static_cast<char>(static_cast<uint8_t>(next.back()) + 1);
  return next;
}

}  // namespace

bool IsFloatOrder(BoundOrder order) {
  return order == BoundOrder::kFloat16 || order == BoundOrder::kFloat ||
         order == BoundOrder::kDouble;
}

bool BoundLess(BoundOrder order, std::string_view a, std::string_view b) {
  switch (order) {
    case BoundOrder::kNone:
      return false;
    case BoundOrder::kBoolean:
      return LessFixed<uint8_t, std::less<uint8_t>>(a, b);
    case BoundOrder::kInt32:
      return LessFixed<int32_t, std::less<int32_t>>(a, b);
    case BoundOrder::kUint32:
      return LessFixed<uint32_t, std::less<uint32_t>>(a, b);
    case BoundOrder::kInt64:
      return LessFixed<int64_t, std::less<int64_t>>(a, b);
    case BoundOrder::kUint64:
      return LessFixed<uint64_t, std::less<uint64_t>>(a, b);
    case BoundOrder::kFloat16:
      return LessFixed<Half, FloatLess<Half>>(a, b);
    case BoundOrder::kFloat:
      return LessFixed<float, FloatLess<float>>(a, b);
    case BoundOrder::kDouble:
      return LessFixed<double, FloatLess<double>>(a, b);
    case BoundOrder::kSignedBytes:
      return SignedBytesLess(a, b);
    case BoundOrder::kBytes:
      return a < b;
  }
  return false;
}

void BoundsBuilder::Widen(std::string_view low, std::string_view high) {
  if (!has_bounds_ || BoundLess(order_, low, min_)) min_ = low;
  if (!has_bounds_ || BoundLess(order_, max_, high)) max_ = high;
  has_bounds_ = true;
}

template <typename T, typename LessType>
void BoundsBuilder::UpdateFixed(const uint8_t* values, int64_t begin, int64_t end, LessType less) {
  T low = Load<T>(values + begin * static_cast<int64_t>(sizeof(T)));
  T high = low;
  for (int64_t i = begin + 1; i < end; ++i) {
    const T value = Load<T>(values + i * static_cast<int64_t>(sizeof(T)));
    if (less(value, low)) low = value;
    if (less(high, value)) high = value;
  }
  Widen(BytesOf(low), BytesOf(high));
}

template <typename T>
void BoundsBuilder::UpdateFloat(const uint8_t* values, int64_t begin, int64_t end) {
  const FloatLess<T> less;
  std::optional<std::pair<T, T>> bounds;
  for (int64_t i = begin; i < end; ++i) {
    const T value = Load<T>(values + i * static_cast<int64_t>(sizeof(T)));
    if (IsNan(value)) {
      ++nan_count_;
    } else if (!bounds) {
      bounds = {value, value};
    } else {
      if (less(value, bounds->first)) bounds->first = value;
      if (less(bounds->second, value)) bounds->second = value;
    }
  }
  if (bounds) Widen(BytesOf(bounds->first), BytesOf(bounds->second));
}

void BoundsBuilder::UpdateBytes(const LeafRows& values, int64_t begin, int64_t end) {
  std::string_view low = values.Value(begin);
  std::string_view high = low;
  for (int64_t i = begin + 1; i < end; ++i) {
    const std::string_view value = values.Value(i);
    if (BoundLess(order_, value, low)) low = value;
    if (BoundLess(order_, high, value)) high = value;
  }
  Widen(low, high);
}

void BoundsBuilder::Update(const LeafRows& values, int64_t begin, int64_t end) {
  if (begin >= end) return;
  switch (order_) {
    case BoundOrder::kNone:
      return;
    case BoundOrder::kBoolean:
      return UpdateFixed<uint8_t>(values.fixed, begin, end, std::less<uint8_t>());
    case BoundOrder::kInt32:
      return UpdateFixed<int32_t>(values.fixed, begin, end, std::less<int32_t>());
    case BoundOrder::kUint32:
      return UpdateFixed<uint32_t>(values.fixed, begin, end, std::less<uint32_t>());
    case BoundOrder::kInt64:
      return UpdateFixed<int64_t>(values.fixed, begin, end, std::less<int64_t>());
    case BoundOrder::kUint64:
      return UpdateFixed<uint64_t>(values.fixed, begin, end, std::less<uint64_t>());
    case BoundOrder::kFloat16:
      return UpdateFloat<Half>(values.fixed, begin, end);
    case BoundOrder::kFloat:
      return UpdateFloat<float>(values.fixed, begin, end);
    case BoundOrder::kDouble:
      return UpdateFloat<double>(values.fixed, begin, end);
    case BoundOrder::kSignedBytes:
    case BoundOrder::kBytes:
      return UpdateBytes(values, begin, end);
  }
}

void BoundsBuilder::Merge(const BoundsBuilder& other) {
  nan_count_ += other.nan_count_;
  if (other.has_bounds_) Widen(other.min_, other.max_);
}

void BoundsBuilder::Clear() { *this = BoundsBuilder(order_); }

Bound BoundsBuilder::min() const {
  const std::string_view zero = ZeroFor(order_, min_, true);
  if (zero.empty()) return {min_, true};
  return {std::string(zero), zero == min_};
}

Bound BoundsBuilder::max() const {
  const std::string_view zero = ZeroFor(order_, max_, false);
  if (zero.empty()) return {max_, true};
  return {std::string(zero), zero == max_};
}

int64_t WholeCharacters(std::string_view text, int64_t max_bytes) {
  int64_t kept = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = text::CharacterLength(text.substr(at));
    if (length == 0) return -1;
    at += length;
    if (static_cast<int64_t>(at) <= max_bytes) kept = static_cast<int64_t>(at);
  }
  return kept;
}

Bound CutLowerBound(Bound bound, int32_t max_bytes, bool is_utf8) {
  if (bound.bytes.size() <= static_cast<size_t>(max_bytes)) return bound;
  const int64_t whole = is_utf8 ? WholeCharacters(bound.bytes, max_bytes) : -1;
  bound.bytes.resize(static_cast<size_t>(whole < 0 ? max_bytes : whole));
  bound.bytes.shrink_to_fit();
  bound.is_exact = false;
  return bound;
}

std::optional<Bound> CutUpperBound(Bound bound, int32_t max_bytes, bool is_utf8) {
  if (bound.bytes.size() <= static_cast<size_t>(max_bytes)) return bound;
  const std::string_view text = bound.bytes;
  const int64_t whole = is_utf8 ? WholeCharacters(text, max_bytes) : -1;
  std::string next = whole < 0 ? NextBytes(text.substr(0, static_cast<size_t>(max_bytes)))
                               : NextText(text.substr(0, static_cast<size_t>(whole)), max_bytes);
  if (next.empty()) return std::nullopt;
  return Bound{std::move(next), false};
}

}  // namespace sluice::inline v0::parquet
