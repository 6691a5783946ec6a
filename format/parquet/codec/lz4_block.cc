// LZ4_RAW: one bare LZ4 block. See lz4_sequences.h.

#include <lz4.h>
#include <lz4hc.h>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/lz4_sequences.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

class Lz4BlockDecompressor final : public PageDecompressor {
 public:
  Lz4BlockDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("LZ4_RAW", input, output) {}

 private:
  Status Decode(int64_t target) override {
    if (size() == 0 && input_left() == 0) return Finish();
    if (input_left() == 0) return written() == 0 ? CutShort() : Finish();
    Lz4Sequences sequences{input(), input() + input_left(), output(), output_end(),
                           output() + size()};
    // With all bytes there, the block has still to end.
    const Lz4Outcome outcome = sequences.Decode(written() == size() ? size() + 1 : target);
    Consume(static_cast<size_t>(sequences.in - input()));
    Wrote(static_cast<size_t>(sequences.out - output_end()));
    switch (outcome) {
      case Lz4Outcome::kOk:
        return Status::Ok();
      case Lz4Outcome::kCutShort:
        return CutShort();
      case Lz4Outcome::kTooLong:
        return TooLong();
      case Lz4Outcome::kBadDistance:
        return Malformed("a match of no distance, or before the page");
    }
    return Status::Ok();
  }
};

}  // namespace

std::unique_ptr<Decompressor> MakeLz4BlockDecompressor(std::span<const uint8_t> input,
                                                       std::span<uint8_t> output) {
  return std::make_unique<Lz4BlockDecompressor>(input, output);
}

size_t Lz4BlockBound(size_t size) {
  return size > LZ4_MAX_INPUT_SIZE ? 0
                                   : static_cast<size_t>(LZ4_compressBound(static_cast<int>(size)));
}

Result<size_t> Lz4BlockCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                                BufferPool& pool) {
  SLUICE_TRY(const int checked, CheckLevel("LZ4_RAW", level, 1, 1, LZ4HC_CLEVEL_MAX));
  SLUICE_TRY(const Reservation memory,
             pool.Reserve(checked < LZ4HC_CLEVEL_MIN ? LZ4_sizeofState() : LZ4_sizeofStateHC()));
  if (input.size() > LZ4_MAX_INPUT_SIZE) {
    return Status::InvalidArgument(fmt::format("LZ4_RAW cannot hold {} bytes", input.size()));
  }
  const char* in = reinterpret_cast<const char*>(input.data());
  auto* to = reinterpret_cast<char*>(out.data());
  const int in_size = static_cast<int>(input.size());
  const int room = static_cast<int>(out.size());
  // As the lz4 command has it: from 3 on the slow compressor.
  const int written = checked < LZ4HC_CLEVEL_MIN ? LZ4_compress_default(in, to, in_size, room)
                                                 : LZ4_compress_HC(in, to, in_size, room, checked);
  if (written <= 0) return Status::ResourceExhausted("LZ4_RAW cannot compress: no memory");
  return static_cast<size_t>(written);
}

}  // namespace sluice::inline v0::parquet
