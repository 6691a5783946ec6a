// BROTLI: RFC 7932, one stream. The library decodes into a ring of at most the stream's window
// (16 MiB; the larger windows of its extension are off), so it may run ahead of the target by that.
// The ring, like all else that it takes, is of the pool.

#include <brotli/decode.h>
#include <brotli/encode.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"
#include "format/parquet/codec/pool_memory.h"

namespace sluice::inline v0::parquet {
namespace {

using BrotliState = std::unique_ptr<BrotliDecoderState, FreeBy<BrotliDecoderDestroyInstance>>;

class BrotliDecompressor final : public PageDecompressor {
 public:
  BrotliDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output, BrotliState state,
                     std::shared_ptr<CodecContexts> contexts)
      : PageDecompressor("BROTLI", input, output),
        contexts_(std::move(contexts)),
        in_use_(contexts_),
        state_(std::move(state)) {}

 private:
  Status Decode(int64_t target) override;
  Status DecodeError() const;

  std::shared_ptr<CodecContexts> contexts_;  ///< Whose pool the state lies in.
  StateInUse in_use_;
  BrotliState state_;  ///< Not kept for the next page: the library cannot reset one.
};

Status BrotliDecompressor::Decode(int64_t target) {
  if (size() == 0 && input_left() == 0) return Finish();
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

// What the encoder takes at most. It is counted before, since the library ends the process where an
// allocator of ours says no. Measured with inputs of 1 KB to 16 MB of six kinds (Brotli 1.0.9):
// hash tables by the level; then the commands of a metablock, which end at 16 MiB of input.
int64_t CompressorBytes(int level, size_t input_size) {
  constexpr int64_t kMebibyte = 1 << 20;
  constexpr int64_t kTables[] = {1, 2, 1, 1, 1, 2, 3, 9, 17, 34, 2, 2};
  const auto size = static_cast<int64_t>(input_size);
  const bool is_small = BrotliWindowBits(input_size) <= 16;
  const int64_t tables =
      (is_small ? std::min<int64_t>(kTables[level], 2) : kTables[level]) * kMebibyte;
  if (level < 2) return tables + std::min(3 * size, 10 * kMebibyte);
  if (level < 10) {
    return tables + std::min(160 * size, 11 * kMebibyte) + std::min(6 * size, 56 * kMebibyte);
  }
  return tables + std::min(256 * size, 128 * kMebibyte);
}

}  // namespace

Result<std::unique_ptr<Decompressor>> MakeBrotliDecompressor(
    std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts) {
  BrotliState state(
      contexts ? BrotliDecoderCreateInstance(AllocateFromPool, FreeToPool, &contexts->pool())
               : BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  if (!state) return Status::ResourceExhausted("no memory for the state of codec BROTLI");
  return std::unique_ptr<Decompressor>(
      std::make_unique<BrotliDecompressor>(input, output, std::move(state), std::move(contexts)));
}

size_t BrotliBound(size_t size) {
  // The library's own bound holds for qualities from 2 on only. Stored metablocks, the fallback of
  // the faster ones, cost less than 8 bytes for 16 KiB.
  return size + size / 2048 + 1024;
}

int BrotliWindowBits(size_t input_size) {
  // A window of n bits reaches 2^n - 16 bytes back (RFC 7932, section 9.1).
  const auto bits = static_cast<int>(std::bit_width(input_size + 15));
  return std::clamp(bits, BROTLI_MIN_WINDOW_BITS, BROTLI_DEFAULT_WINDOW);
}

Result<size_t> BrotliCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                              BufferPool& pool) {
  // 8 of 11: the last steps multiply the time for a few percent.
  SLUICE_TRY(const int checked,
             CheckLevel("BROTLI", level, 8, BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY));
  SLUICE_TRY(const Reservation memory, pool.Reserve(CompressorBytes(checked, input.size())));
  size_t written = out.size();
  if (!BrotliEncoderCompress(checked, BrotliWindowBits(input.size()), BROTLI_MODE_GENERIC,
                             input.size(), input.data(), &written, out.data())) {
    return Status::ResourceExhausted("BROTLI cannot compress: no memory");
  }
  return written;
}

}  // namespace sluice::inline v0::parquet
