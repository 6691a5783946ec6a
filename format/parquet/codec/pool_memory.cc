#include "format/parquet/codec/pool_memory.h"

#include <sluice/buffer.h>

#include <cstdint>
#include <new>
#include <utility>

namespace sluice::inline v0::parquet {

namespace {

// | the BufferRef that keeps the memory alive, within 64 bytes | what the library asked for |
constexpr size_t kFront = 64;
static_assert(sizeof(BufferRef) <= kFront);

}  // namespace

void* AllocateFromPool(void* pool, size_t size) noexcept {
  if (size > static_cast<size_t>(INT64_MAX) - kFront) return nullptr;
  // Nothing may be thrown through a C library.
  try {
    Result<BufferRef> buffer =
        static_cast<BufferPool*>(pool)->Allocate(static_cast<int64_t>(size + kFront));
    if (!buffer) return nullptr;
    uint8_t* front = (*buffer)->mutable_data();
    new (front) BufferRef(*std::move(buffer));
    return front + kFront;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void FreeToPool(void*, void* address) noexcept {
  if (address == nullptr) return;
  auto* place = reinterpret_cast<BufferRef*>(static_cast<uint8_t*>(address) - kFront);
  // Moved out first: the reference lies in the memory that it keeps.
  const BufferRef buffer = std::move(*place);
  place->~BufferRef();
}

}  // namespace sluice::inline v0::parquet
