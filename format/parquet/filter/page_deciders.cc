#include "format/parquet/filter/page_deciders.h"

#include <algorithm>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr int64_t kMaxPieceWords = PieceDecider::kMaxPieceValues / 64;

}  // namespace

Status BitsDecider::TestAll(int64_t count, uint64_t* out) {
  uint64_t bits[PaddedWords(kMaxPieceValues)] = {};
  SLUICE_RETURN_IF_ERROR(values_->ReadBits(count, bits, 0));
  filter_->TestBits(bits, count, out);
  return Status::Ok();
}

Status BitsDecider::TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                                 uint64_t* out) {
  uint64_t bits[PaddedWords(kMaxPieceValues)] = {};
  SLUICE_RETURN_IF_ERROR(values_->SelectBits(count, selection, bits, 0));
  filter_->TestBits(bits, selected, out);
  return Status::Ok();
}

int64_t FilterScratch::ValuesOf(int64_t width) {
  // Half of a first-level cache, and no fewer than a word of bits is of.
  constexpr int64_t kBytes = 16 << 10;
  const int64_t words = kBytes / std::max<int64_t>(width, 1) / 64;
  return std::clamp<int64_t>(words, 1, kMaxPieceWords) * 64;
}

Result<BufferRef> FilterScratch::Room(int64_t width) {
  const int64_t bytes = ValuesOf(width) * width;
  if (!buffer_ || buffer_->size() < bytes) {
    SLUICE_TRY(buffer_, pool_->Allocate(bytes));
    // Some of it is compared before anything was written there; what comes of it is not used.
    std::fill_n(buffer_->mutable_data(), bytes, uint8_t{0});
  }
  return buffer_;
}

Status FixedDecider::TestAll(int64_t count, uint64_t* out) {
  SLUICE_TRY(const uint8_t* const in_place, values_->EncodedBytes(count));
  if (in_place != nullptr) {
    filter_->TestFixed(in_place, count, out);
    return values_->Skip(count);
  }
  if (filter_->keys() != nullptr) {
    SLUICE_TRY(const auto miniblock, values_->EncodedMiniblock());
    if (miniblock) return TestMiniblocks(count, out);
  }
  SLUICE_TRY(const BufferRef room, scratch_->Room(width()));
  SLUICE_RETURN_IF_ERROR(values_->ReadFixed(count, room->mutable_data()));
  filter_->TestFixed(room->data(), count, out);
  return Status::Ok();
}

Status FixedDecider::TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                                  uint64_t* out) {
  SLUICE_TRY(const BufferRef room, scratch_->Room(width()));
  SLUICE_RETURN_IF_ERROR(values_->SelectFixed(count, selection, room->mutable_data()));
  filter_->TestFixed(room->data(), selected, out);
  return Status::Ok();
}

Status ViewsDecider::TestAll(int64_t count, uint64_t* out) {
  SLUICE_TRY(const BufferRef room, scratch_->Room(sizeof(StringView)));
  auto* const views = room->mutable_as<StringView>();
  ByteArrayOutput output(views, scratch_->pool());
  SLUICE_RETURN_IF_ERROR(values_->ReadViews(count, output));
  filter_->TestViews(views, output.buffers().data(), count, out);
  return Status::Ok();
}

Status ViewsDecider::TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                                  uint64_t* out) {
  SLUICE_TRY(const BufferRef room, scratch_->Room(sizeof(StringView)));
  auto* const views = room->mutable_as<StringView>();
  ByteArrayOutput output(views, scratch_->pool());
  SLUICE_RETURN_IF_ERROR(values_->SelectViews(count, selection, output));
  filter_->TestViews(views, output.buffers().data(), selected, out);
  return Status::Ok();
}

int32_t ConvertedDecider::stored_width() const {
  if (leaf_.physical_type == PhysicalType::kByteArray) return sizeof(StringView);
  return PhysicalWidth(leaf_.physical_type, leaf_.type_length);
}

Status ConvertedDecider::Test(int64_t count, const uint64_t* selection, int64_t selected,
                              uint64_t* out) {
  Column stored;
  stored.length = selected;
  SLUICE_TRY(stored.data, scratch_->Room(stored_width()));
  if (leaf_.physical_type == PhysicalType::kByteArray) {
    stored.form = ColumnForm::kView;
    ByteArrayOutput output(stored.data->mutable_as<StringView>(), scratch_->pool());
    SLUICE_RETURN_IF_ERROR(selection == nullptr ? values_->ReadViews(count, output)
                                                : values_->SelectViews(count, selection, output));
    stored.view_buffers = std::move(output.buffers());
  } else {
    uint8_t* const bytes = stored.data->mutable_data();
    SLUICE_RETURN_IF_ERROR(selection == nullptr ? values_->ReadFixed(count, bytes)
                                                : values_->SelectFixed(count, selection, bytes));
  }
  SLUICE_TRY(const Column delivered,
             ConvertValues(leaf_, type_, std::move(stored), *scratch_->pool()));
  filter_->TestRows(delivered, 0, selected, out);
  return Status::Ok();
}

Status ConvertedDecider::TestAll(int64_t count, uint64_t* out) {
  return Test(count, nullptr, count, out);
}

Status ConvertedDecider::TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                                      uint64_t* out) {
  return Test(count, selection, selected, out);
}

}  // namespace sluice::inline v0::parquet
