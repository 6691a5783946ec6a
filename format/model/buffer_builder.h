#pragma once

#include <sluice/buffer.h>
#include <sluice/status.h>

#include <algorithm>
#include <cstring>

#include "format/model/try.h"

namespace sluice::inline v0 {

/// Bytes that grow in buffers of a pool. Growth doubles, so that appending is linear.
///
/// Threads: confined.
class BufferBuilder {
 public:
  explicit BufferBuilder(BufferPool* pool) : pool_(pool) {}

  int64_t size() const { return size_; }
  uint8_t* data() { return buffer_ ? buffer_->mutable_data() : nullptr; }
  template <typename T>
  T* as() {
    return reinterpret_cast<T*>(data());
  }
  /// Where the next byte goes; valid until the next Reserve.
  uint8_t* end() { return data() + size_; }

  /// Makes room for `bytes` more, behind which kReadPadding may be written.
  Status Reserve(int64_t bytes) {
    const int64_t capacity = buffer_ ? buffer_->size() : 0;
    if (bytes <= capacity - size_ && buffer_) return Status::Ok();
    if (bytes > INT64_MAX / 4 - size_) {
      return Status::ResourceExhausted("batch grows beyond all bounds");
    }
    SLUICE_TRY(BufferRef grown, pool_->Allocate(std::max(size_ + bytes, capacity * 2)));
    if (size_ > 0) std::memcpy(grown->mutable_data(), buffer_->data(), static_cast<size_t>(size_));
    buffer_ = std::move(grown);
    return Status::Ok();
  }
  /// Counts `bytes` that were written at end().
  void Advance(int64_t bytes) { size_ += bytes; }

  /// Makes room for the words of `bits` bits and zeroes those that are new.
  Status ExtendBitmap(int64_t bits) {
    const int64_t wanted = (bits + 63) / 64 * 8;
    if (wanted <= size_) return Status::Ok();
    SLUICE_RETURN_IF_ERROR(Reserve(wanted - size_));
    std::memset(end(), 0, static_cast<size_t>(wanted - size_));
    size_ = wanted;
    return Status::Ok();
  }

  /// Forgets what lies behind the first `bytes`.
  void Truncate(int64_t bytes) { size_ = bytes; }
  /// The memory that the bytes so far lie at the front of; absent before the first Reserve.
  const BufferRef& buffer() const { return buffer_; }
  /// Forgets the first `bytes`; the others move to the front.
  void DropFront(int64_t bytes) {
    size_ -= bytes;
    if (size_ > 0) std::memmove(data(), data() + bytes, static_cast<size_t>(size_));
  }

  /// The bytes so far, never null; the builder is empty afterwards.
  Result<BufferRef> Finish() {
    if (!buffer_) SLUICE_RETURN_IF_ERROR(Reserve(0));
    BufferRef finished =
        buffer_->size() == size_ ? std::move(buffer_) : SliceBuffer(buffer_, 0, size_);
    buffer_.reset();
    size_ = 0;
    return finished;
  }

 private:
  BufferPool* pool_;
  BufferRef buffer_;
  int64_t size_ = 0;
};

}  // namespace sluice::inline v0
