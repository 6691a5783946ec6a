#pragma once

// Byte strings where they lie: one interface over views and over values of fixed width, so that
// each test is written once.

#include <sluice/buffer.h>
#include <sluice/column.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::inline v0 {

/// What a view holds of a string without touching what lies outside it.
struct StringKey {
  uint64_t head = 0;  ///< The length, and up to 4 bytes of the string, zero behind its end.
  uint64_t tail = 0;  ///< Of a string that is wholly in its view the bytes from 4 on; else zero.

  static StringKey Of(std::string_view bytes) {
    const bool is_inline = bytes.size() <= size_t{StringView::kInlineLength};
    char parts[StringView::kInlineLength] = {};
    std::memcpy(parts, bytes.data(), is_inline ? bytes.size() : 4);
    StringKey key;
    uint32_t prefix;
    std::memcpy(&prefix, parts, 4);
    std::memcpy(&key.tail, parts + 4, 8);
    key.head = static_cast<uint32_t>(bytes.size()) | uint64_t{prefix} << 32;
    return key;
  }
  static StringKey Of(const StringView& view) {
    StringKey key;
    std::memcpy(&key.head, &view, 8);
    std::memcpy(&key.tail, view.inlined + 4, 8);
    key.tail &= uint64_t{view.length > StringView::kInlineLength} - 1;
    return key;
  }

  int64_t length() const { return static_cast<int64_t>(head & 0xFFFFFFFF); }
  /// Whether it says all of the string.
  bool is_whole() const { return length() <= StringView::kInlineLength; }
  /// Compares as the strings do where it differs; 32 bits.
  int64_t order() const { return __builtin_bswap32(static_cast<uint32_t>(head >> 32)); }
  /// Whether the first `count` (0..4) bytes are those of `other`, which has so many.
  bool SharesPrefix(const StringKey& other, int64_t count) const {
    const uint64_t bytes = (uint64_t{1} << 8 * count) - 1;
    return (((head ^ other.head) >> 32) & bytes) == 0;
  }
};

/// The first 12 bytes of a string, zero behind its end: compares as the strings do where it
/// differs.
class StringFront {
 public:
  static StringFront Of(std::string_view bytes) {
    char parts[12] = {};
    std::memcpy(parts, bytes.data(), std::min<size_t>(bytes.size(), 12));
    return OfPadded(parts);
  }
  /// `bytes`: 12, zero behind the end of the string.
  static StringFront OfPadded(const char* bytes) {
    StringFront front;
    std::memcpy(&front.first_, bytes, 8);
    std::memcpy(&front.rest_, bytes + 8, 4);
    front.first_ = __builtin_bswap64(front.first_);
    front.rest_ = __builtin_bswap32(front.rest_);
    return front;
  }
  auto operator<=>(const StringFront&) const = default;

 private:
  uint64_t first_ = 0;
  uint32_t rest_ = 0;
};

class ViewStrings {
 public:
  ViewStrings(const StringView* views, const BufferRef* buffers)
      : views_(views), buffers_(buffers) {}

  StringKey Key(int64_t i) const { return StringKey::Of(views_[i]); }
  std::string_view Bytes(int64_t i) const {
    const StringView& view = views_[i];
    const auto size = static_cast<size_t>(view.length);
    if (view.length <= StringView::kInlineLength) return {view.inlined, size};
    return {buffers_[view.outside.buffer]->as<char>() + view.outside.offset, size};
  }
  StringFront Front(int64_t i) const {
    const StringView& view = views_[i];
    if (view.length <= StringView::kInlineLength) return StringFront::OfPadded(view.inlined);
    return StringFront::OfPadded(Bytes(i).data());
  }

 private:
  const StringView* views_;
  const BufferRef* buffers_;
};

class FixedStrings {
 public:
  FixedStrings(const uint8_t* values, int32_t width) : values_(values), width_(width) {}

  StringKey Key(int64_t i) const { return StringKey::Of(Bytes(i)); }
  std::string_view Bytes(int64_t i) const {
    return {reinterpret_cast<const char*>(values_) + i * width_, static_cast<size_t>(width_)};
  }
  StringFront Front(int64_t i) const { return StringFront::Of(Bytes(i)); }

 private:
  const uint8_t* values_;
  int32_t width_;
};

}  // namespace sluice::inline v0
