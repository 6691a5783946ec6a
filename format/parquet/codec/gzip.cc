// GZIP: RFC 1952, any number of members one after the other (fault C3), whole at the first call.

#include <utility>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

// What the library's states take, with room for its next versions: 11 568 bytes to decompress; to
// compress 0.7 MB, and from level 10 on 9.0 MB (libdeflate 1.14).
constexpr int64_t kStateBytes = 16 << 10;
constexpr int64_t kCompressorBytes = 1 << 20;
constexpr int kFirstLargeLevel = 10;
constexpr int64_t kLargeCompressorBytes = 10 << 20;

class GzipDecompressor final : public PageDecompressor {
 public:
  GzipDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output,
                   std::shared_ptr<CodecContexts> contexts)
      : PageDecompressor("GZIP", input, output), contexts_(std::move(contexts)) {}

 private:
  Status Decode(int64_t target) override;

  std::shared_ptr<CodecContexts> contexts_;
};

Status GzipDecompressor::Decode(int64_t) {
  SLUICE_TRY(const auto state, Borrowed<GzipState>::From(contexts_, kStateBytes, [] {
               return GzipState(libdeflate_alloc_decompressor());
             }));
  while (input_left() != 0) {
    size_t consumed = 0;
    size_t written = 0;
    switch (libdeflate_gzip_decompress_ex(state.get(), input(), static_cast<size_t>(input_left()),
                                          output_end(), static_cast<size_t>(output_left()),
                                          &consumed, &written)) {
      case LIBDEFLATE_SUCCESS:
        break;
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        return TooLong();
      default:
        return Malformed("bad member");
    }
    Consume(consumed);
    Wrote(written);
  }
  return Finish();
}

using Compressor = std::unique_ptr<libdeflate_compressor, FreeBy<libdeflate_free_compressor>>;

}  // namespace

std::unique_ptr<Decompressor> MakeGzipDecompressor(std::span<const uint8_t> input,
                                                   std::span<uint8_t> output,
                                                   std::shared_ptr<CodecContexts> contexts) {
  return std::make_unique<GzipDecompressor>(input, output, std::move(contexts));
}

size_t GzipBound(size_t size) { return libdeflate_gzip_compress_bound(nullptr, size); }

Result<size_t> GzipCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                            BufferPool& pool) {
  // The library's scale: 0 stores, 1..9 are like zlib's, to 12 slower and denser.
  SLUICE_TRY(const int checked, CheckLevel("GZIP", level, 6, 0, 12));
  SLUICE_TRY(const Reservation memory,
             pool.Reserve(checked < kFirstLargeLevel ? kCompressorBytes : kLargeCompressorBytes));
  const Compressor compressor(libdeflate_alloc_compressor(checked));
  if (!compressor) return Status::ResourceExhausted("no memory for the state of codec GZIP");
  return libdeflate_gzip_compress(compressor.get(), input.data(), input.size(), out.data(),
                                  out.size());
}

}  // namespace sluice::inline v0::parquet
