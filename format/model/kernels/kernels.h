#pragma once

// The vector kernels: one table of functions a SIMD level, all of which give bit-identical results.
// The plain table is the oracle of the others. Kernels know no errors: sizes and widths were
// checked by their callers. Inputs are readable for kReadPadding bytes past their end; outputs
// writable for kReadPadding bytes past theirs (what lands there is unspecified).

#include <cstdint>

namespace sluice::inline v0::kernels {

/// The levels, each including those before it.
enum class SimdLevel : uint8_t {
  kPlain,   ///< Plain C++, on every processor.
  kSse42,   ///< SSE4.2, POPCNT.
  kAvx2,    ///< AVX2, BMI1, BMI2, LZCNT, FMA off.
  kAvx512,  ///< The Ice Lake set: F CD DQ BW VL IFMA VBMI VBMI2 BITALG VPOPCNTDQ.
};

/// `first`, `first` + 1, ... `first` + `span` in integers of the width of the values, wrapping:
/// what follows the largest is the smallest, so that also the values outside a range are one.
struct KeyRange {
  uint64_t first = 0;
  uint64_t span = 0;
  bool operator==(const KeyRange&) const = default;
};

/// One or two ranges of keys. The key of a value is a place in the order of its type, on a circle:
///
///   integers         their bits; signed and unsigned ones differ in where a range begins only
///   floating point   their bits, negative ones with all but the sign inverted: -0.0 lies next to
///                    0.0, and the NaNs of both signs next to each other, between +inf and -inf
struct KeyRanges {
  KeyRange at[2];
  int32_t count = 0;
  bool is_floating = false;
};

/// What values are multiplied with to be hashed: one half alone or the low one by kHashOne, the
/// high one by kHashOther.
inline constexpr uint32_t kHashOne = 0x9E3779B1;
inline constexpr uint32_t kHashOther = 0x85EBCA6B;

struct KernelTable {
  SimdLevel level;

  /// Unpacks `count` unsigned integers of `bit_width` bits (0..32), least significant bit first,
  /// that begin at bit `bit_offset` (0..7) of `in`.
  void (*unpack_32)(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                    uint32_t* out);
  /// The same for 0..64 bits into 64.
  void (*unpack_64)(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                    uint64_t* out);
  /// The same for 0..16 bits into 16 (levels).
  void (*unpack_16)(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width,
                    uint16_t* out);

  /// out[i] = dictionary[codes[i]] for values of 4, 8 and 16 bytes. Codes are in range.
  void (*gather_4)(const uint32_t* dictionary, const int32_t* codes, int64_t count, uint32_t* out);
  void (*gather_8)(const uint64_t* dictionary, const int32_t* codes, int64_t count, uint64_t* out);
  void (*gather_16)(const void* dictionary, const int32_t* codes, int64_t count, void* out);

  /// The largest of `count` codes taken as unsigned; 0 for none.
  uint32_t (*max_code)(const int32_t* codes, int64_t count);

  /// BYTE_STREAM_SPLIT: out value i takes its byte k from in[k * stride + i], for width 2, 4, 8.
  void (*join_streams_2)(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out);
  void (*join_streams_4)(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out);
  void (*join_streams_8)(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out);

  /// In place: x[i] = start + sum over j <= i of (x[j] + min_delta), wrapping; returns the last
  /// (start when count is 0).
  uint32_t (*prefix_sum_32)(uint32_t* x, int64_t count, uint32_t min_delta, uint32_t start);
  uint64_t (*prefix_sum_64)(uint64_t* x, int64_t count, uint64_t min_delta, uint64_t start);

  /// Bit i of `out` = levels[i] == value, or >= value. Writes BitmapWords(count) words, the bits
  /// past count zero; returns how many are set.
  int64_t (*levels_equal)(const uint16_t* levels, int64_t count, uint16_t value, uint64_t* out);
  int64_t (*levels_at_least)(const uint16_t* levels, int64_t count, uint16_t value, uint64_t* out);

  /// Packs the values whose bit is set in `selection` to the front of `out`; widths 1, 2, 4, 8, 16.
  /// in == out is allowed. Returns how many.
  int64_t (*compress_1)(const void* in, const uint64_t* selection, int64_t count, void* out);
  int64_t (*compress_2)(const void* in, const uint64_t* selection, int64_t count, void* out);
  int64_t (*compress_4)(const void* in, const uint64_t* selection, int64_t count, void* out);
  int64_t (*compress_8)(const void* in, const uint64_t* selection, int64_t count, void* out);
  int64_t (*compress_16)(const void* in, const uint64_t* selection, int64_t count, void* out);

  /// The reverse: the i-th set bit of `mask` (count bits) takes value i of `in`; places whose bit
  /// is not set get zero. in and out do not overlap.
  void (*expand_1)(const void* in, const uint64_t* mask, int64_t count, void* out);
  void (*expand_2)(const void* in, const uint64_t* mask, int64_t count, void* out);
  void (*expand_4)(const void* in, const uint64_t* mask, int64_t count, void* out);
  void (*expand_8)(const void* in, const uint64_t* mask, int64_t count, void* out);
  void (*expand_16)(const void* in, const uint64_t* mask, int64_t count, void* out);

  /// Bit extract over a bitmap: the bits of `in` at places set in `mask` (count bits), packed to
  /// the front of `out`, whose words are zeroed first (BitmapWords(count) of them). Returns how
  /// many.
  int64_t (*extract_bits)(const uint64_t* in, const uint64_t* mask, int64_t count, uint64_t* out);
  /// Bit deposit: the i-th set place of `mask` (count bits) takes bit i of `in`, the others are
  /// zero. `in` has as many bits as mask has set. Returns how many were taken.
  int64_t (*deposit_bits)(const uint64_t* in, const uint64_t* mask, int64_t count, uint64_t* out);

  // Filters. Each writes BitmapWords(count) words, the bits past count zero.

  /// Bit i of `out`: the key of value i is in one of `ranges`; widths 1, 2, 4, 8 (floating point
  /// from 2). Values need not be aligned.
  void (*in_ranges_1)(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out);
  void (*in_ranges_2)(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out);
  void (*in_ranges_4)(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out);
  void (*in_ranges_8)(const void* values, int64_t count, const KeyRanges& ranges, uint64_t* out);

  /// Bit i of `out`: the bits of value i are one of `num_points` (1..8); widths 4, 8.
  void (*equal_any_4)(const void* values, int64_t count, const uint64_t* points, int32_t num_points,
                      uint64_t* out);
  void (*equal_any_8)(const void* values, int64_t count, const uint64_t* points, int32_t num_points,
                      uint64_t* out);

  /// Codes for tables of bits about sets. A hash, of 32 - `shift` bits (`shift` 1..31):
  ///   4 bytes   x * kHashOne >> shift
  ///   8 bytes   (low half * kHashOne + high half * kHashOther) >> shift
  /// all in 32 bits, wrapping. Or an offset: the lesser of x - first, wrapping, and `limit`.
  void (*hash_codes_4)(const void* values, int64_t count, int32_t shift, int32_t* out);
  void (*hash_codes_8)(const void* values, int64_t count, int32_t shift, int32_t* out);
  void (*offset_codes_4)(const void* values, int64_t count, uint64_t first, int32_t limit,
                         int32_t* out);
  void (*offset_codes_8)(const void* values, int64_t count, uint64_t first, int32_t limit,
                         int32_t* out);

  /// Bit i of `out` = bit codes[i] of `table`, which has `entries` bits. Codes are in range.
  void (*look_up)(const int32_t* codes, int64_t count, const uint64_t* table, int64_t entries,
                  uint64_t* out);
  /// The same for codes as unpack_32 takes them, of 0..8 bits; `table` has 256 bits. Returns the
  /// largest code, 0 for none.
  uint32_t (*look_up_packed)(const uint8_t* in, int32_t bit_offset, int64_t count,
                             int32_t bit_width, const uint64_t* table, uint64_t* out);

  /// The ascending positions i < count whose bit is set, `base` added; returns how many.
  int64_t (*bit_positions)(const uint64_t* bits, int64_t count, int32_t base, int32_t* out);
};

/// The best level that this processor and operating system support, lowered by the environment
/// variable SLUICE_SIMD (plain, sse4.2, avx2, avx512) where it is set. Read once.
SimdLevel BestLevel();
/// Whether `level` was built in and the machine supports it.
bool IsSupported(SimdLevel level);
/// The table of a supported level.
const KernelTable& Table(SimdLevel level);
/// Table(BestLevel()).
const KernelTable& BestTable();

const char* Name(SimdLevel level);

}  // namespace sluice::inline v0::kernels
