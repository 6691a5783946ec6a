#pragma once

// A page is a stream: its bytes are decompressed front to back into one stable buffer of the
// declared size, no further than somebody needs.

#include <sluice/buffer.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <span>

namespace sluice::inline v0::parquet {

/// Decompresses one page. Errors are kCorruption unless said otherwise.
///
/// Threads: confined.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  /// Makes at least the first `min_output` bytes of the output available (all of them when
  /// min_output >= declared size), and returns how many are. Never writes past the declared size:
  /// a stream that would is an error, and so is one that ends before it; reaching the declared size
  /// also checks that the stream ends there (no output left in it, its own checksums right).
  virtual Result<int64_t> Advance(int64_t min_output) = 0;
};

/// States of the codec libraries, a few of which are kept from page to page because they are costly
/// to make. What they take counts in `pool`. A reader makes one.
///
/// Threads: confined, together with every decompressor that it was given to.
class CodecContexts;
std::shared_ptr<CodecContexts> MakeCodecContexts(std::shared_ptr<BufferPool> pool);
/// Whether so many pages hold a state that the next one had better be decompressed whole, which
/// frees its own: so the states of a wide row group stay below 32.
bool AreCrowded(const CodecContexts& contexts);

/// Starts on `input` (kept alive and readable with kReadPadding past its end by the caller), which
/// is to give exactly `output.size()` bytes into `output` (stable until the decompressor dies).
/// kUncompressed copies; callers avoid it by using the input itself.
/// Without `contexts` the library's state is made for this page alone, and counted by nobody.
/// Errors: kUnsupported for LZO and unknown codecs, by name; kInvalidArgument above 2 GiB;
/// kResourceExhausted, also of Advance, where the pool or the system has no memory for a library's
/// state.
/// Source: parquet-format Compression.md.
Result<std::unique_ptr<Decompressor>> MakeDecompressor(
    Codec codec, std::span<const uint8_t> input, std::span<uint8_t> output,
    std::shared_ptr<CodecContexts> contexts = nullptr);

/// Compresses `input` whole; `level` is the codec's own scale, or kDefaultLevel: ZSTD negative to
/// 22, GZIP 0 to 12, BROTLI 0 to 11, LZ4_RAW 1 to 12; SNAPPY and UNCOMPRESSED have none. Errors:
/// kUnsupported for LZO, kLz4 (deprecated; write kLz4Raw) and unknown codecs; kInvalidArgument for
/// a level that the codec lacks; kResourceExhausted by the pool, which for the time of the call
/// counts the worst case and the library's state too, and afterwards about the bytes returned.
inline constexpr int kDefaultLevel = INT32_MIN;
Result<BufferRef> Compress(Codec codec, int level, std::span<const uint8_t> input,
                           BufferPool& pool);

/// CRC-32 (polynomial 0x04C11DB7, as in GZIP), continued from `crc` (0 to start).
uint32_t Crc32(uint32_t crc, std::span<const uint8_t> bytes);

/// The value bytes of one page, decompressed as far as they are asked for.
///
/// Threads: confined. The bytes live in `buffer()`, which may outlive this object.
class PageBody {
 public:
  /// Nothing.
  PageBody() = default;
  /// Bytes that are there already: `size` bytes from `offset` of `buffer`.
  PageBody(BufferRef buffer, int64_t offset, int64_t size)
      : buffer_(std::move(buffer)), offset_(offset), size_(size), available_(size) {}
  /// Bytes that `decompressor` makes in `buffer`; the body begins at `offset` of its output (after
  /// levels that are part of the compressed stream). `input` is kept alive for it.
  PageBody(BufferRef buffer, int64_t offset, int64_t size, int64_t available,
           std::unique_ptr<Decompressor> decompressor, BufferRef input)
      : buffer_(std::move(buffer)),
        offset_(offset),
        size_(size),
        available_(available),
        decompressor_(std::move(decompressor)),
        input_(std::move(input)) {}

  const BufferRef& buffer() const { return buffer_; }
  int64_t offset() const { return offset_; }  ///< Of data() in buffer().
  const uint8_t* data() const { return buffer_ ? buffer_->data() + offset_ : nullptr; }
  int64_t size() const { return size_; }            ///< The declared whole.
  int64_t available() const { return available_; }  ///< Bytes from data() on that are valid.

  /// Makes the first min(bytes, size()) bytes available. `bytes` must not be negative.
  Status Require(int64_t bytes) {
    if (bytes <= available_ || available_ == size_) return Status::Ok();
    return Extend(bytes);
  }
  Status RequireAll() { return Require(size_); }

 private:
  Status Extend(int64_t bytes);

  BufferRef buffer_;
  int64_t offset_ = 0;
  int64_t size_ = 0;
  int64_t available_ = 0;
  std::unique_ptr<Decompressor> decompressor_;
  BufferRef input_;
};

}  // namespace sluice::inline v0::parquet
