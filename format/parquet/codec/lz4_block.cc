// LZ4_RAW: one bare LZ4 block, a row of sequences:
//
//   | token: literals (high 4 bits), match - 4 (low 4 bits) |
//   | more of the literal count: bytes to add while they are 255 | literals |
//   | offset, little-endian 16 bits | more of the match length, as above |
//
// The last sequence ends after its literals. Source: lz4_Block_format.md of the LZ4 project.
//
// The library decodes a block in one go. Stopping in the middle and coming back would make it write
// bytes again that are already in use, so sequences before an early stop are decoded here, and the
// library does all that is left once the end is asked for.

#include <lz4.h>
#include <lz4hc.h>

#include <cstring>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"
#include "format/parquet/codec/page_decompressor.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr int64_t kMinMatch = 4;
constexpr int64_t kChunk = 16;

// Adds the bytes that extend a length; false when the input ends in them. The sum cannot wrap: the
// input is shorter than 2^31.
bool ExtendLength(const uint8_t** in, const uint8_t* in_end, int64_t* length) {
  uint8_t byte = 255;
  while (byte == 255) {
    if (*in == in_end) return false;
    byte = *(*in)++;
    *length += byte;
  }
  return true;
}

// `out` has `room` bytes, at least `length`; may write into all of the room.
void CopyLiterals(uint8_t* out, int64_t room, const uint8_t* in, int64_t length) {
  if (length <= kChunk && room >= kChunk) {
    std::memcpy(out, in, static_cast<size_t>(kChunk));  // Reads into the padding at most.
  } else {
    std::memcpy(out, in, static_cast<size_t>(length));
  }
}

// Chunks may not overlap what they repeat, hence the two sizes of them.
template <int64_t kBytes>
void CopyChunks(uint8_t* out, const uint8_t* from, int64_t length) {
  for (int64_t i = 0; i < length; i += kBytes) std::memcpy(out + i, from + i, kBytes);
}

void CopyMatch(uint8_t* out, int64_t room, int64_t offset, int64_t length) {
  const uint8_t* from = out - offset;
  if (offset >= 8 && room >= length + kChunk) {
    return offset >= kChunk ? CopyChunks<kChunk>(out, from, length)
                            : CopyChunks<8>(out, from, length);
  }
  // Byte by byte: the source may run into the bytes just written, which repeats them.
  for (int64_t i = 0; i < length; ++i) out[i] = from[i];
}

class Lz4BlockDecompressor final : public PageDecompressor {
 public:
  Lz4BlockDecompressor(std::span<const uint8_t> input, std::span<uint8_t> output)
      : PageDecompressor("LZ4_RAW", input, output) {}

 private:
  Status Decode(int64_t target) override;
  Status DecodeRest();
  Status DecodeSequences(int64_t target);
};

Status Lz4BlockDecompressor::Decode(int64_t target) {
  if (size() == 0 && input_left() == 0) return Finish();
  // The library is faster by a fifth to a quarter (codecs_bench), and past two thirds an early stop
  // saves hardly more than that.
  if (target > size() - size() / 3 || written() == size()) return DecodeRest();
  return DecodeSequences(target);
}

Status Lz4BlockDecompressor::DecodeRest() {
  if (input_left() == 0) return written() == 0 ? CutShort() : Finish();
  const int produced = LZ4_decompress_safe_usingDict(
      reinterpret_cast<const char*>(input()), reinterpret_cast<char*>(output_end()),
      static_cast<int>(input_left()), static_cast<int>(output_left()),
      reinterpret_cast<const char*>(output()), static_cast<int>(written()));
  // The library does not tell a block that is too long from one that is broken.
  if (produced < 0) return Malformed("a bad sequence, or more bytes than declared");
  Consume(static_cast<size_t>(input_left()));
  Wrote(static_cast<size_t>(produced));
  return Finish();
}

Status Lz4BlockDecompressor::DecodeSequences(int64_t target) {
  const uint8_t* in = input();
  const uint8_t* const in_end = in + input_left();
  uint8_t* const begin = output();
  uint8_t* const end = begin + size();
  uint8_t* out = output_end();
  while (out - begin < target) {
    if (in == in_end) return CutShort();
    const uint8_t token = *in++;
    int64_t literals = token >> 4;
    if (literals == 15 && !ExtendLength(&in, in_end, &literals)) return CutShort();
    if (literals > in_end - in) return CutShort();
    if (literals > end - out) return TooLong();
    CopyLiterals(out, end - out, in, literals);
    in += literals;
    out += literals;
    if (in == in_end) break;

    if (in_end - in < 2) return CutShort();
    const int64_t offset = in[0] | in[1] << 8;
    in += 2;
    if (offset == 0 || offset > out - begin) return Malformed("match before the page");
    int64_t match = token & 15;
    if (match == 15 && !ExtendLength(&in, in_end, &match)) return CutShort();
    if (in == in_end) return CutShort();  // A block ends in literals, also where there are none.
    match += kMinMatch;
    if (match > end - out) return TooLong();
    CopyMatch(out, end - out, offset, match);
    out += match;
  }
  Consume(static_cast<size_t>(in - input()));
  Wrote(static_cast<size_t>(out - output_end()));
  return Status::Ok();
}

}  // namespace

std::unique_ptr<Decompressor> MakeLz4BlockDecompressor(std::span<const uint8_t> input,
                                                       std::span<uint8_t> output) {
  return std::make_unique<Lz4BlockDecompressor>(input, output);
}

size_t Lz4BlockBound(size_t size) {
  return size > LZ4_MAX_INPUT_SIZE ? 0
                                   : static_cast<size_t>(LZ4_compressBound(static_cast<int>(size)));
}

Result<size_t> Lz4BlockCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out) {
  SLUICE_TRY(const int checked, CheckLevel("LZ4_RAW", level, 1, 1, LZ4HC_CLEVEL_MAX));
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
