#include "format/parquet/encoding/delta_length_byte_array.h"

#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"
#include "format/parquet/encoding/delta_binary_packed.h"
#include "format/parquet/encoding/page_views.h"

namespace sluice::inline v0::parquet {

namespace {

class DeltaLengthByteArrayDecoder final : public ValueDecoder {
 public:
  DeltaLengthByteArrayDecoder(int64_t num_values, PageBody* body,
                              DeltaBinaryPackedReader<uint32_t> length_reader, int64_t position)
      : ValueDecoder(num_values),
        body_(body),
        views_(*body),
        length_reader_(length_reader),
        position_(position) {}

  Status ReadViews(int64_t count, ByteArrayOutput& out) override;
  Status SelectViews(int64_t count, const uint64_t* selection, ByteArrayOutput& out) override;
  Status Skip(int64_t count) override;

 private:
  Status ReadLengths(int64_t count);

  PageBody* body_;
  PageViews views_;
  DeltaBinaryPackedReader<uint32_t> length_reader_;
  int64_t position_;  ///< Of the next byte array.
  int64_t end_ = 0;   ///< Of the byte arrays whose lengths are in `lengths_`.
  uint32_t lengths_[kChunkValues + kReadPadding / 4];
};

/// Reads `count` lengths and checks that the page has so many bytes.
Status DeltaLengthByteArrayDecoder::ReadLengths(int64_t count) {
  SLUICE_RETURN_IF_ERROR(length_reader_.Read(count, lengths_));
  uint64_t sum = 0;
  uint32_t any = 0;
  for (int64_t i = 0; i < count; ++i) {
    sum += lengths_[i];
    any |= lengths_[i];
  }
  if (any > INT32_MAX || static_cast<int64_t>(sum) > body_->size() - position_) {
    return Status::Corruption(
        fmt::format("byte {}: a byte array's length is negative, or the page ends before the next "
                    "{}: {} bytes left",
                    position_, count, body_->size() - position_));
  }
  end_ = position_ + static_cast<int64_t>(sum);
  return Status::Ok();
}

Status DeltaLengthByteArrayDecoder::ReadViews(int64_t count, ByteArrayOutput& out) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  if (count == 0) return Status::Ok();
  const int32_t buffer = views_.BufferIndex(out);
  while (count > 0) {
    const int64_t chunk = std::min(count, kChunkValues);
    SLUICE_RETURN_IF_ERROR(ReadLengths(chunk));
    SLUICE_RETURN_IF_ERROR(body_->Require(end_));
    const uint8_t* const data = body_->data();
    StringView* const view = out.views();
    int64_t position = position_;
    for (int64_t i = 0; i < chunk; ++i) {
      const int32_t length = static_cast<int32_t>(lengths_[i]);
      view[i] = views_.Make(data + position, position, length, buffer);
      position += length;
    }
    position_ = end_;
    out.Advance(chunk);
    count -= chunk;
  }
  return Status::Ok();
}

Status DeltaLengthByteArrayDecoder::SelectViews(int64_t count, const uint64_t* selection,
                                                ByteArrayOutput& out) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  for (int64_t at = 0; at < count; at += kChunkValues) {
    const int64_t chunk = std::min(count - at, kChunkValues);
    SLUICE_RETURN_IF_ERROR(ReadLengths(chunk));
    const uint64_t* const selected = selection + at / 64;
    const int64_t wanted = EndOfSetBits(selected, chunk);
    if (wanted > 0) {
      int64_t wanted_end = position_;
      for (int64_t i = 0; i < wanted; ++i) wanted_end += lengths_[i];
      SLUICE_RETURN_IF_ERROR(body_->Require(wanted_end));
      const uint8_t* const data = body_->data();
      const int32_t buffer = views_.BufferIndex(out);
      StringView* view = out.views();
      int64_t position = position_;
      for (int64_t i = 0; i < wanted; ++i) {
        const int32_t length = static_cast<int32_t>(lengths_[i]);
        if (GetBit(selected, i)) *view++ = views_.Make(data + position, position, length, buffer);
        position += length;
      }
      out.Advance(view - out.views());
    }
    position_ = end_;
  }
  return Status::Ok();
}

Status DeltaLengthByteArrayDecoder::Skip(int64_t count) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  while (count > 0) {
    const int64_t chunk = std::min(count, kChunkValues);
    SLUICE_RETURN_IF_ERROR(ReadLengths(chunk));
    position_ = end_;
    count -= chunk;
  }
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakeDeltaLengthByteArrayDecoder(int64_t num_values,
                                                                      PageBody* body) {
  SLUICE_TRY(auto lengths, DeltaBinaryPackedReader<uint32_t>::Open(body, 0, num_values));
  SLUICE_TRY(const int64_t position, lengths.FindEnd());
  return std::unique_ptr<ValueDecoder>(
      std::make_unique<DeltaLengthByteArrayDecoder>(num_values, body, lengths, position));
}

}  // namespace sluice::inline v0::parquet
