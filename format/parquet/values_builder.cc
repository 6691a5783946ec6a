#include "format/parquet/values_builder.h"

#include <cstring>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/try.h"
#include "format/model/view_buffers.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {

namespace {

/// Drops of the `count` bits from `begin` on those that are not set in `selection`; the others move
/// up, and zeros follow them.
void CompressBits(uint64_t* words, int64_t begin, int64_t count, const uint64_t* selection) {
  int64_t end = begin;
  ForEachSetBit(selection, count,
                [&](int64_t i) { StoreBits(words, end++, GetBit(words, begin + i) ? 1 : 0, 1); });
  ClearBits(words, end, begin + count);
}

int64_t BytesOf(const std::vector<BufferRef>& buffers, size_t first) {
  int64_t bytes = 0;
  for (size_t i = first; i < buffers.size(); ++i) bytes += buffers[i]->size();
  return bytes;
}

}  // namespace

ValuesBuilder::ValuesBuilder(const Leaf& leaf, std::shared_ptr<const DataType> type,
                             bool keep_codes, bool select_encoded, BufferPool* pool,
                             const kernels::KernelTable* kernels)
    : leaf_(leaf),
      type_(std::move(type)),
      keep_codes_(keep_codes),
      select_encoded_(select_encoded),
      stored_as_delivered_(IsStoredAsDelivered(leaf, *type_)),
      pool_(pool),
      kernels_(kernels),
      data_(pool),
      scratch_(pool) {
  if (type_->id == TypeId::kNull) {
    layout_ = Layout::kNothing;
  } else if (type_->id == TypeId::kBoolean) {
    layout_ = Layout::kBits;
  } else if (type_->is_view()) {
    layout_ = Layout::kViews;
    width_ = static_cast<int32_t>(sizeof(StringView));
  } else {
    layout_ = Layout::kFixed;
    width_ = type_->byte_width;
  }
}

void ValuesBuilder::SetDictionary(std::shared_ptr<const Column> dictionary) {
  if (dictionary_ == dictionary) return;
  dictionary_ = std::move(dictionary);
  view_buffers_ = dictionary_->view_buffers;
}

Status ValuesBuilder::Append(DataPage& page, const ValueRun& run) {
  if (layout_ == Layout::kNothing) {
    // The annotation says that every value is null, whatever is stored.
    length_ += run.selected;
    return page.SkipValues(run.count);
  }
  if (page.is_dictionary_encoded()) {
    SLUICE_TRY(DictionaryIndexDecoder * codes, page.codes());
    SLUICE_RETURN_IF_ERROR(AppendCodes(*codes, run));
  } else {
    if (holds_codes_) SLUICE_RETURN_IF_ERROR(CodesToValues());
    SLUICE_TRY(ValueDecoder * values, page.values());
    SLUICE_RETURN_IF_ERROR(stored_as_delivered_ ? AppendDirect(*values, run)
                                                : AppendConverted(*values, run));
  }
  length_ += run.selected;
  return Status::Ok();
}

Status ValuesBuilder::AppendCodes(DictionaryIndexDecoder& codes, const ValueRun& run) {
  if ((keep_codes_ || holds_codes_meanwhile_) && length_ == 0) holds_codes_ = true;
  BufferBuilder& target = holds_codes_ ? data_ : scratch_;
  const int64_t room = (run.selection != nullptr && !select_encoded_) ? run.count : run.selected;
  SLUICE_RETURN_IF_ERROR(target.Reserve(room * 4));
  auto* out = reinterpret_cast<int32_t*>(target.end());
  if (run.selection == nullptr) {
    SLUICE_RETURN_IF_ERROR(codes.Read(run.count, out));
  } else if (select_encoded_) {
    SLUICE_RETURN_IF_ERROR(codes.Select(run.count, run.selection, out));
  } else {
    SLUICE_RETURN_IF_ERROR(codes.Read(run.count, out));
    kernels_->compress_4(out, run.selection, run.count, out);
  }
  if (holds_codes_) {
    data_.Advance(run.selected * 4);
    return Status::Ok();
  }
  return LookUp(out, run.selected);
}

Status ValuesBuilder::LookUp(const int32_t* codes, int64_t count) {
  if (count == 0) return Status::Ok();
  const uint8_t* values = dictionary_->data->data();
  if (layout_ == Layout::kBits) {
    SLUICE_RETURN_IF_ERROR(data_.ExtendBitmap(length_ + count));
    for (int64_t i = 0; i < count; ++i) {
      if (GetBit(reinterpret_cast<const uint64_t*>(values), codes[i])) {
        SetBit(data_.as<uint64_t>(), length_ + i);
      }
    }
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(data_.Reserve(count * width_));
  kernels::GatherValues(*kernels_, width_, values, codes, count, data_.end());
  data_.Advance(count * width_);
  return Status::Ok();
}

Status ValuesBuilder::CodesToValues() {
  holds_codes_ = false;
  const int64_t count = length_;
  SLUICE_TRY(const BufferRef codes, data_.Finish());
  length_ = 0;
  SLUICE_RETURN_IF_ERROR(LookUp(codes->as<int32_t>(), count));
  length_ = count;
  return Status::Ok();
}

Status ValuesBuilder::AppendDirect(ValueDecoder& values, const ValueRun& run) {
  switch (layout_) {
    case Layout::kBits:
      return DecodeBits(values, run);
    case Layout::kViews:
      return DecodeViews(values, run, data_, view_buffers_);
    default:
      return DecodeFixed(values, run, width_, data_);
  }
}

Status ValuesBuilder::AppendConverted(ValueDecoder& values, const ValueRun& run) {
  Column physical;
  physical.length = run.selected;
  BufferBuilder stored(pool_);
  if (leaf_.physical_type == PhysicalType::kByteArray) {
    physical.form = ColumnForm::kView;
    SLUICE_RETURN_IF_ERROR(DecodeViews(values, run, stored, physical.view_buffers));
  } else {
    SLUICE_RETURN_IF_ERROR(
        DecodeFixed(values, run, PhysicalWidth(leaf_.physical_type, leaf_.type_length), stored));
  }
  SLUICE_TRY(physical.data, stored.Finish());
  SLUICE_TRY(const Column converted, ConvertValues(leaf_, type_, std::move(physical), *pool_));
  const int64_t bytes = run.selected * width_;
  SLUICE_RETURN_IF_ERROR(data_.Reserve(bytes));
  std::memcpy(data_.end(), converted.data->data(), static_cast<size_t>(bytes));
  data_.Advance(bytes);
  return Status::Ok();
}

Status ValuesBuilder::DecodeFixed(ValueDecoder& values, const ValueRun& run, int32_t width,
                                  BufferBuilder& out) {
  const bool compress_after = run.selection != nullptr && !select_encoded_;
  SLUICE_RETURN_IF_ERROR(out.Reserve((compress_after ? run.count : run.selected) * width));
  if (run.selection == nullptr || compress_after) {
    SLUICE_RETURN_IF_ERROR(values.ReadFixed(run.count, out.end()));
    if (compress_after) {
      kernels::CompressValues(*kernels_, width, out.end(), run.selection, run.count, out.end());
    }
  } else {
    SLUICE_RETURN_IF_ERROR(values.SelectFixed(run.count, run.selection, out.end()));
  }
  out.Advance(run.selected * width);
  return Status::Ok();
}

Status ValuesBuilder::DecodeViews(ValueDecoder& values, const ValueRun& run, BufferBuilder& out,
                                  std::vector<BufferRef>& buffers) {
  constexpr int64_t kWidth = sizeof(StringView);
  const bool compress_after = run.selection != nullptr && !select_encoded_;
  SLUICE_RETURN_IF_ERROR(out.Reserve((compress_after ? run.count : run.selected) * kWidth));
  ByteArrayOutput output(reinterpret_cast<StringView*>(out.end()), pool_);
  output.buffers() = std::move(buffers);
  const size_t known = output.buffers().size();
  Status status;
  if (run.selection == nullptr || compress_after) {
    status = values.ReadViews(run.count, output);
    if (status.ok() && compress_after) {
      kernels_->compress_16(out.end(), run.selection, run.count, out.end());
    }
  } else {
    status = values.SelectViews(run.count, run.selection, output);
  }
  // What is pointed into is pinned whole.
  string_bytes_ += BytesOf(output.buffers(), known);
  buffers = std::move(output.buffers());
  SLUICE_RETURN_IF_ERROR(std::move(status));
  out.Advance(run.selected * kWidth);
  return Status::Ok();
}

Status ValuesBuilder::DecodeBits(ValueDecoder& values, const ValueRun& run) {
  SLUICE_RETURN_IF_ERROR(data_.ExtendBitmap(length_ + run.selected));
  auto* out = data_.as<uint64_t>();
  if (run.selection == nullptr) return values.ReadBits(run.count, out, length_);
  if (select_encoded_) return values.SelectBits(run.count, run.selection, out, length_);
  BufferBuilder all(pool_);
  BufferBuilder kept(pool_);
  SLUICE_RETURN_IF_ERROR(all.ExtendBitmap(run.count));
  SLUICE_RETURN_IF_ERROR(kept.ExtendBitmap(run.count));
  SLUICE_RETURN_IF_ERROR(values.ReadBits(run.count, all.as<uint64_t>(), 0));
  kernels_->extract_bits(all.as<uint64_t>(), run.selection, run.count, kept.as<uint64_t>());
  AppendBitmap(out, length_, kept.as<uint64_t>(), run.selected);
  return Status::Ok();
}

Column ValuesBuilder::Peek() const {
  Column column;
  column.length = length_;
  column.type = type_;
  column.data = data_.buffer();
  if (holds_codes_) {
    column.form = ColumnForm::kDictionary;
    column.dictionary = dictionary_;
  } else if (layout_ == Layout::kViews) {
    column.form = ColumnForm::kView;
    column.view_buffers = view_buffers_;
  }
  return column;
}

int64_t ValuesBuilder::KeepSelected(int64_t begin, const uint64_t* bits) {
  const int64_t count = std::exchange(length_, begin) - begin;
  int64_t kept = CountBits(bits, 0, count);
  length_ += kept;
  if (length_ == 0) {
    Clear();
    return kept;
  }
  if (layout_ == Layout::kNothing) return kept;
  if (layout_ != Layout::kBits || holds_codes_) {
    if (kept < count && kept > 0) {
      uint8_t* const values = data_.data() + begin * Width();
      kernels::CompressValues(*kernels_, Width(), values, bits, count, values);
    }
    data_.Truncate(length_ * Width());
    return kept;
  }
  // Who appends bits expects zeros.
  CompressBits(data_.as<uint64_t>(), begin, count, bits);
  data_.Truncate(BitmapBytes(length_));
  return kept;
}

void ValuesBuilder::Clear() {
  length_ = 0;
  data_.Truncate(0);
  LetGoOfPages();
}

Status ValuesBuilder::Unpin() {
  if (layout_ != Layout::kViews || holds_codes_ || length_ == 0) return Status::Ok();
  Column values = Peek();
  SLUICE_RETURN_IF_ERROR(UnpinViews(values, SharedBuffers(), *pool_));
  view_buffers_ = std::move(values.view_buffers);
  string_bytes_ = BytesOf(view_buffers_, SharedBuffers());
  return Status::Ok();
}

/// There are no values left.
void ValuesBuilder::LetGoOfPages() {
  holds_codes_ = false;
  string_bytes_ = 0;
  view_buffers_.clear();
  if (dictionary_) view_buffers_ = dictionary_->view_buffers;
}

Result<Column> ValuesBuilder::Finish(int64_t count) {
  if (holds_codes_ && !keep_codes_) SLUICE_RETURN_IF_ERROR(CodesToValues());
  Column column = Peek();
  column.length = count;
  const int64_t left = std::exchange(length_, length_ - count) - count;
  if (layout_ == Layout::kNothing) return column;
  SLUICE_TRY(column.data, data_.Finish());
  SLUICE_RETURN_IF_ERROR(KeepBehind(count, column));
  if (left == 0) {
    LetGoOfPages();
  } else {
    string_bytes_ = string_bytes_ / (left + count) * left;
  }
  if (column.form == ColumnForm::kView) {
    SLUICE_RETURN_IF_ERROR(UnpinViews(column, SharedBuffers(), *pool_));
  }
  return column;
}

/// Takes back the values of `all` behind the first `count`, length_ of them.
Status ValuesBuilder::KeepBehind(int64_t count, const Column& all) {
  if (length_ == 0) return Status::Ok();
  if (layout_ == Layout::kBits && !holds_codes_) {
    SLUICE_RETURN_IF_ERROR(data_.ExtendBitmap(length_));
    CopyBits(all.data->as<uint64_t>(), count, length_, data_.as<uint64_t>());
    return Status::Ok();
  }
  const int64_t bytes = length_ * Width();
  SLUICE_RETURN_IF_ERROR(data_.Reserve(bytes));
  std::memcpy(data_.end(), all.data->data() + count * Width(), static_cast<size_t>(bytes));
  data_.Advance(bytes);
  if (layout_ == Layout::kViews && !holds_codes_) {
    // What stays pins only its own.
    DropUnusedBuffers(data_.as<StringView>(), length_, SharedBuffers(), view_buffers_);
  }
  return Status::Ok();
}

/// How many of view_buffers_ are the dictionary's.
size_t ValuesBuilder::SharedBuffers() const {
  return dictionary_ ? dictionary_->view_buffers.size() : 0;
}

}  // namespace sluice::inline v0::parquet
