#include "format/parquet/filter/code_filter.h"

#include <algorithm>
#include <cstring>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/filter/piece_decider.h"

namespace sluice::inline v0::parquet {
namespace {

/// Codes of up to so many bits are tested as they are packed.
constexpr int32_t kPackedBits = 8;

class CodesDecider final : public PieceDecider {
 public:
  CodesDecider(DictionaryIndexDecoder* codes, const uint64_t* table, int64_t entries,
               int32_t* scratch, const kernels::KernelTable* kernels)
      : codes_(codes), table_(table), entries_(entries), scratch_(scratch), kernels_(kernels) {}

  /// Measured: packed codes are tested quicker than any of them is found, others as quickly as one
  /// in so many is cut out.
  int64_t sparse_ratio() const override {
    if (kernels_->level == kernels::SimdLevel::kPlain) return 8;
    return codes_->bit_width() <= kPackedBits ? 0 : 16;
  }

  Status TestAll(int64_t count, uint64_t* out) override {
    std::fill_n(out, BitmapWords(count), uint64_t{0});
    for (int64_t at = 0; at < count;) {
      SLUICE_TRY(const HybridRun run, codes_->UncheckedRun(count - at));
      if (run.is_repeated) {
        SLUICE_RETURN_IF_ERROR(codes_->CheckLargest(run.value));
        AppendRepeated(run, at, out);
      } else {
        SLUICE_RETURN_IF_ERROR(AppendPacked(run, at, out));
      }
      SLUICE_RETURN_IF_ERROR(codes_->Skip(run.length));
      at += run.length;
    }
    return Status::Ok();
  }

  Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                      uint64_t* out) override {
    SLUICE_RETURN_IF_ERROR(codes_->Select(count, selection, scratch_));
    kernels_->look_up(scratch_, selected, table_, entries_, out);
    return Status::Ok();
  }

  Status Skip(int64_t count) override { return codes_->Skip(count); }

 private:
  void AppendRepeated(const HybridRun& run, int64_t end, uint64_t* out) const {
    const bool passes = GetBit(table_, run.value);
    if (run.length <= 64) {
      // Whether a short run passes is not to be predicted.
      AppendBits(out, end, LowBits(run.length) & (0 - uint64_t{passes}), run.length);
    } else if (passes) {
      AppendOnes(out, end, run.length);
    }
  }

  /// Tests the codes of a bit-packed run, and sets the bits from bit `end` on.
  Status AppendPacked(const HybridRun& run, int64_t end, uint64_t* out) {
    uint64_t apart[kMaxPieceValues / 64];
    const bool is_whole = end % 64 == 0;
    uint64_t* const bits = is_whole ? out + end / 64 : apart;
    const int32_t bit_width = codes_->bit_width();
    uint32_t largest;
    if (bit_width <= kPackedBits) {
      largest =
          kernels_->look_up_packed(run.packed, run.bit_offset, run.length, bit_width, table_, bits);
      SLUICE_RETURN_IF_ERROR(codes_->CheckLargest(largest));
    } else {
      kernels_->unpack_32(run.packed, run.bit_offset, run.length, bit_width,
                          reinterpret_cast<uint32_t*>(scratch_));
      largest = kernels_->max_code(scratch_, run.length);
      SLUICE_RETURN_IF_ERROR(codes_->CheckLargest(largest));
      kernels_->look_up(scratch_, run.length, table_, entries_, bits);
    }
    if (!is_whole) AppendBitmap(out, end, apart, run.length);
    return Status::Ok();
  }

  DictionaryIndexDecoder* codes_;
  const uint64_t* table_;
  int64_t entries_;
  int32_t* scratch_;
  const kernels::KernelTable* kernels_;
};

}  // namespace

Status CodeFilter::SetDictionary(const Column& dictionary, const CompiledFilter& filter) {
  constexpr int64_t kLeastBits = 1 << kPackedBits;
  const int64_t bytes = BitmapBytes(std::max(dictionary.length, kLeastBits));
  SLUICE_TRY(table_, pool_->Allocate(bytes));
  std::memset(table_->mutable_data(), 0, static_cast<size_t>(bytes));
  if (!scratch_) {
    SLUICE_TRY(scratch_, pool_->Allocate(PieceDecider::kMaxPieceValues * int64_t{sizeof(int32_t)}));
  }
  entries_ = dictionary.length;
  auto* bits = table_->mutable_as<uint64_t>();
  filter.TestRows(dictionary, 0, entries_, bits);
  any_passes_ = std::any_of(bits, bits + BitmapWords(entries_), [](uint64_t word) { return word; });
  return Status::Ok();
}

Status CodeFilter::Decide(DictionaryIndexDecoder& codes, const ValueRun& run, uint64_t* passes) {
  if (!any_passes_) {
    std::fill_n(passes, BitmapWords(run.count), uint64_t{0});
    return codes.Skip(run.count);
  }
  CodesDecider test(&codes, table_->as<uint64_t>(), entries_, scratch_->mutable_as<int32_t>(),
                    kernels_);
  return DecideByPieces(test, run, *kernels_, passes);
}

}  // namespace sluice::inline v0::parquet
