#include "format/parquet/write/rle_hybrid_encoder.h"

#include <algorithm>
#include <bit>

#include "format/parquet/write/bit_packing.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr size_t kGroup = 8;

template <typename T>
void PutPacked(std::span<const T> values, int32_t bit_width, std::vector<uint8_t>* out) {
  if (values.empty()) return;
  const size_t groups = (values.size() + kGroup - 1) / kGroup;
  PutVarint(uint64_t{groups} << 1 | 1, out);
  BitPacker packer(out);
  for (const T value : values) packer.Put(value, bit_width);
  for (size_t i = values.size(); i < groups * kGroup; ++i) packer.Put(0, bit_width);
}

template <typename T>
void Encode(std::span<const T> values, int32_t bit_width, std::vector<uint8_t>* out) {
  size_t packed = 0;  // Values [packed, at) wait to be bit-packed.
  size_t at = 0;
  while (at < values.size()) {
    size_t run_end = at + 1;
    while (run_end < values.size() && values[run_end] == values[at]) ++run_end;
    // A bit-packed run in the middle of the stream has whole groups: the run fills the last one.
    const size_t filled = (at - packed) % kGroup;
    const size_t fill = std::min(filled == 0 ? 0 : kGroup - filled, run_end - at);
    if (run_end - at - fill < kGroup) {
      at = run_end;
      continue;
    }
    PutPacked(values.subspan(packed, at + fill - packed), bit_width, out);
    PutVarint(uint64_t{run_end - at - fill} << 1, out);
    PutLittleEndian(values[at], (bit_width + 7) / 8, out);
    at = run_end;
    packed = at;
  }
  PutPacked(values.subspan(packed), bit_width, out);
}

}  // namespace

void EncodeRleHybrid(std::span<const uint32_t> values, int32_t bit_width,
                     std::vector<uint8_t>* out) {
  Encode(values, bit_width, out);
}
void EncodeRleHybrid(std::span<const uint16_t> values, int32_t bit_width,
                     std::vector<uint8_t>* out) {
  Encode(values, bit_width, out);
}
void EncodeRleHybrid(std::span<const uint8_t> values, int32_t bit_width,
                     std::vector<uint8_t>* out) {
  Encode(values, bit_width, out);
}

int32_t BitsFor(uint64_t largest) { return 64 - std::countl_zero(largest); }

}  // namespace sluice::inline v0::parquet
