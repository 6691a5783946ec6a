#include <fmt/format.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/writer.h>
#include <sluice/version.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "format/model/counted_memory.h"
#include "format/model/file_place.h"
#include "format/model/no_memory.h"
#include "format/model/try.h"
#include "format/parquet/metadata_writer.h"
#include "format/parquet/write/arrow_schema_writer.h"
#include "format/parquet/write/column_chunk_writer.h"
#include "format/parquet/write/shredder.h"
#include "format/parquet/write/write_options.h"
#include "format/parquet/write/write_schema.h"

// The file:
//
//   | "PAR1" | row group: each leaf's dictionary and data pages, then its bloom filters | ... |
//   | column indexes | offset indexes | footer | its length, 4 bytes | "PAR1" |
//
// Bloom filters follow their row group, so that they are not held in memory until the end.

namespace sluice::inline v0::parquet {
namespace {

constexpr std::string_view kMagic = "PAR1";
// Rows that are taken apart at a time: at first, and at most.
constexpr int64_t kFirstSlice = 128;
constexpr int64_t kMaxSlice = 16384;

std::span<const uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

/// Tells of durations in the way other writers do, unless the caller has done so.
void AddArrowSchema(const Schema& schema, WriterOptions* options) {
  constexpr std::string_view kKey = "ARROW:schema";
  for (const auto& [key, value] : options->key_value_metadata) {
    if (key == kKey) return;
  }
  if (std::optional<std::string> value = ArrowSchemaValue(schema)) {
    options->key_value_metadata.emplace_back(kKey, *std::move(value));
  }
}

/// Serialised indexes of one chunk, until the end of the file.
struct ChunkIndexes {
  std::string column_index;
  std::string offset_index;
};

}  // namespace

class FileWriter::Impl {
 public:
  Impl(std::unique_ptr<OutputFile> file, WriteSchema schema, WriterOptions options,
       std::vector<ColumnWriteOptions> columns)
      : file_(std::move(file)),
        schema_(std::move(schema)),
        options_(std::move(options)),
        columns_(std::move(columns)) {}

  Status Start();
  Status Write(const Batch& batch);
  Status FinishRowGroup();
  Status Finish();

  /// Runs `step` unless an earlier one failed, and remembers its failure.
  template <typename Step>
  Status Run(Step step) {
    if (!failed_.ok()) return failed_;
    Status status = OrNoMemory(step);
    if (!status.ok()) failed_ = status = InFile(file_->name(), status);
    return status;
  }

 private:
  Status CheckBatch(const Batch& batch) const;
  int64_t SliceRows() const;
  int64_t BufferedBytes() const;
  Status Append(std::string_view bytes) { return Append(BytesOf(bytes)); }
  Status Append(std::span<const uint8_t> bytes);
  Status AppendPage(const EncodedPage& page);
  Status WriteChunk(ColumnChunkWriter& writer, RowGroup* group);
  Status WriteBloomFilter(std::span<const uint64_t> hashes, double rate, ColumnChunk* chunk);
  Status PlaceIndex(FinishedChunk* chunk);
  Status CountChunk(const ColumnChunk& chunk, const ChunkIndexes& indexes);
  Status WriteIndexes();
  Status WriteFooter();
  std::string_view Keep(std::string text) { return strings_.emplace_back(std::move(text)); }

  std::unique_ptr<OutputFile> file_;
  const WriteSchema schema_;
  WriterOptions options_;
  const std::vector<ColumnWriteOptions> columns_;
  std::vector<std::unique_ptr<ColumnChunkWriter>> chunks_;  ///< One a leaf.

  Status failed_;
  bool finished_ = false;
  int64_t offset_ = 0;  ///< Bytes appended.
  int64_t rows_in_group_ = 0;
  FileMetadata metadata_;
  std::deque<std::string> strings_;                 ///< What metadata_ points into.
  std::vector<std::vector<ChunkIndexes>> indexes_;  ///< By row group and leaf.
  std::vector<DistinctHashes> bloom_hashes_;        ///< Of the row group being written.
  CountedMemory kept_;                              ///< What the footer is to say, and indexes_.
};

Status FileWriter::Impl::Start() {
  if (options_.pool == nullptr) options_.pool = BufferPool::Make();
  SLUICE_TRY(Reservation kept, options_.pool->Reserve(0));
  kept_ = CountedMemory(std::move(kept));
  for (size_t i = 0; i < columns_.size(); ++i) {
    chunks_.push_back(std::make_unique<ColumnChunkWriter>(schema_.leaves[i], columns_[i], options_,
                                                          options_.pool.get()));
  }
  metadata_.version = 1;
  metadata_.schema = schema_.elements;
  metadata_.column_orders.assign(columns_.size(), ColumnOrder::kTypeDefined);
  if (options_.created_by.empty()) {
    options_.created_by = fmt::format("sluice version {0} (build {0})", Version());
  }
  metadata_.created_by = options_.created_by;
  for (const auto& [key, value] : options_.key_value_metadata) {
    metadata_.key_value_metadata.push_back({key, value});
  }
  return Append(kMagic);
}

Status FileWriter::Impl::Append(std::span<const uint8_t> bytes) {
  SLUICE_RETURN_IF_ERROR(file_->Append(bytes));
  offset_ += static_cast<int64_t>(bytes.size());
  return Status::Ok();
}

Status FileWriter::Impl::CheckBatch(const Batch& batch) const {
  if (finished_) return Status::InvalidArgument("the file is finished");
  if (batch.columns.size() != schema_.columns.size()) {
    return Status::InvalidArgument(
        fmt::format("{} columns were given for {}", batch.columns.size(), schema_.columns.size()));
  }
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    const Column& column = batch.columns[i];
    const WriteNode& node = schema_.columns[i];
    if (column.length != batch.num_rows) {
      return Status::InvalidArgument(fmt::format("column '{}': {} rows in a batch of {}", node.path,
                                                 column.length, batch.num_rows));
    }
    SLUICE_RETURN_IF_ERROR(CheckColumnFits(node, column));
    const Status valid = ValidateColumn(column);
    if (!valid.ok()) {
      return Status::InvalidArgument("column '" + node.path + "': " + valid.message());
    }
  }
  return Status::Ok();
}

int64_t FileWriter::Impl::BufferedBytes() const {
  int64_t bytes = 0;
  for (const auto& chunk : chunks_) bytes += chunk->buffered_bytes();
  return bytes;
}

/// Rows to take next, so that the row group does not pass its bytes by much.
int64_t FileWriter::Impl::SliceRows() const {
  const int64_t rows_left = options_.row_group_rows - rows_in_group_;
  if (rows_in_group_ == 0) return std::min(rows_left, kFirstSlice);
  const int64_t buffered = BufferedBytes();
  const int64_t bytes_per_row = std::max<int64_t>(1, buffered / rows_in_group_);
  const int64_t rows_by_bytes = (options_.row_group_bytes - buffered) / bytes_per_row;
  return std::min(rows_left, std::clamp<int64_t>(rows_by_bytes, 1, kMaxSlice));
}

Status FileWriter::Impl::Write(const Batch& batch) {
  SLUICE_RETURN_IF_ERROR(CheckBatch(batch));
  for (int64_t row = 0; row < batch.num_rows;) {
    const int64_t end = row + std::min(SliceRows(), batch.num_rows - row);
    size_t chunk = 0;
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      SLUICE_TRY(Reservation reservation, options_.pool->Reserve(0));
      CountedMemory memory(std::move(reservation));
      std::vector<LeafRows> leaves;
      SLUICE_RETURN_IF_ERROR(
          ShredRows(schema_.columns[i], batch.columns[i], row, end, &memory, &leaves));
      for (const LeafRows& leaf : leaves) {
        const Status status = chunks_[chunk++]->Append(leaf);
        if (!status.ok()) return status.In("column '" + schema_.columns[i].path + "'");
      }
    }
    rows_in_group_ += end - row;
    row = end;
    if (rows_in_group_ >= options_.row_group_rows || BufferedBytes() >= options_.row_group_bytes) {
      SLUICE_RETURN_IF_ERROR(FinishRowGroup());
    }
  }
  return Status::Ok();
}

Status FileWriter::Impl::FinishRowGroup() {
  if (finished_) return Status::InvalidArgument("the file is finished");
  if (rows_in_group_ == 0) return Status::Ok();
  RowGroup group;
  group.file_offset = offset_;
  group.num_rows = rows_in_group_;
  group.sorting_columns = options_.sorting_columns;
  const size_t ordinal = metadata_.row_groups.size();
  if (ordinal <= INT16_MAX) group.ordinal = static_cast<int32_t>(ordinal);
  indexes_.emplace_back();
  for (size_t i = 0; i < chunks_.size(); ++i) {
    const Status status = WriteChunk(*chunks_[i], &group);
    if (!status.ok()) return status.In(fmt::format("row group {}, leaf {}", ordinal, i));
  }
  for (size_t i = 0; i < chunks_.size(); ++i) {
    if (!columns_[i].bloom_filter) continue;
    SLUICE_RETURN_IF_ERROR(WriteBloomFilter(
        bloom_hashes_[i].hashes, columns_[i].bloom_false_positive_rate, &group.columns[i]));
  }
  bloom_hashes_.clear();
  int64_t compressed = 0;
  for (const ColumnChunk& chunk : group.columns) {
    group.total_byte_size += chunk.total_uncompressed_size;
    compressed += chunk.total_compressed_size;
  }
  group.total_compressed_size = compressed;
  metadata_.num_rows += rows_in_group_;
  metadata_.row_groups.push_back(std::move(group));
  rows_in_group_ = 0;
  return Status::Ok();
}

Status FileWriter::Impl::AppendPage(const EncodedPage& page) {
  SLUICE_RETURN_IF_ERROR(Append(page.header));
  return Append(page.body->span());
}

Status FileWriter::Impl::WriteChunk(ColumnChunkWriter& writer, RowGroup* group) {
  SLUICE_TRY(FinishedChunk chunk, writer.Finish());
  ColumnChunk& metadata = chunk.metadata;
  if (chunk.dictionary) {
    metadata.dictionary_page_offset = offset_;
    SLUICE_RETURN_IF_ERROR(AppendPage(*chunk.dictionary));
  }
  metadata.data_page_offset = offset_;
  for (const EncodedPage& page : chunk.pages) SLUICE_RETURN_IF_ERROR(AppendPage(page));

  Statistics& statistics = *metadata.statistics;
  if (chunk.min) {
    statistics.is_min_value_exact = chunk.min->is_exact;
    statistics.min_value = Keep(std::move(chunk.min->bytes));
  }
  if (chunk.max) {
    statistics.is_max_value_exact = chunk.max->is_exact;
    statistics.max_value = Keep(std::move(chunk.max->bytes));
  }
  SLUICE_RETURN_IF_ERROR(PlaceIndex(&chunk));
  SLUICE_RETURN_IF_ERROR(CountChunk(metadata, indexes_.back().back()));
  bloom_hashes_.push_back(std::move(chunk.bloom_hashes));
  group->columns.push_back(std::move(metadata));
  return Status::Ok();
}

/// Serialises the indexes of a chunk whose pages have just found their place.
Status FileWriter::Impl::PlaceIndex(FinishedChunk* chunk) {
  ChunkIndexes& indexes = indexes_.back().emplace_back();
  if (!columns_[indexes_.back().size() - 1].page_index) return Status::Ok();
  for (PageLocation& location : chunk->offset_index.page_locations) {
    location.offset += chunk->metadata.data_page_offset;
  }
  SLUICE_TRY(indexes.offset_index, SerializeOffsetIndex(chunk->offset_index));
  if (!chunk->column_index) return Status::Ok();
  SLUICE_TRY(indexes.column_index, SerializeColumnIndex(*chunk->column_index));
  return Status::Ok();
}

/// Counts what is kept of a chunk until the end of the file.
Status FileWriter::Impl::CountChunk(const ColumnChunk& chunk, const ChunkIndexes& indexes) {
  // Vectors of chunks and of their indexes grow to twice as much at most.
  int64_t bytes = 2 * static_cast<int64_t>(sizeof(ColumnChunk) + sizeof(ChunkIndexes)) +
                  HeldBytes(chunk.encodings) + HeldBytes(chunk.path_in_schema) +
                  HeldBytes(chunk.encoding_stats) +
                  HeldBytes(chunk.size_statistics->repetition_level_histogram) +
                  HeldBytes(chunk.size_statistics->definition_level_histogram);
  for (const auto& bound : {chunk.statistics->min_value, chunk.statistics->max_value}) {
    if (bound) bytes += static_cast<int64_t>(sizeof(std::string) + bound->size());
  }
  bytes += static_cast<int64_t>(indexes.column_index.capacity() + indexes.offset_index.capacity());
  return kept_.Add(bytes);
}

Status FileWriter::Impl::WriteBloomFilter(std::span<const uint64_t> hashes, double rate,
                                          ColumnChunk* chunk) {
  const auto distinct = std::max<int64_t>(1, static_cast<int64_t>(hashes.size()));
  SLUICE_TRY(BloomFilter filter, BloomFilter::Make(distinct, rate, *options_.pool));
  for (const uint64_t hash : hashes) filter.Insert(hash);
  SLUICE_TRY(const std::string header,
             SerializeBloomHeader(static_cast<int32_t>(filter.bitset()->size())));
  chunk->bloom_filter_offset = offset_;
  SLUICE_RETURN_IF_ERROR(Append(header));
  SLUICE_RETURN_IF_ERROR(Append(filter.bitset()->span()));
  chunk->bloom_filter_length = static_cast<int32_t>(offset_ - *chunk->bloom_filter_offset);
  return Status::Ok();
}

Status FileWriter::Impl::WriteIndexes() {
  const auto write_all = [this](std::string ChunkIndexes::*bytes,
                                std::optional<ByteRange> ColumnChunk::*place) -> Status {
    for (size_t group = 0; group < indexes_.size(); ++group) {
      for (size_t leaf = 0; leaf < indexes_[group].size(); ++leaf) {
        const std::string& index = indexes_[group][leaf].*bytes;
        if (index.empty()) continue;
        if (index.size() > INT32_MAX) return Status::InvalidArgument("a page index is too large");
        metadata_.row_groups[group].columns[leaf].*place =
            ByteRange{offset_, static_cast<int64_t>(index.size())};
        SLUICE_RETURN_IF_ERROR(Append(index));
      }
    }
    return Status::Ok();
  };
  SLUICE_RETURN_IF_ERROR(write_all(&ChunkIndexes::column_index, &ColumnChunk::column_index));
  return write_all(&ChunkIndexes::offset_index, &ColumnChunk::offset_index);
}

Status FileWriter::Impl::WriteFooter() {
  SLUICE_TRY(const Reservation passing, options_.pool->Reserve(SerializingBytes(metadata_)));
  SLUICE_TRY(const std::string footer, SerializeFooter(metadata_));
  if (footer.size() > INT32_MAX) {
    return Status::InvalidArgument(fmt::format("the footer is too large: {} bytes", footer.size()));
  }
  SLUICE_RETURN_IF_ERROR(Append(footer));
  const auto length = static_cast<uint32_t>(footer.size());
  const uint8_t bytes[4] = {static_cast<uint8_t>(length), static_cast<uint8_t>(length >> 8),
                            static_cast<uint8_t>(length >> 16), static_cast<uint8_t>(length >> 24)};
  SLUICE_RETURN_IF_ERROR(Append(bytes));
  return Append(kMagic);
}

Status FileWriter::Impl::Finish() {
  SLUICE_RETURN_IF_ERROR(FinishRowGroup());
  SLUICE_RETURN_IF_ERROR(WriteIndexes());
  SLUICE_RETURN_IF_ERROR(WriteFooter());
  finished_ = true;
  return file_->Finish();
}

FileWriter::FileWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileWriter::~FileWriter() = default;

Result<std::unique_ptr<FileWriter>> FileWriter::Make(std::unique_ptr<OutputFile> file,
                                                     const Schema& schema, WriterOptions options) {
  SLUICE_TRY(WriteSchema made, WriteSchema::Make(schema));
  SLUICE_TRY(std::vector<ColumnWriteOptions> columns, ResolveColumnOptions(made, options));
  AddArrowSchema(schema, &options);
  auto impl = std::make_unique<Impl>(std::move(file), std::move(made), std::move(options),
                                     std::move(columns));
  SLUICE_RETURN_IF_ERROR(impl->Run([&] { return impl->Start(); }));
  return std::unique_ptr<FileWriter>(new FileWriter(std::move(impl)));
}

Status FileWriter::Write(const Batch& batch) {
  return impl_->Run([&] { return impl_->Write(batch); });
}
Status FileWriter::FinishRowGroup() {
  return impl_->Run([&] { return impl_->FinishRowGroup(); });
}
Status FileWriter::Finish() {
  return impl_->Run([&] { return impl_->Finish(); });
}

}  // namespace sluice::inline v0::parquet
