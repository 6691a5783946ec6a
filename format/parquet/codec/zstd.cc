// ZSTD: RFC 8878. A page is any number of frames one after the other, skippable ones among them;
// their own content sizes are only checked, never used for sizing (fault C4).

// For ZSTD_d_stableOutBuffer, and to know what states take.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include <cstring>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

// Enough for the library to say how much of a frame's header it wants.
constexpr size_t kFrameStart = ZSTD_FRAMEHEADERSIZE_MIN(ZSTD_f_zstd1) - 1;

// The library writes straight into the page buffer (stable output), so that it holds no window of
// its own: whatever window size a frame claims, the state takes one block (128 KiB) besides itself.
// Hence the largest window is allowed, and what a state takes is known before it meets a frame.
int64_t StateBytes() {
  constexpr size_t kChecksumBytes = 4;
  return static_cast<int64_t>(ZSTD_estimateDCtxSize() + ZSTD_BLOCKSIZE_MAX + kChecksumBytes);
}

ZstdState MakeState() {
  ZstdState state(ZSTD_createDCtx());
  if (!state) return state;
  if (ZSTD_isError(ZSTD_DCtx_setParameter(state.get(), ZSTD_d_stableOutBuffer, 1)) ||
      ZSTD_isError(ZSTD_DCtx_setParameter(state.get(), ZSTD_d_windowLogMax, ZSTD_WINDOWLOG_MAX))) {
    return nullptr;
  }
  return state;
}

class ZstdDecompressor final : public PageDecompressor {
 public:
  ZstdDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output,
                   Borrowed<ZstdState> state)
      : PageDecompressor("ZSTD", input, output), state_(std::move(state)) {
    ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
  }

 private:
  Status Decode(int64_t target) override;
  Status DecodeStep();
  bool AtFrameMagic() const;

  Borrowed<ZstdState> state_;
  size_t wanted_ = 0;  ///< Input that completes the next block; 0 between frames.
};

bool ZstdDecompressor::AtFrameMagic() const {
  // Older formats of the library are not Zstandard as RFC 8878 has it.
  uint32_t magic = 0;
  if (input_left() < static_cast<int64_t>(sizeof(magic))) return false;
  std::memcpy(&magic, input(), sizeof(magic));
  return magic == ZSTD_MAGICNUMBER ||
         (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

Status ZstdDecompressor::Decode(int64_t target) {
  while (written() < target || written() == size()) {
    if (input_left() == 0) return wanted_ == 0 ? Finish() : CutShort();
    SLUICE_RETURN_IF_ERROR(DecodeStep());
  }
  return Status::Ok();
}

// Feeds what completes one block, so that no block after the target is decompressed.
Status ZstdDecompressor::DecodeStep() {
  if (wanted_ == 0) {
    if (!AtFrameMagic()) return Malformed("no frame where one must begin");
    wanted_ = kFrameStart;
  }
  ZSTD_inBuffer in{input(), std::min(wanted_, static_cast<size_t>(input_left())), 0};
  ZSTD_outBuffer out{output(), static_cast<size_t>(size()), static_cast<size_t>(written())};
  const size_t before = out.pos;
  const size_t result = ZSTD_decompressStream(state_.get(), &out, &in);
  if (ZSTD_isError(result)) {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_dstSize_tooSmall:
        return TooLong();
      case ZSTD_error_memory_allocation:
        return NoMemory();
      default:
        return Malformed(ZSTD_getErrorName(result));
    }
  }
  Consume(in.pos);
  Wrote(out.pos - before);
  wanted_ = result;
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<Decompressor>> MakeZstdDecompressor(
    std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts) {
  SLUICE_TRY(auto state, Borrowed<ZstdState>::From(std::move(contexts), StateBytes(), MakeState));
  return std::unique_ptr<Decompressor>(
      std::make_unique<ZstdDecompressor>(input, output, std::move(state)));
}

size_t ZstdBound(size_t size) { return ZSTD_compressBound(size); }

Result<size_t> ZstdCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                            BufferPool& pool) {
  SLUICE_TRY(const int checked,
             CheckLevel("ZSTD", level, ZSTD_CLEVEL_DEFAULT, ZSTD_minCLevel(), ZSTD_maxCLevel()));
  const size_t state_bytes = ZSTD_estimateCCtxSize_usingCParams(
      ZSTD_getCParams(checked, std::max<size_t>(input.size(), 1), 0));
  SLUICE_TRY(const Reservation memory, pool.Reserve(static_cast<int64_t>(state_bytes)));
  const size_t written = ZSTD_compress(out.data(), out.size(), input.data(), input.size(), checked);
  if (ZSTD_isError(written)) {
    return Status::ResourceExhausted(
        fmt::format("ZSTD cannot compress: {}", ZSTD_getErrorName(written)));
  }
  return written;
}

}  // namespace sluice::inline v0::parquet
