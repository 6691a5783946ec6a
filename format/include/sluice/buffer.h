#pragma once

#include <sluice/export.h>
#include <sluice/status.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace sluice::inline v0 {

/// Bytes that may be read past the end of every buffer, so that vector loads need no tail.
/// Their contents are unspecified.
inline constexpr int64_t kReadPadding = 64;

/// Reference-counted bytes with kReadPadding readable bytes past their end, 64-byte aligned when
/// from a pool.
///
/// Threads: immutable once shared; the one owner that filled it may write before that.
/// Lifetime: by std::shared_ptr; a buffer keeps its pool alive.
class SLUICE_EXPORT Buffer {
 public:
  virtual ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  const uint8_t* data() const { return data_; }
  uint8_t* mutable_data() { return data_; }
  int64_t size() const { return size_; }
  /// The buffer whose memory this one keeps alive: itself, or for a slice what it was cut from.
  virtual const Buffer& root() const { return *this; }
  std::span<const uint8_t> span() const { return {data_, static_cast<size_t>(size_)}; }

  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }
  template <typename T>
  T* mutable_as() {
    return reinterpret_cast<T*>(data_);
  }

 protected:
  Buffer(uint8_t* data, int64_t size) : data_(data), size_(size) {}
  uint8_t* data_;
  int64_t size_;
};

using BufferRef = std::shared_ptr<Buffer>;

class BufferPool;

/// Bytes of a pool's budget for memory that is not in its buffers: what a codec's library takes, a
/// parsed footer, a dictionary that is being written. They are counted as long as this lives.
///
/// Threads: confined. Lifetime: keeps its pool alive.
class SLUICE_EXPORT Reservation {
 public:
  /// Of no pool: counts for nobody, and may grow without end.
  Reservation() = default;
  Reservation(Reservation&& other) noexcept
      : pool_(std::move(other.pool_)), bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();

  int64_t bytes() const { return bytes_; }
  /// Makes it `bytes` large. Errors: kResourceExhausted above the budget, kInvalidArgument for a
  /// negative size; it then stays as it is. What is not larger than before is never refused.
  Status Resize(int64_t bytes);
  /// Makes it `bytes` large at least. Grows by half at the least while the budget allows, so that
  /// small steps are cheap. Errors: as Resize.
  Status Cover(int64_t bytes);

 private:
  friend class BufferPool;
  explicit Reservation(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}

  std::shared_ptr<BufferPool> pool_;
  int64_t bytes_ = 0;
};

/// Where the buffers of a reader, scan or writer come from, and the budget that they count against.
/// A host may supply its own.
///
/// Threads: thread-safe.
class SLUICE_EXPORT BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  virtual ~BufferPool();

  /// A pool over malloc that never holds more than `budget_bytes`, padding included.
  static std::shared_ptr<BufferPool> Make(int64_t budget_bytes = INT64_MAX);

  /// A buffer of `size` bytes, contents unspecified.
  /// Errors: kResourceExhausted above the budget or when the system has no memory;
  /// kInvalidArgument for a negative size.
  virtual Result<BufferRef> Allocate(int64_t size) = 0;

  /// `bytes` of the budget for memory of someone else's. Errors: as Reservation::Resize.
  Result<Reservation> Reserve(int64_t bytes);

  /// Bytes of live buffers and reservations now, and the most that there ever were at once.
  virtual int64_t bytes_in_use() const = 0;
  virtual int64_t peak_bytes() const = 0;

 protected:
  friend class Reservation;
  /// Counts `bytes` (0 or more) as held. Errors: kResourceExhausted above the budget.
  virtual Status Charge(int64_t bytes) = 0;
  /// Counts `bytes` that were charged as no longer held.
  virtual void Release(int64_t bytes) noexcept = 0;
};

/// A buffer over `size` bytes at `data` owned by someone else, kept alive by `owner`. The caller
/// promises kReadPadding readable bytes past the end.
SLUICE_EXPORT BufferRef WrapBytes(const uint8_t* data, int64_t size,
                                  std::shared_ptr<const void> owner);

/// The part of `parent` from `offset` on, `size` bytes long, sharing its memory. The range must lie
/// inside the parent.
SLUICE_EXPORT BufferRef SliceBuffer(const BufferRef& parent, int64_t offset, int64_t size);

}  // namespace sluice::inline v0
