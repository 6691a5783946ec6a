#pragma once

// Byte strings where they lie: one interface over views and over values of fixed width, so that
// each test is written once.

#include <sluice/buffer.h>
#include <sluice/column.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::inline v0 {

/// The first 8 bytes of a view: the length, and up to 4 bytes of the string, zero behind its end.
struct StringHead {
  uint64_t word = 0;

  static StringHead Of(std::string_view bytes) {
    uint32_t prefix = 0;
    std::memcpy(&prefix, bytes.data(), std::min<size_t>(bytes.size(), 4));
    return {static_cast<uint32_t>(bytes.size()) | uint64_t{prefix} << 32};
  }
  int64_t length() const { return static_cast<int32_t>(static_cast<uint32_t>(word)); }
  /// Compares as the strings do where it differs.
  uint32_t order() const { return __builtin_bswap32(static_cast<uint32_t>(word >> 32)); }
  bool operator==(const StringHead&) const = default;
};

class ViewStrings {
 public:
  ViewStrings(const StringView* views, const BufferRef* buffers)
      : views_(views), buffers_(buffers) {}

  StringHead Head(int64_t i) const {
    StringHead head;
    std::memcpy(&head.word, &views_[i], sizeof(head.word));
    return head;
  }
  std::string_view Bytes(int64_t i) const {
    const StringView& view = views_[i];
    const auto size = static_cast<size_t>(view.length);
    if (view.length <= StringView::kInlineLength) return {view.inlined, size};
    return {buffers_[view.outside.buffer]->as<char>() + view.outside.offset, size};
  }

 private:
  const StringView* views_;
  const BufferRef* buffers_;
};

class FixedStrings {
 public:
  FixedStrings(const uint8_t* values, int32_t width) : values_(values), width_(width) {}

  StringHead Head(int64_t i) const { return StringHead::Of(Bytes(i)); }
  std::string_view Bytes(int64_t i) const {
    return {reinterpret_cast<const char*>(values_) + i * width_, static_cast<size_t>(width_)};
  }

 private:
  const uint8_t* values_;
  int32_t width_;
};

}  // namespace sluice::inline v0
