// The blocking reader: loops over the state machines.

#include <fmt/format.h>
#include <sluice/parquet/page_walk.h>
#include <sluice/parquet/reader.h>

#include <utility>

#include "format/model/file_place.h"
#include "format/model/try.h"
#include "format/parquet/column_chunk_claims.h"
#include "format/parquet/read_ranges.h"

namespace sluice::inline v0::parquet {

namespace {

Result<std::shared_ptr<const FileMetadata>> ReadFooter(const RandomAccessFile& file,
                                                       const FooterOptions& options,
                                                       BufferPool& pool) {
  SLUICE_TRY(const int64_t size, file.Size());
  FooterReader reader(size, options);
  for (;;) {
    SLUICE_TRY(auto step, reader.Step());
    if (auto* metadata = std::get_if<std::shared_ptr<const FileMetadata>>(&step)) {
      return std::move(*metadata);
    }
    for (const ByteRange& range : std::get<Need>(step).ranges) {
      SLUICE_TRY(BufferRef bytes, file.Read(range, pool));
      SLUICE_RETURN_IF_ERROR(reader.Provide(range, std::move(bytes)));
    }
  }
}

}  // namespace

PageObserver::~PageObserver() = default;

ReadCounters& ReadCounters::operator+=(const ReadCounters& other) {
  bytes_requested += other.bytes_requested;
  bytes_fetched += other.bytes_fetched;
  pages_read += other.pages_read;
  pages_skipped += other.pages_skipped;
  pages_excluded += other.pages_excluded;
  pages_verified += other.pages_verified;
  bytes_decompressed += other.bytes_decompressed;
  values_decoded += other.values_decoded;
  values_skipped += other.values_skipped;
  return *this;
}

RowGroupCursor::RowGroupCursor(std::shared_ptr<RandomAccessFile> file,
                               std::shared_ptr<BufferPool> pool, int64_t read_gap_bytes,
                               std::unique_ptr<RowGroupReader> reader)
    : file_(std::move(file)),
      pool_(std::move(pool)),
      read_gap_bytes_(read_gap_bytes),
      reader_(std::move(reader)) {}

Status RowGroupCursor::ReadRanges(const std::vector<ByteRange>& ranges) {
  for (const ByteRange& range : JoinRanges(ranges, read_gap_bytes_)) {
    SLUICE_TRY(BufferRef bytes, file_->Read(range, *pool_));
    bytes_fetched_ += range.length;
    SLUICE_RETURN_IF_ERROR(reader_->Provide(range, std::move(bytes)));
  }
  return Status::Ok();
}

Result<std::optional<RowGroupBatch>> RowGroupCursor::Next() {
  if (!error_.ok()) return error_;
  for (;;) {
    Result<RowGroupReader::Outcome> outcome = reader_->Step();
    if (!outcome) return error_ = InFile(file_->name(), outcome.error());
    if (std::holds_alternative<Done>(*outcome)) return std::optional<RowGroupBatch>();
    if (auto* batch = std::get_if<RowGroupBatch>(&*outcome)) {
      return std::optional<RowGroupBatch>(std::move(*batch));
    }
    const Status read = ReadRanges(std::get<Need>(*outcome).ranges);
    if (!read.ok()) return error_ = InFile(file_->name(), read);
  }
}

ReadCounters RowGroupCursor::counters() const {
  ReadCounters counters = reader_->counters();
  counters.bytes_fetched = bytes_fetched_;
  return counters;
}

PageCursor::PageCursor(const FileReader& reader, std::unique_ptr<PageWalker> walker)
    : reader_(&reader), walker_(std::move(walker)) {}

Result<PageCursor> PageCursor::Open(const FileReader& reader, int32_t row_group, int32_t leaf) {
  auto walker =
      PageWalker::Make(*reader.metadata(), *reader.tree(), row_group, leaf, reader.options());
  if (!walker) return InFile(reader.file().name(), walker.error());
  return PageCursor(reader, *std::move(walker));
}

Result<std::optional<PageSummary>> PageCursor::Next() {
  for (;;) {
    Result<PageWalker::Outcome> step = walker_->Step();
    if (!step) return InFile(reader_->file().name(), step.error());
    if (std::holds_alternative<Done>(*step)) return std::optional<PageSummary>();
    if (auto* page = std::get_if<PageSummary>(&*step)) {
      return std::optional<PageSummary>(std::move(*page));
    }
    for (const ByteRange& range : std::get<Need>(*step).ranges) {
      Result<BufferRef> bytes = reader_->file().Read(range, *reader_->options().pool);
      if (!bytes) return InFile(reader_->file().name(), bytes.error());
      SLUICE_RETURN_IF_ERROR(walker_->Provide(range, *std::move(bytes)));
    }
  }
}

Result<std::shared_ptr<FileReader>> FileReader::Open(std::shared_ptr<RandomAccessFile> file,
                                                     ReadOptions options, FooterOptions footer) {
  std::shared_ptr<FileReader> reader(new FileReader());
  if (!options.pool) options.pool = BufferPool::Make();
  const std::string& name = file->name();
  if (!footer.pool) footer.pool = options.pool;
  auto metadata = ReadFooter(*file, footer, *options.pool);
  if (!metadata) return InFile(name, metadata.error());
  reader->metadata_ = *std::move(metadata);
  auto tree = SchemaTree::Make(*reader->metadata_, footer.limits, footer.pool.get());
  if (!tree) return InFile(name, tree.error());
  reader->tree_ = *std::move(tree);
  for (size_t i = 0; i < reader->metadata_->row_groups.size(); ++i) {
    const int64_t rows = reader->metadata_->row_groups[i].num_rows;
    if (rows < 0 || rows > INT64_MAX - reader->num_rows_) {
      return InFile(
          name, Status::Corruption(fmt::format("row group {}: impossible row count: {}", i, rows)));
    }
    reader->num_rows_ += rows;
  }
  if (options.read_everything) {
    reader->chunk_begins_ =
        std::make_shared<const std::vector<int64_t>>(ChunkBegins(*reader->metadata_));
  }
  reader->file_ = std::move(file);
  reader->options_ = std::move(options);
  return reader;
}

Result<std::unique_ptr<RowGroupCursor>> FileReader::RowGroup(int32_t row_group,
                                                             const Projection& projection,
                                                             std::optional<RowSelection> selection,
                                                             std::vector<LeafFilter> filters,
                                                             PageObserver* observer) const {
  ReadOptions options = options_;
  if (observer != nullptr) options.page_observer = observer;
  auto reader = RowGroupReader::Make(metadata_, projection, row_group, std::move(selection),
                                     std::move(options), std::move(filters), chunk_begins_);
  if (!reader) return InFile(file_->name(), reader.error());
  return std::make_unique<RowGroupCursor>(file_, options_.pool, options_.read_gap_bytes,
                                          *std::move(reader));
}

}  // namespace sluice::inline v0::parquet
