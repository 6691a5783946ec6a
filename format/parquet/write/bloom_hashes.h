#pragma once

#include <sluice/buffer.h>
#include <sluice/status.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "format/model/counted_memory.h"
#include "format/model/try.h"

namespace sluice::inline v0::parquet {

/// Distinct hashes, ascending, and what they take of the pool.
struct DistinctHashes {
  std::vector<uint64_t> hashes;
  Reservation memory;
};

/// The distinct hashes of a chunk's values, so that its bloom filter can be made as large as they
/// need. Memory: 8 bytes a distinct value, three times that at times; counted in the pool.
class BloomHashes {
 public:
  explicit BloomHashes(BufferPool* pool) : pool_(pool) {}

  /// Errors: kResourceExhausted by the pool.
  Status Insert(uint64_t hash) {
    if (hashes_.size() >= limit_) {
      Compact();
      limit_ = std::max(kFirstLimit, hashes_.size() * 2);
    }
    if (hashes_.size() == hashes_.capacity()) SLUICE_RETURN_IF_ERROR(Grow());
    hashes_.push_back(hash);
    return Status::Ok();
  }
  /// What was inserted; starts over.
  DistinctHashes Take() {
    Compact();
    limit_ = kFirstLimit;
    return {std::exchange(hashes_, {}), memory_.Finish()};
  }

 private:
  static constexpr size_t kFirstLimit = 1 << 16;

  void Compact() {
    std::sort(hashes_.begin(), hashes_.end());
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  }
  Status Grow() {
    if (hashes_.empty()) {
      SLUICE_TRY(Reservation memory, pool_->Reserve(0));
      memory_ = CountedMemory(std::move(memory));
    }
    return memory_.Extend(hashes_, std::max<size_t>(hashes_.size(), 1024));
  }

  BufferPool* pool_;
  CountedMemory memory_;
  std::vector<uint64_t> hashes_;
  size_t limit_ = kFirstLimit;
};

}  // namespace sluice::inline v0::parquet
