#pragma once

// Looking codes up in a table of bits, as AVX-512 does it.

#include <cstdint>

#include "format/model/kernels/each_body.h"
#include "format/model/kernels/filters_body.h"
#include "format/model/kernels/lanes_avx512.h"
#include "format/model/kernels/tables.h"

namespace sluice::inline v0::kernels {
namespace {

/// Tests codes of `kTables` tables of 64 bits each, all of one register's bytes at once.
template <int kTables>
class BitTables {
 public:
  explicit BitTables(const uint64_t* words) {
    for (int k = 0; k < kTables; ++k) {
      tables_[k] = _mm512_set1_epi64(static_cast<int64_t>(words[k]));
    }
  }
  uint64_t Test(__m512i codes) const {
    // The instruction picks by the low 6 bits of each byte.
    const uint64_t first = _mm512_bitshuffle_epi64_mask(tables_[0], codes);
    if constexpr (kTables == 1) return first;
    const uint64_t bit_6 = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(0x40));
    const uint64_t low = Choose(bit_6, _mm512_bitshuffle_epi64_mask(tables_[1], codes), first);
    if constexpr (kTables == 2) return low;
    if constexpr (kTables == 4) {
      const uint64_t high = Choose(bit_6, _mm512_bitshuffle_epi64_mask(tables_[3], codes),
                                   _mm512_bitshuffle_epi64_mask(tables_[2], codes));
      return Choose(_mm512_movepi8_mask(codes), high, low);
    }
  }

 private:
  static uint64_t Choose(uint64_t condition, uint64_t a, uint64_t b) {
    return (a & condition) | (b & ~condition);
  }
  __m512i tables_[kTables];
};

/// 8 codes lie in the 8 bytes from the one in which the first begins, and 64 in 8 such pieces,
/// which are brought into the lanes of one register; each byte then takes the 8 bits from where its
/// code begins in its lane.
template <int kTables>
uint32_t LookUpPackedOf(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                        const uint64_t* table, uint64_t* out) {
  alignas(64) uint8_t places[64], starts[64];
  for (int i = 0; i < 64; ++i) {
    places[i] = static_cast<uint8_t>(i / 8 * bit_width + i % 8);
    starts[i] = static_cast<uint8_t>(bit_offset + i % 8 * bit_width);
  }
  const __m512i pick = _mm512_load_si512(places);
  const __m512i shift = _mm512_load_si512(starts);
  const __m512i mask = _mm512_set1_epi8(static_cast<char>((1 << bit_width) - 1));
  const BitTables<kTables> tables(table);
  __m512i largest = _mm512_setzero_si512();
  const auto codes_at = [&](const uint8_t* at) {
    const __m512i pieces = _mm512_permutexvar_epi8(pick, _mm512_loadu_si512(at));
    return _mm512_and_si512(_mm512_multishift_epi64_epi8(shift, pieces), mask);
  };
  for (; count >= 64; count -= 64, in += 8 * bit_width) {
    const __m512i codes = codes_at(in);
    largest = _mm512_max_epu8(largest, codes);
    *out++ = tables.Test(codes);
  }
  if (count > 0) {
    const uint64_t rest = (uint64_t{1} << count) - 1;
    const __m512i codes = codes_at(in);
    largest = _mm512_mask_max_epu8(largest, rest, largest, codes);
    *out = tables.Test(codes) & rest;
  }
  alignas(64) uint8_t each[64];
  _mm512_store_si512(each, largest);
  uint32_t code = 0;
  for (const uint8_t one : each) code = one > code ? one : code;
  return code;
}

uint32_t LookUpPacked(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                      const uint64_t* table, uint64_t* out) {
  if (bit_width <= 6) return LookUpPackedOf<1>(in, bit_offset, count, bit_width, table, out);
  if (bit_width == 7) return LookUpPackedOf<2>(in, bit_offset, count, bit_width, table, out);
  // 8 codes that do not begin at a byte take 9, which no run of them does.
  if (bit_offset != 0) {
    return kPlainTable.look_up_packed(in, bit_offset, count, bit_width, table, out);
  }
  return LookUpPackedOf<4>(in, bit_offset, count, bit_width, table, out);
}

/// `kPairs` pairs of registers of 16 words of 32 bits each.
template <int kPairs>
class WordTables {
 public:
  WordTables(const uint64_t* table, int64_t entries) {
    alignas(64) uint64_t copy[16 * kPairs] = {};
    __builtin_memcpy(copy, table, static_cast<size_t>((entries + 63) / 64) * 8);
    for (int k = 0; k < 2 * kPairs; ++k) tables_[k] = _mm512_load_si512(copy + 8 * k);
  }
  /// The word in which the bit of each code lies.
  __m512i Words(__m512i codes) const {
    const __m512i place = _mm512_srli_epi32(codes, 5);
    const __m512i first = Pair(0, place);
    if constexpr (kPairs == 1) return first;
    const __mmask16 bit_10 = _mm512_test_epi32_mask(codes, _mm512_set1_epi32(1 << 10));
    const __m512i low = _mm512_mask_mov_epi32(first, bit_10, Pair(1, place));
    if constexpr (kPairs == 2) return low;
    const __m512i high =
        _mm512_mask_mov_epi32(Pair(kPairs - 2, place), bit_10, Pair(kPairs - 1, place));
    const __mmask16 bit_11 = _mm512_test_epi32_mask(codes, _mm512_set1_epi32(1 << 11));
    return _mm512_mask_mov_epi32(low, bit_11, high);
  }

 private:
  /// By the low 5 bits of each place.
  __m512i Pair(int k, __m512i place) const {
    return _mm512_permutex2var_epi32(tables_[2 * k], place, tables_[2 * k + 1]);
  }

  __m512i tables_[2 * kPairs];
};

template <int kPairs>
void LookUpOf(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
              uint64_t* out) {
  const WordTables<kPairs> tables(table, entries);
  const __m512i one = _mm512_set1_epi32(1);
  TestVectors<Avx512Lanes, uint32_t>(codes, count, out, [&](const uint8_t* at) -> uint64_t {
    const __m512i lanes = _mm512_loadu_si512(at);
    // A rotation takes its count by the low 5 bits.
    return _mm512_test_epi32_mask(tables.Words(lanes), _mm512_rolv_epi32(one, lanes));
  });
}

void LookUp(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
            uint64_t* out) {
  if (entries <= 1024) return LookUpOf<1>(codes, count, table, entries, out);
  if (entries <= 2048) return LookUpOf<2>(codes, count, table, entries, out);
  if (entries <= 4096) return LookUpOf<4>(codes, count, table, entries, out);
  LookUpEach(codes, count, table, out);
}

}  // namespace
}  // namespace sluice::inline v0::kernels
