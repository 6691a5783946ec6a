#pragma once

#include "format/model/kernels/lanes.h"
#include "format/model/kernels/rank_tables.h"

namespace sluice::inline v0::kernels {
namespace {

constexpr auto kPackBytes = MakePackTable<256, 8>(1);
constexpr auto kSpreadBytes = MakeSpreadTable<256, 8>(1);
constexpr auto kPackDwords = MakePackTable<16, 16>(4);
constexpr auto kSpreadDwords = MakeSpreadTable<16, 16>(4);

struct Sse42Lanes : LanesOf<xsimd::sse4_2> {
  // Unpacking; see unpack_body.h.
  static constexpr int32_t kWindows = 1;
  template <class T>
  static constexpr bool kHasFunnel = false;

  static Lanes<uint8_t> LoadWindows(const uint8_t* at, const int32_t* starts) {
    return Load<uint8_t>(at + starts[0]);
  }
  static Lanes<uint16_t> SetWindows(const uint16_t* values) { return Set<uint16_t>(values[0]); }
  static Lanes<uint8_t> PickBytes(const Lanes<uint8_t>& bytes, const Lanes<uint8_t>& places) {
    return _mm_shuffle_epi8(bytes, places);
  }
  /// There are no shifts by lane: multiplying by 2^(7 - shift) brings the field to bit 7.
  template <class T>
  static Lanes<T> PrepareShift(const Lanes<T>& shifts) {
    const __m128i powers = _mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    const Lanes<T> upper_bytes_absent = shifts | Set<T>(static_cast<T>(~T{0xFF}));
    return Lanes<T>(_mm_shuffle_epi8(powers, upper_bytes_absent));
  }
  static Lanes<uint16_t> ShiftRight(const Lanes<uint16_t>& lanes, const Lanes<uint16_t>& powers) {
    return _mm_srli_epi16(_mm_mullo_epi16(lanes, powers), 7);
  }
  static Lanes<uint32_t> ShiftRight(const Lanes<uint32_t>& lanes, const Lanes<uint32_t>& powers) {
    return _mm_srli_epi32(_mm_mullo_epi32(lanes, powers), 7);
  }

  // Bitmaps.
  static constexpr int32_t kPairBits = 16;
  static uint64_t EqualBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    return PairBits(_mm_cmpeq_epi16(Load<uint16_t>(at), value),
                    _mm_cmpeq_epi16(Load<uint16_t>(at + 8), value));
  }
  static uint64_t AtLeastBits(const uint16_t* at, const Lanes<uint16_t>& value) {
    const __m128i low = Load<uint16_t>(at);
    const __m128i high = Load<uint16_t>(at + 8);
    return PairBits(_mm_cmpeq_epi16(_mm_max_epu16(low, value), low),
                    _mm_cmpeq_epi16(_mm_max_epu16(high, value), high));
  }

  // Filters; masks are lanes of all ones or all zeros.
  template <class T>
  static Lanes<T> IsGreater(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 1) return _mm_cmpgt_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm_cmpgt_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm_cmpgt_epi32(a, b);
    if constexpr (sizeof(T) == 8) return _mm_cmpgt_epi64(a, b);
  }
  template <class T>
  static Lanes<T> IsEqual(const Lanes<T>& a, const Lanes<T>& b) {
    if constexpr (sizeof(T) == 4) return _mm_cmpeq_epi32(a, b);
    if constexpr (sizeof(T) == 8) return _mm_cmpeq_epi64(a, b);
  }
  template <class T>
  static Lanes<T> SignMask(const Lanes<T>& lanes) {
    return IsGreater(Set<T>(0), lanes);
  }
  template <class T>
  static uint64_t SetBits(const Lanes<T>& mask) {
    if constexpr (sizeof(T) == 1) return static_cast<uint32_t>(_mm_movemask_epi8(mask));
    if constexpr (sizeof(T) == 2) {
      return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(mask, _mm_setzero_si128())));
    }
    if constexpr (sizeof(T) == 4) {
      return static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(mask)));
    }
    if constexpr (sizeof(T) == 8) {
      return static_cast<uint32_t>(_mm_movemask_pd(_mm_castsi128_pd(mask)));
    }
  }
  template <class T>
  static uint64_t ClearBits(const Lanes<T>& mask) {
    return SetBits<T>(mask) ^ ((uint64_t{1} << kCount<T>)-1);
  }
  static Lanes<uint32_t> Min(const Lanes<uint32_t>& a, const Lanes<uint32_t>& b) {
    return _mm_min_epu32(a, b);
  }
  static Lanes<uint64_t> Min(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    const __m128i sign = _mm_set1_epi64x(INT64_MIN);
    return _mm_blendv_epi8(a, b, _mm_cmpgt_epi64(_mm_xor_si128(a, sign), _mm_xor_si128(b, sign)));
  }
  static Lanes<uint64_t> MultiplyLowHalves(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
    return _mm_mul_epu32(a, b);
  }
  /// The low halves of the lanes.
  static Lanes<uint32_t> NarrowHalves(const Lanes<uint64_t>& low, const Lanes<uint64_t>& high) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), 0x88));
  }
  static Lanes<uint8_t> Narrow(const Lanes<uint16_t>& low, const Lanes<uint16_t>& high) {
    return _mm_packus_epi16(low, high);
  }
  /// 256 bits, looked up by bytes.
  class BitTable {
   public:
    explicit BitTable(const uint64_t* words)
        : low_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words))),
          high_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words + 2))),
          powers_(_mm_set1_epi64x(static_cast<int64_t>(0x8040201008040201))) {}
    /// kWide: codes may be 128 or more.
    template <bool kWide>
    uint64_t Test(const Lanes<uint8_t>& codes) const {
      const __m128i places = _mm_and_si128(_mm_srli_epi16(codes, 3), _mm_set1_epi8(0x1F));
      __m128i bytes = _mm_shuffle_epi8(low_, places);
      if constexpr (kWide) {
        bytes = _mm_blendv_epi8(bytes, _mm_shuffle_epi8(high_, places), codes);
      }
      const __m128i bit = _mm_shuffle_epi8(powers_, _mm_and_si128(codes, _mm_set1_epi8(7)));
      return SetBits<uint8_t>(_mm_cmpeq_epi8(_mm_and_si128(bytes, bit), bit));
    }

   private:
    __m128i low_, high_, powers_;
  };

  // Prefix sums.
  static Lanes<uint32_t> Scan(Lanes<uint32_t> lanes) {
    lanes += Lanes<uint32_t>(_mm_slli_si128(lanes, 4));
    lanes += Lanes<uint32_t>(_mm_slli_si128(lanes, 8));
    return lanes;
  }
  static Lanes<uint32_t> Last(const Lanes<uint32_t>& lanes) {
    return _mm_shuffle_epi32(lanes, 0xFF);
  }

  // Byte streams.
  template <class T>
  static Lanes<uint8_t> InterleaveLow(const Lanes<uint8_t>& a, const Lanes<uint8_t>& b) {
    if constexpr (sizeof(T) == 1) return _mm_unpacklo_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm_unpacklo_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm_unpacklo_epi32(a, b);
  }
  template <class T>
  static Lanes<uint8_t> InterleaveHigh(const Lanes<uint8_t>& a, const Lanes<uint8_t>& b) {
    if constexpr (sizeof(T) == 1) return _mm_unpackhi_epi8(a, b);
    if constexpr (sizeof(T) == 2) return _mm_unpackhi_epi16(a, b);
    if constexpr (sizeof(T) == 4) return _mm_unpackhi_epi32(a, b);
  }
  /// Stores the 16 bytes at `quarter` of two vectors, one after the other.
  static void StoreQuarter(uint8_t* at, int, const Lanes<uint8_t>& a, const Lanes<uint8_t>& b) {
    Store<uint8_t>(at, a);
    Store<uint8_t>(at + 16, b);
  }

  // Packing and spreading values of kWidth bytes; see compress_body.h.
  template <int kWidth>
  static constexpr int32_t kPackCount = kWidth == 4 ? 4 : 8;

  template <int kWidth>
  static void Pack(const uint8_t* from, uint64_t bits, uint8_t* to) {
    if constexpr (kWidth == 1) {
      const __m128i places = _mm_loadl_epi64(Vector(kPackBytes.at[bits]));
      _mm_storel_epi64(Vector(to), _mm_shuffle_epi8(_mm_loadl_epi64(Vector(from)), places));
    } else if constexpr (kWidth == 2) {
      const __m128i lanes = _mm_cvtepu8_epi16(_mm_loadl_epi64(Vector(kPackBytes.at[bits])));
      _mm_storeu_si128(Vector(to), _mm_shuffle_epi8(_mm_loadu_si128(Vector(from)), Pairs(lanes)));
    } else {
      const __m128i places = _mm_load_si128(Vector(kPackDwords.at[bits]));
      _mm_storeu_si128(Vector(to), _mm_shuffle_epi8(_mm_loadu_si128(Vector(from)), places));
    }
  }
  template <int kWidth>
  static void Spread(const uint8_t* from, uint64_t bits, uint8_t* to) {
    if constexpr (kWidth == 1) {
      const __m128i places = _mm_loadl_epi64(Vector(kSpreadBytes.at[bits]));
      _mm_storel_epi64(Vector(to), _mm_shuffle_epi8(_mm_loadl_epi64(Vector(from)), places));
    } else if constexpr (kWidth == 2) {
      const __m128i lanes = _mm_cvtepi8_epi16(_mm_loadl_epi64(Vector(kSpreadBytes.at[bits])));
      _mm_storeu_si128(Vector(to), _mm_shuffle_epi8(_mm_loadu_si128(Vector(from)), Pairs(lanes)));
    } else {
      const __m128i places = _mm_load_si128(Vector(kSpreadDwords.at[bits]));
      _mm_storeu_si128(Vector(to), _mm_shuffle_epi8(_mm_loadu_si128(Vector(from)), places));
    }
  }

 private:
  static const __m128i* Vector(const uint8_t* at) { return reinterpret_cast<const __m128i*>(at); }
  static __m128i* Vector(uint8_t* at) { return reinterpret_cast<__m128i*>(at); }
  static uint64_t PairBits(__m128i low, __m128i high) {
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  }
  /// Places of bytes from places of 16-bit lanes; -1 gives places that read as zero.
  static __m128i Pairs(__m128i lanes) {
    return _mm_add_epi16(_mm_mullo_epi16(lanes, _mm_set1_epi16(0x0202)), _mm_set1_epi16(0x0100));
  }
};

}  // namespace
}  // namespace sluice::inline v0::kernels
