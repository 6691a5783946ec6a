#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/model/filters/byte_strings.h"

namespace sluice::inline v0 {

/// A set of byte strings. Most strings that are not in it are turned away by their heads, without
/// touching what lies outside a view.
///
/// Threads: immutable.
class ByteSet {
 public:
  /// `members` are distinct, fewer than 2^31.
  explicit ByteSet(std::shared_ptr<const std::vector<std::string>> members);

  /// Whether some member may have this head.
  bool MayHold(StringHead head) const {
    const uint64_t at = HashOfHead(head) >> head_shift_;
    return heads_[at >> 6] >> (at & 63) & 1;
  }
  bool Holds(std::string_view bytes) const;
  int64_t held_bytes() const {
    return static_cast<int64_t>(heads_.capacity() * sizeof(uint64_t) +
                                slots_.capacity() * sizeof(Slot));
  }

 private:
  struct Slot {
    uint32_t hash = 0;    ///< Its high half.
    int32_t member = -1;  ///< None.
  };

  static uint64_t HashOfHead(StringHead head) {
    uint64_t hash = head.word * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
    return hash * 0xD6E8FEB86659FD93;
  }

  std::shared_ptr<const std::vector<std::string>> members_;
  int32_t head_shift_;
  std::vector<uint64_t> heads_;  ///< A bit for each hash of a head.
  std::vector<Slot> slots_;      ///< By the low bits of the hash of the whole string.
};

}  // namespace sluice::inline v0
