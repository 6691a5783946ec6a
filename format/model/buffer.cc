#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0 {

Buffer::~Buffer() = default;
BufferPool::~BufferPool() = default;

namespace {

constexpr int64_t kAlignment = 64;

int64_t AllocatedBytes(int64_t size) {
  return (size + kReadPadding + kAlignment - 1) / kAlignment * kAlignment;
}

class MallocPool final : public BufferPool {
 public:
  explicit MallocPool(int64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  Result<BufferRef> Allocate(int64_t size) override;
  int64_t bytes_in_use() const override { return in_use_.load(std::memory_order_relaxed); }
  int64_t peak_bytes() const override { return peak_.load(std::memory_order_relaxed); }

  void Free(uint8_t* data, int64_t size) {
    std::free(data);
    Release(AllocatedBytes(size));
  }

 protected:
  Status Charge(int64_t bytes) override;
  void Release(int64_t bytes) noexcept override {
    in_use_.fetch_sub(bytes, std::memory_order_relaxed);
  }

 private:
  bool TryCharge(int64_t bytes);
  Status Exceeded(int64_t wanted) const;

  const int64_t budget_bytes_;
  std::atomic<int64_t> in_use_{0};
  std::atomic<int64_t> peak_{0};
};

class PoolBuffer final : public Buffer {
 public:
  PoolBuffer(uint8_t* data, int64_t size, std::shared_ptr<MallocPool> pool)
      : Buffer(data, size), pool_(std::move(pool)) {}
  ~PoolBuffer() override { pool_->Free(data_, size_); }

 private:
  std::shared_ptr<MallocPool> pool_;
};

class WrappedBuffer final : public Buffer {
 public:
  WrappedBuffer(const uint8_t* data, int64_t size, std::shared_ptr<const void> owner)
      : Buffer(const_cast<uint8_t*>(data), size), owner_(std::move(owner)) {}

 private:
  std::shared_ptr<const void> owner_;
};

class BufferSlice final : public Buffer {
 public:
  BufferSlice(BufferRef parent, int64_t offset, int64_t size)
      : Buffer(parent->mutable_data() + offset, size), parent_(std::move(parent)) {}
  const Buffer& root() const override { return parent_->root(); }

 private:
  BufferRef parent_;
};

bool MallocPool::TryCharge(int64_t bytes) {
  int64_t held = in_use_.load(std::memory_order_relaxed);
  do {
    if (bytes > budget_bytes_ - held) return false;
  } while (!in_use_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (held + bytes > peak &&
         !peak_.compare_exchange_weak(peak, held + bytes, std::memory_order_relaxed)) {
  }
  return true;
}

Status MallocPool::Exceeded(int64_t wanted) const {
  return Status::ResourceExhausted(
      fmt::format("memory budget exceeded: {} bytes wanted, {} of {} in use", wanted,
                  bytes_in_use(), budget_bytes_));
}

Status MallocPool::Charge(int64_t bytes) {
  return TryCharge(bytes) ? Status::Ok() : Exceeded(bytes);
}

Result<BufferRef> MallocPool::Allocate(int64_t size) {
  if (size < 0) {
    return Status::InvalidArgument(fmt::format("buffer size is negative: {}", size));
  }
  // Past this, rounding up would wrap around.
  if (size > INT64_MAX - kReadPadding - kAlignment || !TryCharge(AllocatedBytes(size))) {
    return Exceeded(size);
  }
  const int64_t bytes = AllocatedBytes(size);
  auto* data = static_cast<uint8_t*>(
      std::aligned_alloc(static_cast<size_t>(kAlignment), static_cast<size_t>(bytes)));
  if (data == nullptr) {
    Release(bytes);
    return Status::ResourceExhausted(fmt::format("the system has no {} bytes", bytes));
  }
  // The padding may be read: give it a value, so that what a kernel makes of it is repeatable.
  std::memset(data + size, 0, static_cast<size_t>(bytes - size));
  try {
    return BufferRef(std::make_shared<PoolBuffer>(
        data, size, std::static_pointer_cast<MallocPool>(shared_from_this())));
  } catch (const std::bad_alloc&) {
    Free(data, size);
    return Status::ResourceExhausted("the system has no memory");
  }
}

}  // namespace

std::shared_ptr<BufferPool> BufferPool::Make(int64_t budget_bytes) {
  return std::make_shared<MallocPool>(budget_bytes);
}

Result<Reservation> BufferPool::Reserve(int64_t bytes) {
  Reservation reservation(shared_from_this());
  SLUICE_RETURN_IF_ERROR(reservation.Resize(bytes));
  return reservation;
}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  if (pool_) pool_->Release(bytes_);
  pool_ = std::move(other.pool_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

Reservation::~Reservation() {
  if (pool_) pool_->Release(bytes_);
}

Status Reservation::Resize(int64_t bytes) {
  if (bytes < 0) {
    return Status::InvalidArgument(fmt::format("reservation is negative: {}", bytes));
  }
  if (pool_ && bytes > bytes_) SLUICE_RETURN_IF_ERROR(pool_->Charge(bytes - bytes_));
  if (pool_ && bytes < bytes_) pool_->Release(bytes_ - bytes);
  bytes_ = bytes;
  return Status::Ok();
}

Status Reservation::Cover(int64_t bytes) {
  if (bytes <= bytes_) return bytes < 0 ? Resize(bytes) : Status::Ok();
  const int64_t step = bytes_ + bytes_ / 2;
  if (bytes < step && Resize(step).ok()) return Status::Ok();
  return Resize(bytes);
}

BufferRef WrapBytes(const uint8_t* data, int64_t size, std::shared_ptr<const void> owner) {
  return std::make_shared<WrappedBuffer>(data, size, std::move(owner));
}

BufferRef SliceBuffer(const BufferRef& parent, int64_t offset, int64_t size) {
  return std::make_shared<BufferSlice>(parent, offset, size);
}

}  // namespace sluice::inline v0
