#include "format/parquet/encoding/delta_binary_packed.h"

#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"
#include "format/parquet/encoding/varint.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int32_t kMaxBitWidth = 64;

}  // namespace

template <typename T>
Result<DeltaBinaryPackedReader<T>> DeltaBinaryPackedReader<T>::Open(PageBody* body, int64_t begin,
                                                                    int64_t num_values) {
  DeltaBinaryPackedReader reader;
  reader.body_ = body;
  reader.kernels_ = &kernels::BestTable();
  if (num_values > 0) SLUICE_RETURN_IF_ERROR(reader.ReadHeader(begin, num_values));
  return reader;
}

template <typename T>
Status DeltaBinaryPackedReader<T>::ReadHeader(int64_t begin, int64_t num_values) {
  SLUICE_RETURN_IF_ERROR(body_->Require(begin + 4 * kMaxVarintBytes));
  uint64_t block_size = 0;
  uint64_t num_miniblocks = 0;
  uint64_t total = 0;
  uint64_t first = 0;
  position_ = begin;
  for (uint64_t* field : {&block_size, &num_miniblocks, &total, &first}) {
    if (!ReadVarint(body_->data(), body_->size(), &position_, field)) {
      return Status::Corruption(
          fmt::format("byte {}: delta header is cut short or too long", position_));
    }
  }
  // Fault E4: kernels count on whole groups of 32, and nothing here may wrap around.
  if (block_size == 0 || block_size % 128 != 0 || block_size > INT32_MAX || num_miniblocks == 0 ||
      num_miniblocks > block_size / 32 || block_size % (num_miniblocks * 32) != 0) {
    return Status::Corruption(
        fmt::format("byte {}: delta blocks are not groups of 32 values: {} values in {} miniblocks",
                    begin, block_size, num_miniblocks));
  }
  if (total != static_cast<uint64_t>(num_values)) {
    return Status::Corruption(
        fmt::format("byte {}: delta header counts other values than the page has: {} for {}", begin,
                    total, num_values));
  }
  values_per_miniblock_ = static_cast<int64_t>(block_size / num_miniblocks);
  num_miniblocks_ = static_cast<int64_t>(num_miniblocks);
  miniblock_ = num_miniblocks_;
  remaining_ = num_values;
  unopened_ = num_values - 1;
  is_first_ = true;
  previous_ = static_cast<T>(DecodeZigzag(first));
  return Status::Ok();
}

template <typename T>
Status DeltaBinaryPackedReader<T>::ReadBlockHeader() {
  const int64_t begin = position_;
  SLUICE_RETURN_IF_ERROR(body_->Require(begin + kMaxVarintBytes + num_miniblocks_));
  uint64_t min_delta = 0;
  if (!ReadVarint(body_->data(), body_->size(), &position_, &min_delta) ||
      num_miniblocks_ > body_->size() - position_) {
    return Status::Corruption(fmt::format(
        "byte {}: delta block header is cut short with {} values missing", begin, unopened_));
  }
  min_delta_ = static_cast<T>(DecodeZigzag(min_delta));
  widths_at_ = position_;
  position_ += num_miniblocks_;
  miniblock_ = 0;
  return Status::Ok();
}

/// Opens the next miniblock, which must be there, and those behind it that have the same width:
/// their bodies are one.
template <typename T>
Status DeltaBinaryPackedReader<T>::OpenMiniblock() {
  if (miniblock_ == num_miniblocks_) SLUICE_RETURN_IF_ERROR(ReadBlockHeader());
  const uint8_t* const widths = body_->data() + widths_at_;
  const int32_t bit_width = widths[miniblock_];
  if (bit_width > kMaxBitWidth) {
    return Status::Corruption(fmt::format("byte {}: delta bit width is above {}: {}",
                                          widths_at_ + miniblock_, kMaxBitWidth, bit_width));
  }
  int64_t end = miniblock_ + 1;
  int64_t room = values_per_miniblock_;
  for (; room < unopened_ && end < num_miniblocks_ && widths[end] == bit_width; ++end) {
    room += values_per_miniblock_;
  }
  const int64_t length = std::min(room, unopened_);
  const int64_t size_left = body_->size() - position_;
  // What pads the last miniblock may be missing: no value is in it.
  if ((length * bit_width + 7) / 8 > size_left) {
    return Status::Corruption(
        fmt::format("byte {}: {} deltas of {} bits do not fit the {} bytes left", position_, length,
                    bit_width, size_left));
  }
  packed_at_ = position_;
  bit_offset_ = 0;
  bit_width_ = bit_width;
  left_ = length;
  position_ += std::min(room / 8 * bit_width, size_left);
  unopened_ -= length;
  miniblock_ = end;
  return Status::Ok();
}

template <typename T>
Status DeltaBinaryPackedReader<T>::CheckCount(int64_t count) const {
  if (count >= 0 && count <= remaining_) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("more values asked for than remain: {} of {}", count, remaining_));
}

/// The low bits of deltas that have more of them than the type.
template <typename T>
void DeltaBinaryPackedReader<T>::UnpackWide(const uint8_t* packed, int64_t count, T* out) const {
  constexpr int64_t kPiece = 128;
  uint64_t wide[kPiece + kReadPadding / sizeof(uint64_t)];
  for (int64_t at = 0; at < count; at += kPiece) {
    const int64_t begin = bit_offset_ + at * bit_width_;
    const int64_t length = std::min(kPiece, count - at);
    kernels_->unpack_64(packed + (begin >> 3), static_cast<int32_t>(begin & 7), length, bit_width_,
                        wide);
    std::transform(wide, wide + length, out + at,
                   [](uint64_t delta) { return static_cast<T>(delta); });
  }
}

/// Writes the next `count` deltas of the open miniblock, less min_delta_.
template <typename T>
Status DeltaBinaryPackedReader<T>::Unpack(int64_t count, T* out) {
  const int64_t bits = bit_offset_ + count * bit_width_;
  SLUICE_RETURN_IF_ERROR(body_->Require(packed_at_ + (bits + 7) / 8));
  const uint8_t* packed = body_->data() + packed_at_;
  if constexpr (sizeof(T) == 4) {
    if (bit_width_ > 32) {
      UnpackWide(packed, count, out);
    } else {
      kernels_->unpack_32(packed, static_cast<int32_t>(bit_offset_), count, bit_width_, out);
    }
  } else {
    kernels_->unpack_64(packed, static_cast<int32_t>(bit_offset_), count, bit_width_, out);
  }
  packed_at_ += bits >> 3;
  bit_offset_ = bits & 7;
  left_ -= count;
  return Status::Ok();
}

/// Writes the next `count` values, nothing being left to step over.
template <typename T>
Status DeltaBinaryPackedReader<T>::Decode(int64_t count, T* out) {
  if (is_first_ && count > 0) {
    is_first_ = false;
    *out++ = previous_;
    --count;
  }
  while (count > 0) {
    if (left_ == 0) SLUICE_RETURN_IF_ERROR(OpenMiniblock());
    // The miniblocks of a block share min_delta_: unpack them all, then sum them up at once.
    T* const begin = out;
    while (true) {
      const int64_t length = std::min(left_, count);
      SLUICE_RETURN_IF_ERROR(Unpack(length, out));
      out += length;
      count -= length;
      if (count == 0 || miniblock_ == num_miniblocks_) break;
      SLUICE_RETURN_IF_ERROR(OpenMiniblock());
    }
    if constexpr (sizeof(T) == 4) {
      previous_ = kernels_->prefix_sum_32(begin, out - begin, min_delta_, previous_);
    } else {
      previous_ = kernels_->prefix_sum_64(begin, out - begin, min_delta_, previous_);
    }
  }
  return Status::Ok();
}

/// Moves over the next `count` values; only their sum is wanted.
template <typename T>
Status DeltaBinaryPackedReader<T>::StepOver(int64_t count) {
  T values[kChunkValues + kReadPadding / sizeof(T)];
  while (count > 0) {
    int64_t length = std::min(count, kChunkValues);
    if (!is_first_) {
      if (left_ == 0) SLUICE_RETURN_IF_ERROR(OpenMiniblock());
      if (bit_width_ == 0) {
        length = std::min(count, left_);
        previous_ += static_cast<T>(length) * min_delta_;
        left_ -= length;
        count -= length;
        continue;
      }
    }
    SLUICE_RETURN_IF_ERROR(Decode(length, values));
    count -= length;
  }
  return Status::Ok();
}

template <typename T>
Status DeltaBinaryPackedReader<T>::StepOverSkipped() {
  if (skipped_ == 0) return Status::Ok();
  return StepOver(std::exchange(skipped_, 0));
}

template <typename T>
Status DeltaBinaryPackedReader<T>::Read(int64_t count, T* out) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  if (count == 0) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  remaining_ -= count;
  return Decode(count, out);
}

template <typename T>
Status DeltaBinaryPackedReader<T>::Select(int64_t count, const uint64_t* selection, T* out) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  const int64_t wanted = EndOfSetBits(selection, count);
  if (wanted > 0) SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  T values[kChunkValues + kReadPadding / sizeof(T)];
  for (int64_t at = 0; at < wanted; at += kChunkValues) {
    const int64_t length = std::min(kChunkValues, wanted - at);
    const uint64_t* chunk = selection + at / 64;
    const int64_t selected = CountBits(chunk, 0, length);
    if (selected == 0) {
      SLUICE_RETURN_IF_ERROR(StepOver(length));
    } else if (selected == length) {
      SLUICE_RETURN_IF_ERROR(Decode(length, out));
    } else {
      SLUICE_RETURN_IF_ERROR(Decode(length, values));
      kernels::CompressValues(*kernels_, sizeof(T), values, chunk, length, out);
    }
    out += selected;
  }
  remaining_ -= count;
  skipped_ += count - wanted;
  return Status::Ok();
}

template <typename T>
Status DeltaBinaryPackedReader<T>::Skip(int64_t count) {
  SLUICE_RETURN_IF_ERROR(CheckCount(count));
  remaining_ -= count;
  skipped_ += count;
  return Status::Ok();
}

template <typename T>
Result<DeltaMiniblock> DeltaBinaryPackedReader<T>::Miniblock() {
  SLUICE_RETURN_IF_ERROR(CheckCount(1));
  SLUICE_RETURN_IF_ERROR(StepOverSkipped());
  const auto extended = [](T value) {
    return static_cast<uint64_t>(int64_t{static_cast<std::make_signed_t<T>>(value)});
  };
  if (is_first_) return DeltaMiniblock{extended(previous_), 0, 0, 1};
  if (left_ == 0) SLUICE_RETURN_IF_ERROR(OpenMiniblock());
  return DeltaMiniblock{extended(previous_), extended(min_delta_), bit_width_, left_};
}

template <typename T>
Result<int64_t> DeltaBinaryPackedReader<T>::FindEnd() const {
  DeltaBinaryPackedReader walker = *this;
  while (walker.unopened_ > 0) SLUICE_RETURN_IF_ERROR(walker.OpenMiniblock());
  return walker.position_;
}

template class DeltaBinaryPackedReader<uint32_t>;
template class DeltaBinaryPackedReader<uint64_t>;

namespace {

template <typename T>
class DeltaBinaryPackedDecoder final : public ValueDecoder {
 public:
  DeltaBinaryPackedDecoder(int64_t num_values, DeltaBinaryPackedReader<T> reader)
      : ValueDecoder(num_values), reader_(reader) {}

  Status ReadFixed(int64_t count, uint8_t* out) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    return reader_.Read(count, reinterpret_cast<T*>(out));
  }
  Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    return reader_.Select(count, selection, reinterpret_cast<T*>(out));
  }
  Status Skip(int64_t count) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    return reader_.Skip(count);
  }
  Result<std::optional<DeltaMiniblock>> EncodedMiniblock() override {
    SLUICE_TRY(const DeltaMiniblock miniblock, reader_.Miniblock());
    return std::optional(miniblock);
  }

  static Result<std::unique_ptr<ValueDecoder>> Make(int64_t num_values, PageBody* body) {
    SLUICE_TRY(auto reader, DeltaBinaryPackedReader<T>::Open(body, 0, num_values));
    return std::unique_ptr<ValueDecoder>(
        std::make_unique<DeltaBinaryPackedDecoder>(num_values, reader));
  }

 private:
  DeltaBinaryPackedReader<T> reader_;
};

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakeDeltaBinaryPackedDecoder(int32_t width,
                                                                   int64_t num_values,
                                                                   PageBody* body) {
  if (width == 4) return DeltaBinaryPackedDecoder<uint32_t>::Make(num_values, body);
  return DeltaBinaryPackedDecoder<uint64_t>::Make(num_values, body);
}

}  // namespace sluice::inline v0::parquet
