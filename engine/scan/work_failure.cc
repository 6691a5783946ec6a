#include "engine/scan/work_failure.h"

#include <fmt/format.h>

#include <new>

namespace sluice::inline v0::engine {

WorkFailure WorkFailure::OfException() noexcept {
  WorkFailure failure;
  failure.exception_ = std::current_exception();
  try {
    throw;
  } catch (const std::bad_alloc&) {
    failure.is_out_of_memory_ = true;
  } catch (...) {
    failure.is_out_of_memory_ = false;
  }
  return failure;
}

Status WorkFailure::ToStatus() const {
  if (!exception_) return error_;
  try {
    std::rethrow_exception(exception_);
  } catch (const std::bad_alloc&) {
    return Status::ResourceExhausted("a thread of the scan ran out of memory");
  } catch (const std::exception& exception) {
    return Status::IoError(
        fmt::format("the host threw an exception on a thread of the scan: {}", exception.what()));
  } catch (...) {
    return Status::IoError("the host threw an exception on a thread of the scan");
  }
}

}  // namespace sluice::inline v0::engine
