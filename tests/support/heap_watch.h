#pragma once

#include <sluice/buffer.h>

#include <cstdint>

namespace sluice::support {

/// Watches what operator new hands out, which an executable that links this has replaced: by how
/// much it was ever more than a pool had counted at that time. Memory of the pool's own buffers
/// does not come from operator new; what it counts for them makes the watch lenient.
///
/// Threads: one watch at a time, on one thread.
class HeapWatch {
 public:
  explicit HeapWatch(const BufferPool* pool);
  ~HeapWatch();
  HeapWatch(const HeapWatch&) = delete;
  HeapWatch& operator=(const HeapWatch&) = delete;

  /// Bytes above the count of the pool, at most, since the watch began.
  int64_t most_uncounted() const;
  /// Bytes at most, since the watch began.
  int64_t peak() const;
};

}  // namespace sluice::support
