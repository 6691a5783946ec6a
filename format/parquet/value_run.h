#pragma once

#include <cstdint>

namespace sluice::inline v0::parquet {

/// A run of values to take from a page: `count` of them, of which those are wanted whose bit is
/// set.
struct ValueRun {
  int64_t count = 0;
  const uint64_t* selection = nullptr;  ///< Absent: all are wanted.
  int64_t selected = 0;                 ///< How many are wanted.
};

}  // namespace sluice::inline v0::parquet
