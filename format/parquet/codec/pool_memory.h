#pragma once

// What C libraries call for memory, over a pool: every byte that they take counts.

#include <cstddef>

namespace sluice::inline v0::parquet {

/// `size` bytes, aligned for everything, of the BufferPool at `pool`; null where it refuses them.
void* AllocateFromPool(void* pool, size_t size) noexcept;
/// Frees what AllocateFromPool gave; null is nothing.
void FreeToPool(void* pool, void* address) noexcept;

}  // namespace sluice::inline v0::parquet
