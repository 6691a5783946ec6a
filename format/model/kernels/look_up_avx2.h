#pragma once

// Looking codes up in a table of bits, as AVX2 does it for tables of some registers.

#include <cstdint>

#include "format/model/kernels/each_body.h"
#include "format/model/kernels/filters_body.h"
#include "format/model/kernels/lanes_avx2.h"

namespace sluice::inline v0::kernels {
namespace {

/// `kTables` registers of 8 words of 32 bits each.
template <int kTables>
class WordTables {
 public:
  WordTables(const uint64_t* table, int64_t entries) {
    alignas(32) uint64_t copy[4 * kTables] = {};
    __builtin_memcpy(copy, table, static_cast<size_t>((entries + 63) / 64) * 8);
    for (int k = 0; k < kTables; ++k) {
      tables_[k] = _mm256_load_si256(reinterpret_cast<const __m256i*>(copy + 4 * k));
    }
  }
  /// The word in which the bit of each code lies.
  __m256i Words(__m256i codes) const {
    const __m256i place = _mm256_srli_epi32(codes, 5);
    // Bit 8 of a code chooses between neighbours, bit 9 between pairs.
    const __m256i low = Pair(0, codes, place);
    if constexpr (kTables <= 2) return low;
    return Choose(_mm256_slli_epi32(codes, 22), Pair(kTables - 2, codes, place), low);
  }

 private:
  __m256i Pair(int k, __m256i codes, __m256i place) const {
    const __m256i word = _mm256_permutevar8x32_epi32(tables_[k], place);
    if constexpr (kTables == 1) return word;
    return Choose(_mm256_slli_epi32(codes, 23), _mm256_permutevar8x32_epi32(tables_[k + 1], place),
                  word);
  }
  /// By the highest bit of each lane of `condition`.
  static __m256i Choose(__m256i condition, __m256i a, __m256i b) {
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a),
                                                _mm256_castsi256_ps(condition)));
  }

  __m256i tables_[kTables];
};

template <int kTables>
void LookUpOf(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
              uint64_t* out) {
  const WordTables<kTables> tables(table, entries);
  const __m256i low_bits = _mm256_set1_epi32(31);
  TestVectors<Avx2Lanes, uint32_t>(codes, count, out, [&](const uint8_t* at) {
    const __m256i lanes = Avx2Lanes::Load<uint32_t>(at);
    // The bit goes to the top of its lane.
    const __m256i bits =
        _mm256_sllv_epi32(tables.Words(lanes), _mm256_andnot_si256(lanes, low_bits));
    return uint64_t{static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(bits)))};
  });
}

void LookUp(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
            uint64_t* out) {
  if (entries <= 256) return LookUpOf<1>(codes, count, table, entries, out);
  if (entries <= 512) return LookUpOf<2>(codes, count, table, entries, out);
  if (entries <= 1024) return LookUpOf<4>(codes, count, table, entries, out);
  LookUpEach(codes, count, table, out);
}

}  // namespace
}  // namespace sluice::inline v0::kernels
