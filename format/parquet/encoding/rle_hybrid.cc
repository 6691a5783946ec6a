#include "format/parquet/encoding/rle_hybrid.h"

#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"
#include "format/parquet/encoding/packed_bits.h"
#include "format/parquet/encoding/varint.h"

namespace sluice::inline v0::parquet {

Result<RleHybridDecoder> RleHybridDecoder::Open(PageBody* body, int64_t begin, int64_t end,
                                                int32_t bit_width, int64_t num_values) {
  if (bit_width < 0 || bit_width > 32) {
    return Status::Corruption(fmt::format("byte {}: bit width is above 32: {}", begin, bit_width));
  }
  if (begin < 0 || begin > end || end > body->size() || num_values < 0) {
    return Status::InvalidArgument(
        fmt::format("runs do not lie in the page: bytes {} to {} of {}", begin, end, body->size()));
  }
  RleHybridDecoder decoder;
  decoder.body_ = body;
  decoder.kernels_ = &kernels::BestTable();
  decoder.position_ = begin;
  decoder.end_ = end;
  decoder.bit_width_ = bit_width;
  decoder.remaining_ = num_values;
  return decoder;
}

Status RleHybridDecoder::CheckCount(int64_t count) const {
  if (count >= 0 && count <= remaining_) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("more values asked for than remain: {} of {}", count, remaining_));
}

/// Opens runs until there is one with a value to take. Every header consumes a byte at least, so
/// that this ends also where they all are empty (fault P4).
Status RleHybridDecoder::OpenRun() {
  while (run_.length == 0) {
    SLUICE_RETURN_IF_ERROR(ReadHeader());
    const int64_t skipped = std::min(skipped_, run_.length);
    Advance(skipped);
    skipped_ -= skipped;
  }
  return Status::Ok();
}

Status RleHybridDecoder::ReadHeader() {
  const int64_t header_at = position_;
  const int64_t value_bytes = (bit_width_ + 7) / 8;
  SLUICE_RETURN_IF_ERROR(body_->Require(std::min(end_, header_at + kMaxVarintBytes + value_bytes)));
  const uint8_t* bytes = body_->data();
  uint64_t header = 0;
  if (!ReadVarint(bytes, end_, &position_, &header)) {
    return Status::Corruption(
        fmt::format("byte {}: the runs end with {} values missing, or a run header is too long",
                    header_at, remaining_ + skipped_));
  }
  if (header > UINT32_MAX) {
    return Status::Corruption(
        fmt::format("byte {}: run is longer than 2^31 - 1: header {}", header_at, header));
  }
  const int64_t units = static_cast<int64_t>(header >> 1);
  if (units == 0) return Status::Ok();

  run_.is_repeated = (header & 1) == 0;
  run_.length = std::min(run_.is_repeated ? units : units * 8, remaining_ + skipped_);
  // What the page does not need of a bit-packed run is padding and may be missing.
  const int64_t needed = run_.is_repeated ? value_bytes : (run_.length * bit_width_ + 7) / 8;
  if (needed > end_ - position_) {
    run_.length = 0;
    return Status::Corruption(fmt::format("byte {}: run of {} bytes has only {} bytes left",
                                          header_at, needed, end_ - position_));
  }
  if (run_.is_repeated) {
    run_.value = 0;
    for (int64_t i = 0; i < value_bytes; ++i) run_.value |= uint32_t{bytes[position_++]} << (8 * i);
    if (run_.value > LowBits(bit_width_)) {
      run_.length = 0;
      return Status::Corruption(fmt::format("byte {}: repeated value has more than {} bits: {}",
                                            header_at, bit_width_, run_.value));
    }
  } else {
    run_.packed = bytes + position_;
    run_.bit_offset = 0;
    position_ += std::min(units * bit_width_, end_ - position_);
  }
  return Status::Ok();
}

/// Makes the bytes of the next `count` values of a bit-packed run available.
Status RleHybridDecoder::RequirePacked(int64_t count) {
  const int64_t begin = run_.packed - body_->data();
  return body_->Require(begin + (run_.bit_offset + count * bit_width_ + 7) / 8);
}

/// Steps over `count` values of the open run.
void RleHybridDecoder::Advance(int64_t count) {
  run_.length -= count;
  if (run_.is_repeated) return;
  const int64_t bits = run_.bit_offset + count * bit_width_;
  run_.packed += bits >> 3;
  run_.bit_offset = static_cast<int32_t>(bits & 7);
}

Result<HybridRun> RleHybridDecoder::Run(int64_t at_most) {
  SLUICE_RETURN_IF_ERROR(CheckCount(1));
  SLUICE_RETURN_IF_ERROR(OpenRun());
  HybridRun run = run_;
  run.length = std::min(run.length, at_most);
  if (!run.is_repeated) SLUICE_RETURN_IF_ERROR(RequirePacked(run.length));
  return run;
}

void RleHybridDecoder::Take(int64_t count) {
  Advance(count);
  remaining_ -= count;
}

template <typename T>
Status RleHybridDecoder::ReadValues(int64_t count, T* out) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  while (count > 0) {
    SLUICE_RETURN_IF_ERROR(OpenRun());
    const int64_t length = std::min(run_.length, count);
    if (run_.is_repeated) {
      std::fill_n(out, length, static_cast<T>(run_.value));
    } else {
      SLUICE_RETURN_IF_ERROR(RequirePacked(length));
      if constexpr (sizeof(T) == 2) {
        kernels_->unpack_16(run_.packed, run_.bit_offset, length, bit_width_, out);
      } else {
        kernels_->unpack_32(run_.packed, run_.bit_offset, length, bit_width_, out);
      }
    }
    Take(length);
    out += length;
    count -= length;
  }
  return Status::Ok();
}

Status RleHybridDecoder::Read(int64_t count, uint32_t* out) { return ReadValues(count, out); }

Status RleHybridDecoder::Read(int64_t count, uint16_t* out) {
  if (bit_width_ > 16) {
    return Status::InvalidArgument(fmt::format("values do not fit 16 bits: {}", bit_width_));
  }
  return ReadValues(count, out);
}

Status RleHybridDecoder::ReadBits(int64_t count, uint64_t* out, int64_t out_bit) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  if (bit_width_ > 1) {
    return Status::InvalidArgument(fmt::format("values do not fit one bit: {}", bit_width_));
  }
  while (count > 0) {
    SLUICE_RETURN_IF_ERROR(OpenRun());
    const int64_t length = std::min(run_.length, count);
    if (run_.is_repeated) {
      if (run_.value != 0) AppendOnes(out, out_bit, length);
    } else if (bit_width_ == 1) {
      SLUICE_RETURN_IF_ERROR(RequirePacked(length));
      AppendPackedBits(run_.packed, run_.bit_offset, length, out, out_bit);
    }
    Take(length);
    out_bit += length;
    count -= length;
  }
  return Status::Ok();
}

Status RleHybridDecoder::Select(int64_t count, const uint64_t* selection, uint32_t* out) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  const int64_t wanted = EndOfSetBits(selection, count);
  for (int64_t at = 0; at < wanted;) {
    SLUICE_RETURN_IF_ERROR(OpenRun());
    const int64_t length = std::min(run_.length, wanted - at);
    const int64_t selected = CountBits(selection, at, length);
    if (run_.is_repeated) {
      std::fill_n(out, selected, run_.value);
    } else if (selected > 0) {
      SLUICE_RETURN_IF_ERROR(RequirePacked(length));
      SelectPacked(length, selection, at, out);
    }
    Take(length);
    out += selected;
    at += length;
  }
  return Skip(count - wanted);
}

/// Writes those of the next `count` bit-packed values whose bit is set from bit `begin` of
/// `selection` on.
void RleHybridDecoder::SelectPacked(int64_t count, const uint64_t* selection, int64_t begin,
                                    uint32_t* out) const {
  // With fewer selected than one in this many, each is cut out of the stream on its own.
  constexpr int64_t kSparse = 8;
  uint32_t values[kChunkValues + kReadPadding / 4];
  uint64_t words[kChunkValues / 64];
  for (int64_t at = 0; at < count; at += kChunkValues) {
    const int64_t length = std::min(kChunkValues, count - at);
    const int64_t selected = CopyBits(selection, begin + at, length, words);
    if (selected == 0) continue;
    const int64_t first_bit = run_.bit_offset + at * bit_width_;
    if (selected * kSparse < length) {
      const uint64_t mask = LowBits(bit_width_);
      ForEachSetBit(words, length, [&](int64_t i) {
        const int64_t bit = first_bit + i * bit_width_;
        uint64_t packed;
        std::memcpy(&packed, run_.packed + (bit >> 3), 8);
        *out++ = static_cast<uint32_t>(packed >> (bit & 7) & mask);
      });
    } else {
      kernels_->unpack_32(run_.packed + (first_bit >> 3), static_cast<int32_t>(first_bit & 7),
                          length, bit_width_, values);
      out += kernels_->compress_4(values, words, length, out);
    }
  }
}

Status RleHybridDecoder::Skip(int64_t count) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  const int64_t in_run = std::min(run_.length, count);
  Advance(in_run);
  skipped_ += count - in_run;
  remaining_ -= count;
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
