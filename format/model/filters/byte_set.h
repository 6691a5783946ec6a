#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "format/model/filters/byte_strings.h"

namespace sluice::inline v0 {

/// A set of byte strings. Most strings that are not in it are turned away by their keys, without
/// touching what lies outside a view.
///
/// Threads: immutable.
class ByteSet {
 public:
  /// `members` are distinct, fewer than 2^31.
  explicit ByteSet(std::shared_ptr<const std::vector<std::string>> members);

  /// Whether some member may have this key.
  bool MayHold(const StringKey& key) const {
    const uint64_t at = HashOf(key) >> key_shift_;
    return keys_[at >> 6] >> (at & 63) & 1;
  }
  bool Holds(std::string_view bytes) const;
  int64_t held_bytes() const {
    return static_cast<int64_t>(keys_.capacity() * sizeof(uint64_t) +
                                slots_.capacity() * sizeof(Slot));
  }

 private:
  struct Slot {
    uint32_t hash = 0;    ///< Its high half.
    int32_t member = -1;  ///< None.
  };

  static uint64_t HashOf(const StringKey& key) {
    uint64_t hash = key.head * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32 ^ key.tail) * 0xD6E8FEB86659FD93;
    return (hash ^ hash >> 32) * 0x9E3779B97F4A7C15;
  }

  std::shared_ptr<const std::vector<std::string>> members_;
  int32_t key_shift_;
  std::vector<uint64_t> keys_;  ///< A bit for each hash of a key.
  std::vector<Slot> slots_;     ///< By the low bits of the hash of the whole string.
};

}  // namespace sluice::inline v0
