// UNCOMPRESSED: a copy.

#include <cstring>

#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

class CopyingDecompressor final : public PageDecompressor {
 public:
  CopyingDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("UNCOMPRESSED", input, output) {}

 private:
  Status Decode(int64_t target) override {
    if (input_left() != output_left()) return input_left() > output_left() ? TooLong() : CutShort();
    if (output_left() == 0) return Finish();
    const auto bytes = static_cast<size_t>(target - written());
    std::memcpy(output_end(), input(), bytes);
    Consume(bytes);
    Wrote(bytes);
    return Status::Ok();
  }
};

}  // namespace

std::unique_ptr<Decompressor> MakeCopyingDecompressor(std::span<const uint8_t> input,
                                                      std::span<uint8_t> output) {
  return std::make_unique<CopyingDecompressor>(input, output);
}

}  // namespace sluice::inline v0::parquet
