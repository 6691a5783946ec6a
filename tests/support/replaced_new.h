#pragma once

// Replaces operator new and delete of an executable, by two functions that the one file which
// includes this defines in an anonymous namespace before:
//
//   void* AllocateOrNull(std::size_t size) noexcept;
//   void Free(void* address) noexcept;

#include <cstddef>
#include <new>

namespace {

void* Allocate(std::size_t size) {
  void* address = AllocateOrNull(size);
  if (address == nullptr) throw std::bad_alloc();
  return address;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return AllocateOrNull(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return AllocateOrNull(size);
}
void operator delete(void* address) noexcept { Free(address); }
void operator delete[](void* address) noexcept { Free(address); }
void operator delete(void* address, std::size_t) noexcept { Free(address); }
void operator delete[](void* address, std::size_t) noexcept { Free(address); }
