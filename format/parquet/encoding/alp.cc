#include "format/parquet/encoding/alp.h"

#include <fmt/format.h>
#include <sluice/buffer.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/kernels/kernels.h"
#include "format/model/load.h"
#include "format/model/try.h"
#include "format/parquet/encoding/chunk_values.h"

// A page, all integers little-endian:
//
//   | mode 1 | integer encoding 1 | log2 of vector size 1 | value count int32 |
//   | offset uint32 of each vector, from here |  vector 0 | vector 1 | ...
//
// A vector of n values, of the unsigned integer U that is as wide as a value:
//
//   | exponent 1 | factor 1 | exceptions uint16 | frame of reference U | bit width 1 |
//   | n integers less the frame of reference, bit-packed |
//   | place of each exception in the vector, uint16 | its value |
//
// A value is its integer, as signed, times 10^factor times 10^-exponent.

namespace sluice::inline v0::parquet {

namespace {

constexpr int64_t kHeaderBytes = 7;

template <typename Float>
struct PowersOfTen;

template <>
struct PowersOfTen<float> {
  static constexpr int kMaximum = 10;
  static constexpr float kPositive[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                        1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  static constexpr float kNegative[] = {1e0F,  1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                        1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
};

template <>
struct PowersOfTen<double> {
  static constexpr int kMaximum = 18;
  static constexpr double kPositive[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                         1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  static constexpr double kNegative[] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                         1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                         1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
};

template <typename Float>
class AlpDecoder final : public ValueDecoder {
 public:
  using Unsigned = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  static constexpr int64_t kWidth = sizeof(Float);
  static constexpr int64_t kVectorHeaderBytes = 4 + kWidth + 1;

  AlpDecoder(int64_t num_values, PageBody* body, BufferPool* pool)
      : ValueDecoder(num_values), body_(body), pool_(pool) {}

  Status Open();

  Status ReadFixed(int64_t count, uint8_t* out) override;
  Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) override;
  Status Skip(int64_t count) override { return Take(count); }

 private:
  int64_t num_vectors() const { return (num_values() + vector_size_ - 1) / vector_size_; }
  int64_t VectorLength(int64_t vector) const {
    return std::min(vector_size_, num_values() - vector * vector_size_);
  }
  Result<int64_t> VectorEnd(int64_t vector, int64_t begin);
  Status DecodeVector(int64_t vector, Unsigned* out);
  Status CacheVector(int64_t vector);
  Status PatchExceptions(int64_t begin, int64_t num_exceptions, int64_t length, Unsigned* out);

  const kernels::KernelTable* kernels_ = &kernels::BestTable();
  PageBody* body_;
  BufferPool* pool_;
  int64_t vector_size_ = 1;
  BufferRef cache_;             ///< One decoded vector,
  int64_t cached_vector_ = -1;  ///< this one.
};

template <typename Float>
Status AlpDecoder<Float>::Open() {
  if (num_values() == 0) return Status::Ok();
  if (body_->size() < kHeaderBytes) {
    return Status::Corruption(
        fmt::format("byte 0: ALP header is cut short: {} bytes", body_->size()));
  }
  SLUICE_RETURN_IF_ERROR(body_->Require(kHeaderBytes));
  const uint8_t* header = body_->data();
  if (header[0] != 0 || header[1] != 0) {
    return Status::Unsupported(
        fmt::format("ALP mode or integer encoding is unknown: {}, {}", header[0], header[1]));
  }
  if (header[2] < 3 || header[2] > 15) {
    return Status::Corruption(
        fmt::format("byte 2: ALP vector size is not 2^3 to 2^15: 2^{}", header[2]));
  }
  vector_size_ = int64_t{1} << header[2];
  const int32_t stored_count = Load<int32_t>(header + 3);
  if (stored_count != num_values()) {
    return Status::Corruption(
        fmt::format("byte 3: ALP header counts other values than the page has: {} for {}",
                    stored_count, num_values()));
  }
  if (num_vectors() > (body_->size() - kHeaderBytes) / 4) {
    return Status::Corruption(
        fmt::format("byte 7: page ends before the offsets of its {} vectors", num_vectors()));
  }
  SLUICE_RETURN_IF_ERROR(body_->Require(kHeaderBytes + num_vectors() * 4));
  if (Load<uint32_t>(body_->data() + kHeaderBytes) != num_vectors() * 4) {
    return Status::Corruption("byte 7: the first ALP vector is not behind the offsets");
  }
  return Status::Ok();
}

/// Where the vector that begins at `begin` ends, at most.
template <typename Float>
Result<int64_t> AlpDecoder<Float>::VectorEnd(int64_t vector, int64_t begin) {
  if (vector + 1 == num_vectors()) return body_->size();
  const int64_t offset_at = kHeaderBytes + (vector + 1) * 4;
  const int64_t end = kHeaderBytes + Load<uint32_t>(body_->data() + offset_at);
  if (end >= begin && end <= body_->size()) return end;
  return Status::Corruption(
      fmt::format("byte {}: ALP vector does not lie in the page: ends at {}", offset_at, end));
}

/// Writes the values of a whole vector, as bit patterns.
template <typename Float>
Status AlpDecoder<Float>::DecodeVector(int64_t vector, Unsigned* out) {
  const int64_t begin = kHeaderBytes + Load<uint32_t>(body_->data() + kHeaderBytes + vector * 4);
  SLUICE_TRY(const int64_t end, VectorEnd(vector, begin));
  if (end - begin < kVectorHeaderBytes) {
    return Status::Corruption(fmt::format("byte {}: ALP vector header is cut short", begin));
  }
  SLUICE_RETURN_IF_ERROR(body_->Require(end));
  const uint8_t* header = body_->data() + begin;
  using Powers = PowersOfTen<Float>;
  const int exponent = header[0];
  const int factor = header[1];
  const int64_t num_exceptions = Load<uint16_t>(header + 2);
  const Unsigned frame_of_reference = Load<Unsigned>(header + 4);
  const int32_t bit_width = header[4 + kWidth];
  const int64_t length = VectorLength(vector);
  if (exponent > Powers::kMaximum || factor > exponent || bit_width > kWidth * 8 ||
      num_exceptions > length) {
    return Status::Corruption(
        fmt::format("byte {}: ALP vector header is out of range: exponent {}, factor {}, {} "
                    "exceptions, {} bits",
                    begin, exponent, factor, num_exceptions, bit_width));
  }
  const int64_t packed_at = begin + kVectorHeaderBytes;
  const int64_t exceptions_at = packed_at + (length * bit_width + 7) / 8;
  if (exceptions_at + num_exceptions * (2 + kWidth) > end) {
    return Status::Corruption(fmt::format("byte {}: ALP vector of {} bytes has only {}", begin,
                                          exceptions_at + num_exceptions * (2 + kWidth) - begin,
                                          end - begin));
  }
  const uint8_t* packed = body_->data() + packed_at;
  if constexpr (kWidth == 4) {
    kernels_->unpack_32(packed, 0, length, bit_width, out);
  } else {
    kernels_->unpack_64(packed, 0, length, bit_width, out);
  }
  const Float scale_up = Powers::kPositive[factor];
  const Float scale_down = Powers::kNegative[exponent];
  for (int64_t i = 0; i < length; ++i) {
    const auto integer = static_cast<std::make_signed_t<Unsigned>>(out[i] + frame_of_reference);
    const Float value = static_cast<Float>(integer) * scale_up * scale_down;
    std::memcpy(&out[i], &value, sizeof(value));
  }
  return PatchExceptions(exceptions_at, num_exceptions, length, out);
}

template <typename Float>
Status AlpDecoder<Float>::PatchExceptions(int64_t begin, int64_t num_exceptions, int64_t length,
                                          Unsigned* out) {
  const uint8_t* places = body_->data() + begin;
  const uint8_t* values = places + num_exceptions * 2;
  for (int64_t i = 0; i < num_exceptions; ++i) {
    const uint16_t place = Load<uint16_t>(places + i * 2);
    if (place >= length) {
      return Status::Corruption(
          fmt::format("byte {}: ALP exception is not in its vector: place {} of {}", begin + i * 2,
                      place, length));
    }
    // As bits: a NaN stays the one it was.
    out[place] = Load<Unsigned>(values + i * kWidth);
  }
  return Status::Ok();
}

template <typename Float>
Status AlpDecoder<Float>::CacheVector(int64_t vector) {
  if (vector == cached_vector_) return Status::Ok();
  if (!cache_) {
    SLUICE_TRY(cache_, pool_->Allocate(std::min(vector_size_, num_values()) * kWidth));
  }
  cached_vector_ = -1;
  SLUICE_RETURN_IF_ERROR(DecodeVector(vector, cache_->mutable_as<Unsigned>()));
  cached_vector_ = vector;
  return Status::Ok();
}

template <typename Float>
Status AlpDecoder<Float>::ReadFixed(int64_t count, uint8_t* out) {
  int64_t at = taken();
  SLUICE_RETURN_IF_ERROR(Take(count));
  for (const int64_t end = at + count; at < end;) {
    const int64_t vector = at / vector_size_;
    const int64_t begin = at % vector_size_;
    const int64_t length = std::min(VectorLength(vector) - begin, end - at);
    if (length == VectorLength(vector)) {
      SLUICE_RETURN_IF_ERROR(DecodeVector(vector, reinterpret_cast<Unsigned*>(out)));
    } else {
      SLUICE_RETURN_IF_ERROR(CacheVector(vector));
      std::memcpy(out, cache_->data() + begin * kWidth, static_cast<size_t>(length * kWidth));
    }
    out += length * kWidth;
    at += length;
  }
  return Status::Ok();
}

template <typename Float>
Status AlpDecoder<Float>::SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out) {
  const int64_t first = taken();
  SLUICE_RETURN_IF_ERROR(Take(count));
  uint64_t words[kChunkValues / 64];
  // Chunks that lie in one vector each.
  for (int64_t at = 0; at < count;) {
    const int64_t vector = (first + at) / vector_size_;
    const int64_t begin = (first + at) % vector_size_;
    const int64_t length = std::min({VectorLength(vector) - begin, count - at, kChunkValues});
    if (CopyBits(selection, at, length, words) > 0) {
      SLUICE_RETURN_IF_ERROR(CacheVector(vector));
      const uint8_t* values = cache_->data() + begin * kWidth;
      out += kernels::CompressValues(*kernels_, kWidth, values, words, length, out) * kWidth;
    }
    at += length;
  }
  return Status::Ok();
}

template <typename Float>
Result<std::unique_ptr<ValueDecoder>> Make(int64_t num_values, PageBody* body, BufferPool* pool) {
  auto decoder = std::make_unique<AlpDecoder<Float>>(num_values, body, pool);
  SLUICE_RETURN_IF_ERROR(decoder->Open());
  return std::unique_ptr<ValueDecoder>(std::move(decoder));
}

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakeAlpDecoder(int32_t width, int64_t num_values,
                                                     PageBody* body, BufferPool* pool) {
  if (width == 4) return Make<float>(num_values, body, pool);
  return Make<double>(num_values, body, pool);
}

}  // namespace sluice::inline v0::parquet
