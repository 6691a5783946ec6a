#pragma once

#include <sluice/buffer.h>

#include <string_view>

namespace sluice::support {

/// A copy of `bytes` with the padding that buffers have.
BufferRef PaddedBuffer(std::string_view bytes);

}  // namespace sluice::support
