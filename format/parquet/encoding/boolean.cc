#include "format/parquet/encoding/boolean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/encoding/packed_bits.h"
#include "format/parquet/encoding/rle_hybrid.h"

namespace sluice::inline v0::parquet {

namespace {

/// The bits of a PLAIN page. Its size was checked.
class PlainBits {
 public:
  explicit PlainBits(PageBody* body) : body_(body) {}

  Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit) {
    SLUICE_RETURN_IF_ERROR(body_->Require((bit_ + count + 7) / 8));
    AppendPackedBits(body_->data() + (bit_ >> 3), bit_ & 7, count, out, out_bit);
    bit_ += count;
    return Status::Ok();
  }

  Status Skip(int64_t count) {
    bit_ += count;
    return Status::Ok();
  }

  Result<HybridRun> Run(int64_t at_most) {
    SLUICE_RETURN_IF_ERROR(body_->Require((bit_ + at_most + 7) / 8));
    HybridRun run;
    run.length = at_most;
    run.packed = body_->data() + (bit_ >> 3);
    run.bit_offset = static_cast<int32_t>(bit_ & 7);
    return run;
  }

 private:
  PageBody* body_;
  int64_t bit_ = 0;
};

/// `Source` gives bits: ReadBits, Skip and Run of RleHybridDecoder.
template <typename Source>
class BooleanDecoder final : public ValueDecoder {
 public:
  BooleanDecoder(int64_t num_values, Source source)
      : ValueDecoder(num_values), source_(std::move(source)) {}

  Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    return source_.ReadBits(count, out, out_bit);
  }

  Status SelectBits(int64_t count, const uint64_t* selection, uint64_t* out,
                    int64_t out_bit) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    const int64_t wanted = EndOfSetBits(selection, count);
    for (int64_t at = 0; at < wanted; at += kBits) {
      const int64_t length = std::min(kBits, wanted - at);
      SLUICE_RETURN_IF_ERROR(SelectChunk(length, selection + at / 64, out, &out_bit));
    }
    return source_.Skip(count - wanted);
  }

  Status Skip(int64_t count) override {
    SLUICE_RETURN_IF_ERROR(Take(count));
    return source_.Skip(count);
  }

  Result<std::optional<HybridRun>> EncodedRun(int64_t at_most) override {
    SLUICE_TRY(const HybridRun run, source_.Run(std::min(at_most, remaining())));
    return std::optional(run);
  }

 private:
  static constexpr int64_t kBits = 4096;

  Status SelectChunk(int64_t count, const uint64_t* selection, uint64_t* out, int64_t* out_bit) {
    if (CountBits(selection, 0, count) == 0) return source_.Skip(count);
    uint64_t bits[PaddedWords(kBits)] = {};
    uint64_t selected[PaddedWords(kBits)];
    SLUICE_RETURN_IF_ERROR(source_.ReadBits(count, bits, 0));
    const int64_t wanted = kernels_->extract_bits(bits, selection, count, selected);
    AppendBitmap(out, *out_bit, selected, wanted);
    *out_bit += wanted;
    return Status::Ok();
  }

  const kernels::KernelTable* kernels_ = &kernels::BestTable();
  Source source_;
};

}  // namespace

Result<std::unique_ptr<ValueDecoder>> MakePlainBooleanDecoder(int64_t num_values, PageBody* body) {
  if (num_values > body->size() * 8) {
    return Status::Corruption(
        fmt::format("byte {}: page ends before its {} booleans", body->size(), num_values));
  }
  return std::unique_ptr<ValueDecoder>(
      std::make_unique<BooleanDecoder<PlainBits>>(num_values, PlainBits(body)));
}

Result<std::unique_ptr<ValueDecoder>> MakeRleBooleanDecoder(int64_t num_values, PageBody* body) {
  constexpr int64_t kPrefix = 4;
  int64_t length = 0;
  if (num_values > 0) {
    if (body->size() < kPrefix) {
      return Status::Corruption(
          fmt::format("byte 0: length of the boolean runs is cut short: {} bytes", body->size()));
    }
    SLUICE_RETURN_IF_ERROR(body->Require(kPrefix));
    uint32_t stored;
    std::memcpy(&stored, body->data(), sizeof(stored));
    length = stored;
    if (length > body->size() - kPrefix) {
      return Status::Corruption(
          fmt::format("byte 0: boolean runs are longer than the page: {} bytes of {}", length,
                      body->size() - kPrefix));
    }
  }
  const int64_t begin = std::min(kPrefix, body->size());
  SLUICE_TRY(RleHybridDecoder runs,
             RleHybridDecoder::Open(body, begin, begin + length, 1, num_values));
  return std::unique_ptr<ValueDecoder>(
      std::make_unique<BooleanDecoder<RleHybridDecoder>>(num_values, std::move(runs)));
}

}  // namespace sluice::inline v0::parquet
