#include "format/parquet/encoding/dictionary_index_decoder.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

Result<DictionaryIndexDecoder> DictionaryIndexDecoder::Open(PageBody* body, int64_t num_values,
                                                            int32_t dictionary_size) {
  DictionaryIndexDecoder decoder;
  decoder.dictionary_size_ = dictionary_size;
  if (num_values == 0) {
    SLUICE_TRY(decoder.runs_, RleHybridDecoder::Open(body, 0, 0, 0, 0));
    return decoder;
  }
  if (body->size() < 1) {
    return Status::Corruption(
        fmt::format("byte 0: the bit width of {} dictionary indices is missing", num_values));
  }
  SLUICE_RETURN_IF_ERROR(body->Require(1));
  SLUICE_TRY(decoder.runs_,
             RleHybridDecoder::Open(body, 1, body->size(), body->data()[0], num_values));
  // Indices of so few bits need no check.
  decoder.is_checked_ =
      LowBits(decoder.runs_.bit_width()) >= static_cast<uint64_t>(dictionary_size);
  return decoder;
}

Status DictionaryIndexDecoder::CheckCodes(const int32_t* codes, int64_t count) const {
  if (!is_checked_ || count == 0) return Status::Ok();
  return CheckLargest(kernels_->max_code(codes, count));
}

Status DictionaryIndexDecoder::CheckLargest(uint32_t code) const {
  if (code < static_cast<uint32_t>(dictionary_size_)) return Status::Ok();
  return Status::Corruption(
      fmt::format("before byte {}: dictionary index is not below the dictionary's size: {} of {}",
                  runs_.position(), code, dictionary_size_));
}

Result<HybridRun> DictionaryIndexDecoder::Run(int64_t at_most) {
  SLUICE_TRY(const HybridRun run, runs_.Run(at_most));
  if (run.is_repeated) {
    const auto code = static_cast<int32_t>(run.value);
    SLUICE_RETURN_IF_ERROR(CheckCodes(&code, 1));
    return run;
  }
  if (!is_checked_) return run;
  constexpr int64_t kCodes = 512;  // A multiple of 8, so that each piece begins at the same bit.
  uint32_t codes[kCodes + kReadPadding];
  for (int64_t at = 0; at < run.length; at += kCodes) {
    const int64_t count = std::min(kCodes, run.length - at);
    kernels_->unpack_32(run.packed + at / 8 * bit_width(), run.bit_offset, count, bit_width(),
                        codes);
    SLUICE_RETURN_IF_ERROR(CheckCodes(reinterpret_cast<const int32_t*>(codes), count));
  }
  return run;
}

Status DictionaryIndexDecoder::Read(int64_t count, int32_t* out) {
  SLUICE_RETURN_IF_ERROR(runs_.Read(count, reinterpret_cast<uint32_t*>(out)));
  return CheckCodes(out, count);
}

Status DictionaryIndexDecoder::Select(int64_t count, const uint64_t* selection, int32_t* out) {
  SLUICE_RETURN_IF_ERROR(runs_.Select(count, selection, reinterpret_cast<uint32_t*>(out)));
  return CheckCodes(out, CountBits(selection, 0, count));
}

}  // namespace sluice::inline v0::parquet
