#include "tests/support/padded_buffer.h"

#include <cstring>
#include <deque>
#include <utility>

namespace sluice::support {

BufferRef PaddedBuffer(std::string_view bytes) {
  BufferRef buffer = BufferPool::Make()->Allocate(static_cast<int64_t>(bytes.size())).value();
  if (!bytes.empty()) std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return buffer;
}

std::string_view Kept(std::string bytes) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(bytes));
}

}  // namespace sluice::support
