// The decompression half of reference_encodings.h.

#include <brotli/decode.h>
#include <libdeflate.h>
#include <lz4.h>
#include <lz4frame.h>
#include <snappy.h>
#include <zstd.h>

#include <memory>
#include <optional>

#include "tests/support/reference_encodings.h"

namespace sluice::support {
namespace {

using parquet::Codec;

std::string Gunzip(std::string_view bytes, uint64_t size) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> member(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string out(size, '\0');
  size_t done = 0;
  while (!bytes.empty()) {
    size_t used = 0;
    size_t written = 0;
    if (libdeflate_gzip_decompress_ex(member.get(), bytes.data(), bytes.size(), out.data() + done,
                                      out.size() - done, &used, &written) != LIBDEFLATE_SUCCESS) {
      throw ReferenceError("gzip");
    }
    bytes.remove_prefix(used);
    done += written;
  }
  out.resize(done);
  return out;
}

std::optional<std::string> Lz4Block(std::string_view bytes, uint64_t size) {
  std::string out(size, '\0');
  const int done = LZ4_decompress_safe(bytes.data(), out.data(), static_cast<int>(bytes.size()),
                                       static_cast<int>(size));
  if (done < 0) return std::nullopt;
  out.resize(static_cast<size_t>(done));
  return out;
}

uint32_t BigEndian32(std::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

std::optional<std::string> HadoopBlocks(std::string_view bytes, uint64_t size) {
  std::string out;
  while (bytes.size() >= 8) {
    const uint32_t decompressed = BigEndian32(bytes.substr(0, 4));
    const uint32_t compressed = BigEndian32(bytes.substr(4, 4));
    bytes.remove_prefix(8);
    if (compressed > bytes.size() || decompressed > size - out.size()) return std::nullopt;
    const auto block = Lz4Block(bytes.substr(0, compressed), decompressed);
    if (!block || block->size() != decompressed) return std::nullopt;
    out += *block;
    bytes.remove_prefix(compressed);
  }
  if (!bytes.empty() || out.size() != size) return std::nullopt;
  return out;
}

std::optional<std::string> Lz4Frame(std::string_view bytes, uint64_t size) {
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION))) return std::nullopt;
  const std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(
      raw, &LZ4F_freeDecompressionContext);
  std::string out(size, '\0');
  size_t written = out.size();
  size_t used = bytes.size();
  const size_t left = LZ4F_decompress(raw, out.data(), &written, bytes.data(), &used, nullptr);
  if (LZ4F_isError(left) || left != 0 || used != bytes.size()) return std::nullopt;
  out.resize(written);
  return out;
}

std::string Lz4OfAnyFraming(std::string_view bytes, uint64_t size) {
  if (auto out = HadoopBlocks(bytes, size)) return *out;
  if (auto out = Lz4Frame(bytes, size)) return *out;
  if (auto out = Lz4Block(bytes, size)) return *out;
  throw ReferenceError("LZ4");
}

}  // namespace

std::string Decompress(Codec codec, std::string_view bytes, uint64_t size) {
  if (size > 1 << 30) throw ReferenceError("page is too large for the reference reader");
  std::string out(size, '\0');
  switch (codec) {
    case Codec::kUncompressed:
      out = bytes;
      break;
    case Codec::kSnappy:
      if (!snappy::Uncompress(bytes.data(), bytes.size(), &out)) throw ReferenceError("snappy");
      break;
    case Codec::kGzip:
      out = Gunzip(bytes, size);
      break;
    case Codec::kBrotli: {
      size_t written = size;
      if (BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()),
                                  &written, reinterpret_cast<uint8_t*>(out.data())) !=
          BROTLI_DECODER_RESULT_SUCCESS) {
        throw ReferenceError("brotli");
      }
      out.resize(written);
      break;
    }
    case Codec::kLz4:
      out = Lz4OfAnyFraming(bytes, size);
      break;
    case Codec::kZstd: {
      const size_t written = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
      if (ZSTD_isError(written)) throw ReferenceError("zstd");
      out.resize(written);
      break;
    }
    case Codec::kLz4Raw: {
      const auto block = Lz4Block(bytes, size);
      if (!block) throw ReferenceError("LZ4_RAW");
      out = *block;
      break;
    }
    case Codec::kLzo:
      throw ReferenceError("LZO");
  }
  if (out.size() != size) throw ReferenceError("decompressed size differs from the header");
  return out;
}

}  // namespace sluice::support
