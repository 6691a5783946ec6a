#pragma once

// Pages of every codec and framing, and how to read them back with an eye on every byte.

#include <gtest/gtest.h>
#include <lz4.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "format/parquet/decompressor.h"

namespace sluice::parquet {

using Bytes = std::vector<uint8_t>;

inline constexpr Codec kWrittenCodecs[] = {Codec::kUncompressed, Codec::kSnappy, Codec::kGzip,
                                           Codec::kBrotli,       Codec::kZstd,   Codec::kLz4Raw};

inline Bytes BytesOf(std::string_view text) { return Bytes(text.begin(), text.end()); }

inline Bytes Concatenate(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline Bytes BigEndian(uint32_t value) {
  return {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
          static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

/// Numbers that repeat here and there: some of everything that a codec can do.
inline Bytes Compressible(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes;
  bytes.reserve(size + 300);
  while (bytes.size() < size) {
    const size_t run = random() % 300;
    switch (random() % 4) {
      case 0:
        bytes.insert(bytes.end(), run, static_cast<uint8_t>(random()));
        break;
      case 1:
        for (size_t i = 0; i < run; ++i) bytes.push_back(static_cast<uint8_t>(random()));
        break;
      case 2:
        for (size_t i = 0; i < run; ++i) bytes.push_back(static_cast<uint8_t>("lineitem"[i % 8]));
        break;
      default: {
        if (bytes.empty()) break;
        const size_t from = random() % bytes.size();
        for (size_t i = 0; i < run; ++i) bytes.push_back(bytes[from + i % (bytes.size() - from)]);
      }
    }
  }
  bytes.resize(size);
  return bytes;
}

inline Bytes Random(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

/// `input` with the padding that decompressors may read, and not a byte more of the heap.
class Padded {
 public:
  explicit Padded(const Bytes& bytes) : bytes_(bytes.size() + kReadPadding), size_(bytes.size()) {
    if (!bytes.empty()) std::memcpy(bytes_.data(), bytes.data(), bytes.size());
  }
  std::span<const uint8_t> span() const { return {bytes_.data(), size_}; }

 private:
  Bytes bytes_;
  size_t size_;
};

inline constexpr uint8_t kFence = 0xA5;
inline constexpr size_t kFenceBytes = 64;

/// Decompresses to `declared` bytes by asking for `targets` in turn, then for everything. Checks on
/// the way that bytes given once stay as they are and that nothing after the output is touched.
inline Result<Bytes> DecompressInSteps(Codec codec, const Bytes& input, size_t declared,
                                       const std::vector<int64_t>& targets,
                                       std::shared_ptr<CodecContexts> contexts = nullptr) {
  const Padded padded(input);
  Bytes output(declared + kFenceBytes, kFence);
  auto made = MakeDecompressor(codec, padded.span(), {output.data(), declared}, contexts);
  if (!made.has_value()) return std::move(made).error();
  Bytes given;
  Status error;
  for (size_t i = 0; i <= targets.size() && error.ok(); ++i) {
    const int64_t target = i < targets.size() ? targets[i] : static_cast<int64_t>(declared);
    auto available = (*made)->Advance(target);
    EXPECT_TRUE(std::equal(given.begin(), given.end(), output.begin()));
    if (!available.has_value()) {
      error = std::move(available).error();
      EXPECT_EQ((*made)->Advance(target).status().ToString(), error.ToString());
      break;
    }
    EXPECT_GE(*available, std::min<int64_t>(target, static_cast<int64_t>(declared)));
    EXPECT_LE(*available, static_cast<int64_t>(declared));
    given.assign(output.begin(), output.begin() + *available);
  }
  for (size_t i = declared; i < output.size(); ++i) EXPECT_EQ(output[i], kFence) << i;
  if (!error.ok()) return error;
  output.resize(declared);
  return output;
}

inline Result<Bytes> Decompress(Codec codec, const Bytes& input, size_t declared) {
  return DecompressInSteps(codec, input, declared, {});
}

inline StatusCode CodeOf(const Result<Bytes>& result) { return result.status().code(); }

inline Bytes Compressed(Codec codec, const Bytes& input, int level = kDefaultLevel) {
  const auto pool = BufferPool::Make();
  const BufferRef buffer = Compress(codec, level, input, *pool).value();
  return Bytes(buffer->data(), buffer->data() + buffer->size());
}

inline Bytes Lz4Block(const Bytes& input) { return Compressed(Codec::kLz4Raw, input); }

inline Bytes HadoopBlock(uint32_t output_size, std::initializer_list<Bytes> lz4_blocks) {
  Bytes all = BigEndian(output_size);
  for (const Bytes& block : lz4_blocks) {
    all = Concatenate({all, BigEndian(static_cast<uint32_t>(block.size())), block});
  }
  return all;
}

inline Bytes Lz4Frame(const Bytes& input, LZ4F_blockSizeID_t block_size = LZ4F_max64KB,
                      LZ4F_blockMode_t mode = LZ4F_blockLinked) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = block_size;
  preferences.frameInfo.blockMode = mode;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  Bytes out(LZ4F_compressFrameBound(input.size(), &preferences));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), input.data(), input.size(), &preferences));
  return out;
}

inline Bytes ZstdFrame(const Bytes& input, bool content_size, bool checksum = false,
                       int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, content_size);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  if (window_log != 0) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  Bytes out(ZSTD_compressBound(input.size()));
  out.resize(ZSTD_compress2(context, out.data(), out.size(), input.data(), input.size()));
  ZSTD_freeCCtx(context);
  return out;
}

inline Bytes Part(const Bytes& bytes, size_t begin, size_t end) {
  return Bytes(bytes.begin() + static_cast<int64_t>(begin),
               bytes.begin() + static_cast<int64_t>(end));
}

/// One page of every framing of every codec that decodes to `plain`.
struct Sample {
  std::string name;
  Codec codec;
  Bytes page;
};

inline std::vector<Sample> SamplesOf(const Bytes& plain) {
  std::vector<Sample> samples;
  for (Codec codec : kWrittenCodecs) {
    samples.push_back(
        {"codec " + std::to_string(static_cast<int>(codec)), codec, Compressed(codec, plain)});
  }
  const size_t half = plain.size() / 2;
  const Bytes front = Part(plain, 0, half);
  const Bytes back = Part(plain, half, plain.size());
  const auto size = static_cast<uint32_t>(plain.size());
  const auto front_size = static_cast<uint32_t>(front.size());
  const auto back_size = static_cast<uint32_t>(back.size());
  samples.push_back(
      {"gzip members", Codec::kGzip,
       Concatenate({Compressed(Codec::kGzip, front), Compressed(Codec::kGzip, back)})});
  samples.push_back({"zstd frames", Codec::kZstd,
                     Concatenate({ZstdFrame(front, false, true), ZstdFrame(back, true)})});
  samples.push_back({"lz4 hadoop, one block", Codec::kLz4, HadoopBlock(size, {Lz4Block(plain)})});
  samples.push_back({"lz4 hadoop, two blocks", Codec::kLz4,
                     Concatenate({HadoopBlock(front_size, {Lz4Block(front)}),
                                  HadoopBlock(back_size, {Lz4Block(back)})})});
  samples.push_back({"lz4 hadoop, two chunks", Codec::kLz4,
                     HadoopBlock(size, {Lz4Block(front), Lz4Block(back)})});
  samples.push_back({"lz4 frame", Codec::kLz4, Lz4Frame(plain)});
  samples.push_back(
      {"lz4 frames", Codec::kLz4,
       Concatenate({Lz4Frame(front, LZ4F_max256KB, LZ4F_blockIndependent), Lz4Frame(back)})});
  samples.push_back({"lz4 bare", Codec::kLz4, Lz4Block(plain)});
  return samples;
}

}  // namespace sluice::parquet
