#pragma once

// The plainest possible writers of bytes, for the pages of tests and benchmarks.

#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet::testing {

using Bytes = std::vector<uint8_t>;

inline void Append(Bytes& out, const Bytes& more) {
  out.insert(out.end(), more.begin(), more.end());
}

/// The low `width` bytes of `value`, little-endian.
inline void AppendInteger(Bytes& out, uint64_t value, int width) {
  for (int i = 0; i < width; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

inline void AppendVarint(Bytes& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

inline void AppendZigzag(Bytes& out, int64_t value) {
  AppendVarint(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

/// `values` of `bit_width` bits, bit by bit from the least significant; the last byte is filled up
/// with zeros.
inline void AppendPacked(Bytes& out, const std::vector<uint64_t>& values, int bit_width) {
  const size_t begin = out.size();
  int64_t bit = 0;
  for (const uint64_t value : values) {
    for (int i = 0; i < bit_width; ++i, ++bit) {
      if (bit % 8 == 0) out.push_back(0);
      if (value >> i & 1) out[begin + static_cast<size_t>(bit / 8)] |= uint8_t(1 << (bit % 8));
    }
  }
}

/// A body whose bytes are all there, with nothing but the padding behind them.
inline PageBody BodyOf(const Bytes& bytes) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  BufferRef buffer = pool->Allocate(static_cast<int64_t>(bytes.size())).value();
  if (!bytes.empty()) std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return PageBody(buffer, 0, static_cast<int64_t>(bytes.size()));
}

}  // namespace sluice::inline v0::parquet::testing
