#pragma once

// Looking codes up in a table of bits, as AVX-512 does it.

#include <cstdint>

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

/// word(codes): the 32 bits of the table in which the bit of each code lies.
template <class Word>
void LookUpWords(const int32_t* codes, int64_t count, uint64_t* out, const Word& word) {
  const __m512i one = _mm512_set1_epi32(1);
  TestVectors<Avx512Lanes, uint32_t>(codes, count, out, [&](const uint8_t* at) -> uint64_t {
    const __m512i lanes = _mm512_loadu_si512(at);
    // A rotation takes its count by the low 5 bits.
    const __m512i bit = _mm512_rolv_epi32(one, lanes);
    return _mm512_test_epi32_mask(word(_mm512_srli_epi32(lanes, 5)), bit);
  });
}

/// Up to 1024 bits are held in registers.
void LookUp(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
            uint64_t* out) {
  if (entries > 1024) return kPlainTable.look_up(codes, count, table, entries, out);
  alignas(64) uint64_t copy[16] = {};
  __builtin_memcpy(copy, table, static_cast<size_t>((entries + 63) / 64) * 8);
  const __m512i low = _mm512_load_si512(copy);
  const __m512i high = _mm512_load_si512(copy + 8);
  if (entries <= 512) {
    return LookUpWords(codes, count, out,
                       [&](__m512i words) { return _mm512_permutexvar_epi32(words, low); });
  }
  LookUpWords(codes, count, out,
              [&](__m512i words) { return _mm512_permutex2var_epi32(low, words, high); });
}

}  // namespace
}  // namespace sluice::inline v0::kernels
