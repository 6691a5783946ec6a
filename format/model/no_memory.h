#pragma once

#include <sluice/status.h>

#include <new>

namespace sluice::inline v0 {

/// What `step()` returns, a Status or a Result; where it finds the system without memory,
/// kResourceExhausted. For entry points whose work is as large as a file says: what is not counted
/// in a pool may be refused too.
template <typename Step>
auto OrNoMemory(Step&& step) -> decltype(step()) {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return Status::ResourceExhausted("the system has no memory");
  }
}

}  // namespace sluice::inline v0
