#include "format/model/arrow/array_node.h"

#include <memory>

#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

/// What pointers of empty buffers lead to: aligned, and enough for one offset.
alignas(64) constexpr uint8_t kZeros[64] = {};

/// What an exported array owns. Children whose release was taken from them were moved out.
struct ArrayState {
  ~ArrayState() {
    for (ArrowArray& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }

  Reservation reservation;
  std::vector<const void*> pointers;
  std::vector<BufferRef> owners;
  std::vector<int64_t> view_buffer_sizes;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

void ReleaseArray(ArrowArray* array) {
  delete static_cast<ArrayState*>(array->private_data);
  array->private_data = nullptr;
  array->release = nullptr;
}

}  // namespace

void ArrayParts::Add(const void* pointer, BufferRef owner) {
  pointers_.push_back(pointer);
  if (owner) owners_.push_back(std::move(owner));
}

void ArrayParts::AddBuffer(const BufferRef& buffer) {
  const bool has_bytes = buffer && buffer->data() != nullptr;
  Add(has_bytes ? buffer->data() : kZeros, buffer);
}

void ArrayParts::AddViewBuffers(const std::vector<BufferRef>& buffers) {
  has_views_ = true;
  for (const BufferRef& buffer : buffers) {
    AddBuffer(buffer);
    view_buffer_sizes_.push_back(buffer->size());
  }
}

Result<ArrayNode> ArrayParts::Assemble(BufferPool& pool) && {
  const size_t bytes = sizeof(ArrayState) + (pointers_.size() + 1) * sizeof(void*) +
                       owners_.size() * sizeof(BufferRef) +
                       view_buffer_sizes_.size() * sizeof(int64_t) +
                       children_.size() * (sizeof(ArrowArray) + sizeof(ArrowArray*));
  auto state = std::make_unique<ArrayState>();
  SLUICE_TRY(state->reservation, pool.Reserve(static_cast<int64_t>(bytes)));
  state->pointers = std::move(pointers_);
  state->owners = std::move(owners_);
  state->view_buffer_sizes = std::move(view_buffer_sizes_);
  if (has_views_) {
    const bool is_empty = state->view_buffer_sizes.empty();
    state->pointers.push_back(is_empty ? static_cast<const void*>(kZeros)
                                       : state->view_buffer_sizes.data());
  }
  state->children.reserve(children_.size());
  state->child_pointers.reserve(children_.size());
  for (ArrayNode& child : children_) {
    state->children.push_back(child.HandOver());
    state->child_pointers.push_back(&state->children.back());
  }
  if (dictionary_) state->dictionary = dictionary_->HandOver();

  ArrowArray array{};
  array.length = length_;
  array.null_count = null_count_;
  array.n_buffers = static_cast<int64_t>(state->pointers.size());
  array.n_children = static_cast<int64_t>(state->children.size());
  array.buffers = state->pointers.empty() ? nullptr : state->pointers.data();
  array.children = state->children.empty() ? nullptr : state->child_pointers.data();
  array.dictionary = dictionary_ ? &state->dictionary : nullptr;
  array.release = ReleaseArray;
  array.private_data = state.release();
  return ArrayNode(array);
}

}  // namespace sluice::inline v0::arrow
