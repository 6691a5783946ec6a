#pragma once

// The frame that every codec's decompressor fills: sticky errors, the clamped target, and the words
// for streams that are too long or too short.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/parquet/decompressor.h"

namespace sluice::inline v0::parquet {

/// A decompressor of `input` into `output`; families derive and write Decode.
///
/// Bytes below written() may already be read by others, on other threads too: Decode never writes
/// there again, not even the same values. Above it may write anything within `output`.
class PageDecompressor : public Decompressor {
 public:
  Result<int64_t> Advance(int64_t min_output) final {
    if (!error_.ok()) return error_;
    const int64_t target = std::clamp<int64_t>(min_output, 0, size());
    // At the declared size Decode runs once more, so that the end of the stream is checked.
    while (!finished_ && (written_ < target || written_ == size())) {
      error_ = Decode(target);
      if (!error_.ok()) return error_;
    }
    return written_;
  }

 protected:
  PageDecompressor(std::string_view codec, std::span<const uint8_t> input,
                   std::span<uint8_t> output)
      : codec_(codec), input_(input), output_(output) {}

  /// Makes progress towards `target` bytes: Wrote, Finish, or an error. Called until Finish where
  /// written() is size().
  virtual Status Decode(int64_t target) = 0;

  const uint8_t* input() const { return input_.data() + consumed_; }
  int64_t input_left() const { return static_cast<int64_t>(input_.size()) - consumed_; }
  void Consume(size_t bytes) { consumed_ += static_cast<int64_t>(bytes); }

  /// Where the output begins, and where it goes on.
  uint8_t* output() const { return output_.data(); }
  uint8_t* output_end() const { return output_.data() + written_; }
  int64_t output_left() const { return size() - written_; }
  int64_t size() const { return static_cast<int64_t>(output_.size()); }
  int64_t written() const { return written_; }
  void Wrote(size_t bytes) { written_ += static_cast<int64_t>(bytes); }

  /// The stream has ended as its format says: checks it against the declared size and the input.
  Status Finish() {
    if (written_ != size()) {
      return Status::Corruption(fmt::format("{} page ends before its declared size: {} of {} bytes",
                                            codec_, written_, size()));
    }
    if (input_left() != 0) {
      return Status::Corruption(
          fmt::format("{} page has bytes after its end: {}", codec_, input_left()));
    }
    finished_ = true;
    return Status::Ok();
  }
  Status TooLong() const {
    return Status::Corruption(
        fmt::format("{} page is longer than its declared size: {} bytes", codec_, size()));
  }
  Status CutShort() const {
    return Status::Corruption(fmt::format("{} page is cut short: {} bytes of input give {} of {}",
                                          codec_, input_.size(), written_, size()));
  }
  Status Malformed(std::string_view what) const {
    return Status::Corruption(fmt::format("{} page is malformed: {}, at byte {} of {}", codec_,
                                          what, consumed_, input_.size()));
  }
  Status NoMemory() const {
    return Status::ResourceExhausted(fmt::format("no memory for the state of codec {}", codec_));
  }

 private:
  std::string_view codec_;
  std::span<const uint8_t> input_;
  std::span<uint8_t> output_;
  int64_t consumed_ = 0;
  int64_t written_ = 0;
  bool finished_ = false;
  Status error_;
};

}  // namespace sluice::inline v0::parquet
