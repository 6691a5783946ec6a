#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace sluice::inline v0::engine {

/// Memory for texts that live as long as a block of rows. It is kept from block to block, so that
/// running evaluations allocate nothing.
///
/// Threads: confined.
class TextArena {
 public:
  /// Drops all texts.
  void Clear() {
    chunk_ = 0;
    used_ = 0;
  }
  /// Room for `size` bytes, until Clear.
  char* Allocate(size_t size) {
    while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < size) {
      ++chunk_;
      used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
      const size_t bytes = size > kChunkBytes ? size : kChunkBytes;
      chunks_.push_back({std::make_unique<char[]>(bytes), bytes});
    }
    char* text = chunks_[chunk_].bytes.get() + used_;
    used_ += size;
    return text;
  }
  std::string_view Copy(std::string_view text) {
    char* copy = Allocate(text.size());
    text.copy(copy, text.size());
    return {copy, text.size()};
  }

 private:
  static constexpr size_t kChunkBytes = 64 * 1024;
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0;  ///< The one in use.
  size_t used_ = 0;
};

}  // namespace sluice::inline v0::engine
