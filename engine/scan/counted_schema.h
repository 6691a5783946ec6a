#pragma once

#include <sluice/buffer.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <memory>

namespace sluice::inline v0::engine {

/// The schema, whose memory counts in the pool as long as the pointer that is returned, or a copy
/// of it, lives. Tables have thousands of columns. Errors: kResourceExhausted by the pool.
Result<std::shared_ptr<const Schema>> CountSchema(std::shared_ptr<const Schema> schema,
                                                  BufferPool& pool);

}  // namespace sluice::inline v0::engine
