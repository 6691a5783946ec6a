#pragma once

#include <sluice/buffer.h>
#include <sluice/status.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "format/model/try.h"

namespace sluice::inline v0 {

/// A running count of memory that is not in buffers, covered by a reservation.
///
/// Threads: confined. Lifetime: keeps its pool alive.
class CountedMemory {
 public:
  /// Of no pool: counts without end.
  CountedMemory() = default;
  explicit CountedMemory(Reservation reservation) : reservation_(std::move(reservation)) {}

  int64_t bytes() const { return bytes_; }

  /// Counts `bytes` more; to be called before they are taken. Errors: kResourceExhausted, and the
  /// count stays.
  Status Add(int64_t bytes) {
    if (bytes > reservation_.bytes() - bytes_) SLUICE_RETURN_IF_ERROR(Cover(bytes));
    bytes_ += bytes;
    return Status::Ok();
  }
  void Remove(int64_t bytes) { bytes_ -= bytes; }

  /// Makes the count `bytes`, and the reservation no larger than that.
  Status Set(int64_t bytes) {
    SLUICE_RETURN_IF_ERROR(reservation_.Resize(bytes));
    bytes_ = bytes;
    return Status::Ok();
  }

  /// Makes room for `added` more elements, twice as much as before at the least, and counts what
  /// they take more then. Errors: kResourceExhausted, and everything stays.
  template <typename T>
  Status Extend(std::vector<T>& elements, size_t added) {
    const size_t capacity = elements.capacity();
    if (added <= capacity - elements.size()) return Status::Ok();
    const size_t wanted = std::max(elements.size() + added, capacity * 2);
    const auto bytes = static_cast<int64_t>(wanted * sizeof(T));
    if (bytes > reservation_.bytes() - bytes_) [[unlikely]] {
      SLUICE_RETURN_IF_ERROR(Cover(bytes));
    }
    // Old and new are there at once, of which the old ones are no longer counted then.
    elements.reserve(wanted);
    bytes_ += bytes - static_cast<int64_t>(capacity * sizeof(T));
    return Status::Ok();
  }

  /// The reservation of what is counted, to be kept as long as the memory is.
  Reservation Finish() {
    // What is not larger is never refused.
    static_cast<void>(reservation_.Resize(bytes_));
    bytes_ = 0;
    return std::move(reservation_);
  }

  /// The same for what is copied and shared.
  std::shared_ptr<const Reservation> FinishShared() {
    return std::make_shared<const Reservation>(Finish());
  }

 private:
  Status Cover(int64_t more) {
    return reservation_.Cover(more > INT64_MAX - bytes_ ? INT64_MAX : bytes_ + more);
  }

  Reservation reservation_;
  int64_t bytes_ = 0;
};

}  // namespace sluice::inline v0
