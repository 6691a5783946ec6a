#pragma once

// Looking codes up in a table of bits, for the levels that unpack to lanes of 16 bits: the lanes of
// two vectors are narrowed to bytes, and a byte picks its byte of the table and its bit in that.

#include <cstdint>

#include "format/model/kernels/lanes.h"
#include "format/model/kernels/tables.h"
#include "format/model/kernels/unpack_body.h"

namespace sluice::inline v0::kernels {
namespace {

/// kWide: codes of 8 bits, else of fewer.
template <class Level, bool kWide>
uint32_t LookUpPackedOf(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                        const uint64_t* table, uint64_t* out) {
  using Bytes = typename Level::template Lanes<uint8_t>;
  constexpr int64_t kStep = Level::kBytes;
  const FieldUnpacker<Level, uint16_t> unpacker(bit_offset, bit_width);
  const typename Level::BitTable bits(table);
  const int64_t step_bytes = kStep / 8 * bit_width;
  Bytes largest = Level::template Set<uint8_t>(0);
  uint32_t largest_of_rest = 0;
  for (; count >= 64; count -= 64) {
    uint64_t word = 0;
#pragma GCC unroll 4
    for (int64_t i = 0; i < 64; i += kStep, in += step_bytes) {
      const Bytes codes = Level::Narrow(unpacker.Get(in), unpacker.Get(in + step_bytes / 2));
      largest = Level::Max(largest, codes);
      word |= bits.template Test<kWide>(codes) << i;
    }
    *out++ = word;
  }
  if (count > 0) {
    uint8_t rest[64 + kStep];
    uint64_t word = 0;
    for (int64_t i = 0; i < count; i += kStep, in += step_bytes) {
      // The second half may lie wholly behind the values, further than the padding reaches.
      const auto low = unpacker.Get(in);
      const auto high = i + kStep / 2 < count ? unpacker.Get(in + step_bytes / 2) : low;
      const Bytes codes = Level::Narrow(low, high);
      Level::template Store<uint8_t>(rest + i, codes);
      word |= bits.template Test<kWide>(codes) << i;
    }
    *out = word & ((uint64_t{1} << count) - 1);
    for (int64_t i = 0; i < count; ++i) {
      largest_of_rest = rest[i] > largest_of_rest ? rest[i] : largest_of_rest;
    }
  }
  uint8_t each[kStep];
  Level::template Store<uint8_t>(each, largest);
  for (const uint8_t code : each) {
    largest_of_rest = code > largest_of_rest ? code : largest_of_rest;
  }
  return largest_of_rest;
}

template <class Level>
uint32_t LookUpPacked(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                      const uint64_t* table, uint64_t* out) {
  if (bit_width == 8) {
    return LookUpPackedOf<Level, true>(in, bit_offset, count, bit_width, table, out);
  }
  return LookUpPackedOf<Level, false>(in, bit_offset, count, bit_width, table, out);
}

}  // namespace
}  // namespace sluice::inline v0::kernels
