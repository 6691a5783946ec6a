#include "format/parquet/page_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

// Headers without statistics take some 30 bytes; where one straddles two pieces, a little more than
// most headers is copied together before the rest is tried.
constexpr int64_t kUsualHeaderBytes = 4096;

}  // namespace

std::string PageStream::Place(const StoredPage& page) {
  return fmt::format("page {} at byte {}", page.ordinal, page.offset);
}

bool PageStream::Have(ByteRange range) {
  const int64_t available = bytes_->AvailableAt(range.offset, range.length);
  if (available == range.length) return true;
  const int64_t begin = range.offset + available;
  const int64_t length = std::max(range.end() - begin, plan_.window_bytes);
  bytes_->Request({begin, std::min(length, plan_.chunk.end() - begin)});
  return false;
}

Result<bool> PageStream::NextHeader(StoredPage& page) {
  page = StoredPage();
  page.offset = position_;
  page.ordinal = next_ordinal_;
  if (position_ >= plan_.chunk.end()) {
    return Status::Corruption(fmt::format("the column chunk ends before its last value"));
  }
  std::span<const uint8_t> seen = bytes_->PeekAt(position_);
  BufferRef joined;
  std::optional<PageHeader> header;
  for (;;) {
    if (!seen.empty()) {
      SLUICE_TRY(header, ParsePageHeader(seen));
      if (header) break;
    }
    const auto size = static_cast<int64_t>(seen.size());
    // The header may go on in another piece, or in none that is there.
    const int64_t left = plan_.chunk.end() - position_;
    if (size >= left) return Status::Corruption("the column chunk ends inside a page header");
    const int64_t most = std::min(left, kMaxPageHeaderBytes);
    const int64_t wider = std::min(most, std::max(kUsualHeaderBytes, 4 * size));
    const int64_t available = bytes_->AvailableAt(position_, wider);
    if (available <= size) {
      // Twice as much each time, since the header is parsed from its front again (fault M7).
      Have({position_, std::clamp(2 * size, int64_t{1}, most)});
      return false;
    }
    SLUICE_TRY(joined, bytes_->Get({position_, available}, *pool_));
    seen = joined->span();
  }
  page.header = *std::move(header);
  if (!plan_.keeps_statistics) {
    // Their views point into bytes that are not kept.
    page.header.statistics.reset();
  } else if (page.header.statistics) {
    page.header_bytes = joined;
    if (!joined) {
      SLUICE_TRY(page.header_bytes, bytes_->Get({position_, page.header.header_size}, *pool_));
    }
  }
  const ByteRange body = page.body_range();
  if (body.length > plan_.chunk.end() - body.offset) {
    return Status::Corruption(
        fmt::format("page ends after its column chunk: {} > {}", body.end(), plan_.chunk.end()));
  }
  if (std::max(page.header.compressed_size, page.header.uncompressed_size) > plan_.max_page_bytes) {
    return Status::ResourceExhausted(fmt::format(
        "page is larger than the limit: {} compressed, {} uncompressed > {}",
        page.header.compressed_size, page.header.uncompressed_size, plan_.max_page_bytes));
  }
  ++next_ordinal_;
  bytes_->DropBefore(position_);
  position_ = body.end();
  return true;
}

Result<bool> PageStream::NextInOrder(StoredPage& page) {
  SLUICE_TRY(const bool parsed, NextHeader(page));
  if (!parsed) return false;
  if (page.header.type == PageType::kDictionaryPage) {
    if (has_data_page_) return Status::Corruption("a dictionary page follows a data page");
    if (has_dictionary_) return Status::Corruption("the column chunk has two dictionary pages");
    has_dictionary_ = true;
  } else if (IsDataPage(page.header.type)) {
    has_data_page_ = true;
    values_ += page.header.num_values;
    if (values_ > plan_.num_values) {
      return Status::Corruption(fmt::format("pages hold more values than the column chunk: {} > {}",
                                            values_, plan_.num_values));
    }
  }
  return true;
}

Result<bool> PageStream::LoadBody(StoredPage& page) {
  const ByteRange body = page.body_range();
  if (!Have(body)) return false;
  SLUICE_TRY(page.body, bytes_->Get(body, *pool_));
  return true;
}

}  // namespace sluice::inline v0::parquet
