#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "format/parquet/write/bit_packing.h"
#include "format/parquet/write/rle_hybrid_encoder.h"
#include "format/parquet/write/value_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr size_t kBlock = 128;
constexpr size_t kMiniblocks = 4;
constexpr size_t kMiniblock = kBlock / kMiniblocks;

void PutZigzag(int64_t value, std::vector<uint8_t>* out) {
  PutVarint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63), out);
}

/// One block of 1..128 deltas, which wrap around (fault E2).
template <typename Unsigned>
void PutBlock(std::span<Unsigned> deltas, std::vector<uint8_t>* out) {
  using Signed = std::make_signed_t<Unsigned>;
  Signed least = std::numeric_limits<Signed>::max();
  for (const Unsigned delta : deltas) least = std::min(least, static_cast<Signed>(delta));
  PutZigzag(least, out);

  std::array<int32_t, kMiniblocks> widths{};
  for (size_t i = 0; i < deltas.size(); ++i) {
    deltas[i] = static_cast<Unsigned>(deltas[i] - static_cast<Unsigned>(least));
    int32_t& width = widths[i / kMiniblock];
    width = std::max(width, BitsFor(deltas[i]));
  }
  for (const int32_t width : widths) out->push_back(static_cast<uint8_t>(width));

  BitPacker packer(out);
  // A miniblock that has values is stored whole; one that has none has no bytes.
  const size_t stored = (deltas.size() + kMiniblock - 1) / kMiniblock * kMiniblock;
  for (size_t i = 0; i < stored; ++i) {
    packer.Put(i < deltas.size() ? deltas[i] : 0, widths[i / kMiniblock]);
  }
}

template <typename Signed>
void Encode(std::span<const Signed> values, std::vector<uint8_t>* out) {
  using Unsigned = std::make_unsigned_t<Signed>;
  PutVarint(kBlock, out);
  PutVarint(kMiniblocks, out);
  PutVarint(values.size(), out);
  PutZigzag(values.empty() ? 0 : values[0], out);
  std::array<Unsigned, kBlock> deltas;
  for (size_t at = 1; at < values.size();) {
    const size_t count = std::min(kBlock, values.size() - at);
    for (size_t i = 0; i < count; ++i) {
      deltas[i] = static_cast<Unsigned>(static_cast<Unsigned>(values[at + i]) -
                                        static_cast<Unsigned>(values[at + i - 1]));
    }
    PutBlock(std::span(deltas).first(count), out);
    at += count;
  }
}

}  // namespace

void EncodeDelta(std::span<const int32_t> values, std::vector<uint8_t>* out) {
  Encode(values, out);
}
void EncodeDelta(std::span<const int64_t> values, std::vector<uint8_t>* out) {
  Encode(values, out);
}

}  // namespace sluice::inline v0::parquet
