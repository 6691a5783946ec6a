#pragma once

#include "format/model/kernels/lanes.h"

namespace sluice::inline v0::kernels {
namespace {

struct BytePlaces {
  alignas(64) uint8_t at[64];
};

// Sixteen bytes each of four streams lie one after the other. Byte k of dword d in quarter q of the
// result is that of value 2q + d (d < 2) or 8 + 2q + d - 2, so that interleaving the dwords of two
// such vectors gives the values of 8 bytes in order.
constexpr BytePlaces MakeJoin8Places() {
  BytePlaces places{};
  for (int i = 0; i < 64; ++i) {
    const int quarter = i / 16, dword = i / 4 % 4, k = i % 4;
    const int value = 2 * quarter + (dword < 2 ? dword : 8 + dword - 2);
    places.at[i] = static_cast<uint8_t>(k * 16 + value);
  }
  return places;
}

// 64 / kWidth bytes each of kWidth streams lie one after the other: byte k of value v at v.
template <int kWidth>
constexpr BytePlaces MakeJoinPlaces() {
  BytePlaces places{};
  for (int i = 0; i < 64; ++i) {
    places.at[i] = static_cast<uint8_t>(i % kWidth * (64 / kWidth) + i / kWidth);
  }
  return places;
}

constexpr BytePlaces kJoin2Places = MakeJoinPlaces<2>();
constexpr BytePlaces kJoin4Places = MakeJoinPlaces<4>();
constexpr BytePlaces kJoin8Places = MakeJoin8Places();

struct Avx512Lanes : LanesOf<xsimd::avx512bw> {
  // Unpacking; see unpack_body.h. Bytes are picked from all 64.
  static constexpr int32_t kWindows = 1;
  template <class T>
  static constexpr bool kHasFunnel = true;

  static Lanes<uint8_t> LoadWindows(const uint8_t* at, const int32_t*) { return Load<uint8_t>(at); }
  static Lanes<uint16_t> SetWindows(const uint16_t* values) { return Set<uint16_t>(values[0]); }
  static Lanes<uint8_t> PickBytes(const Lanes<uint8_t>& bytes, const Lanes<uint8_t>& places) {
    return _mm512_permutexvar_epi8(places, bytes);
  }
  template <class T>
  static Lanes<T> PrepareShift(const Lanes<T>& shifts) {
    return shifts;
  }
  static Lanes<uint16_t> ShiftRight(const Lanes<uint16_t>& lanes, const Lanes<uint16_t>& shifts) {
    return _mm512_srlv_epi16(lanes, shifts);
  }
  static Lanes<uint32_t> ShiftRight(const Lanes<uint32_t>& lanes, const Lanes<uint32_t>& shifts) {
    return _mm512_srlv_epi32(lanes, shifts);
  }
  static Lanes<uint64_t> ShiftRight(const Lanes<uint64_t>& lanes, const Lanes<uint64_t>& shifts) {
    return _mm512_srlv_epi64(lanes, shifts);
  }
  /// The low half of (high:low) >> shift.
  static Lanes<uint16_t> Funnel(const Lanes<uint16_t>& low, const Lanes<uint16_t>& high,
                                const Lanes<uint16_t>& shifts) {
    return _mm512_shrdv_epi16(low, high, shifts);
  }
  static Lanes<uint32_t> Funnel(const Lanes<uint32_t>& low, const Lanes<uint32_t>& high,
                                const Lanes<uint32_t>& shifts) {
    return _mm512_shrdv_epi32(low, high, shifts);
  }
  static Lanes<uint64_t> Funnel(const Lanes<uint64_t>& low, const Lanes<uint64_t>& high,
                                const Lanes<uint64_t>& shifts) {
    return _mm512_shrdv_epi64(low, high, shifts);
  }

  // Bitmaps.
  static constexpr int32_t kPairBits = 64;
  static uint64_t EqualBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    return PairBits(_mm512_cmpeq_epu16_mask(Load<uint16_t>(at), value),
                    _mm512_cmpeq_epu16_mask(Load<uint16_t>(at + 32), value));
  }
  static uint64_t AtLeastBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    return PairBits(_mm512_cmpge_epu16_mask(Load<uint16_t>(at), value),
                    _mm512_cmpge_epu16_mask(Load<uint16_t>(at + 32), value));
  }
  /// Stores base + the places of the set bits of a 16-bit mask; writes 16 numbers.
  static void StorePositions(uint32_t bits, int32_t base, int32_t* to) {
    const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm512_storeu_si512(
        to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits),
                                        _mm512_add_epi32(places, _mm512_set1_epi32(base))));
  }

  // Filters; masks are bits.
  template <class T>
  static uint64_t IsGreater(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 1) return _mm512_cmpgt_epi8_mask(a, b);
    if constexpr (sizeof(T) == 2) return _mm512_cmpgt_epi16_mask(a, b);
    if constexpr (sizeof(T) == 4) return _mm512_cmpgt_epi32_mask(a, b);
    if constexpr (sizeof(T) == 8) return _mm512_cmpgt_epi64_mask(a, b);
  }
  template <class T>
  static uint64_t IsEqual(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 4) return _mm512_cmpeq_epi32_mask(a, b);
    if constexpr (sizeof(T) == 8) return _mm512_cmpeq_epi64_mask(a, b);
  }
  template <class T>
  static Lanes<T> SignMask(const Lanes<T>& lanes) {
    if constexpr (sizeof(T) == 2) return _mm512_srai_epi16(lanes, 15);
    if constexpr (sizeof(T) == 4) return _mm512_srai_epi32(lanes, 31);
    if constexpr (sizeof(T) == 8) return _mm512_srai_epi64(lanes, 63);
  }
  static Lanes<uint32_t> Min(const Lanes<uint32_t>& a, const Lanes<uint32_t>& b) {
    return _mm512_min_epu32(a, b);
  }
  static Lanes<uint64_t> Min(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    return _mm512_min_epu64(a, b);
  }
  static Lanes<uint64_t> MultiplyLowHalves(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    return _mm512_mul_epu32(a, b);
  }
  /// The low halves of the lanes.
  static Lanes<uint32_t> NarrowHalves(const Lanes<uint64_t>& low, const Lanes<uint64_t>& high) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)),
                              _mm512_cvtepi64_epi32(high), 1);
  }
  template <class T>
  static uint64_t SetBits(uint64_t mask) {
    return mask;
  }
  template <class T>
  static uint64_t ClearBits(uint64_t mask) {
    return mask ^ (~uint64_t{0} >> (64 - kCount<T>));
  }

  // Prefix sums.
  static Lanes<uint32_t> Scan(Lanes<uint32_t> lanes) {
    const __m512i zero = _mm512_setzero_si512();
    lanes += Lanes<uint32_t>(_mm512_alignr_epi32(lanes, zero, 15));
    lanes += Lanes<uint32_t>(_mm512_alignr_epi32(lanes, zero, 14));
    lanes += Lanes<uint32_t>(_mm512_alignr_epi32(lanes, zero, 12));
    return lanes + Lanes<uint32_t>(_mm512_alignr_epi32(lanes, zero, 8));
  }
  static Lanes<uint64_t> Scan(Lanes<uint64_t> lanes) {
    const __m512i zero = _mm512_setzero_si512();
    lanes += Lanes<uint64_t>(_mm512_alignr_epi64(lanes, zero, 7));
    lanes += Lanes<uint64_t>(_mm512_alignr_epi64(lanes, zero, 6));
    return lanes + Lanes<uint64_t>(_mm512_alignr_epi64(lanes, zero, 4));
  }
  static Lanes<uint32_t> Last(const Lanes<uint32_t>& lanes) {
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), lanes);
  }
  static Lanes<uint64_t> Last(const Lanes<uint64_t>& lanes) {
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), lanes);
  }

  // Byte streams: kJoinCount<kWidth> values at a time.
  template <int kWidth>
  static constexpr int32_t kJoinCount = kWidth == 2 ? 32 : 16;

  template <int kWidth>
  static void Join(const uint8_t* in, int64_t stride, uint8_t* out) {
    if constexpr (kWidth == 2) {
      const __m512i streams = _mm512_inserti64x4(
          _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in))),
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + stride)), 1);
      _mm512_storeu_si512(out, _mm512_permutexvar_epi8(Load<uint8_t>(kJoin2Places.at), streams));
    } else if constexpr (kWidth == 4) {
      _mm512_storeu_si512(
          out, _mm512_permutexvar_epi8(Load<uint8_t>(kJoin4Places.at), FourStreams(in, stride)));
    } else {
      const __m512i places = Load<uint8_t>(kJoin8Places.at);
      const __m512i low = _mm512_permutexvar_epi8(places, FourStreams(in, stride));
      const __m512i high = _mm512_permutexvar_epi8(places, FourStreams(in + 4 * stride, stride));
      _mm512_storeu_si512(out, _mm512_unpacklo_epi32(low, high));
      _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi32(low, high));
    }
  }

  // Packing and spreading values of kWidth bytes; see compress_body.h. Whole vectors are stored:
  // stores under a mask by compress are microcoded on some processors.
  template <int kWidth>
  static constexpr int32_t kPackCount = 64 / kWidth;

  template <int kWidth>
  static void Pack(const uint8_t* from, uint64_t bits, uint8_t* to) {
    const __m512i lanes = Load<uint8_t>(from);
    __m512i packed;
    if constexpr (kWidth == 1) packed = _mm512_maskz_compress_epi8(bits, lanes);
    if constexpr (kWidth == 2) {
      packed = _mm512_maskz_compress_epi16(static_cast<__mmask32>(bits), lanes);
    }
    if constexpr (kWidth == 4) {
      packed = _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), lanes);
    }
    if constexpr (kWidth == 8) {
      packed = _mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), lanes);
    }
    if constexpr (kWidth == 16) packed = _mm512_maskz_compress_epi64(Doubled(bits), lanes);
    _mm512_storeu_si512(to, packed);
  }
  template <int kWidth>
  static void Spread(const uint8_t* from, uint64_t bits, uint8_t* to) {
    const __m512i lanes = Load<uint8_t>(from);
    __m512i spread;
    if constexpr (kWidth == 1) spread = _mm512_maskz_expand_epi8(bits, lanes);
    if constexpr (kWidth == 2) {
      spread = _mm512_maskz_expand_epi16(static_cast<__mmask32>(bits), lanes);
    }
    if constexpr (kWidth == 4) {
      spread = _mm512_maskz_expand_epi32(static_cast<__mmask16>(bits), lanes);
    }
    if constexpr (kWidth == 8) {
      spread = _mm512_maskz_expand_epi64(static_cast<__mmask8>(bits), lanes);
    }
    if constexpr (kWidth == 16) spread = _mm512_maskz_expand_epi64(Doubled(bits), lanes);
    _mm512_storeu_si512(to, spread);
  }

 private:
  static uint64_t PairBits(__mmask32 low, __mmask32 high) { return uint64_t{high} << 32 | low; }
  /// Each of four bits twice.
  static __mmask8 Doubled(uint64_t bits) {
    const uint64_t apart = (bits & 1) | (bits & 2) << 1 | (bits & 4) << 2 | (bits & 8) << 3;
    return static_cast<__mmask8>(apart * 3);
  }
  /// 16 bytes each of four streams, one after the other.
  static __m512i FourStreams(const uint8_t* in, int64_t stride) {
    const auto load = [in, stride](int k) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + k * stride));
    };
    __m512i streams = _mm512_castsi128_si512(load(0));
    streams = _mm512_inserti32x4(streams, load(1), 1);
    streams = _mm512_inserti32x4(streams, load(2), 2);
    return _mm512_inserti32x4(streams, load(3), 3);
  }
};

}  // namespace
}  // namespace sluice::inline v0::kernels
