// SNAPPY: one raw Snappy stream, whole at the first call.

#include <snappy.h>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

class SnappyDecompressor final : public PageDecompressor {
 public:
  SnappyDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("SNAPPY", input, output) {}

 private:
  Status Decode(int64_t target) override;
};

Status SnappyDecompressor::Decode(int64_t) {
  if (size() == 0 && input_left() == 0) return Finish();
  const char* in = reinterpret_cast<const char*>(input());
  const auto in_size = static_cast<size_t>(input_left());
  // The library writes as many bytes as the stream's own preamble says, so that must be right.
  size_t claimed = 0;
  if (!snappy::GetUncompressedLength(in, in_size, &claimed)) return Malformed("no length");
  if (claimed > static_cast<size_t>(size())) return TooLong();
  if (claimed < static_cast<size_t>(size())) {
    return Malformed("its own length is below the declared size");
  }
  char nothing = 0;
  char* out = size() == 0 ? &nothing : reinterpret_cast<char*>(output());
  // Fails as well when elements are left over.
  if (!snappy::RawUncompress(in, in_size, out)) return Malformed("bad or missing elements");
  Consume(in_size);
  Wrote(claimed);
  return Finish();
}

}  // namespace

std::unique_ptr<Decompressor> MakeSnappyDecompressor(std::span<const uint8_t> input,
                                                     std::span<uint8_t> output) {
  return std::make_unique<SnappyDecompressor>(input, output);
}

size_t SnappyBound(size_t size) { return snappy::MaxCompressedLength(size); }

Result<size_t> SnappyCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                              BufferPool& pool) {
  if (level != kDefaultLevel) {
    return Status::InvalidArgument(fmt::format("SNAPPY has no levels: {}", level));
  }
  // The library's table of at most 32 KiB, and two blocks of 64 KiB, one of them compressed.
  constexpr int64_t kStateBytes = 192 << 10;
  SLUICE_TRY(const Reservation memory, pool.Reserve(kStateBytes));
  size_t written = 0;
  snappy::RawCompress(reinterpret_cast<const char*>(input.data()), input.size(),
                      reinterpret_cast<char*>(out.data()), &written);
  return written;
}

}  // namespace sluice::inline v0::parquet
