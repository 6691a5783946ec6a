#include "format/parquet/encoding/delta_byte_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"
#include "format/parquet/encoding/delta_binary_packed.h"

namespace sluice::inline v0::parquet {

namespace {

/// Copies `size` bytes in steps of 16; both sides have as many bytes to spare. Each step loads
/// before it stores: what follows `in` may be `out`.
void CopyPadded(uint8_t* out, const uint8_t* in, int64_t size) {
  for (int64_t at = 0; at < size; at += 16) {
    uint64_t words[2];
    std::memcpy(words, in + at, sizeof(words));
    std::memcpy(out + at, words, sizeof(words));
  }
}

/// Where selected values of variable length are put together. Values that fit into their views go
/// to slots that are used again; others to buffers, whose sizes come from the checked lengths.
class ViewSink {
 public:
  static constexpr int64_t kSlot = 16;

  explicit ViewSink(ByteArrayOutput& out) : out_(out), view_(out.views()) {}

  /// Begins a stretch whose selected values have `bytes` in all and `longest` at most. `slots` has
  /// room for kChunkValues of them.
  void Begin(int64_t bytes, int64_t longest, uint8_t* slots) {
    bytes_left_ = bytes;
    slots_ = longest <= StringView::kInlineLength ? slots : nullptr;
  }

  /// Room for the next value; null where there is none before Grow(length).
  uint8_t* Place(int64_t length) {
    if (slots_ != nullptr) return std::exchange(slots_, slots_ + kSlot);
    if (buffer_ == nullptr || length > buffer_->size() - used_) return nullptr;
    return buffer_->mutable_data() + used_;
  }

  Status Grow(int64_t length) {
    // Views have offsets of 31 bits.
    constexpr int64_t kLargest = int64_t{1} << 30;
    SLUICE_TRY(buffer_, out_.Allocate(std::max(length, std::min(bytes_left_, kLargest))));
    used_ = 0;
    buffer_index_ = out_.BufferIndex(buffer_);
    return Status::Ok();
  }

  void Put(const uint8_t* value, int64_t length) {
    *view_++ = StringView::OfPadded(value, static_cast<int32_t>(length), buffer_index_,
                                    static_cast<int32_t>(used_));
    if (slots_ == nullptr) used_ += length;
    bytes_left_ -= length;
  }

  /// Ends the stretch.
  void End() { out_.Advance(view_ - out_.views()); }

  /// What keeps the value that was put last alive, if no slot does.
  const BufferRef& buffer() const { return buffer_; }

 private:
  ByteArrayOutput& out_;
  StringView* view_;
  uint8_t* slots_ = nullptr;
  BufferRef buffer_;
  int32_t buffer_index_ = 0;
  int64_t used_ = 0;
  int64_t bytes_left_ = 0;
};

/// Where selected values of one length go: one behind the other.
class FixedSink {
 public:
  explicit FixedSink(uint8_t* out) : out_(out) {}

  void Begin(int64_t, int64_t, uint8_t*) {}
  uint8_t* Place(int64_t) { return out_; }
  Status Grow(int64_t) { return Status::Ok(); }
  void Put(const uint8_t*, int64_t length) { out_ += length; }
  void End() {}

 private:
  uint8_t* out_;
};

class DeltaByteArrayDecoder final : public ValueDecoder {
 public:
  DeltaByteArrayDecoder(std::optional<int32_t> type_length, int64_t num_values, PageBody* body,
                        BufferPool* pool, std::string* carried_value)
      : ValueDecoder(num_values),
        type_length_(type_length),
        body_(body),
        pool_(pool),
        carried_value_(carried_value) {}

  Status Open();

  Status ReadFixed(int64_t count, uint8_t* out) override;
  Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) override;
  Status ReadViews(int64_t count, ByteArrayOutput& out) override;
  Status SelectViews(int64_t count, const uint64_t* selection, ByteArrayOutput& out) override;
  Status Skip(int64_t count) override;
  Result<ValueSizes> SizesAhead() override;

 private:
  /// What is known of values before they are put together.
  struct Sizes {
    int64_t suffix_bytes = 0;
    int64_t selected_bytes = 0;
    int64_t longest = 0;           ///< Of all values.
    int64_t longest_selected = 0;  ///< Of the selected ones.
  };

  template <typename Sink>
  Status TakeValues(int64_t count, const uint64_t* selection, Sink& sink);
  template <typename Sink>
  Status TakeLoaded(int64_t count, const uint64_t* selection, int64_t begin, Sink& sink);
  Status LoadLengths();
  Sizes Measure(int64_t count, const uint64_t* selection, int64_t begin) const;
  Status StepOverSkipped();
  Status ReserveUnselected(int64_t size);
  Status KeepPrevious();
  Status CarryOver();

  std::optional<int32_t> type_length_;
  PageBody* body_;
  BufferPool* pool_;
  std::string* carried_value_;

  DeltaBinaryPackedReader<uint32_t> prefix_reader_;
  DeltaBinaryPackedReader<uint32_t> suffix_reader_;
  int64_t position_ = 0;  ///< Of the next suffix.
  int64_t skipped_ = 0;   ///< Values at the present place that are still to be stepped over.

  /// The value before the next one: in unselected_, a slot, a sink's buffer that previous_owner_
  /// keeps alive, or (within a call) in its output.
  const uint8_t* previous_ = nullptr;
  int64_t previous_length_ = 0;
  BufferRef previous_owner_;
  BufferRef
      unselected_;   ///< Where values that are not wanted are put together, each over the last.
  BufferRef slots_;  ///< Short values, ViewSink::kSlot bytes each.

  /// The lengths of values ahead; those from used_ to loaded_ were not taken yet.
  int64_t used_ = 0;
  int64_t loaded_ = 0;
  uint32_t prefixes_[kChunkValues + kReadPadding / 4];
  uint32_t suffixes_[kChunkValues + kReadPadding / 4];
};

Status DeltaByteArrayDecoder::Open() {
  using Reader = DeltaBinaryPackedReader<uint32_t>;
  SLUICE_TRY(prefix_reader_, Reader::Open(body_, 0, num_values()));
  SLUICE_TRY(const int64_t suffixes, prefix_reader_.FindEnd());
  SLUICE_TRY(suffix_reader_, Reader::Open(body_, suffixes, num_values()));
  SLUICE_TRY(position_, suffix_reader_.FindEnd());
  SLUICE_TRY(slots_, pool_->Allocate(kChunkValues * ViewSink::kSlot));
  SLUICE_RETURN_IF_ERROR(ReserveUnselected(256));
  if (carried_value_ != nullptr) {
    SLUICE_RETURN_IF_ERROR(ReserveUnselected(static_cast<int64_t>(carried_value_->size())));
    previous_length_ = static_cast<int64_t>(carried_value_->size());
    std::memcpy(unselected_->mutable_data(), carried_value_->data(), carried_value_->size());
  }
  previous_ = unselected_->data();
  return Status::Ok();
}

/// Gives unselected_ room for values of `size` bytes; what is in it stays.
Status DeltaByteArrayDecoder::ReserveUnselected(int64_t size) {
  if (unselected_ && size <= unselected_->size()) return Status::Ok();
  const int64_t grown = unselected_ ? unselected_->size() * 2 : size;
  SLUICE_TRY(BufferRef larger, pool_->Allocate(std::max(size, grown)));
  if (unselected_ && previous_ == unselected_->data()) {
    std::memcpy(larger->mutable_data(), previous_, static_cast<size_t>(previous_length_));
    previous_ = larger->data();
  }
  unselected_ = std::move(larger);
  return Status::Ok();
}

/// Moves the last value out of memory that is the caller's.
Status DeltaByteArrayDecoder::KeepPrevious() {
  SLUICE_RETURN_IF_ERROR(ReserveUnselected(previous_length_));
  if (previous_ != unselected_->data()) {
    std::memcpy(unselected_->mutable_data(), previous_, static_cast<size_t>(previous_length_));
    previous_ = unselected_->data();
  }
  return Status::Ok();
}

/// Reads the lengths of the next values and checks them: prefixes no longer than the value before,
/// suffixes that the page has. There is at least one, and none is loaded.
Status DeltaByteArrayDecoder::LoadLengths() {
  const int64_t count = std::min(kChunkValues, prefix_reader_.remaining());
  SLUICE_RETURN_IF_ERROR(prefix_reader_.Read(count, prefixes_));
  SLUICE_RETURN_IF_ERROR(suffix_reader_.Read(count, suffixes_));
  int64_t previous = previous_length_;
  int64_t suffix_bytes = 0;
  const int64_t size_left = body_->size() - position_;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = int64_t{prefixes_[i]} + suffixes_[i];
    suffix_bytes += suffixes_[i];
    if (prefixes_[i] > previous || suffix_bytes > size_left || length > INT32_MAX) {
      return Status::Corruption(fmt::format(
          "byte {}: prefix or suffix length is negative or too long: {} of {} bytes, {} of {}",
          position_, static_cast<int32_t>(prefixes_[i]), previous,
          static_cast<int32_t>(suffixes_[i]), size_left));
    }
    if (type_length_ && length != *type_length_) {
      return Status::Corruption(fmt::format("byte {}: value has not the column's length: {} for {}",
                                            position_, length, *type_length_));
    }
    previous = length;
  }
  used_ = 0;
  loaded_ = count;
  return Status::Ok();
}

/// Of the next `count` loaded values, of which those are selected whose bit from `begin` on is set.
DeltaByteArrayDecoder::Sizes DeltaByteArrayDecoder::Measure(int64_t count,
                                                            const uint64_t* selection,
                                                            int64_t begin) const {
  Sizes sizes;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = int64_t{prefixes_[used_ + i]} + suffixes_[used_ + i];
    sizes.suffix_bytes += suffixes_[used_ + i];
    sizes.longest = std::max(sizes.longest, length);
    if (selection == nullptr || GetBit(selection, begin + i)) {
      sizes.selected_bytes += length;
      sizes.longest_selected = std::max(sizes.longest_selected, length);
    }
  }
  return sizes;
}

template <typename Sink>
Status DeltaByteArrayDecoder::TakeLoaded(int64_t count, const uint64_t* selection, int64_t begin,
                                         Sink& sink) {
  const Sizes sizes = Measure(count, selection, begin);
  SLUICE_RETURN_IF_ERROR(body_->Require(position_ + sizes.suffix_bytes));
  if (selection != nullptr) SLUICE_RETURN_IF_ERROR(ReserveUnselected(sizes.longest));
  sink.Begin(sizes.selected_bytes, sizes.longest_selected, slots_->mutable_data());
  const uint8_t* suffix = body_->data() + position_;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t prefix_length = prefixes_[used_ + i];
    const int64_t suffix_length = suffixes_[used_ + i];
    const bool is_selected = selection == nullptr || GetBit(selection, begin + i);
    uint8_t* value = unselected_->mutable_data();
    if (is_selected) {
      value = sink.Place(prefix_length + suffix_length);
      if (value == nullptr) {
        SLUICE_RETURN_IF_ERROR(sink.Grow(prefix_length + suffix_length));
        value = sink.Place(prefix_length + suffix_length);
      }
    }
    if (value != previous_) CopyPadded(value, previous_, prefix_length);
    CopyPadded(value + prefix_length, suffix, suffix_length);
    suffix += suffix_length;
    previous_ = value;
    previous_length_ = prefix_length + suffix_length;
    if (is_selected) sink.Put(value, previous_length_);
  }
  sink.End();
  used_ += count;
  position_ += sizes.suffix_bytes;
  return Status::Ok();
}

/// Takes `count` values, of which those whose bit is set go to `sink`; all where `selection` is
/// null.
template <typename Sink>
Status DeltaByteArrayDecoder::TakeValues(int64_t count, const uint64_t* selection, Sink& sink) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  const int64_t wanted = selection == nullptr ? count : EndOfSetBits(selection, count);
  if (wanted > 0) SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  for (int64_t at = 0; at < wanted;) {
    if (used_ == loaded_) SLUICE_RETURN_IF_ERROR(LoadLengths());
    const int64_t size = std::min(loaded_ - used_, wanted - at);
    SLUICE_RETURN_IF_ERROR(TakeLoaded(size, selection, at, sink));
    at += size;
  }
  skipped_ += count - wanted;
  return Status::Ok();
}

/// The value before the next one is needed (fault E6): puts together what was skipped.
Status DeltaByteArrayDecoder::StepOverSkipped() {
  const uint64_t none[kChunkValues / 64] = {};
  FixedSink nowhere(nullptr);
  while (skipped_ > 0) {
    if (used_ == loaded_) SLUICE_RETURN_IF_ERROR(LoadLengths());
    const int64_t size = std::min(loaded_ - used_, skipped_);
    SLUICE_RETURN_IF_ERROR(TakeLoaded(size, none, 0, nowhere));
    skipped_ -= size;
  }
  return Status::Ok();
}

Result<ValueSizes> DeltaByteArrayDecoder::SizesAhead() {
  SLUICE_RETURN_IF_ERROR(CheckLeft(1));
  SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  if (used_ == loaded_) SLUICE_RETURN_IF_ERROR(LoadLengths());
  return ValueSizes{loaded_ - used_, Measure(loaded_ - used_, nullptr, 0).longest};
}

/// Hands the last value on to the next page, if the caller wants that.
Status DeltaByteArrayDecoder::CarryOver() {
  if (carried_value_ == nullptr || taken() < num_values()) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  carried_value_->assign(reinterpret_cast<const char*>(previous_),
                         static_cast<size_t>(previous_length_));
  return Status::Ok();
}

Status DeltaByteArrayDecoder::ReadFixed(int64_t count, uint8_t* out) {
  return SelectFixed(count, nullptr, out);
}

Status DeltaByteArrayDecoder::SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) {
  if (!type_length_) return ValueDecoder::SelectFixed(count, selection, out);
  FixedSink sink(out);
  SLUICE_RETURN_IF_ERROR(TakeValues(count, selection, sink));
  SLUICE_RETURN_IF_ERROR(KeepPrevious());
  return CarryOver();
}

Status DeltaByteArrayDecoder::ReadViews(int64_t count, ByteArrayOutput& out) {
  return SelectViews(count, nullptr, out);
}

Status DeltaByteArrayDecoder::SelectViews(int64_t count, const uint64_t* selection,
                                          ByteArrayOutput& out) {
  if (type_length_) return ValueDecoder::SelectViews(count, selection, out);
  ViewSink sink(out);
  SLUICE_RETURN_IF_ERROR(TakeValues(count, selection, sink));
  if (sink.buffer()) previous_owner_ = sink.buffer();
  return CarryOver();
}

Status DeltaByteArrayDecoder::Skip(int64_t count) {
  SLUICE_RETURN_IF_ERROR(Take(count));
  skipped_ += count;
  return CarryOver();
}

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakeDeltaByteArrayDecoder(std::optional<int32_t> type_length,
                                                                int64_t num_values, PageBody* body,
                                                                BufferPool* pool,
                                                                std::string* carried_value) {
  auto decoder =
      std::make_unique<DeltaByteArrayDecoder>(type_length, num_values, body, pool, carried_value);
  SLUICE_RETURN_IF_ERROR(decoder->Open());
  return std::unique_ptr<ValueDecoder>(std::move(decoder));
}

}  // namespace sluice::inline v0::parquet
