#include "format/parquet/encoding/plain.h"

#include <fmt/format.h>

#include <cstring>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/encoding/page_views.h"

namespace sluice::inline v0::parquet {

namespace {

class PlainFixedDecoder final : public ValueDecoder {
 public:
  PlainFixedDecoder(int32_t width, int64_t num_values, PageBody* body)
      : ValueDecoder(num_values), width_(width), body_(body) {}

  Status ReadFixed(int64_t count, uint8_t* out) override {
    const int64_t begin = taken() * width_;
    SLUICE_RETURN_IF_ERROR(Take(count));
    if (count * width_ == 0) return Status::Ok();
    SLUICE_RETURN_IF_ERROR(body_->Require(begin + count * width_));
    std::memcpy(out, body_->data() + begin, static_cast<size_t>(count * width_));
    return Status::Ok();
  }

  Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) override {
    const int64_t begin = taken() * width_;
    SLUICE_RETURN_IF_ERROR(Take(count));
    const int64_t wanted = EndOfSetBits(selection, count);
    if (wanted == 0) return Status::Ok();
    SLUICE_RETURN_IF_ERROR(body_->Require(begin + wanted * width_));
    kernels::CompressValues(*kernels_, width_, body_->data() + begin, selection, wanted, out);
    return Status::Ok();
  }

  Status Skip(int64_t count) override { return Take(count); }

  Result<const uint8_t*> EncodedBytes(int64_t count) override {
    SLUICE_RETURN_IF_ERROR(CheckLeft(count));
    SLUICE_RETURN_IF_ERROR(body_->Require((taken() + count) * width_));
    return body_->data() + taken() * width_;
  }

 private:
  const kernels::KernelTable* kernels_ = &kernels::BestTable();
  int64_t width_;
  PageBody* body_;
};

class PlainByteArrayDecoder final : public ValueDecoder {
 public:
  PlainByteArrayDecoder(int64_t num_values, PageBody* body)
      : ValueDecoder(num_values), body_(body), views_(*body) {}

  Status ReadViews(int64_t count, ByteArrayOutput& out) override;
  Status SelectViews(int64_t count, const uint64_t* selection, ByteArrayOutput& out) override;

  /// Walks over the values only once one behind them is wanted.
  Status Skip(int64_t count) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    skipped_ += count;
    return Status::Ok();
  }

 private:
  template <typename Visit>
  Status Walk(int64_t count, Visit&& visit);
  Status RequireValue(int64_t position);
  Status WalkSkipped();

  PageBody* body_;
  PageViews views_;
  int64_t position_ = 0;
  int64_t skipped_ = 0;  ///< Values at `position_` that are still to be walked over.
};

/// Calls `visit(bytes, position, length)` for the next `count` values. The bounds of every value
/// are checked against the bytes that are there; the slow path finds out what is wrong, if
/// anything is.
template <typename Visit>
Status PlainByteArrayDecoder::Walk(int64_t count, Visit&& visit) {
  while (true) {
    const uint8_t* const data = body_->data();
    const int64_t available = body_->available();
    int64_t position = position_;
    for (; count > 0 && available - position >= 4; --count) {
      uint32_t length;
      std::memcpy(&length, data + position, 4);
      if (length > available - position - 4) break;
      visit(data + position + 4, position + 4, static_cast<int32_t>(length));
      position += 4 + int64_t{length};
    }
    position_ = position;
    if (count == 0) return Status::Ok();
    SLUICE_RETURN_IF_ERROR(RequireValue(position));
  }
}

/// Makes the value at `position` available, and some of what follows it.
Status PlainByteArrayDecoder::RequireValue(int64_t position) {
  constexpr int64_t kReadAhead = 4096;
  SLUICE_RETURN_IF_ERROR(body_->Require(position + 4 + kReadAhead));
  const int64_t left = body_->size() - position;
  if (left < 4) {
    return Status::Corruption(
        fmt::format("byte {}: length of a byte array is cut short: {} bytes", position, left));
  }
  uint32_t length;
  std::memcpy(&length, body_->data() + position, 4);
  if (length > left - 4) {
    return Status::Corruption(fmt::format("byte {}: byte array does not fit the page: {} of {}",
                                          position, static_cast<int32_t>(length), left - 4));
  }
  return body_->Require(position + 4 + length + kReadAhead);
}

Status PlainByteArrayDecoder::WalkSkipped() {
  SLUICE_RETURN_IF_ERROR(Walk(skipped_, [](const uint8_t*, int64_t, int32_t) {}));
  skipped_ = 0;
  return Status::Ok();
}

Status PlainByteArrayDecoder::ReadViews(int64_t count, ByteArrayOutput& out) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  if (count == 0) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(WalkSkipped());
  const int32_t buffer = views_.BufferIndex(out);
  StringView* view = out.views();
  SLUICE_RETURN_IF_ERROR(Walk(count, [&](const uint8_t* bytes, int64_t position, int32_t length) {
    *view++ = views_.Make(bytes, position, length, buffer);
  }));
  out.Advance(count);
  return Status::Ok();
}

Status PlainByteArrayDecoder::SelectViews(int64_t count, const uint64_t* selection,
                                          ByteArrayOutput& out) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  const int64_t wanted = EndOfSetBits(selection, count);
  if (wanted > 0) {
    SLUICE_RETURN_IF_ERROR(WalkSkipped());
    const int32_t buffer = views_.BufferIndex(out);
    StringView* view = out.views();
    int64_t i = 0;
    SLUICE_RETURN_IF_ERROR(
        Walk(wanted, [&](const uint8_t* bytes, int64_t position, int32_t length) {
          if (GetBit(selection, i++)) *view++ = views_.Make(bytes, position, length, buffer);
        }));
    out.Advance(view - out.views());
  }
  skipped_ += count - wanted;
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakePlainFixedDecoder(int32_t width, int64_t num_values,
                                                            PageBody* body) {
  if (width > 0 && num_values > body->size() / width) {
    return Status::Corruption(fmt::format("byte {}: page ends before its {} values of {} bytes",
                                          body->size(), num_values, width));
  }
  return std::unique_ptr<ValueDecoder>(
      std::make_unique<PlainFixedDecoder>(width, num_values, body));
}

Result<std::unique_ptr<ValueDecoder>> MakePlainByteArrayDecoder(int64_t num_values,
                                                                PageBody* body) {
  if (num_values > body->size() / 4) {
    return Status::Corruption(
        fmt::format("byte {}: page ends before its {} byte arrays", body->size(), num_values));
  }
  return std::unique_ptr<ValueDecoder>(std::make_unique<PlainByteArrayDecoder>(num_values, body));
}

}  // namespace sluice::inline v0::parquet
