#pragma once

// States of the codec libraries that are costly to make (a Zstandard state is some 100 KiB) and are
// kept for the next page.

#include <libdeflate.h>
#include <lz4frame.h>
#include <zstd.h>

#include <memory>
#include <utility>
#include <vector>

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

/// States that nobody uses just now.
class CodecContexts {
 public:
  template <typename State>
  std::vector<State>& idle() {
    if constexpr (std::is_same_v<State, ZstdState>) return zstd_;
    if constexpr (std::is_same_v<State, GzipState>) return gzip_;
    if constexpr (std::is_same_v<State, Lz4FrameState>) return lz4_frame_;
  }

 private:
  std::vector<ZstdState> zstd_;
  std::vector<GzipState> gzip_;
  std::vector<Lz4FrameState> lz4_frame_;
};

/// A state for as long as this lives: an idle one of `home` if there is one, and handed to `home`
/// afterwards. Without a home it is made and freed.
template <typename State>
class Borrowed {
 public:
  /// `make` returns a State, null when there is no memory.
  template <typename Make>
  Borrowed(std::shared_ptr<CodecContexts> home, Make make) : home_(std::move(home)) {
    if (home_ && !home_->template idle<State>().empty()) {
      state_ = std::move(home_->template idle<State>().back());
      home_->template idle<State>().pop_back();
    } else {
      state_ = make();
    }
  }
  ~Borrowed() {
    if (home_ && state_) home_->template idle<State>().push_back(std::move(state_));
  }
  Borrowed(Borrowed&&) noexcept = default;
  Borrowed& operator=(Borrowed&&) = delete;

  auto* get() const { return state_.get(); }
  explicit operator bool() const { return state_ != nullptr; }

 private:
  std::shared_ptr<CodecContexts> home_;
  State state_;
};

}  // namespace sluice::inline v0::parquet
