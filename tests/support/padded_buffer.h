#pragma once

#include <sluice/buffer.h>

#include <string>
#include <string_view>

namespace sluice::support {

/// A copy of `bytes` with the padding that buffers have.
BufferRef PaddedBuffer(std::string_view bytes);

/// A view of a copy of `bytes` that stays until the end of the program, for plain data that has
/// views of bytes elsewhere.
std::string_view Kept(std::string bytes);

}  // namespace sluice::support
