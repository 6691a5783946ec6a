#include "format/model/kernels/arrays_body.h"
#include "format/model/kernels/bits_body.h"
#include "format/model/kernels/compress_body.h"
#include "format/model/kernels/filters_body.h"
#include "format/model/kernels/lanes_avx2.h"
#include "format/model/kernels/look_up_avx2.h"
#include "format/model/kernels/look_up_body.h"
#include "format/model/kernels/tables.h"
#include "format/model/kernels/unpack_body.h"

namespace sluice::inline v0::kernels {
namespace {

uint64_t ExtractWord(uint64_t word, uint64_t mask) { return _pext_u64(word, mask); }
uint64_t DepositWord(uint64_t word, uint64_t mask) { return _pdep_u64(word, mask); }

}  // namespace

// Values of 16 bytes are no slower one by one than two by two.
void ImproveByAvx2(KernelTable* table, bool has_slow_bit_extract) {
  using Level = Avx2Lanes;
  table->level = SimdLevel::kAvx2;
  table->unpack_16 = Unpack<Level, uint16_t>;
  table->unpack_32 = Unpack<Level, uint32_t>;
  table->unpack_64 = Unpack<Level, uint64_t>;
  table->max_code = MaxCode<Level>;
  table->join_streams_2 = JoinStreams<2, 32, JoinBlock<Level, 2>>;
  table->join_streams_4 = JoinStreams<4, 32, JoinBlock<Level, 4>>;
  table->join_streams_8 = JoinStreams<8, 32, JoinBlock<Level, 8>>;
  table->prefix_sum_32 = PrefixSum<Level, uint32_t>;
  table->prefix_sum_64 = PrefixSum<Level, uint64_t>;
  table->levels_equal = LevelsToBits<Level, true>;
  table->levels_at_least = LevelsToBits<Level, false>;
  table->compress_1 = Compress<Level, 1>;
  table->compress_2 = Compress<Level, 2>;
  table->compress_4 = Compress<Level, 4>;
  table->compress_8 = Compress<Level, 8>;
  table->expand_1 = Expand<Level, 1>;
  table->expand_2 = Expand<Level, 2>;
  table->expand_4 = Expand<Level, 4>;
  table->expand_8 = Expand<Level, 8>;
  table->in_ranges_1 = InRanges<Level, uint8_t>;
  table->in_ranges_2 = InRanges<Level, uint16_t>;
  table->in_ranges_4 = InRanges<Level, uint32_t>;
  table->in_ranges_8 = InRanges<Level, uint64_t>;
  table->equal_any_4 = EqualAny<Level, uint32_t>;
  table->equal_any_8 = EqualAny<Level, uint64_t>;
  table->hash_codes_4 = HashCodes<Level, uint32_t>;
  table->hash_codes_8 = HashCodes<Level, uint64_t>;
  table->offset_codes_4 = OffsetCodes<Level, uint32_t>;
  table->offset_codes_8 = OffsetCodes<Level, uint64_t>;
  table->look_up = LookUp;
  table->look_up_packed = LookUpPacked<Level>;
  table->bit_positions = BitPositions<Level, 8>;
  if (has_slow_bit_extract) return;
  table->extract_bits = ExtractBits<ExtractWord>;
  table->deposit_bits = DepositBits<DepositWord>;
}

}  // namespace sluice::inline v0::kernels
