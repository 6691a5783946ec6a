// LZ4 (codec id 5, deprecated): three framings occur in files (fault C1).
//
//   Hadoop blocks    | bytes of output, big-endian 32 bits |
//                      | bytes of input, big-endian 32 bits | LZ4 block |   until the output is
//                      there
//                    and again, to the end of the page
//   LZ4 frames       | 04 22 4D 18 | ... : lz4_Frame_format.md of the LZ4 project
//   one bare block   as LZ4_RAW
//
// They are told apart before anything is decoded, so that no wrong attempt writes. A bare block
// cannot begin with a byte below 0x10: its first sequence would be a match with nothing before it.
// So the frame's magic number is no bare block, and Hadoop's first byte, the highest of a size, is
// one only where the page has 256 MiB; there the sizes decide.

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/lz4_sequences.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr uint32_t kFrameMagic = 0x184D2204;
constexpr uint32_t kSkippableMagic = 0x184D2A50;  // The low four bits are free.
constexpr size_t kWordBytes = 4;
constexpr int64_t kDescriptorPlace = 5;

uint32_t LoadBigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

uint32_t LoadLittleEndian(const uint8_t* bytes) {
  return uint32_t{bytes[3]} << 24 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[1]} << 8 | bytes[0];
}

// Whether `input` is a row of blocks that each hold one LZ4 block, or one block that holds several,
// and the sizes add up exactly: the forms that writers make of a page this large.
bool SizesAddUpAsHadoop(std::span<const uint8_t> input, uint64_t output_size) {
  uint64_t declared = 0;
  for (std::span<const uint8_t> rest = input; declared < output_size;) {
    if (rest.size() < 2 * kWordBytes) break;
    declared += LoadBigEndian(rest.data());
    const uint32_t bytes = LoadBigEndian(rest.data() + kWordBytes);
    rest = rest.subspan(2 * kWordBytes);
    if (bytes > rest.size()) break;
    rest = rest.subspan(bytes);
    if (rest.empty()) {
      if (declared == output_size) return true;
      break;
    }
  }
  if (input.size() < kWordBytes || LoadBigEndian(input.data()) != output_size) return false;
  std::span<const uint8_t> rest = input.subspan(kWordBytes);
  while (rest.size() >= kWordBytes) {
    const uint32_t bytes = LoadBigEndian(rest.data());
    rest = rest.subspan(kWordBytes);
    if (bytes > rest.size()) return false;
    rest = rest.subspan(bytes);
    if (rest.empty()) return true;
  }
  return false;
}

class HadoopLz4Decompressor final : public PageDecompressor {
 public:
  HadoopLz4Decompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("LZ4", input, output) {}

 private:
  Status Decode(int64_t target) override;
  Status DecodeLz4Block();

  int64_t block_left_ = 0;  ///< Output that the current Hadoop block still owes.
};

Status HadoopLz4Decompressor::Decode(int64_t target) {
  while (written() < target || written() == size()) {
    if (block_left_ == 0) {
      if (input_left() == 0) return Finish();
      if (input_left() < static_cast<int64_t>(kWordBytes)) return CutShort();
      block_left_ = LoadBigEndian(input());
      Consume(kWordBytes);
      if (block_left_ > output_left()) return TooLong();
      // A block of nothing: its one LZ4 block may be there or not.
      if (block_left_ == 0 && input_left() == 0) continue;
    }
    SLUICE_RETURN_IF_ERROR(DecodeLz4Block());
  }
  return Status::Ok();
}

Status HadoopLz4Decompressor::DecodeLz4Block() {
  if (input_left() < static_cast<int64_t>(kWordBytes)) return CutShort();
  const int64_t bytes = LoadBigEndian(input());
  Consume(kWordBytes);
  if (bytes > input_left()) return CutShort();
  Lz4Sequences sequences{input(), input() + bytes, output_end(), output_end(),
                         output_end() + block_left_};
  // One more than there is room for: a block that is as long as declared must end there, too.
  if (sequences.Decode(block_left_ + 1) != Lz4Outcome::kOk || sequences.in != sequences.in_end) {
    return Malformed("a bad sequence, or more bytes than its block declares");
  }
  const int64_t produced = sequences.out - output_end();
  if (produced == 0 && block_left_ != 0) return Malformed("an empty LZ4 block in a block");
  Consume(static_cast<size_t>(bytes));
  Wrote(static_cast<size_t>(produced));
  block_left_ -= produced;
  return Status::Ok();
}

Lz4FrameState MakeState() {
  LZ4F_dctx* state = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION))) return nullptr;
  return Lz4FrameState(state);
}

// Of the state alone (LZ4 1.9.4: 304 bytes), with room for its next versions.
constexpr int64_t kStateBytes = 1024;

/// What the state takes once it has met a frame whose sixth byte is `descriptor`: a block that
/// comes in, and one that goes out with the 64 KiB before it, which the library makes room for
/// twice and whether it needs them or not.
///
///   | magic, 4 bytes | flags | block size: bits 4 to 6 say 2^(8 + 2n) bytes | ...
int64_t FrameBytes(uint8_t descriptor) {
  constexpr int kLargest = 7;
  const int exponent = 8 + 2 * std::min(descriptor >> 4 & 7, kLargest);
  return kStateBytes + 2 * (int64_t{1} << exponent) + (128 << 10) + 64;
}

class Lz4FrameDecompressor final : public PageDecompressor {
 public:
  Lz4FrameDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output,
                       Borrowed<Lz4FrameState> state)
      : PageDecompressor("LZ4", input, output), state_(std::move(state)) {
    LZ4F_resetDecompressionContext(state_.get());
  }

 private:
  Status Decode(int64_t target) override;
  Status DecodeStep();
  Status FrameError(size_t code) const;

  Borrowed<Lz4FrameState> state_;
  size_t wanted_ = 0;  ///< Input that completes the next block; 0 between frames.
};

Status Lz4FrameDecompressor::Decode(int64_t target) {
  while (written() < target || written() == size()) {
    if (input_left() == 0) return wanted_ == 0 ? Finish() : CutShort();
    SLUICE_RETURN_IF_ERROR(DecodeStep());
  }
  return Status::Ok();
}

Status Lz4FrameDecompressor::FrameError(size_t code) const {
  const std::string_view what = LZ4F_getErrorName(code);
  return what == "ERROR_allocation_failed" ? NoMemory() : Malformed(what);
}

// Feeds what completes one block, so that no block after the target is decompressed.
Status Lz4FrameDecompressor::DecodeStep() {
  if (wanted_ == 0) {
    if (input_left() < static_cast<int64_t>(kWordBytes)) return Malformed("bytes after a frame");
    const uint32_t magic = LoadLittleEndian(input());
    if (magic != kFrameMagic && (magic & ~uint32_t{15}) != kSkippableMagic) {
      return Malformed("no frame where one must begin");
    }
    if (magic == kFrameMagic && input_left() > kDescriptorPlace) {
      SLUICE_RETURN_IF_ERROR(state_.Cover(FrameBytes(input()[kDescriptorPlace])));
    }
    wanted_ = LZ4F_HEADER_SIZE_MIN;
  }
  LZ4F_decompressOptions_t options{};
  options.stableDst = 1;
  size_t consumed = std::min(wanted_, static_cast<size_t>(input_left()));
  auto produced = static_cast<size_t>(output_left());
  const size_t result =
      LZ4F_decompress(state_.get(), output_end(), &produced, input(), &consumed, &options);
  if (LZ4F_isError(result)) return FrameError(result);
  // Bytes are waiting for room that there is not.
  if (consumed == 0 && produced == 0) return TooLong();
  Consume(consumed);
  Wrote(produced);
  wanted_ = result;
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<Decompressor>> MakeLz4FramedDecompressor(
    std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts) {
  using Made = std::unique_ptr<Decompressor>;
  if (input.size() >= kWordBytes && LoadLittleEndian(input.data()) == kFrameMagic) {
    SLUICE_TRY(auto state,
               Borrowed<Lz4FrameState>::From(std::move(contexts), kStateBytes, MakeState));
    return Made(std::make_unique<Lz4FrameDecompressor>(input, output, std::move(state)));
  }
  if (input.size() >= kWordBytes && (input[0] < 0x10 || SizesAddUpAsHadoop(input, output.size()))) {
    return Made(std::make_unique<HadoopLz4Decompressor>(input, output));
  }
  return MakeLz4BlockDecompressor(input, output);
}

}  // namespace sluice::inline v0::parquet
