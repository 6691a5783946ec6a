#include <fmt/format.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/page_header.h"

namespace sluice::inline v0::parquet {
namespace {

/// Headers are small, but for their statistics; several small pages are read at once.
constexpr int64_t kFirstWindow = 16 << 10;

PageSummary Summarize(const PageHeader& header, int64_t offset) {
  PageSummary page;
  page.offset = offset;
  page.type = header.type;
  page.encoding = header.encoding;
  page.header_size = header.header_size;
  page.compressed_size = header.compressed_size;
  page.uncompressed_size = header.uncompressed_size;
  page.num_values = header.num_values;
  page.crc = header.crc;
  page.statistics = header.statistics;
  if (header.type == PageType::kDataPage) {
    page.definition_level_encoding = header.definition_level_encoding;
    page.repetition_level_encoding = header.repetition_level_encoding;
  } else if (header.type == PageType::kDataPageV2) {
    page.num_rows = header.num_rows;
    page.num_nulls = header.num_nulls;
    page.definition_levels_byte_length = header.definition_levels_byte_length;
    page.repetition_levels_byte_length = header.repetition_levels_byte_length;
    page.is_compressed = header.is_compressed;
  }
  return page;
}

}  // namespace

PageWalker::PageWalker(const RandomAccessFile& file, const ColumnChunk& chunk, ByteRange bytes,
                       std::shared_ptr<BufferPool> pool)
    : file_(&file),
      chunk_(&chunk),
      pool_(std::move(pool)),
      offset_(bytes.offset),
      end_(bytes.end()) {}

Result<PageWalker> PageWalker::Open(const RandomAccessFile& file, const FileMetadata& metadata,
                                    const ColumnChunk& chunk, std::shared_ptr<BufferPool> pool) {
  if (chunk.is_encrypted) return Status::Encrypted("column chunk is encrypted");
  if (!chunk.file_path.empty()) {
    return Status::Unsupported(
        fmt::format("column chunk lies in another file: {}", chunk.file_path));
  }
  SLUICE_TRY(ByteRange bytes, ChunkByteRange(metadata, chunk));
  // Some writers leave the dictionary page's header out of the chunk's size (fault F7): the values
  // say where the chunk ends, the footer where it must.
  bytes.length = metadata.footer_offset - bytes.offset;
  return PageWalker(file, chunk, bytes, std::move(pool));
}

Status PageWalker::FillWindow(int64_t length) {
  window_range_ = {offset_, std::min(length, end_ - offset_)};
  SLUICE_TRY(window_, file_->Read(window_range_, *pool_));
  return Status::Ok();
}

Result<std::optional<PageSummary>> PageWalker::Next() {
  if (values_ >= chunk_->num_values) return std::optional<PageSummary>();
  if (offset_ >= end_) {
    return Status::Corruption(
        fmt::format("pages end before the chunk's values: {} of {}", values_, chunk_->num_values));
  }
  const std::string where = fmt::format("page at byte {}", offset_);
  if (offset_ < window_range_.offset || offset_ >= window_range_.end()) {
    SLUICE_RETURN_IF_ERROR(FillWindow(kFirstWindow).In(where));
  }
  while (true) {
    const int64_t skipped = offset_ - window_range_.offset;
    Result<std::optional<PageHeader>> header =
        ParsePageHeader(window_->span().subspan(static_cast<size_t>(skipped)));
    if (!header.has_value()) return header.error().In(where);
    if (header->has_value()) {
      const PageSummary page = Summarize(**header, offset_);
      const int64_t size = int64_t{page.header_size} + page.compressed_size;
      if (size > end_ - offset_) {
        return Status::Corruption(fmt::format("page ends past the file's pages: {} bytes", size))
            .In(where);
      }
      offset_ += size;
      if (page.type == PageType::kDataPage || page.type == PageType::kDataPageV2) {
        values_ += page.num_values;
      }
      return std::optional<PageSummary>(page);
    }
    const int64_t held = window_range_.end() - offset_;
    if (window_range_.end() >= end_ || held >= kMaxPageHeaderBytes) {
      return Status::Corruption("page header does not end").In(where);
    }
    SLUICE_RETURN_IF_ERROR(FillWindow(std::max(2 * held, kFirstWindow)).In(where));
  }
}

}  // namespace sluice::inline v0::parquet
