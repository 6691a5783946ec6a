#pragma once

// States of the codec libraries: costly to make (a Zstandard state is some 160 KiB), so that a few
// are kept for the next page, and counted in the pool, so that a budget holds with them.

#include <libdeflate.h>
#include <lz4frame.h>
#include <sluice/buffer.h>
#include <zstd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet {

/// Calls a library's C function that frees.
template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* state) const {
    kFree(state);
  }
};

using ZstdState = std::unique_ptr<ZSTD_DCtx, FreeBy<ZSTD_freeDCtx>>;
using GzipState = std::unique_ptr<libdeflate_decompressor, FreeBy<libdeflate_free_decompressor>>;
using Lz4FrameState = std::unique_ptr<LZ4F_dctx, FreeBy<LZ4F_freeDecompressionContext>>;

/// A state and the bytes of the budget that it takes.
template <typename State>
struct CountedState {
  State state;
  Reservation memory;
};

/// States that nobody uses just now.
class CodecContexts {
 public:
  explicit CodecContexts(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}

  BufferPool& pool() const { return *pool_; }

  /// An idle state, or none.
  template <typename State>
  CountedState<State> Take() {
    auto& idle = IdleOf<State>();
    if (idle.count == 0) return {};
    return std::exchange(idle.states[--idle.count], {});
  }
  /// Needs no memory: destructors call it.
  template <typename State>
  void GiveBack(CountedState<State> state) noexcept {
    auto& idle = IdleOf<State>();
    if (idle.count < kMostIdle) idle.states[idle.count++] = std::move(state);
  }

  /// Pages that hold a state of their own, over the time of their decompressors.
  void Begin() { ++in_use_; }
  void End() { --in_use_; }
  bool is_crowded() const { return in_use_ > kMostInUse; }

 private:
  /// Leaves take turns: one gives its state back just before another, or itself, wants one.
  static constexpr size_t kMostIdle = 4;
  static constexpr int64_t kMostInUse = 32;

  template <typename State>
  struct Idle {
    std::array<CountedState<State>, kMostIdle> states;
    size_t count = 0;
  };

  template <typename State>
  auto& IdleOf() {
    if constexpr (std::is_same_v<State, ZstdState>) return zstd_;
    if constexpr (std::is_same_v<State, GzipState>) return gzip_;
    if constexpr (std::is_same_v<State, Lz4FrameState>) return lz4_frame_;
  }

  std::shared_ptr<BufferPool> pool_;
  int64_t in_use_ = 0;
  Idle<ZstdState> zstd_;
  Idle<GzipState> gzip_;
  Idle<Lz4FrameState> lz4_frame_;
};

/// Counts a page among those that hold a state, as long as this lives.
class StateInUse {
 public:
  explicit StateInUse(std::shared_ptr<CodecContexts> contexts) : contexts_(std::move(contexts)) {
    if (contexts_) contexts_->Begin();
  }
  ~StateInUse() {
    if (contexts_) contexts_->End();
  }
  StateInUse(StateInUse&&) noexcept = default;
  StateInUse& operator=(StateInUse&&) = delete;

 private:
  std::shared_ptr<CodecContexts> contexts_;
};

/// A state for as long as this lives: an idle one of `home` if there is one, and handed to `home`
/// afterwards. Without a home it is made, freed, and counted by nobody.
template <typename State>
class Borrowed {
 public:
  /// `make` returns a State that takes `bytes`, null when there is no memory.
  /// Errors: kResourceExhausted.
  template <typename Make>
  static Result<Borrowed> From(std::shared_ptr<CodecContexts> home, int64_t bytes, Make make) {
    Borrowed borrowed(std::move(home));
    CountedState<State>& counted = borrowed.counted_;
    if (borrowed.home_) counted = borrowed.home_->template Take<State>();
    if (counted.state) return borrowed;
    if (borrowed.home_) {
      SLUICE_TRY(counted.memory, borrowed.home_->pool().Reserve(bytes));
    }
    counted.state = make();
    if (!counted.state) return Status::ResourceExhausted("no memory for the state of a codec");
    return borrowed;
  }
  ~Borrowed() {
    if (home_ && counted_.state) home_->GiveBack(std::move(counted_));
  }
  Borrowed(Borrowed&&) noexcept = default;
  Borrowed& operator=(Borrowed&&) = delete;

  auto* get() const { return counted_.state.get(); }
  /// Counts a state that grows, before it does. Errors: kResourceExhausted.
  Status Cover(int64_t bytes) { return counted_.memory.Cover(bytes); }

 private:
  explicit Borrowed(std::shared_ptr<CodecContexts> home) : home_(std::move(home)), in_use_(home_) {}

  std::shared_ptr<CodecContexts> home_;
  StateInUse in_use_;
  CountedState<State> counted_;
};

}  // namespace sluice::inline v0::parquet
