#include "format/parquet/decompressor.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/codec/codec_families.h"

namespace sluice::inline v0::parquet {
namespace {

Status UnsupportedCodec(Codec codec) {
  if (codec == Codec::kLzo) return Status::Unsupported("codec LZO is not supported");
  if (codec == Codec::kLz4) {
    return Status::Unsupported("codec LZ4 is deprecated and not written: use LZ4_RAW");
  }
  return Status::Unsupported(fmt::format("codec is unknown: {}", static_cast<int32_t>(codec)));
}

}  // namespace

std::shared_ptr<CodecContexts> MakeCodecContexts(std::shared_ptr<BufferPool> pool) {
  return std::make_shared<CodecContexts>(std::move(pool));
}

bool AreCrowded(const CodecContexts& contexts) { return contexts.is_crowded(); }

Result<std::unique_ptr<Decompressor>> MakeDecompressor(Codec codec, std::span<const uint8_t> input,
                                                       std::span<uint8_t> output,
                                                       std::shared_ptr<CodecContexts> contexts) {
  // A page header's sizes are 32 bits; the libraries' int parameters rely on that.
  if (input.size() > INT_MAX || output.size() > INT_MAX) {
    return Status::InvalidArgument(
        fmt::format("page is over 2 GiB: {} bytes to {}", input.size(), output.size()));
  }
  switch (codec) {
    case Codec::kUncompressed:
      return MakeCopyingDecompressor(input, output);
    case Codec::kSnappy:
      return MakeSnappyDecompressor(input, output);
    case Codec::kGzip:
      return MakeGzipDecompressor(input, output, std::move(contexts));
    case Codec::kBrotli:
      return MakeBrotliDecompressor(input, output, std::move(contexts));
    case Codec::kLz4:
      return MakeLz4FramedDecompressor(input, output, std::move(contexts));
    case Codec::kZstd:
      return MakeZstdDecompressor(input, output, std::move(contexts));
    case Codec::kLz4Raw:
      return MakeLz4BlockDecompressor(input, output);
    case Codec::kLzo:
      break;
  }
  return UnsupportedCodec(codec);
}

Result<int> CheckLevel(std::string_view codec, int level, int default_level, int lowest,
                       int highest) {
  if (level == kDefaultLevel) return default_level;
  if (level < lowest || level > highest) {
    return Status::InvalidArgument(fmt::format("{} has no such level: {}, levels are {} to {}",
                                               codec, level, lowest, highest));
  }
  return level;
}

namespace {

using BoundFunction = size_t (*)(size_t size);
using CompressFunction = Result<size_t> (*)(int level, std::span<const uint8_t> input,
                                            std::span<uint8_t> out, BufferPool& pool);

/// `buffer` cut to `size` bytes: in memory of that size where more than an eighth would be idle.
Result<BufferRef> Shrink(const BufferRef& buffer, int64_t size, BufferPool& pool) {
  if (size >= buffer->size() - buffer->size() / 8) return SliceBuffer(buffer, 0, size);
  SLUICE_TRY(BufferRef exact, pool.Allocate(size));
  std::copy_n(buffer->data(), size, exact->mutable_data());
  return exact;
}

Result<BufferRef> CompressBy(BoundFunction bound, CompressFunction compress, int level,
                             std::span<const uint8_t> input, BufferPool& pool) {
  SLUICE_TRY(const BufferRef buffer, pool.Allocate(static_cast<int64_t>(bound(input.size()))));
  SLUICE_TRY(
      const size_t written,
      compress(level, input, {buffer->mutable_data(), static_cast<size_t>(buffer->size())}, pool));
  return Shrink(buffer, static_cast<int64_t>(written), pool);
}

size_t CopyBound(size_t size) { return size; }

Result<size_t> Copy(int level, std::span<const uint8_t> input, std::span<uint8_t> out,
                    BufferPool&) {
  if (level != kDefaultLevel) {
    return Status::InvalidArgument(fmt::format("UNCOMPRESSED has no levels: {}", level));
  }
  std::copy(input.begin(), input.end(), out.begin());
  return input.size();
}

}  // namespace

Result<BufferRef> Compress(Codec codec, int level, std::span<const uint8_t> input,
                           BufferPool& pool) {
  // What cannot be a page is refused here once; every bound below then fits.
  if (input.size() > INT_MAX) {
    return Status::InvalidArgument(fmt::format("page is over 2 GiB: {} bytes", input.size()));
  }
  switch (codec) {
    case Codec::kUncompressed:
      return CompressBy(CopyBound, Copy, level, input, pool);
    case Codec::kSnappy:
      return CompressBy(SnappyBound, SnappyCompress, level, input, pool);
    case Codec::kGzip:
      return CompressBy(GzipBound, GzipCompress, level, input, pool);
    case Codec::kBrotli:
      return CompressBy(BrotliBound, BrotliCompress, level, input, pool);
    case Codec::kZstd:
      return CompressBy(ZstdBound, ZstdCompress, level, input, pool);
    case Codec::kLz4Raw:
      return CompressBy(Lz4BlockBound, Lz4BlockCompress, level, input, pool);
    case Codec::kLz4:
    case Codec::kLzo:
      break;
  }
  return UnsupportedCodec(codec);
}

uint32_t Crc32(uint32_t crc, std::span<const uint8_t> bytes) {
  // The library takes a null pointer for "give me the starting value", which is not the crc so far.
  if (bytes.empty()) return crc;
  return libdeflate_crc32(crc, bytes.data(), bytes.size());
}

Status PageBody::Extend(int64_t bytes) {
  SLUICE_TRY(const int64_t total, decompressor_->Advance(offset_ + std::min(bytes, size_)));
  available_ = std::min(total - offset_, size_);
  if (available_ == size_) {
    decompressor_.reset();
    input_.reset();
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
