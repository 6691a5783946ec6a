#include "format/parquet/leaf_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "format/model/buffer_builder.h"
#include "format/model/elapsed.h"
#include "format/model/try.h"
#include "format/parquet/check_cancelled.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {

namespace {

// How far ahead pages that an index names are asked for at once.
constexpr int64_t kRequestedRows = 131'072;
constexpr int64_t kRequestedBytes = 64 << 20;

}  // namespace

LeafPages::LeafPages(const LeafPlan& plan)
    : plan_(plan),
      stream_({.chunk = plan.chunk_range,
               .num_values = plan.chunk->num_values,
               .window_bytes = plan.options->read_window_bytes,
               .max_page_bytes = plan.options->max_page_bytes,
               .keeps_statistics = plan.keeps_statistics},
              &bytes_, plan.context.pool) {}

std::string LeafPages::Place() const { return PageStream::Place(stored_); }

void LeafPages::Count(int64_t offset, RowRange rows, PageObserver::Fate fate) {
  ++counted_pages_;
  ReadCounters& counters = *plan_.counters;
  ++(fate == PageObserver::Fate::kOpened ? counters.pages_read : counters.pages_skipped);
  counters.pages_excluded += fate == PageObserver::Fate::kExcluded ? 1 : 0;
  PageObserver* observer = plan_.options->page_observer;
  if (observer != nullptr) observer->OnDataPage(plan_.row_group, plan_.leaf, offset, rows, fate);
}

Result<bool> LeafPages::Next(int64_t row) {
  SLUICE_RETURN_IF_ERROR(CheckCancelled(*plan_.options));
  has_page_ = false;
  return index_ ? NextByIndex() : NextInOrder(row);
}

Result<bool> LeafPages::NextInOrder(int64_t row) {
  for (;;) {
    if (stage_ == Stage::kDictionary) {
      SLUICE_TRY(const bool loaded, LoadDictionary());
      if (!loaded) return false;
    }
    SLUICE_TRY(const bool parsed, stream_.NextInOrder(stored_));
    if (!parsed) return false;
    if (stored_.header.type == PageType::kDictionaryPage) stage_ = Stage::kDictionary;
    // Index pages, and types that are not known yet, are stepped over.
    if (IsDataPage(stored_.header.type) && stored_.header.num_values > 0) break;
  }
  rows_ = {row, -1};
  if (plan_.context.leaf.max_repetition_level == 0) {
    rows_.end = row + stored_.header.num_values;
  }
  has_page_ = true;
  return true;
}

RowRange LeafPages::IndexedRows(size_t page) const {
  const auto& pages = index_->page_locations;
  return {pages[page].first_row_index,
          page + 1 < pages.size() ? pages[page + 1].first_row_index : plan_.num_rows};
}

bool LeafPages::RequestIndexedPages(size_t first) {
  const auto& pages = index_->page_locations;
  const int64_t size = pages[first].compressed_page_size;
  if (bytes_.AvailableAt(pages[first].offset, size) == size) return true;
  const int64_t last_row = IndexedRows(first).begin + kRequestedRows;
  int64_t bytes = 0;
  ByteRange run{pages[first].offset, 0};
  for (size_t i = first; i < pages.size() && bytes < kRequestedBytes; ++i) {
    const RowRange rows = IndexedRows(i);
    if (rows.begin > last_row || rows.begin >= plan_.wanted->known_end()) break;
    if (plan_.wanted->CountIn(rows) == 0) continue;
    // Pages side by side are asked for as one.
    if (run.end() != pages[i].offset || run.length >= plan_.options->read_window_bytes) {
      bytes_.Request(run);
      run = {pages[i].offset, 0};
    }
    run.length += pages[i].compressed_page_size;
    bytes += pages[i].compressed_page_size;
  }
  bytes_.Request(run);
  return false;
}

/// What stands before the first page of the index: a dictionary, if anything. A data page there is
/// one that the index leaves out, so that its row numbers are wrong.
Result<bool> LeafPages::ReadBeforeFirstPage() {
  const int64_t end = index_->page_locations[0].offset;
  while (stage_ == Stage::kDictionary || stream_.position() < end) {
    if (stage_ == Stage::kDictionary) {
      SLUICE_TRY(const bool loaded, LoadDictionary());
      if (!loaded) return false;
      continue;
    }
    const ByteRange before{stream_.position(), end - stream_.position()};
    if (bytes_.AvailableAt(before.offset, before.length) < before.length) {
      bytes_.Request(before);
      return false;
    }
    SLUICE_TRY(const bool parsed, stream_.NextHeader(stored_));
    if (!parsed) return false;
    const PageType type = stored_.header.type;
    if (type == PageType::kDictionaryPage) {
      if (dictionary_) return Status::Corruption("the column chunk has two dictionary pages");
      stage_ = Stage::kDictionary;
    } else if ((type == PageType::kDataPage || type == PageType::kDataPageV2) &&
               stored_.header.num_values > 0) {
      return Status::Corruption("the offset index leaves out a data page");
    }
  }
  return true;
}

Result<bool> LeafPages::NextByIndex() {
  const auto& pages = index_->page_locations;
  while (next_indexed_ < pages.size() && plan_.wanted->CountIn(IndexedRows(next_indexed_)) == 0) {
    Count(pages[next_indexed_].offset, IndexedRows(next_indexed_), PageObserver::Fate::kSkipped);
    ++next_indexed_;
  }
  if (next_indexed_ == pages.size()) {
    return Status::Internal("went behind the last page with wanted rows");
  }
  if (dictionary_is_sought_) {
    // Both at once: the dictionary, and the pages that will need it.
    const bool has_pages = RequestIndexedPages(next_indexed_);
    SLUICE_TRY(const bool is_read, ReadBeforeFirstPage());
    if (!is_read) return false;
    dictionary_is_sought_ = false;
    if (!has_pages) return false;
  }
  if (!RequestIndexedPages(next_indexed_)) return false;
  stream_.Seek(pages[next_indexed_].offset,
               static_cast<int32_t>(next_indexed_) + (dictionary_ ? 1 : 0));
  SLUICE_TRY(const bool parsed, stream_.NextHeader(stored_));
  if (!parsed) return false;
  if (!IsDataPage(stored_.header.type)) {
    return Status::Corruption("the offset index names a page that is not a data page");
  }
  const PageLocation& location = pages[next_indexed_];
  if (stored_.body_range().end() != location.offset + location.compressed_page_size) {
    return Status::Corruption(
        fmt::format("the offset index gives the page another size: {} for {} bytes",
                    location.compressed_page_size, stored_.body_range().end() - location.offset));
  }
  rows_ = IndexedRows(next_indexed_++);
  if (plan_.context.leaf.max_repetition_level == 0 && stored_.header.num_values != rows_.size()) {
    return Status::Corruption(
        fmt::format("the offset index gives the page {} rows, it holds {} (reading without the "
                    "index is an option)",
                    rows_.size(), stored_.header.num_values));
  }
  has_page_ = true;
  return true;
}

Result<bool> LeafPages::CheckEnd(int64_t own_end) {
  while (stream_.position() < std::min(own_end, stream_.chunk().end())) {
    const Result<bool> parsed = stream_.NextHeader(stored_);
    if (!parsed) return true;
    if (!*parsed) return false;
    const bool is_data =
        stored_.header.type == PageType::kDataPage || stored_.header.type == PageType::kDataPageV2;
    if (is_data && stored_.header.num_values > 0 && stored_.body_range().end() <= own_end) {
      return Status::Corruption(
          fmt::format("the column chunk goes on behind its last row: {} more values",
                      stored_.header.num_values));
    }
  }
  return true;
}

Result<bool> LeafPages::LoadDictionary() {
  const auto begin = std::chrono::steady_clock::now();
  SLUICE_TRY(const bool loaded, stream_.LoadBody(stored_));
  if (!loaded) return false;
  if (plan_.context.verify_checksums) {
    SLUICE_TRY(const bool verified, VerifyChecksum(stored_));
    plan_.counters->pages_verified += verified ? 1 : 0;
  }
  SLUICE_TRY(const PageBody body, OpenDictionaryPage(plan_.context, stored_));
  plan_.counters->bytes_decompressed += body.size();
  SLUICE_TRY(dictionary_, DecodeDictionary(body));
  plan_.context.dictionary_size = stored_.header.num_values;
  stored_.body.reset();
  stage_ = Stage::kHeader;
  dictionary_nanoseconds_ += NanosecondsSince(begin);
  return true;
}

Result<std::shared_ptr<const Column>> LeafPages::DecodeDictionary(const PageBody& stored_body) {
  const Leaf& leaf = plan_.context.leaf;
  const Encoding encoding = stored_.header.encoding;
  if (encoding != Encoding::kPlain && encoding != Encoding::kPlainDictionary) {
    return Status::Unsupported(fmt::format("dictionary page encoding {} ({})", Name(encoding),
                                           static_cast<int32_t>(encoding)));
  }
  if (leaf.physical_type == PhysicalType::kBoolean) {
    return Status::Corruption("a boolean column has a dictionary page");
  }
  PageBody body(stored_body.buffer(), stored_body.offset(), stored_body.size());
  BufferPool& pool = *plan_.context.pool;
  const int64_t count = stored_.header.num_values;
  SLUICE_TRY(const auto decoder, MakeValueDecoder(Encoding::kPlain, leaf.physical_type,
                                                  leaf.type_length, count, &body, &pool));
  Column entries;
  entries.length = count;
  BufferBuilder data(&pool);
  const bool is_view = leaf.physical_type == PhysicalType::kByteArray;
  const int64_t width = is_view ? static_cast<int64_t>(sizeof(StringView))
                                : PhysicalWidth(leaf.physical_type, leaf.type_length);
  // Strings take four bytes at least: an entry count that the page cannot hold is not allocated
  // for.
  if (is_view && count > body.size() / 4) {
    return Status::Corruption(
        fmt::format("dictionary page is too short: {} entries in {} bytes", count, body.size()));
  }
  SLUICE_RETURN_IF_ERROR(data.Reserve(count * width));
  if (is_view) {
    entries.form = ColumnForm::kView;
    ByteArrayOutput output(data.as<StringView>(), &pool);
    SLUICE_RETURN_IF_ERROR(decoder->ReadViews(count, output));
    entries.view_buffers = std::move(output.buffers());
  } else {
    SLUICE_RETURN_IF_ERROR(decoder->ReadFixed(count, data.data()));
  }
  data.Advance(count * width);
  SLUICE_TRY(entries.data, data.Finish());
  if (plan_.type->id == TypeId::kNull) {
    entries.type = plan_.type;
    return std::make_shared<const Column>(std::move(entries));
  }
  SLUICE_TRY(Column converted, ConvertValues(leaf, plan_.type, std::move(entries), pool));
  return std::make_shared<const Column>(std::move(converted));
}

Result<bool> LeafPages::Open() {
  SLUICE_RETURN_IF_ERROR(CheckCancelled(*plan_.options));
  SLUICE_TRY(const bool loaded, stream_.LoadBody(stored_));
  if (!loaded) return false;
  if (plan_.context.verify_checksums) {
    SLUICE_TRY(const bool verified, VerifyChecksum(stored_));
    plan_.counters->pages_verified += verified ? 1 : 0;
  }
  SLUICE_TRY(page_, DataPage::Open(plan_.context, stored_));
  counted_bytes_ = 0;
  Count(stored_.offset, rows_, PageObserver::Fate::kOpened);
  return true;
}

void LeafPages::Exclude() {
  has_page_ = false;
  Count(stored_.offset, rows_, PageObserver::Fate::kExcluded);
}

int64_t LeafPages::NumDataPages() const {
  if (index_) return std::ssize(index_->page_locations);
  int64_t pages = 0;
  for (const PageEncodingStats& stats : plan_.chunk->encoding_stats) {
    if (!IsDataPage(stats.page_type)) continue;
    // Each has a value at least.
    pages = std::min(pages + std::max(stats.count, 0), plan_.chunk->num_values);
  }
  return pages;
}

void LeafPages::ExcludeByDictionary() {
  if (std::exchange(is_excluded_, true)) return;
  const int64_t pages = std::max<int64_t>(NumDataPages() - counted_pages_, 0);
  plan_.counters->pages_skipped += pages;
  plan_.counters->pages_excluded += pages;
  PageObserver* observer = plan_.options->page_observer;
  if (observer != nullptr) observer->OnDictionaryExclusion(plan_.row_group, plan_.leaf, pages);
}

void LeafPages::CountBytes() {
  if (!page_) return;
  const int64_t before = std::exchange(counted_bytes_, page_->bytes_decompressed());
  plan_.counters->bytes_decompressed += counted_bytes_ - before;
}

Status LeafPages::Close(bool is_finished) {
  has_page_ = false;
  if (!page_) {
    Count(stored_.offset, rows_, PageObserver::Fate::kSkipped);
    return Status::Ok();
  }
  if (is_finished || plan_.reads_every_page) SLUICE_RETURN_IF_ERROR(page_->Finish());
  CountBytes();
  page_.reset();
  stored_.body.reset();
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
