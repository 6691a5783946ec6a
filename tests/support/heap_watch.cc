#include "tests/support/heap_watch.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

const sluice::BufferPool* watched_pool = nullptr;
int64_t live_bytes = 0;
int64_t most_bytes = 0;
int64_t most_uncounted_bytes = 0;

void* AllocateOrNull(std::size_t size) noexcept {
  void* address = std::malloc(size == 0 ? 1 : size);
  if (address != nullptr && watched_pool != nullptr) {
    live_bytes += static_cast<int64_t>(malloc_usable_size(address));
    most_bytes = std::max(most_bytes, live_bytes);
    most_uncounted_bytes =
        std::max(most_uncounted_bytes, live_bytes - watched_pool->bytes_in_use());
  }
  return address;
}

void Free(void* address) noexcept {
  if (watched_pool != nullptr) live_bytes -= static_cast<int64_t>(malloc_usable_size(address));
  std::free(address);
}

}  // namespace

#include "tests/support/replaced_new.h"

namespace sluice::support {

HeapWatch::HeapWatch(const BufferPool* pool) {
  live_bytes = 0;
  most_bytes = 0;
  most_uncounted_bytes = 0;
  watched_pool = pool;
}

HeapWatch::~HeapWatch() { watched_pool = nullptr; }

int64_t HeapWatch::most_uncounted() const { return most_uncounted_bytes; }
int64_t HeapWatch::peak() const { return most_bytes; }

}  // namespace sluice::support
