#pragma once

// One file a codec family; what each offers to decompressor.cc, which is the only caller.
//
// Make...Decompressor: as MakeDecompressor. ...Bound: bytes that compressing `size` bytes may take.
// ...Compress: into `out`, which holds the bound; returns the bytes written; `level` is
// kDefaultLevel or the codec's own scale, and outside it kInvalidArgument. What the library takes
// meanwhile counts in `pool`.

#include <cstdint>
#include <memory>
#include <span>

#include "format/parquet/codec/codec_contexts.h"
#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet {

std::unique_ptr<Decompressor> MakeCopyingDecompressor(std::span<const uint8_t> input,
                                                      std::span<uint8_t> output);

std::unique_ptr<Decompressor> MakeSnappyDecompressor(std::span<const uint8_t> input,
                                                     std::span<uint8_t> output);
size_t SnappyBound(size_t size);
Result<size_t> SnappyCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                              BufferPool& pool);

std::unique_ptr<Decompressor> MakeGzipDecompressor(std::span<const uint8_t> input,
                                                   std::span<uint8_t> output,
                                                   std::shared_ptr<CodecContexts> contexts);
size_t GzipBound(size_t size);
Result<size_t> GzipCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                            BufferPool& pool);

Result<std::unique_ptr<Decompressor>> MakeBrotliDecompressor(
    std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts);
size_t BrotliBound(size_t size);
/// The window that a page of this many bytes is compressed with: the least that reaches back over
/// all of it. Up to 16 bits the encoder's tables are small, half a mebibyte instead of 17 at level
/// 8, which takes longer to clear than a page of 10 KB to compress.
int BrotliWindowBits(size_t input_size);
Result<size_t> BrotliCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                              BufferPool& pool);

Result<std::unique_ptr<Decompressor>> MakeZstdDecompressor(std::span<const uint8_t> input,
                                                           std::span<uint8_t> output,
                                                           std::shared_ptr<CodecContexts> contexts);
size_t ZstdBound(size_t size);
Result<size_t> ZstdCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                            BufferPool& pool);

/// Codec LZ4_RAW: one bare block.
std::unique_ptr<Decompressor> MakeLz4BlockDecompressor(std::span<const uint8_t> input,
                                                       std::span<uint8_t> output);
size_t Lz4BlockBound(size_t size);
Result<size_t> Lz4BlockCompress(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                                BufferPool& pool);

/// Codec LZ4 (id 5), in whichever of its three framings `input` is.
Result<std::unique_ptr<Decompressor>> MakeLz4FramedDecompressor(
    std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts);

/// `level`, or `default_level` for kDefaultLevel.
/// Errors: kInvalidArgument outside [lowest, highest].
Result<int> CheckLevel(std::string_view codec, int level, int default_level, int lowest,
                       int highest);

}  // namespace sluice::inline v0::parquet
