#pragma once

#include "format/model/kernels/lanes.h"
#include "format/model/kernels/rank_tables.h"

namespace sluice::inline v0::kernels {
namespace {

constexpr auto kPackBytes = MakePackTable<256, 8>(1);
constexpr auto kSpreadBytes = MakeSpreadTable<256, 8>(1);
// Entries are the numbers of 4-byte lanes, two for each value of 8 bytes.
constexpr auto kPackQwords = MakePackTable<16, 8>(2);
constexpr auto kSpreadQwords = MakeSpreadTable<16, 8>(2);

/// No pext, no pdep and no gather instruction: Zen 1 and 2 run the former from microcode, and the
/// microcode against leaking gathers makes the latter slower than loads one by one.
struct Avx2Lanes : LanesOf<xsimd::avx2> {
  // Unpacking; see unpack_body.h. Shuffles stay within halves of 16 bytes, so each half is loaded
  // from the byte where its own first value begins.
  static constexpr int32_t kWindows = 2;
  template <class T>
  static constexpr bool kHasFunnel = sizeof(T) >= 4;

  static Lanes<uint8_t> LoadWindows(const uint8_t* at, const int32_t* starts) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(Half(at + starts[0]))),
                                   _mm_loadu_si128(Half(at + starts[1])), 1);
  }
  static Lanes<uint16_t> SetWindows(const uint16_t* values) {
    return _mm256_set_m128i(_mm_set1_epi16(static_cast<int16_t>(values[1])),
                            _mm_set1_epi16(static_cast<int16_t>(values[0])));
  }
  static Lanes<uint8_t> PickBytes(const Lanes<uint8_t>& bytes, const Lanes<uint8_t>& places) {
    return _mm256_shuffle_epi8(bytes, places);
  }
  template <class T>
  static Lanes<T> PrepareShift(const Lanes<T>& shifts) {
    return shifts;
  }
  /// There is no shift by 16-bit lane: multiplying by 2^(7 - shift) brings the field to bit 7.
  static Lanes<uint16_t> PrepareShift(const Lanes<uint16_t>& shifts) {
    const __m256i powers = _mm256_set1_epi64x(0x0102040810204080);
    return _mm256_shuffle_epi8(powers, shifts | Set<uint16_t>(0xFF00));
  }
  static Lanes<uint16_t> ShiftRight(const Lanes<uint16_t>& lanes, const Lanes<uint16_t>& powers) {
    return _mm256_srli_epi16(_mm256_mullo_epi16(lanes, powers), 7);
  }
  static Lanes<uint32_t> ShiftRight(const Lanes<uint32_t>& lanes, const Lanes<uint32_t>& shifts) {
    return _mm256_srlv_epi32(lanes, shifts);
  }
  static Lanes<uint64_t> ShiftRight(const Lanes<uint64_t>& lanes, const Lanes<uint64_t>& shifts) {
    return _mm256_srlv_epi64(lanes, shifts);
  }
  /// The low half of (high:low) >> shift. A shift by all the bits of a lane gives zero.
  static Lanes<uint32_t> Funnel(const Lanes<uint32_t>& low, const Lanes<uint32_t>& high,
                                const Lanes<uint32_t>& shifts) {
    const __m256i left = _mm256_sub_epi32(_mm256_set1_epi32(32), shifts);
    return _mm256_or_si256(_mm256_srlv_epi32(low, shifts), _mm256_sllv_epi32(high, left));
  }
  static Lanes<uint64_t> Funnel(const Lanes<uint64_t>& low, const Lanes<uint64_t>& high,
                                const Lanes<uint64_t>& shifts) {
    const __m256i left = _mm256_sub_epi64(_mm256_set1_epi64x(64), shifts);
    return _mm256_or_si256(_mm256_srlv_epi64(low, shifts), _mm256_sllv_epi64(high, left));
  }

  // Bitmaps.
  static constexpr int32_t kPairBits = 32;
  static uint64_t EqualBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    return PairBits(_mm256_cmpeq_epi16(Load<uint16_t>(at), value),
                    _mm256_cmpeq_epi16(Load<uint16_t>(at + 16), value));
  }
  static uint64_t AtLeastBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    const __m256i low = Load<uint16_t>(at);
    const __m256i high = Load<uint16_t>(at + 16);
    return PairBits(_mm256_cmpeq_epi16(_mm256_max_epu16(low, value), low),
                    _mm256_cmpeq_epi16(_mm256_max_epu16(high, value), high));
  }
  /// Stores base + the places of the set bits of an 8-bit mask; writes 8 numbers whatever its
  /// count.
  static void StorePositions(uint32_t bits, int32_t base, int32_t* to) {
    const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(Half(kPackBytes.at[bits])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_add_epi32(places, _mm256_set1_epi32(base)));
  }

  // Filters; masks are lanes of all ones or all zeros.
  template <class T>
  static Lanes<T> IsGreater(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 1) return _mm256_cmpgt_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm256_cmpgt_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm256_cmpgt_epi32(a, b);
    if constexpr (sizeof(T) == 8) return _mm256_cmpgt_epi64(a, b);
  }
  template <class T>
  static Lanes<T> IsEqual(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 4) return _mm256_cmpeq_epi32(a, b);
    if constexpr (sizeof(T) == 8) return _mm256_cmpeq_epi64(a, b);
  }
  template <class T>
  static Lanes<T> SignMask(const Lanes<T>& lanes) {
    return IsGreater(Set<T>(0), lanes);
  }
  template <class T>
  static uint64_t SetBits(const Lanes<T>& mask) {
    if constexpr (sizeof(T) == 1) return static_cast<uint32_t>(_mm256_movemask_epi8(mask));
    if constexpr (sizeof(T) == 2) return PairBits(mask, _mm256_setzero_si256());
    if constexpr (sizeof(T) == 4) {
      return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(mask)));
    }
    if constexpr (sizeof(T) == 8) {
      return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(mask)));
    }
  }
  template <class T>
  static uint64_t ClearBits(const Lanes<T>& mask) {
    return SetBits<T>(mask) ^ ((uint64_t{1} << kCount<T>)-1);
  }
  static Lanes<uint32_t> Min(const Lanes<uint32_t>& a, const Lanes<uint32_t>& b) {
    return _mm256_min_epu32(a, b);
  }
  static Lanes<uint64_t> Min(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_blendv_epi8(
        a, b, _mm256_cmpgt_epi64(_mm256_xor_si256(a, sign), _mm256_xor_si256(b, sign)));
  }
  static Lanes<uint64_t> MultiplyLowHalves(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    return _mm256_mul_epu32(a, b);
  }
  /// The low halves of the lanes.
  static Lanes<uint32_t> NarrowHalves(const Lanes<uint64_t>& low, const Lanes<uint64_t>& high) {
    const __m256i mixed = _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88));
    return _mm256_permute4x64_epi64(mixed, 0xD8);
  }
  static Lanes<uint8_t> Narrow(const Lanes<uint16_t>& low, const Lanes<uint16_t>& high) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xD8);
  }
  /// 256 bits, looked up by bytes.
  class BitTable {
   public:
    explicit BitTable(const uint64_t* words)
        : low_(Twice(words)),
          high_(Twice(words + 2)),
          powers_(_mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201))) {}
    /// kWide: codes may be 128 or more.
    template <bool kWide>
    uint64_t Test(const Lanes<uint8_t>& codes) const {
      const __m256i places = _mm256_and_si256(_mm256_srli_epi16(codes, 3), _mm256_set1_epi8(0x1F));
      __m256i bytes = _mm256_shuffle_epi8(low_, places);
      if constexpr (kWide) {
        bytes = _mm256_blendv_epi8(bytes, _mm256_shuffle_epi8(high_, places), codes);
      }
      const __m256i bit =
          _mm256_shuffle_epi8(powers_, _mm256_and_si256(codes, _mm256_set1_epi8(7)));
      return SetBits<uint8_t>(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit));
    }

   private:
    static __m256i Twice(const uint64_t* words) {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
    }
    __m256i low_, high_, powers_;
  };

  // Prefix sums.
  static Lanes<uint32_t> Scan(Lanes<uint32_t> lanes) {
    lanes += Lanes<uint32_t>(_mm256_slli_si256(lanes, 4));
    lanes += Lanes<uint32_t>(_mm256_slli_si256(lanes, 8));
    const __m256i low_half_above = _mm256_permute2x128_si256(lanes, lanes, 0x08);
    return lanes + Lanes<uint32_t>(_mm256_shuffle_epi32(low_half_above, 0xFF));
  }
  static Lanes<uint64_t> Scan(Lanes<uint64_t> lanes) {
    lanes += Lanes<uint64_t>(_mm256_slli_si256(lanes, 8));
    const __m256i low_half_above = _mm256_permute2x128_si256(lanes, lanes, 0x08);
    return lanes + Lanes<uint64_t>(_mm256_unpackhi_epi64(low_half_above, low_half_above));
  }
  static Lanes<uint32_t> Last(const Lanes<uint32_t>& lanes) {
    return _mm256_permutevar8x32_epi32(lanes, _mm256_set1_epi32(7));
  }
  static Lanes<uint64_t> Last(const Lanes<uint64_t>& lanes) {
    return _mm256_permute4x64_epi64(lanes, 0xFF);
  }

  // Byte streams.
  template <class T>
  static Lanes<uint8_t> InterleaveLow(const Lanes<uint8_t>& a, const Lanes<uint8_t>& b) {
    if constexpr (sizeof(T) == 1) return _mm256_unpacklo_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm256_unpacklo_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm256_unpacklo_epi32(a, b);
  }
  template <class T>
  static Lanes<uint8_t> InterleaveHigh(const Lanes<uint8_t>& a, const Lanes<uint8_t>& b) {
    if constexpr (sizeof(T) == 1) return _mm256_unpackhi_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm256_unpackhi_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm256_unpackhi_epi32(a, b);
  }
  /// Stores the 16 bytes at `quarter` of two vectors, one after the other.
  static void StoreQuarter(uint8_t* at, int quarter, const Lanes<uint8_t>& a,
                           const Lanes<uint8_t>& b) {
    Store<uint8_t>(at, Lanes<uint8_t>(quarter == 0 ? _mm256_permute2x128_si256(a, b, 0x20)
                                                   : _mm256_permute2x128_si256(a, b, 0x31)));
  }

  // Packing and spreading values of kWidth bytes; see compress_body.h.
  template <int kWidth>
  static constexpr int32_t kPackCount = kWidth == 16  ? 2
                                        : kWidth == 8 ? 4
                                                      : 8;

  template <int kWidth>
  static void Pack(const uint8_t* from, uint64_t bits, uint8_t* to) {
    if constexpr (kWidth == 1) {
      const __m128i places = _mm_loadl_epi64(Half(kPackBytes.at[bits]));
      _mm_storel_epi64(Half(to), _mm_shuffle_epi8(_mm_loadl_epi64(Half(from)), places));
    } else if constexpr (kWidth == 2) {
      const __m128i lanes = _mm_cvtepu8_epi16(_mm_loadl_epi64(Half(kPackBytes.at[bits])));
      _mm_storeu_si128(Half(to), _mm_shuffle_epi8(_mm_loadu_si128(Half(from)), Pairs(lanes)));
    } else {
      const __m128i entry =
          _mm_loadl_epi64(Half(kWidth == 4 ? kPackBytes.at[bits] : kPackQwords.at[bits]));
      const __m256i lanes = _mm256_cvtepu8_epi32(entry);
      Store<uint32_t>(to,
                      Lanes<uint32_t>(_mm256_permutevar8x32_epi32(Load<uint32_t>(from), lanes)));
    }
  }
  template <int kWidth>
  static void Spread(const uint8_t* from, uint64_t bits, uint8_t* to) {
    if constexpr (kWidth == 1) {
      const __m128i places = _mm_loadl_epi64(Half(kSpreadBytes.at[bits]));
      _mm_storel_epi64(Half(to), _mm_shuffle_epi8(_mm_loadl_epi64(Half(from)), places));
    } else if constexpr (kWidth == 2) {
      const __m128i lanes = _mm_cvtepi8_epi16(_mm_loadl_epi64(Half(kSpreadBytes.at[bits])));
      _mm_storeu_si128(Half(to), _mm_shuffle_epi8(_mm_loadu_si128(Half(from)), Pairs(lanes)));
    } else {
      const __m128i entry =
          _mm_loadl_epi64(Half(kWidth == 4 ? kSpreadBytes.at[bits] : kSpreadQwords.at[bits]));
      const __m256i lanes = _mm256_cvtepi8_epi32(entry);
      const __m256i spread = _mm256_permutevar8x32_epi32(Load<uint32_t>(from), lanes);
      Store<uint32_t>(to,
                      Lanes<uint32_t>(_mm256_andnot_si256(_mm256_srai_epi32(lanes, 31), spread)));
    }
  }

 private:
  static const __m128i* Half(const uint8_t* at) { return reinterpret_cast<const __m128i*>(at); }
  static __m128i* Half(uint8_t* at) { return reinterpret_cast<__m128i*>(at); }
  static uint64_t PairBits(__m256i low, __m256i high) {
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
    return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
  }
  /// Places of bytes from places of 16-bit lanes; -1 gives places that read as zero.
  static __m128i Pairs(__m128i lanes) {
    return _mm_add_epi16(_mm_mullo_epi16(lanes, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
  }
};

}  // namespace
}  // namespace sluice::inline v0::kernels
