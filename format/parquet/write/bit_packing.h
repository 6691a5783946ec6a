#pragma once

#include <cstdint>
#include <vector>

namespace sluice::inline v0::parquet {

/// Appends unsigned integers to bytes, least significant bit first.
/// Source: parquet-format Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
class BitPacker {
 public:
  explicit BitPacker(std::vector<uint8_t>* out) : out_(out) {}

  /// The low `width` bits (0..64) of `value`; the others are zero.
  void Put(uint64_t value, int width) {
    uint64_t low = pending_ | value << filled_;
    uint64_t high = filled_ == 0 ? 0 : value >> (64 - filled_);
    for (filled_ += width; filled_ >= 8; filled_ -= 8) {
      out_->push_back(static_cast<uint8_t>(low));
      low = low >> 8 | high << 56;
      high >>= 8;
    }
    pending_ = low;
  }
  /// Ends the last byte with zeros.
  void Flush() {
    if (filled_ > 0) Put(0, 8 - filled_);
  }

 private:
  std::vector<uint8_t>* out_;
  uint64_t pending_ = 0;
  int filled_ = 0;  ///< Bits of pending_, 0..7 between calls.
};

inline void PutVarint(uint64_t value, std::vector<uint8_t>* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

/// The low `bytes` bytes of `value`, little-endian.
inline void PutLittleEndian(uint64_t value, int bytes, std::vector<uint8_t>* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace sluice::inline v0::parquet
