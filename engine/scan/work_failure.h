#pragma once

// Why work on another thread came to nothing.

#include <sluice/status.h>

#include <exception>
#include <utility>

namespace sluice::inline v0::engine {

/// An error, or an exception, which is kept as it is: where it was thrown there may be no memory
/// for a message.
class WorkFailure {
 public:
  WorkFailure() = default;
  WorkFailure(Status error)  // NOLINT: implicit, as an error is a failure
      : error_(std::move(error)) {}
  /// The exception that is being handled.
  static WorkFailure OfException() noexcept;

  bool ok() const { return error_.ok() && !exception_; }
  /// Whether the work may succeed where there is more memory.
  bool has_no_room() const {
    return is_out_of_memory_ || error_.code() == StatusCode::kResourceExhausted;
  }
  /// The error. Of std::bad_alloc it is kResourceExhausted, of any other exception, which is the
  /// host's, kIoError with what it says.
  Status ToStatus() const;

 private:
  Status error_;
  std::exception_ptr exception_;
  bool is_out_of_memory_ = false;
};

}  // namespace sluice::inline v0::engine
