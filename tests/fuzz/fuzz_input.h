#pragma once

// What the fuzz targets share: choices taken from the front of an input, and checks that end the
// process.

#include <sluice/buffer.h>
#include <sluice/status.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "tests/support/padded_buffer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace sluice::support {

/// Bytes of an input, taken front to back; zeros behind its end.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : rest_(data, size) {}

  uint8_t Byte() {
    if (rest_.empty()) return 0;
    const uint8_t byte = rest_[0];
    rest_ = rest_.subspan(1);
    return byte;
  }
  int64_t Short() {
    const int64_t low = Byte();
    return low | int64_t{Byte()} << 8;
  }
  std::span<const uint8_t> rest() const { return rest_; }
  /// The rest in a buffer of its own, so that a sanitizer sees reads past it.
  BufferRef RestBuffer() const {
    return PaddedBuffer({reinterpret_cast<const char*>(rest_.data()), rest_.size()});
  }

 private:
  std::span<const uint8_t> rest_;
};

inline void FuzzCheck(bool is_right, std::string_view what) {
  if (is_right) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Hostile bytes may be corrupt, unsupported or too much; never the caller's or the library's
/// fault.
inline void FuzzCheckStatus(const Status& status) {
  FuzzCheck(status.code() != StatusCode::kInternal && status.code() != StatusCode::kInvalidArgument,
            status.ToString());
}

}  // namespace sluice::support
