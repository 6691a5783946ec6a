#pragma once

// The vocabulary of the vector kernels, and the only file that includes xsimd: it compiles with
// xsimd 8.1 and 14 alike, because it asks for loads, stores, arithmetic and comparisons only. What
// either version lacks (byte permutes, per-lane shifts, mask to bits, compress) stands as
// intrinsics in lanes_<level>.h, one class a level:
//
//   Sse42Lanes, Avx2Lanes, Avx512Lanes : LanesOf<architecture>
//
// Everything is in an anonymous namespace, and the architecture is always named, so that no two
// levels can share a symbol. Floats are not compared here: xsimd 8.1 has `!=` wrong for NaN.

#include <immintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace sluice::inline v0::kernels {
namespace {

/// What the levels have in common.
template <class Architecture>
struct LanesOf {
  template <class T>
  using Lanes = xsimd::batch<T, Architecture>;

  static constexpr int32_t kBytes = static_cast<int32_t>(Lanes<uint8_t>::size);
  template <class T>
  static constexpr int32_t kCount = static_cast<int32_t>(Lanes<T>::size);

  /// Neither end needs to be aligned.
  template <class T>
  static Lanes<T> Load(const void* at) {
    return Lanes<T>::load_unaligned(static_cast<const T*>(at));
  }
  template <class T>
  static void Store(void* at, const Lanes<T>& lanes) {
    lanes.store_unaligned(static_cast<T*>(at));
  }
  template <class T>
  static Lanes<T> Set(T value) {
    return Lanes<T>(value);
  }
  /// The same bits as lanes of another width.
  template <class To, class From>
  static Lanes<To> As(const xsimd::batch<From, Architecture>& lanes) {
    return Lanes<To>(static_cast<typename Lanes<To>::register_type>(lanes));
  }
  /// Hides from the compiler where `lanes` came from.
  template <class T>
  static void KeepInRegister(Lanes<T>& lanes) {
    typename Lanes<T>::register_type bits = lanes;
    __asm__("" : "+v"(bits));
    lanes = Lanes<T>(bits);
  }
  template <class T>
  static Lanes<T> Max(const Lanes<T>& a, const Lanes<T>& b) {
    return xsimd::max(a, b);
  }
};

}  // namespace
}  // namespace sluice::inline v0::kernels
