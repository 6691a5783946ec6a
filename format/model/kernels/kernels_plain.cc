// The kernels in plain C++: what every other level must equal bit for bit, and what runs where
// there is no other. Values are fetched by unaligned 64-bit loads, which kReadPadding allows.

#include <sluice/bitmap.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/model/kernels/bits_body.h"
#include "format/model/kernels/plain_filters_body.h"
#include "format/model/kernels/tables.h"

namespace sluice::inline v0::kernels {
namespace {

static_assert(std::endian::native == std::endian::little,
              "bit-packed words are loaded as they lie");

struct Bytes16 {
  uint64_t words[2];
};

/// Where value i of an array of T begins; the array need not be aligned.
template <class T>
const uint8_t* PlaceOf(const void* base, int64_t i) {
  return static_cast<const uint8_t*>(base) + i * static_cast<int64_t>(sizeof(T));
}
template <class T>
uint8_t* PlaceOf(void* base, int64_t i) {
  return static_cast<uint8_t*>(base) + i * static_cast<int64_t>(sizeof(T));
}

template <class T>
T LoadAt(const void* base, int64_t i) {
  T value;
  std::memcpy(&value, PlaceOf<T>(base, i), sizeof(T));
  return value;
}

template <class T>
void StoreAt(void* base, int64_t i, const T& value) {
  std::memcpy(PlaceOf<T>(base, i), &value, sizeof(T));
}

/// Word `word` of a map of `count` bits, the bits past the end cleared.
uint64_t WordWithin(const uint64_t* words, int64_t word, int64_t count) {
  return words[word] & LowBits(count - word * 64);
}

// A value of up to 57 bits lies in the 8 bytes from the one it begins in; a wider one may reach a
// ninth byte.
template <class T>
void Unpack(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width, T* out) {
  const uint64_t mask = LowBits(bit_width);
  int64_t bit = bit_offset;
  if (bit_width <= 57) {
    for (int64_t i = 0; i < count; ++i, bit += bit_width) {
      out[i] = static_cast<T>(LoadAt<uint64_t>(in + (bit >> 3), 0) >> (bit & 7) & mask);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i, bit += bit_width) {
    const uint8_t* at = in + (bit >> 3);
    const uint64_t low = LoadAt<uint64_t>(at, 0) >> (bit & 7);
    // Two shifts, as one by 64 has no meaning.
    const uint64_t high = uint64_t{at[8]} << 1 << (63 - (bit & 7));
    out[i] = static_cast<T>((low | high) & mask);
  }
}

template <class T>
void Gather(const T* dictionary, const int32_t* codes, int64_t count, T* out) {
#pragma GCC unroll 4
  for (int64_t i = 0; i < count; ++i) out[i] = dictionary[codes[i]];
}

void Gather16(const void* dictionary, const int32_t* codes, int64_t count, void* out) {
#pragma GCC unroll 4
  for (int64_t i = 0; i < count; ++i) StoreAt(out, i, LoadAt<Bytes16>(dictionary, codes[i]));
}

uint32_t MaxCode(const int32_t* codes, int64_t count) {
  uint32_t max = 0;
  for (int64_t i = 0; i < count; ++i) max = std::max(max, static_cast<uint32_t>(codes[i]));
  return max;
}

template <class T>
void JoinStreams(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    for (size_t k = 0; k < sizeof(T); ++k) {
      value |= uint64_t{in[static_cast<int64_t>(k) * stride + i]} << (8 * k);
    }
    StoreAt(out, i, static_cast<T>(value));
  }
}

template <class T>
T PrefixSum(T* x, int64_t count, T min_delta, T start) {
  for (int64_t i = 0; i < count; ++i) x[i] = start += x[i] + min_delta;
  return start;
}

template <class Test>
int64_t LevelsToBits(const uint16_t* levels, int64_t count, uint64_t* out, Test test) {
  int64_t set = 0;
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t end = std::min(count, begin + 64);
    uint64_t word = 0;
    for (int64_t i = begin; i < end; ++i) word |= uint64_t{test(levels[i])} << (i - begin);
    *out++ = word;
    set += std::popcount(word);
  }
  return set;
}

int64_t LevelsEqual(const uint16_t* levels, int64_t count, uint16_t value, uint64_t* out) {
  return LevelsToBits(levels, count, out, [value](uint16_t level) { return level == value; });
}

int64_t LevelsAtLeast(const uint16_t* levels, int64_t count, uint16_t value, uint64_t* out) {
  return LevelsToBits(levels, count, out, [value](uint16_t level) { return level >= value; });
}

template <class T>
int64_t Compress(const void* in, const uint64_t* selection, int64_t count, void* out) {
  int64_t taken = 0;
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    uint64_t bits = WordWithin(selection, word, count);
    if (bits == ~uint64_t{0}) {
      std::memmove(PlaceOf<T>(out, taken), PlaceOf<T>(in, word * 64), 64 * sizeof(T));
      taken += 64;
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      StoreAt(out, taken++, LoadAt<T>(in, word * 64 + std::countr_zero(bits)));
    }
  }
  return taken;
}

template <class T>
void Expand(const void* in, const uint64_t* mask, int64_t count, void* out) {
  int64_t taken = 0;
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    uint64_t bits = WordWithin(mask, word, count);
    uint8_t* to = PlaceOf<T>(out, word * 64);
    if (bits == ~uint64_t{0}) {
      std::memcpy(to, PlaceOf<T>(in, taken), 64 * sizeof(T));
      taken += 64;
      continue;
    }
    std::memset(to, 0, static_cast<size_t>(std::min<int64_t>(64, count - word * 64)) * sizeof(T));
    for (; bits != 0; bits &= bits - 1) {
      StoreAt(to, std::countr_zero(bits), LoadAt<T>(in, taken++));
    }
  }
}

/// The bits of `word` at the places set in `mask`, packed to the low end.
uint64_t ExtractWord(uint64_t word, uint64_t mask) {
  uint64_t packed = 0;
  for (uint64_t place = 1; mask != 0; mask &= mask - 1, place <<= 1) {
    if (word & mask & -mask) packed |= place;
  }
  return packed;
}

/// The low bits of `word`, spread to the places set in `mask`.
uint64_t DepositWord(uint64_t word, uint64_t mask) {
  uint64_t spread = 0;
  for (; mask != 0; mask &= mask - 1, word >>= 1) {
    if (word & 1) spread |= mask & -mask;
  }
  return spread;
}

int64_t BitPositions(const uint64_t* bits, int64_t count, int32_t base, int32_t* out) {
  int32_t* end = out;
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    const int32_t first = base + static_cast<int32_t>(word * 64);
    for (uint64_t rest = WordWithin(bits, word, count); rest != 0; rest &= rest - 1) {
      *end++ = first + std::countr_zero(rest);
    }
  }
  return end - out;
}

}  // namespace

const KernelTable kPlainTable = {
    .level = SimdLevel::kPlain,
    .unpack_32 = Unpack<uint32_t>,
    .unpack_64 = Unpack<uint64_t>,
    .unpack_16 = Unpack<uint16_t>,
    .gather_4 = Gather<uint32_t>,
    .gather_8 = Gather<uint64_t>,
    .gather_16 = Gather16,
    .max_code = MaxCode,
    .join_streams_2 = JoinStreams<uint16_t>,
    .join_streams_4 = JoinStreams<uint32_t>,
    .join_streams_8 = JoinStreams<uint64_t>,
    .prefix_sum_32 = PrefixSum<uint32_t>,
    .prefix_sum_64 = PrefixSum<uint64_t>,
    .levels_equal = LevelsEqual,
    .levels_at_least = LevelsAtLeast,
    .compress_1 = Compress<uint8_t>,
    .compress_2 = Compress<uint16_t>,
    .compress_4 = Compress<uint32_t>,
    .compress_8 = Compress<uint64_t>,
    .compress_16 = Compress<Bytes16>,
    .expand_1 = Expand<uint8_t>,
    .expand_2 = Expand<uint16_t>,
    .expand_4 = Expand<uint32_t>,
    .expand_8 = Expand<uint64_t>,
    .expand_16 = Expand<Bytes16>,
    .extract_bits = ExtractBits<ExtractWord>,
    .deposit_bits = DepositBits<DepositWord>,
    .in_ranges_1 = InRanges<uint8_t>,
    .in_ranges_2 = InRanges<uint16_t>,
    .in_ranges_4 = InRanges<uint32_t>,
    .in_ranges_8 = InRanges<uint64_t>,
    .equal_any_4 = EqualAny<uint32_t>,
    .equal_any_8 = EqualAny<uint64_t>,
    .hash_codes_4 = HashCodes<uint32_t>,
    .hash_codes_8 = HashCodes<uint64_t>,
    .offset_codes_4 = OffsetCodes<uint32_t>,
    .offset_codes_8 = OffsetCodes<uint64_t>,
    .look_up = LookUp,
    .look_up_packed = LookUpPacked,
    .bit_positions = BitPositions,
};

}  // namespace sluice::inline v0::kernels
