#include "format/parquet/encoding/byte_stream_split.h"

#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"

namespace sluice::inline v0::parquet {

namespace {

class ByteStreamSplitDecoder final : public ValueDecoder {
 public:
  ByteStreamSplitDecoder(int32_t width, int64_t num_values, PageBody* body)
      : ValueDecoder(num_values), width_(width), body_(body) {}

  Status ReadFixed(int64_t count, uint8_t* out) override;
  Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) override;
  Status Skip(int64_t count) override { return Take(count); }

 private:
  void Join(int64_t begin, int64_t count, uint8_t* out) const;
  void JoinPieces(int64_t begin, int64_t count, uint8_t* out) const;
  uint8_t* JoinSelected(int64_t begin, int64_t count, const uint64_t* selection,
                        uint8_t* out) const;

  const kernels::KernelTable* kernels_ = &kernels::BestTable();
  int64_t width_;
  PageBody* body_;
};

/// Writes values [begin, begin + count).
void ByteStreamSplitDecoder::Join(int64_t begin, int64_t count, uint8_t* out) const {
  const uint8_t* in = body_->data() + begin;
  switch (width_) {
    case 1:
      std::memcpy(out, in, static_cast<size_t>(count));
      return;
    case 2:
      kernels_->join_streams_2(in, num_values(), count, out);
      return;
    case 4:
      kernels_->join_streams_4(in, num_values(), count, out);
      return;
    case 8:
      kernels_->join_streams_8(in, num_values(), count, out);
      return;
    default:
      JoinPieces(begin, count, out);
  }
}

/// The same for any width: joins 8, 4, 2 or 1 streams at a time and puts the pieces in their
/// places.
void ByteStreamSplitDecoder::JoinPieces(int64_t begin, int64_t count, uint8_t* out) const {
  constexpr int64_t kValues = 256;
  uint8_t pieces[kValues * 8 + kReadPadding];
  for (int64_t at = 0; at < count; at += kValues) {
    const int64_t length = std::min(kValues, count - at);
    uint8_t* const to = out + at * width_;
    for (int64_t byte = 0; byte < width_;) {
      const uint8_t* in = body_->data() + byte * num_values() + begin + at;
      const auto place = [&](auto piece) {
        for (int64_t i = 0; i < length; ++i) {
          std::memcpy(&piece, pieces + i * int64_t{sizeof(piece)}, sizeof(piece));
          std::memcpy(to + i * width_ + byte, &piece, sizeof(piece));
        }
        byte += int64_t{sizeof(piece)};
      };
      if (width_ - byte >= 8) {
        kernels_->join_streams_8(in, num_values(), length, pieces);
        place(uint64_t{});
      } else if (width_ - byte >= 4) {
        kernels_->join_streams_4(in, num_values(), length, pieces);
        place(uint32_t{});
      } else if (width_ - byte >= 2) {
        kernels_->join_streams_2(in, num_values(), length, pieces);
        place(uint16_t{});
      } else {
        for (int64_t i = 0; i < length; ++i) to[i * width_ + byte] = in[i];
        ++byte;
      }
    }
  }
}

/// Writes the selected ones of `count` values from `begin` on, each on its own; returns the end.
uint8_t* ByteStreamSplitDecoder::JoinSelected(int64_t begin, int64_t count,
                                              const uint64_t* selection, uint8_t* out) const {
  ForEachSetBit(selection, count, [&](int64_t i) {
    const uint8_t* in = body_->data() + begin + i;
    for (int64_t byte = 0; byte < width_; ++byte) *out++ = in[byte * num_values()];
  });
  return out;
}

Status ByteStreamSplitDecoder::ReadFixed(int64_t count, uint8_t* out) {
  const int64_t begin = taken();
  SLUICE_RETURN_IF_ERROR(Take(count));
  if (count == 0 || width_ == 0) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(body_->RequireAll());
  Join(begin, count, out);
  return Status::Ok();
}

Status ByteStreamSplitDecoder::SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) {
  const int64_t begin = taken();
  SLUICE_RETURN_IF_ERROR(Take(count));
  const int64_t wanted = EndOfSetBits(selection, count);
  if (wanted == 0 || width_ == 0) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(body_->RequireAll());
  // With fewer selected than one in this many, each is put together on its own.
  constexpr int64_t kSparse = 8;
  constexpr int64_t kWidest = 16;
  uint8_t values[kChunkValues * kWidest + kReadPadding];
  for (int64_t at = 0; at < wanted; at += kChunkValues) {
    const int64_t length = std::min(kChunkValues, wanted - at);
    const uint64_t* chunk = selection + at / 64;
    const int64_t selected = CountBits(chunk, 0, length);
    if (selected == length) {
      Join(begin + at, length, out);
      out += length * width_;
    } else if (selected * kSparse < length || width_ > kWidest) {
      out = JoinSelected(begin + at, length, chunk, out);
    } else {
      Join(begin + at, length, values);
      out += kernels::CompressValues(*kernels_, width_, values, chunk, length, out) * width_;
    }
  }
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakeByteStreamSplitDecoder(int32_t width, int64_t num_values,
                                                                 PageBody* body) {
  const int64_t size = body->size();
  const bool fits =
      num_values == 0 || width == 0 || (size % width == 0 && size / width == num_values);
  if (!fits) {
    return Status::Corruption(
        fmt::format("byte {}: byte streams are not of the page's values: {} of {} bytes", size,
                    num_values, width));
  }
  return std::unique_ptr<ValueDecoder>(
      std::make_unique<ByteStreamSplitDecoder>(width, num_values, body));
}

}  // namespace sluice::inline v0::parquet
