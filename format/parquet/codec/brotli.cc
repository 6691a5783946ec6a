// BROTLI: RFC 7932, one stream. The library decodes into a ring of at most the stream's window
// (16 MiB; the larger windows of its extension are off), so it may run ahead of the target by that.

#include <brotli/decode.h>
#include <brotli/encode.h>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

using BrotliState = std::unique_ptr<BrotliDecoderState, FreeBy<BrotliDecoderDestroyInstance>>;

class BrotliDecompressor final : public PageDecompressor {
 public:
  BrotliDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("BROTLI", input, output),
        state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}

 private:
  Status Decode(int64_t target) override;
  Status DecodeError() const;

  BrotliState state_;  ///< Not kept for the next page: the library cannot reset one.
};

Status BrotliDecompressor::Decode(int64_t target) {
  if (size() == 0 && input_left() == 0) return Finish();
  if (!state_) return NoMemory();
  auto in_left = static_cast<size_t>(input_left());
  const uint8_t* in = input();
  auto out_left = static_cast<size_t>(std::max(target, written()) - written());
  uint8_t* out = output_end();
  const BrotliDecoderResult result =
      BrotliDecoderDecompressStream(state_.get(), &in_left, &in, &out_left, &out, nullptr);
  Consume(static_cast<size_t>(in - input()));
  Wrote(static_cast<size_t>(out - output_end()));
  switch (result) {
    case BROTLI_DECODER_RESULT_SUCCESS:
      return Finish();
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
      return written() == size() ? TooLong() : Status::Ok();
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
      return CutShort();
    case BROTLI_DECODER_RESULT_ERROR:
      break;
  }
  return DecodeError();
}

Status BrotliDecompressor::DecodeError() const {
  const BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(state_.get());
  if (code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
      code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES) {
    return NoMemory();
  }
  return Malformed(BrotliDecoderErrorString(code));
}

}  // namespace

std::unique_ptr<Decompressor> MakeBrotliDecompressor(std::span<const uint8_t> input,
                                                     std::span<uint8_t> output) {
  return std::make_unique<BrotliDecompressor>(input, output);
}

size_t BrotliBound(size_t size) {
  // The library's own bound holds for qualities from 2 on only. Stored metablocks, the fallback of
  // the faster ones, cost less than 8 bytes for 16 KiB.
  return size + size / 2048 + 1024;
}

Result<size_t> BrotliCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out) {
  // 8 of 11: the last steps multiply the time for a few percent.
  SLUICE_TRY(const int checked,
             CheckLevel("BROTLI", level, 8, BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY));
  size_t written = out.size();
  if (!BrotliEncoderCompress(checked, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, input.size(),
                             input.data(), &written, out.data())) {
    return Status::ResourceExhausted("BROTLI cannot compress: no memory");
  }
  return written;
}

}  // namespace sluice::inline v0::parquet
