// Testing the values of DELTA_BINARY_PACKED by the headers of their miniblocks.

#include <algorithm>

#include "format/model/bitmap_words.h"
#include "format/model/int128.h"
#include "format/model/try.h"
#include "format/parquet/encoding/packed_bits.h"
#include "format/parquet/filter/page_deciders.h"

namespace sluice::inline v0::parquet {
namespace {

/// The integers that the first `count` values of the miniblock can be, before they wrap around.
/// False where they can be all that there are.
bool BoundsOf(const DeltaMiniblock& miniblock, int64_t count, int32_t width,
              kernels::KeyRange* range) {
  const auto previous = static_cast<int64_t>(miniblock.previous);
  const auto least = static_cast<int64_t>(miniblock.min_delta);
  const Int128 most = least + static_cast<Int128>(LowBits(miniblock.bit_width));
  // The ends are those of the first value or of the last.
  const Int128 lowest = previous + std::min<Int128>(least, Int128{least} * count);
  const Int128 highest = previous + std::max<Int128>(most, most * count);
  if (highest - lowest > static_cast<Int128>(LowBits(8 * width))) return false;
  range->first = static_cast<uint64_t>(lowest) & LowBits(8 * width);
  range->span = static_cast<uint64_t>(highest - lowest);
  return true;
}

}  // namespace

KeyFilter::Outcome FixedDecider::OutcomeOf(const DeltaMiniblock& miniblock, int64_t count) const {
  kernels::KeyRange range;
  if (!BoundsOf(miniblock, count, width(), &range)) return KeyFilter::Outcome::kUnknown;
  return filter_->keys()->OutcomeOf(range);
}

/// What is open is decoded to where it would be if everything were, so that all of it is compared
/// at once; what was decided is put over the result of that.
Status FixedDecider::TestMiniblocks(int64_t count, uint64_t* out) {
  SLUICE_TRY(const BufferRef room, scratch_->Room(width()));
  const int64_t words = BitmapWords(count);
  uint64_t passing[kMaxPieceValues / 64] = {};
  uint64_t decided[kMaxPieceValues / 64] = {};
  int64_t num_decided = 0;
  for (int64_t at = 0; at < count;) {
    int64_t length = std::min(blind_values_, count - at);
    blind_values_ -= length;
    if (length == 0) {
      SLUICE_TRY(const auto miniblock, values_->EncodedMiniblock());
      length = std::min(miniblock->length, count - at);
      const KeyFilter::Outcome outcome = OutcomeOf(*miniblock, length);
      if (outcome != KeyFilter::Outcome::kUnknown) {
        AppendOnes(decided, at, length);
        if (outcome == KeyFilter::Outcome::kAllPass) AppendOnes(passing, at, length);
        SLUICE_RETURN_IF_ERROR(values_->Skip(length));
        num_decided += length;
        at += length;
        blind_next_ = 0;
        continue;
      }
      // The longer asking is of no use, the more is decoded before it is tried again.
      blind_values_ = blind_next_;
      blind_next_ = std::min<int64_t>(2 * blind_next_ + length, kMaxPieceValues);
    }
    SLUICE_RETURN_IF_ERROR(values_->ReadFixed(length, room->mutable_data() + at * width()));
    at += length;
  }
  if (num_decided == count) {
    std::copy_n(passing, words, out);
    return Status::Ok();
  }
  filter_->TestFixed(room->data(), count, out);
  for (int64_t word = 0; word < words; ++word) {
    out[word] = (out[word] & ~decided[word]) | passing[word];
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
