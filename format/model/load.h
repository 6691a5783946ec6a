#pragma once

#include <cstring>

namespace sluice::inline v0 {

/// The value that lies at `bytes`, aligned or not.
template <typename T>
inline T Load(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace sluice::inline v0
