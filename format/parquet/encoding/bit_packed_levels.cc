#include "format/parquet/encoding/bit_packed_levels.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

Result<BitPackedLevelDecoder> BitPackedLevelDecoder::Open(PageBody* body, int64_t begin,
                                                          int32_t bit_width, int64_t num_values) {
  if (bit_width < 0 || bit_width > 16) {
    return Status::Corruption(
        fmt::format("byte {}: level bit width is above 16: {}", begin, bit_width));
  }
  if (begin < 0 || begin > body->size() || num_values < 0 || num_values > INT64_MAX / 32 ||
      ByteLength(bit_width, num_values) > body->size() - begin) {
    return Status::Corruption(fmt::format("byte {}: page ends before its {} levels of {} bits",
                                          begin, num_values, bit_width));
  }
  BitPackedLevelDecoder decoder;
  decoder.body_ = body;
  decoder.bit_ = begin * 8;
  decoder.bit_width_ = bit_width;
  decoder.remaining_ = num_values;
  return decoder;
}

Status BitPackedLevelDecoder::CheckCount(int64_t count) const {
  if (count >= 0 && count <= remaining_) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("more levels asked for than remain: {} of {}", count, remaining_));
}

Status BitPackedLevelDecoder::Read(int64_t count, uint16_t* out) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  remaining_ -= count;
  if (bit_width_ == 0) {
    std::fill_n(out, count, uint16_t{0});
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(body_->Require((bit_ + count * bit_width_ + 7) / 8));
  const uint32_t mask = static_cast<uint32_t>(LowBits(bit_width_));
  for (int64_t i = 0; i < count; ++i, bit_ += bit_width_) {
    // A level of 16 bits lies in three bytes at most; what is read past its end is shifted out.
    const uint8_t* in = body_->data() + (bit_ >> 3);
    const uint32_t bits = uint32_t{in[0]} << 16 | uint32_t{in[1]} << 8 | in[2];
    out[i] = static_cast<uint16_t>(bits >> (24 - (bit_ & 7) - bit_width_) & mask);
  }
  return Status::Ok();
}

Status BitPackedLevelDecoder::Skip(int64_t count) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  remaining_ -= count;
  bit_ += count * bit_width_;
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
