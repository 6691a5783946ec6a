#include <fmt/format.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/footer.h"

namespace sluice::inline v0::parquet {

// The end of a file:
//   "PAR1"  pages ...  footer (Thrift)  its length (uint32, little-endian)  "PAR1"
// "PARE" in place of both magics: the footer is encrypted.

namespace {

constexpr int64_t kMagicBytes = 4;
constexpr int64_t kTrailerBytes = 8;
constexpr int64_t kLeastFileBytes = kMagicBytes + kTrailerBytes;

Status CheckMagic(const uint8_t* magic, const char* place) {
  if (std::memcmp(magic, "PAR1", kMagicBytes) == 0) return Status::Ok();
  if (std::memcmp(magic, "PARE", kMagicBytes) == 0) {
    return Status::Encrypted("footer: is encrypted, and no keys are supported");
  }
  return Status::Corruption(
      fmt::format("file does not {} in PAR1: it is not a Parquet file", place));
}

}  // namespace

FooterReader::FooterReader(int64_t file_size, FooterOptions options, int64_t tail_bytes)
    : file_size_(file_size),
      options_(std::move(options)),
      tail_bytes_(std::max(tail_bytes, kTrailerBytes)) {}

Result<std::variant<Need, std::shared_ptr<const FileMetadata>>> FooterReader::Step() {
  using Step = std::variant<Need, std::shared_ptr<const FileMetadata>>;
  if (file_size_ < kLeastFileBytes) {
    return Status::Corruption(
        fmt::format("file is too short for a Parquet file: {} bytes", file_size_));
  }
  if (tail_ == nullptr) {
    if (tail_range_.length == 0) {
      const int64_t length = std::min(file_size_, tail_bytes_);
      tail_range_ = {file_size_ - length, length};
    }
    return Step(Need{{tail_range_}});
  }
  if (footer_bytes_ < 0) {
    const uint8_t* trailer = tail_->data() + tail_->size() - kTrailerBytes;
    SLUICE_RETURN_IF_ERROR(CheckMagic(trailer + 4, "end"));
    if (tail_range_.offset == 0) SLUICE_RETURN_IF_ERROR(CheckMagic(tail_->data(), "begin"));
    const int64_t footer_bytes = int64_t{trailer[0]} | int64_t{trailer[1]} << 8 |
                                 int64_t{trailer[2]} << 16 | int64_t{trailer[3]} << 24;
    if (footer_bytes > file_size_ - kLeastFileBytes) {
      return Status::Corruption(
          fmt::format("footer: is longer than the file: {} bytes of {}", footer_bytes, file_size_));
    }
    if (footer_bytes > options_.limits.max_footer_bytes) {
      return Status::ResourceExhausted(fmt::format("footer: is longer than the limit: {} > {}",
                                                   footer_bytes, options_.limits.max_footer_bytes));
    }
    footer_bytes_ = footer_bytes;
  }
  const ByteRange footer{file_size_ - kTrailerBytes - footer_bytes_, footer_bytes_};
  if (footer.offset < tail_range_.offset) {
    // All of it again, the part in the tail too: copying it together would cost as much.
    tail_range_ = footer;
    tail_ = nullptr;
    return Step(Need{{footer}});
  }
  SLUICE_TRY(
      std::shared_ptr<FileMetadata> metadata,
      ParseFooter(SliceBuffer(tail_, footer.offset - tail_range_.offset, footer.length), options_));
  metadata->footer_offset = footer.offset;
  return Step(std::shared_ptr<const FileMetadata>(std::move(metadata)));
}

Status FooterReader::Provide(ByteRange range, BufferRef bytes) {
  if (!bytes || bytes->size() < range.length) {
    return Status::InvalidArgument("fewer bytes are provided than their range says");
  }
  const bool is_wanted = tail_ == nullptr && tail_range_.length > 0;
  const bool begins_before = range.offset >= 0 && range.offset <= tail_range_.offset;
  const int64_t before = begins_before ? tail_range_.offset - range.offset : 0;
  if (!is_wanted || !begins_before || range.length - before < tail_range_.length) {
    return Status::InvalidArgument(fmt::format(
        "bytes at {}, {} long, cover nothing that was asked for", range.offset, range.length));
  }
  tail_ = SliceBuffer(bytes, before, tail_range_.length);
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
