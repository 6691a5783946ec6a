// The compression half of page_bytes.h.

#include <brotli/encode.h>
#include <libdeflate.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy.h>
#include <zstd.h>

#include <cassert>
#include <memory>

#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

std::string GzipMember(std::string_view bytes) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(6), &libdeflate_free_compressor);
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(),
                                      out.size()));
  return out;
}

std::string Brotli(std::string_view bytes) {
  size_t size = BrotliEncoderMaxCompressedSize(bytes.size());
  std::string out(size, '\0');
  [[maybe_unused]] const int done =
      BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.size(),
                            reinterpret_cast<const uint8_t*>(bytes.data()), &size,
                            reinterpret_cast<uint8_t*>(out.data()));
  assert(done == BROTLI_TRUE);
  out.resize(size);
  return out;
}

}  // namespace

std::string Lz4Block(std::string_view bytes) {
  const auto size = static_cast<int>(bytes.size());
  std::string out(static_cast<size_t>(LZ4_compressBound(size)), '\0');
  const int used =
      LZ4_compress_default(bytes.data(), out.data(), size, static_cast<int>(out.size()));
  out.resize(static_cast<size_t>(used));
  return out;
}

std::string HadoopLz4(const std::vector<std::string>& blocks) {
  std::string out;
  for (const std::string& block : blocks) {
    const std::string compressed = Lz4Block(block);
    out += BigEndian(block.size(), 4) + BigEndian(compressed.size(), 4) + compressed;
  }
  return out;
}

std::string Lz4Frame(std::string_view bytes) {
  std::string out(LZ4F_compressFrameBound(bytes.size(), nullptr), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), nullptr));
  return out;
}

std::string ZstdFrame(std::string_view bytes, bool with_content_size) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, with_content_size ? 1 : 0);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size()));
  return out;
}

std::string Compress(parquet::Codec codec, std::string_view bytes) {
  switch (codec) {
    case parquet::Codec::kSnappy: {
      std::string out;
      snappy::Compress(bytes.data(), bytes.size(), &out);
      return out;
    }
    case parquet::Codec::kGzip:
      return GzipMember(bytes);
    case parquet::Codec::kBrotli:
      return Brotli(bytes);
    case parquet::Codec::kLz4:
      return HadoopLz4({std::string(bytes)});
    case parquet::Codec::kZstd:
      return ZstdFrame(bytes, true);
    case parquet::Codec::kLz4Raw:
      return Lz4Block(bytes);
    case parquet::Codec::kUncompressed:
    case parquet::Codec::kLzo:
      break;
  }
  return std::string(bytes);
}

uint32_t Crc32(std::string_view bytes) {
  uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

}  // namespace sluice::support
