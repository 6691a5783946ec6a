#include "format/model/kernels/arrays_body.h"
#include "format/model/kernels/compress_body.h"
#include "format/model/kernels/filters_body.h"
#include "format/model/kernels/lanes_avx512.h"
#include "format/model/kernels/look_up_avx512.h"
#include "format/model/kernels/tables.h"
#include "format/model/kernels/unpack_body.h"

namespace sluice::inline v0::kernels {
namespace {

template <int kWidth>
void Join(const uint8_t* in, int64_t stride, int64_t count, uint8_t* out) {
  JoinStreams<kWidth, Avx512Lanes::kJoinCount<kWidth>, Avx512Lanes::Join<kWidth>>(in, stride, count,
                                                                                  out);
}

}  // namespace

void ImproveByAvx512(KernelTable* table) {
  using Level = Avx512Lanes;
  table->level = SimdLevel::kAvx512;
  table->unpack_16 = Unpack<Level, uint16_t>;
  table->unpack_32 = Unpack<Level, uint32_t>;
  table->unpack_64 = Unpack<Level, uint64_t>;
  table->max_code = MaxCode<Level>;
  table->join_streams_2 = Join<2>;
  table->join_streams_4 = Join<4>;
  table->join_streams_8 = Join<8>;
  table->prefix_sum_32 = PrefixSum<Level, uint32_t>;
  table->prefix_sum_64 = PrefixSum<Level, uint64_t>;
  table->levels_equal = LevelsToBits<Level, true>;
  table->levels_at_least = LevelsToBits<Level, false>;
  table->compress_1 = Compress<Level, 1>;
  table->compress_2 = Compress<Level, 2>;
  table->compress_4 = Compress<Level, 4>;
  table->compress_8 = Compress<Level, 8>;
  table->compress_16 = Compress<Level, 16>;
  table->expand_1 = Expand<Level, 1>;
  table->expand_2 = Expand<Level, 2>;
  table->expand_4 = Expand<Level, 4>;
  table->expand_8 = Expand<Level, 8>;
  table->expand_16 = Expand<Level, 16>;
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
  table->look_up_packed = LookUpPacked;
  table->bit_positions = BitPositions<Level, 16>;
}

}  // namespace sluice::inline v0::kernels
