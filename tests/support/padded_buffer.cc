#include "tests/support/padded_buffer.h"

#include <cstring>

namespace sluice::support {

BufferRef PaddedBuffer(std::string_view bytes) {
  BufferRef buffer = BufferPool::Make()->Allocate(static_cast<int64_t>(bytes.size())).value();
  if (!bytes.empty()) std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return buffer;
}

}  // namespace sluice::support
