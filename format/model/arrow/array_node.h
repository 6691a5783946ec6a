#pragma once

// ArrowArray: a tree of structures, each of which keeps what it points to alive by itself.

#include <sluice/arrow.h>
#include <sluice/buffer.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::inline v0::arrow {

/// An array that is released unless it is handed on.
///
/// Threads: confined.
class ArrayNode {
 public:
  ArrayNode() = default;
  explicit ArrayNode(const ArrowArray& array) : array_(array) {}
  ArrayNode(ArrayNode&& other) noexcept : array_(std::exchange(other.array_, ArrowArray{})) {}
  ArrayNode& operator=(ArrayNode&& other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~ArrayNode() {
    if (array_.release != nullptr) array_.release(&array_);
  }

  /// The array, which is the caller's to release from now on.
  ArrowArray HandOver() { return std::exchange(array_, ArrowArray{}); }

 private:
  ArrowArray array_{};
};

/// What an array is made of.
class ArrayParts {
 public:
  ArrayParts(int64_t length, int64_t null_count) : length_(length), null_count_(null_count) {}

  /// Adds a buffer, kept alive. An absent one is a null pointer.
  void AddValidity(BufferRef validity) { Add(validity ? validity->data() : nullptr, validity); }
  /// The same; an absent one is some zeros, as consumers do not expect a null pointer.
  void AddBuffer(const BufferRef& buffer);
  /// Adds the buffers that views lie in, and behind them their sizes.
  void AddViewBuffers(const std::vector<BufferRef>& buffers);
  void AddChild(ArrayNode child) { children_.push_back(std::move(child)); }
  void SetDictionary(ArrayNode dictionary) { dictionary_ = std::move(dictionary); }

  /// The array. What its structures take is counted in the pool until it is released.
  /// Errors: kResourceExhausted.
  Result<ArrayNode> Assemble(BufferPool& pool) &&;

 private:
  void Add(const void* pointer, BufferRef owner);

  int64_t length_;
  int64_t null_count_;
  std::vector<const void*> pointers_;
  std::vector<BufferRef> owners_;
  std::vector<int64_t> view_buffer_sizes_;
  bool has_views_ = false;
  std::vector<ArrayNode> children_;
  std::optional<ArrayNode> dictionary_;
};

}  // namespace sluice::inline v0::arrow
