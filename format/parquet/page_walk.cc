#include <fmt/format.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/page_walk.h>

#include <string>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/chunk_bytes.h"
#include "format/parquet/column_chunk_claims.h"
#include "format/parquet/page_stream.h"

namespace sluice::inline v0::parquet {
namespace {

/// Headers are small, but for their statistics; several small pages are read at once.
constexpr int64_t kWindowBytes = 16 << 10;

PageSummary Summarize(StoredPage&& stored) {
  const PageHeader& header = stored.header;
  PageSummary page;
  page.offset = stored.offset;
  page.type = header.type;
  page.encoding = header.encoding;
  page.header_size = header.header_size;
  page.compressed_size = header.compressed_size;
  page.uncompressed_size = header.uncompressed_size;
  page.num_values = header.num_values;
  page.crc = header.crc;
  page.statistics = header.statistics;
  page.header_bytes = std::move(stored.header_bytes);
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

class PageWalker::Impl {
 public:
  Impl(const PageStreamPlan& plan, std::string place, std::shared_ptr<BufferPool> pool)
      : place_(std::move(place)), pool_(std::move(pool)), stream_(plan, &bytes_, pool_.get()) {}

  Result<Outcome> Step() {
    if (!error_.ok()) return error_;
    if (!bytes_.pending().empty()) return Outcome(Need{bytes_.pending()});
    if (stream_.has_all_values()) return Outcome(Done{});
    StoredPage page;
    const Result<bool> parsed = stream_.NextInOrder(page);
    if (!parsed) return error_ = parsed.error().In(PageStream::Place(page)).In(place_);
    if (!*parsed) return Outcome(Need{bytes_.pending()});
    return Outcome(Summarize(std::move(page)));
  }

  Status Provide(ByteRange range, const BufferRef& bytes) {
    if (!bytes || bytes->size() < range.length) {
      return Status::InvalidArgument("fewer bytes are provided than their range says");
    }
    if (bytes_.Accept(range, bytes)) return Status::Ok();
    return Status::InvalidArgument(fmt::format(
        "bytes at {}, {} long, cover nothing that was asked for", range.offset, range.length));
  }

 private:
  std::string place_;
  std::shared_ptr<BufferPool> pool_;
  ChunkBytes bytes_;
  PageStream stream_;
  Status error_;
};

PageWalker::PageWalker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PageWalker::~PageWalker() = default;

Result<std::unique_ptr<PageWalker>> PageWalker::Make(const FileMetadata& metadata,
                                                     const SchemaTree& tree, int32_t row_group,
                                                     int32_t leaf, const ReadOptions& options) {
  if (row_group < 0 || static_cast<size_t>(row_group) >= metadata.row_groups.size()) {
    return Status::InvalidArgument(fmt::format("there is no row group {}", row_group));
  }
  if (leaf < 0 || static_cast<size_t>(leaf) >= tree.leaves().size()) {
    return Status::InvalidArgument(fmt::format("there is no leaf column {}", leaf));
  }
  std::string place = fmt::format("row group {}: column '{}'", row_group, tree.LeafPath(leaf));
  SLUICE_RETURN_IF_ERROR(CheckColumnChunk(metadata, tree, row_group, leaf).In(place));
  const ColumnChunk& chunk =
      metadata.row_groups[static_cast<size_t>(row_group)].columns[static_cast<size_t>(leaf)];
  const Result<ByteRange> range = ChunkByteRange(metadata, chunk);
  if (!range) return range.error().In(place);
  const PageStreamPlan plan{.chunk = *range,
                            .num_values = chunk.num_values,
                            .window_bytes = kWindowBytes,
                            .max_page_bytes = options.max_page_bytes,
                            .keeps_statistics = true};
  auto pool = options.pool ? options.pool : BufferPool::Make();
  return std::unique_ptr<PageWalker>(
      new PageWalker(std::make_unique<Impl>(plan, std::move(place), std::move(pool))));
}

Result<PageWalker::Outcome> PageWalker::Step() { return impl_->Step(); }
Status PageWalker::Provide(ByteRange range, BufferRef bytes) {
  return impl_->Provide(range, bytes);
}

}  // namespace sluice::inline v0::parquet
