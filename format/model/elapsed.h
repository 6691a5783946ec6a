#pragma once

#include <chrono>
#include <cstdint>

namespace sluice::inline v0 {

inline int64_t NanosecondsSince(std::chrono::steady_clock::time_point begin) {
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
}

}  // namespace sluice::inline v0
