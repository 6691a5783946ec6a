// The state machine that reads a row group: leaves are filled batch by batch, each asking for the
// bytes that it lacks; when all are full, columns are assembled.

#include <fmt/format.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <utility>

#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/batch_rows.h"
#include "format/parquet/column_chunk_claims.h"
#include "format/parquet/known_writers.h"
#include "format/parquet/leaf_reader.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int64_t kMaxWindowBytes = int64_t{1} << 30;

size_t Index(int64_t ordinal) { return static_cast<size_t>(ordinal); }

}  // namespace

class RowGroupReader::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Make(std::shared_ptr<const FileMetadata> metadata,
                                            const Projection& projection, int32_t row_group,
                                            RowSelection selection, ReadOptions options);

  Result<Outcome> Step();
  Status Provide(ByteRange range, BufferRef bytes);
  const ReadCounters& counters() const { return counters_; }

 private:
  /// A leaf and what it asks for.
  struct LeafSlot {
    int32_t leaf = 0;
    const ColumnChunk* chunk = nullptr;
    std::optional<ByteRange> index_range;
    bool index_is_asked = false;
    BufferRef index_bytes;
    std::unique_ptr<LeafReader> reader;
    std::unique_ptr<std::string> carried_value;
    bool is_full = false;
  };
  enum class Stage : uint8_t { kIndex, kBatch, kEnd, kDone };

  Impl(std::shared_ptr<const FileMetadata> metadata, Projection projection, int32_t row_group,
       RowSelection selection, ReadOptions options)
      : metadata_(std::move(metadata)),
        projection_(std::move(projection)),
        row_group_(row_group),
        selection_(std::move(selection)),
        options_(std::move(options)) {}

  Status AddLeaf(int32_t leaf, std::shared_ptr<const DataType> type, bool is_column);
  void PlanBatchRows();
  Result<Outcome> Advance();
  Result<std::optional<Need>> OpenIndexes();
  bool StartBatch();
  /// Fills the batch or, behind the last row, checks that there is no more.
  Result<std::optional<Need>> FillLeaves();
  Result<RowGroupBatch> FinishBatch();
  Result<Column> FinishColumn(size_t column, size_t& slot);
  /// The error with row group and column in front; the column's path is made for errors only.
  Status InColumn(int32_t leaf, const Status& status) const;
  Status InLeaf(const LeafSlot& slot, const Status& status) const;

  std::shared_ptr<const FileMetadata> metadata_;
  Projection projection_;
  int32_t row_group_;
  RowSelection selection_;
  ReadOptions options_;
  ReadCounters counters_;
  WriterQuirks quirks_;
  LegacyCalendar calendar_;
  std::shared_ptr<CodecContexts> codec_contexts_;
  const kernels::KernelTable* kernels_ = &kernels::BestTable();

  std::vector<LeafSlot> slots_;  ///< One a projected leaf.
  std::vector<std::shared_ptr<const DataType>> column_types_;
  std::vector<ColumnAssembler> assemblers_;
  int64_t num_rows_ = 0;
  int64_t batch_rows_ = 0;  ///< After the bound in bytes.

  std::vector<int64_t> chunk_begins_;  ///< Ascending, and the footer's; read_everything only.
  Stage stage_ = Stage::kIndex;
  Status error_;
  int64_t next_row_ = 0;
  bool batch_is_started_ = false;
  bool is_draining_ = false;  ///< read_everything: behind the last wanted row.
  RowRange rows_;
  int64_t selected_ = 0;
  std::vector<uint64_t> selected_bits_;
};

Result<std::unique_ptr<RowGroupReader::Impl>> RowGroupReader::Impl::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    RowSelection selection, ReadOptions options) {
  if (row_group < 0 || Index(row_group) >= metadata->row_groups.size()) {
    return Status::InvalidArgument(fmt::format("there is no row group {}", row_group));
  }
  if (options.batch_rows < 1 || options.batch_bytes < 1 || options.read_window_bytes < 1) {
    return Status::InvalidArgument("read options must be positive");
  }
  if (options.read_everything) options.use_offset_index = false;
  options.read_window_bytes = std::min(options.read_window_bytes, kMaxWindowBytes);
  if (!options.pool) options.pool = BufferPool::Make();
  const RowGroup& group = metadata->row_groups[Index(row_group)];
  const std::string place = fmt::format("row group {}", row_group);
  if (group.num_rows < 0) {
    return Status::Corruption(fmt::format("{}: negative row count: {}", place, group.num_rows));
  }
  if (selection.end() > group.num_rows) {
    return Status::InvalidArgument(fmt::format("{}: selection ends behind its rows: {} > {}", place,
                                               selection.end(), group.num_rows));
  }
  std::unique_ptr<Impl> impl(new Impl(std::move(metadata), projection, row_group,
                                      std::move(selection), std::move(options)));
  impl->num_rows_ = group.num_rows;
  impl->codec_contexts_ = MakeCodecContexts(impl->options_.pool);
  impl->quirks_ = QuirksOf(impl->metadata_->created_by);
  impl->calendar_ = LegacyCalendar::Of(*impl->metadata_);
  const SchemaTree& tree = *projection.tree();
  size_t next_leaf = 0;
  for (size_t column = 0; column < projection.columns().size(); ++column) {
    const SchemaNode& node = tree.nodes()[Index(projection.columns()[column])];
    impl->column_types_.push_back(
        std::make_shared<const DataType>(projection.schema()->fields[column].type));
    impl->assemblers_.emplace_back(projection, column);
    const bool is_column = node.role == SchemaNode::Role::kLeaf && !node.is_bare_repeated;
    for (; next_leaf < projection.leaves().size(); ++next_leaf) {
      const int32_t leaf = projection.leaves()[next_leaf];
      if (leaf < node.first_leaf || leaf >= node.end_leaf) break;
      const SchemaNode& leaf_node = tree.nodes()[Index(tree.leaves()[Index(leaf)].node)];
      auto type =
          is_column ? impl->column_types_.back() : std::make_shared<const DataType>(leaf_node.type);
      SLUICE_RETURN_IF_ERROR(impl->AddLeaf(leaf, std::move(type), is_column));
    }
  }
  impl->PlanBatchRows();
  return impl;
}

Status RowGroupReader::Impl::AddLeaf(int32_t leaf, std::shared_ptr<const DataType> type,
                                     bool is_column) {
  SLUICE_RETURN_IF_ERROR(
      InColumn(leaf, CheckColumnChunk(*metadata_, *projection_.tree(), row_group_, leaf)));
  LeafSlot slot;
  slot.leaf = leaf;
  slot.chunk = &metadata_->row_groups[Index(row_group_)].columns[Index(leaf)];
  const Leaf& shape = projection_.tree()->leaves()[Index(leaf)];
  LeafPlan plan;
  if (selection_.count() > 0 || options_.read_everything) {
    auto range = ChunkByteRange(*metadata_, *slot.chunk);
    if (!range) return InColumn(leaf, range.error());
    plan.chunk_range = *range;
  }
  plan.chunk = slot.chunk;
  plan.num_rows = num_rows_;
  plan.type = std::move(type);
  plan.selection = &selection_;
  plan.options = &options_;
  plan.counters = &counters_;
  plan.calendar = calendar_;
  plan.context.leaf = shape;
  plan.context.codec = slot.chunk->codec;
  plan.context.verify_checksums = options_.verify_checksums && !quirks_.wrong_checksums;
  plan.context.stream_pages = options_.stream_pages;
  plan.context.pool = options_.pool.get();
  plan.context.kernels = kernels_;
  plan.context.codec_contexts = codec_contexts_;
  const bool carries_over = quirks_.delta_byte_array_carries_over &&
                            (shape.physical_type == PhysicalType::kByteArray ||
                             shape.physical_type == PhysicalType::kFixedLenByteArray);
  if (carries_over) {
    slot.carried_value = std::make_unique<std::string>();
    plan.context.carried_value = slot.carried_value.get();
  }
  plan.reads_every_page = options_.read_everything || carries_over;
  // An index helps where rows are left out.
  if (options_.use_offset_index && !plan.reads_every_page && selection_.count() < num_rows_ &&
      slot.chunk->offset_index.has_value() && slot.chunk->offset_index->length > 0) {
    slot.index_range = slot.chunk->offset_index;
  }
  slot.reader = std::make_unique<LeafReader>(plan, is_column);
  slots_.push_back(std::move(slot));
  return Status::Ok();
}

void RowGroupReader::Impl::PlanBatchRows() {
  int64_t row_bytes = 0;
  for (const LeafSlot& slot : slots_) {
    row_bytes = std::min(
        row_bytes + DeliveredRowBytes(*projection_.tree(), slot.leaf, *slot.chunk, num_rows_),
        options_.batch_bytes);
  }
  batch_rows_ = options_.batch_rows;
  if (row_bytes > 0)
    batch_rows_ = std::clamp<int64_t>(options_.batch_bytes / row_bytes, 1, batch_rows_);
}

Status RowGroupReader::Impl::InColumn(int32_t leaf, const Status& status) const {
  if (status.ok()) return status;
  return status.In(
      fmt::format("row group {}: column '{}'", row_group_, projection_.tree()->LeafPath(leaf)));
}

Status RowGroupReader::Impl::InLeaf(const LeafSlot& slot, const Status& status) const {
  return InColumn(slot.leaf, status.In(slot.reader->pages().Place()));
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Step() {
  if (!error_.ok()) return error_;
  Result<Outcome> outcome = Advance();
  if (!outcome) error_ = outcome.error();
  return outcome;
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Advance() {
  for (;;) {
    if (options_.cancelled != nullptr && options_.cancelled->load()) {
      return Status::Cancelled("reading was cancelled by the host");
    }
    if (stage_ == Stage::kDone) return Outcome(Done{});
    if (stage_ == Stage::kIndex) {
      SLUICE_TRY(auto need, OpenIndexes());
      if (need) return Outcome(*std::move(need));
      stage_ = Stage::kBatch;
    }
    if (stage_ == Stage::kBatch && !batch_is_started_ && !StartBatch()) {
      stage_ = options_.read_everything ? Stage::kEnd : Stage::kDone;
      if (stage_ == Stage::kEnd) chunk_begins_ = ChunkBegins(*metadata_);
      for (LeafSlot& slot : slots_) slot.is_full = false;
      continue;
    }
    if (stage_ == Stage::kEnd) {
      SLUICE_TRY(auto need, FillLeaves());
      if (need) return Outcome(*std::move(need));
      stage_ = Stage::kDone;
      continue;
    }
    SLUICE_TRY(auto need, FillLeaves());
    if (need) return Outcome(*std::move(need));
    batch_is_started_ = false;
    next_row_ = rows_.end;
    SLUICE_TRY(RowGroupBatch batch, FinishBatch());
    if (!is_draining_) return Outcome(std::move(batch));
  }
}

Result<std::optional<Need>> RowGroupReader::Impl::OpenIndexes() {
  if (selection_.count() == 0) return std::optional<Need>();
  Need need;
  for (LeafSlot& slot : slots_) {
    if (!slot.index_range) continue;
    if (!slot.index_bytes) {
      const ByteRange range = *slot.index_range;
      // An index outside the file is no index.
      if (range.offset < 0 || range.length > metadata_->footer_offset - range.offset) {
        slot.index_range.reset();
        continue;
      }
      if (!slot.index_is_asked) counters_.bytes_requested += range.length;
      slot.index_is_asked = true;
      need.ranges.push_back(range);
      continue;
    }
    // An index that cannot be right is not used, nor one that the budget has no room for; the pages
    // are walked instead (fault I3).
    auto index = ParseOffsetIndex(slot.index_bytes->span(), options_.pool.get());
    const auto chunk_range = ChunkByteRange(*metadata_, *slot.chunk);
    if (index && chunk_range && CheckOffsetIndex(*index, num_rows_, *chunk_range).ok()) {
      slot.reader->pages().UseOffsetIndex(*std::move(index));
    }
    slot.index_range.reset();
    slot.index_bytes.reset();
  }
  if (need.ranges.empty()) return std::optional<Need>();
  return std::optional<Need>(std::move(need));
}

bool RowGroupReader::Impl::StartBatch() {
  const std::optional<RowRange> rows = NextBatchRows(selection_, next_row_, num_rows_, batch_rows_);
  const uint64_t* selected_bits = nullptr;
  if (rows) {
    rows_ = *rows;
    selected_ = selection_.CountIn(rows_);
    selected_bits_.resize(Index(BitmapWords(rows_.size())));
    selection_.FillBitmap(rows_, selected_bits_.data());
    selected_bits = selected_bits_.data();
  } else if (options_.read_everything && next_row_ < num_rows_) {
    is_draining_ = true;
    rows_ = {next_row_, num_rows_};
    selected_ = 0;
  } else {
    return false;
  }
  for (LeafSlot& slot : slots_) {
    slot.reader->Start(rows_, selected_bits);
    slot.is_full = false;
  }
  batch_is_started_ = true;
  return true;
}

Result<std::optional<Need>> RowGroupReader::Impl::FillLeaves() {
  Need need;
  for (LeafSlot& slot : slots_) {
    if (slot.is_full) continue;
    // What was asked for before is still on its way.
    if (slot.reader->bytes().pending().empty()) {
      Result<bool> filled =
          stage_ == Stage::kEnd
              ? slot.reader->CheckEnd(EndOfOwnBytes(chunk_begins_, *metadata_, *slot.chunk))
              : slot.reader->Fill();
      if (!filled) return InLeaf(slot, filled.error());
      slot.is_full = *filled;
      for (const ByteRange& range : slot.reader->bytes().pending()) {
        counters_.bytes_requested += range.length;
      }
    }
    const auto& pending = slot.reader->bytes().pending();
    if (!slot.is_full && pending.empty()) {
      return InLeaf(slot, Status::Internal("the reader waits for bytes that it did not ask for"));
    }
    need.ranges.insert(need.ranges.end(), pending.begin(), pending.end());
  }
  if (need.ranges.empty()) return std::optional<Need>();
  return std::optional<Need>(std::move(need));
}

Result<Column> RowGroupReader::Impl::FinishColumn(size_t column, size_t& slot) {
  const SchemaTree& tree = *projection_.tree();
  const SchemaNode& node = tree.nodes()[Index(projection_.columns()[column])];
  if (node.role == SchemaNode::Role::kLeaf && !node.is_bare_repeated) {
    LeafReader& reader = *slots_[slot].reader;
    Result<Column> finished = reader.FinishColumn();
    if (!finished) return InColumn(slots_[slot].leaf, finished.error().In(reader.BatchPlace()));
    ++slot;
    return finished;
  }
  std::vector<LeafValues> leaves;
  for (; slot < slots_.size(); ++slot) {
    const int32_t leaf = projection_.leaves()[slot];
    if (leaf < node.first_leaf || leaf >= node.end_leaf) break;
    LeafReader& reader = *slots_[slot].reader;
    Result<LeafValues> values = reader.FinishLeaf();
    if (!values) return InColumn(leaf, values.error().In(reader.BatchPlace()));
    leaves.push_back(*std::move(values));
  }
  Result<Column> assembled = assemblers_[column].Assemble(leaves, selected_, *options_.pool);
  if (assembled) return assembled;
  return assembled.error().In(fmt::format("row group {}: column '{}'", row_group_, node.name));
}

Result<RowGroupBatch> RowGroupReader::Impl::FinishBatch() {
  RowGroupBatch result;
  result.rows = rows_;
  result.batch.schema = projection_.schema();
  result.batch.num_rows = selected_;
  size_t slot = 0;
  for (size_t column = 0; column < projection_.columns().size(); ++column) {
    Result<Column> finished = FinishColumn(column, slot);
    if (!finished) return finished.error();
    if (finished->length != selected_) {
      return Status::Internal(fmt::format("row group {}: column {} has {} rows of {}", row_group_,
                                          column, finished->length, selected_));
    }
    finished->type = column_types_[column];
    result.batch.columns.push_back(*std::move(finished));
  }
  return result;
}

Status RowGroupReader::Impl::Provide(ByteRange range, BufferRef bytes) {
  if (!bytes || bytes->size() < range.length) {
    return Status::InvalidArgument("fewer bytes are provided than their range says");
  }
  bool accepted = false;
  for (LeafSlot& slot : slots_) {
    accepted |= slot.reader->AcceptBytes(range, bytes);
    if (slot.index_range && !slot.index_bytes && slot.index_is_asked &&
        range.offset <= slot.index_range->offset && slot.index_range->end() <= range.end()) {
      slot.index_bytes =
          SliceBuffer(bytes, slot.index_range->offset - range.offset, slot.index_range->length);
      accepted = true;
    }
  }
  if (accepted) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("bytes at {}, {} long, cover nothing that was asked "
                  "for",
                  range.offset, range.length));
}

RowGroupReader::RowGroupReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RowGroupReader::~RowGroupReader() = default;

Result<std::unique_ptr<RowGroupReader>> RowGroupReader::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    RowSelection selection, ReadOptions options) {
  SLUICE_TRY(auto impl, Impl::Make(std::move(metadata), projection, row_group, std::move(selection),
                                   std::move(options)));
  return std::unique_ptr<RowGroupReader>(new RowGroupReader(std::move(impl)));
}

Result<RowGroupReader::Outcome> RowGroupReader::Step() { return impl_->Step(); }
Status RowGroupReader::Provide(ByteRange range, BufferRef bytes) {
  return impl_->Provide(range, std::move(bytes));
}
const ReadCounters& RowGroupReader::counters() const { return impl_->counters(); }

}  // namespace sluice::inline v0::parquet
