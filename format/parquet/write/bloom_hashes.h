#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::inline v0::parquet {

/// The distinct hashes of a chunk's values, so that its bloom filter can be made as large as they
/// need. Memory: 8 bytes a distinct value, twice that at times.
class BloomHashes {
 public:
  void Insert(uint64_t hash) {
    hashes_.push_back(hash);
    if (hashes_.size() >= limit_) {
      Compact();
      limit_ = std::max(kFirstLimit, hashes_.size() * 2);
    }
  }
  /// The distinct hashes, ascending; starts over.
  std::vector<uint64_t> Take() {
    Compact();
    limit_ = kFirstLimit;
    return std::exchange(hashes_, {});
  }

 private:
  static constexpr size_t kFirstLimit = 1 << 16;

  void Compact() {
    std::sort(hashes_.begin(), hashes_.end());
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  }

  std::vector<uint64_t> hashes_;
  size_t limit_ = kFirstLimit;
};

}  // namespace sluice::inline v0::parquet
