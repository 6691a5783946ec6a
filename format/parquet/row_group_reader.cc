// The state machine that reads a row group: leaves are filled batch by batch, each asking for the
// bytes that it lacks; when all are full, columns are assembled.

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <utility>

#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/check_cancelled.h"
#include "format/parquet/column_chunk_claims.h"
#include "format/parquet/projected_leaf.h"
#include "format/parquet/row_group_columns.h"
#include "format/parquet/row_group_filters.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int64_t kMaxWindowBytes = int64_t{1} << 30;
constexpr int64_t kMaxBatchBytes = int64_t{1} << 50;

Result<int64_t> RowsOf(const FileMetadata& metadata, int32_t row_group) {
  if (row_group < 0 || row_group >= std::ssize(metadata.row_groups)) {
    return Status::InvalidArgument(fmt::format("there is no row group {}", row_group));
  }
  const int64_t num_rows = metadata.row_groups[static_cast<size_t>(row_group)].num_rows;
  if (num_rows < 0) {
    return Status::Corruption(
        fmt::format("row group {}: negative row count: {}", row_group, num_rows));
  }
  return num_rows;
}

Status CheckOptions(const ReadOptions& options) {
  if (options.batch_rows < 1 || options.batch_bytes < 1 || options.read_window_bytes < 1) {
    return Status::InvalidArgument("read options must be positive");
  }
  if (options.read_everything && options.rows_are_pushed) {
    return Status::InvalidArgument("everything cannot be read where rows are pushed");
  }
  return Status::Ok();
}

}  // namespace

class RowGroupReader::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Make(std::shared_ptr<const FileMetadata> metadata,
                                            const Projection& projection, int32_t row_group,
                                            std::optional<RowSelection> selection,
                                            ReadOptions options, std::vector<LeafFilter> filters,
                                            std::shared_ptr<const std::vector<int64_t>> begins);

  Result<Outcome> Step();
  Status Provide(ByteRange range, BufferRef bytes);
  Status Push(RowRange rows, std::span<const uint64_t> selected);
  const ReadCounters& counters() const { return context_.counters; }
  const std::vector<FilterCounters>& filter_counters() const { return filters_->counters(); }

 private:
  enum class Stage : uint8_t {
    kIndex,   ///< Offset indexes are read.
    kWindow,  ///< The next window is to be begun.
    kFilter,  ///< Filters run on it.
    kBatch,   ///< Its rows are delivered.
    kDrain,   ///< read_everything: rows behind the last wanted one,
    kEnd,     ///< and bytes behind the last row.
    kDone,
  };

  explicit Impl(std::shared_ptr<const Schema> schema) : schema_(std::move(schema)) {}

  Result<Outcome> Advance();
  /// One step of the stage; nothing while there is more to do.
  Result<std::optional<Outcome>> AdvanceStage();
  Need OpenIndexes();
  Stage StartWindow();
  void StartDraining();
  std::vector<ProjectedLeaf*> ReadLeaves();
  Result<Need> ReadToEnd();
  Result<std::optional<Outcome>> DeliverBatch();
  void EndBatch();
  Result<RowGroupBatch> FinishBatch();

  RowGroupContext context_;
  std::shared_ptr<const Schema> schema_;
  std::optional<RowGroupFilters> filters_;
  std::optional<RowGroupColumns> columns_;
  /// Ascending, and the footer's; read_everything only.
  std::shared_ptr<const std::vector<int64_t>> chunk_begins_;

  Stage stage_ = Stage::kIndex;
  Status error_;
  bool is_pushed_ = false;  ///< The window was pushed and is not begun.
  int64_t next_row_ = 0;
  RowRange rows_;         ///< Of the batch; fewer than asked for where leaves have no room.
  int64_t selected_ = 0;  ///< Wanted ones among them.
};

Result<std::unique_ptr<RowGroupReader::Impl>> RowGroupReader::Impl::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    std::optional<RowSelection> selection, ReadOptions options, std::vector<LeafFilter> filters,
    std::shared_ptr<const std::vector<int64_t>> begins) {
  SLUICE_RETURN_IF_ERROR(CheckOptions(options));
  SLUICE_TRY(const int64_t num_rows, RowsOf(*metadata, row_group));
  if (selection && selection->end() > num_rows) {
    return Status::InvalidArgument(
        fmt::format("row group {}: selection ends behind its rows: {} > {}", row_group,
                    selection->end(), num_rows));
  }
  if (options.read_everything) {
    options.use_offset_index = false;
    if (!begins) begins = std::make_shared<std::vector<int64_t>>(ChunkBegins(*metadata));
  }
  options.read_window_bytes = std::min(options.read_window_bytes, kMaxWindowBytes);
  options.batch_bytes = std::min(options.batch_bytes, kMaxBatchBytes);
  if (!options.pool) options.pool = BufferPool::Make();
  std::unique_ptr<Impl> impl(new Impl(projection.schema()));
  impl->chunk_begins_ = std::move(begins);
  RowGroupContext& context = impl->context_;
  context.tree = projection.tree();
  context.row_group = row_group;
  context.num_rows = num_rows;
  if (options.rows_are_pushed || !selection) selection = RowSelection::All(num_rows);
  context.wanted = WantedRows(*std::move(selection), num_rows);
  if (options.rows_are_pushed || !filters.empty()) context.wanted.ExpectNarrowing();
  context.quirks = QuirksOf(metadata->created_by);
  context.calendar = LegacyCalendar::Of(*metadata);
  context.codec_contexts = MakeCodecContexts(options.pool);
  context.kernels = &kernels::BestTable();
  context.options = std::move(options);
  context.metadata = std::move(metadata);
  SLUICE_TRY(impl->filters_, RowGroupFilters::Make(&context, std::move(filters), projection));
  SLUICE_TRY(impl->columns_, RowGroupColumns::Make(&context, &*impl->filters_, projection));
  return impl;
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Step() {
  if (!error_.ok()) return error_;
  Result<Outcome> outcome = Advance();
  if (!outcome) error_ = outcome.error();
  return outcome;
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Advance() {
  while (stage_ != Stage::kDone) {
    SLUICE_RETURN_IF_ERROR(CheckCancelled(context_.options));
    std::optional<Outcome> outcome;
    SLUICE_TRY(outcome, AdvanceStage());
    if (outcome) return *std::move(outcome);
  }
  return Outcome(Done{});
}

Result<std::optional<RowGroupReader::Outcome>> RowGroupReader::Impl::AdvanceStage() {
  Need need;
  Stage next = stage_;
  switch (stage_) {
    case Stage::kIndex:
      need = OpenIndexes();
      next = Stage::kWindow;
      break;
    case Stage::kWindow:
      if (context_.options.rows_are_pushed && !is_pushed_) return std::optional<Outcome>(Done{});
      next = StartWindow();
      break;
    case Stage::kFilter: {
      SLUICE_TRY(const bool is_done, filters_->Run(need));
      if (is_done) SLUICE_RETURN_IF_ERROR(columns_->StartWindow());
      next = Stage::kBatch;
      break;
    }
    case Stage::kBatch:
      return DeliverBatch();
    case Stage::kDrain: {
      SLUICE_TRY(need, ReadToEnd());
      if (context_.wanted.window().end == context_.num_rows) next = Stage::kEnd;
      if (need.ranges.empty() && next == Stage::kDrain) StartDraining();
      break;
    }
    case Stage::kEnd: {
      SLUICE_TRY(need, ReadToEnd());
      next = Stage::kDone;
      break;
    }
    case Stage::kDone:
      break;
  }
  if (!need.ranges.empty()) return std::optional<Outcome>(std::move(need));
  stage_ = next;
  return std::optional<Outcome>();
}

Need RowGroupReader::Impl::OpenIndexes() {
  Need need;
  for (ProjectedLeaf* leaf : ReadLeaves()) leaf->OpenIndex(need);
  return need;
}

RowGroupReader::Impl::Stage RowGroupReader::Impl::StartWindow() {
  if (is_pushed_ || context_.wanted.NextWindow(filters_->max_window_rows())) {
    is_pushed_ = false;
    next_row_ = context_.wanted.window().begin;
    filters_->StartWindow();
    return Stage::kFilter;
  }
  if (!context_.options.read_everything || ReadLeaves().empty()) return Stage::kDone;
  StartDraining();
  return Stage::kDrain;
}

/// Moves on to rows that nobody wants, window by window.
void RowGroupReader::Impl::StartDraining() {
  context_.wanted.MoveOn();
  for (ProjectedLeaf* leaf : ReadLeaves()) leaf->reader().StartWindow();
}

/// Every leaf that is read by now.
std::vector<ProjectedLeaf*> RowGroupReader::Impl::ReadLeaves() {
  std::vector<ProjectedLeaf*> leaves = filters_->leaves();
  const std::vector<ProjectedLeaf*> others = columns_->leaves();
  leaves.insert(leaves.end(), others.begin(), others.end());
  return leaves;
}

Result<std::optional<RowGroupReader::Outcome>> RowGroupReader::Impl::DeliverBatch() {
  const auto rows = context_.wanted.NextBatch(next_row_, columns_->batch_rows());
  if (!rows) {
    stage_ = Stage::kWindow;
    return std::optional<Outcome>();
  }
  rows_ = *rows;
  Need need;
  SLUICE_RETURN_IF_ERROR(columns_->Fill(rows_.end, need));
  if (!need.ranges.empty()) return std::optional<Outcome>(std::move(need));
  EndBatch();
  SLUICE_TRY(RowGroupBatch batch, FinishBatch());
  return std::optional<Outcome>(std::move(batch));
}

/// Reads the rows that nobody wants, or looks whether there is more behind them.
Result<Need> RowGroupReader::Impl::ReadToEnd() {
  Need need;
  for (ProjectedLeaf* leaf : ReadLeaves()) {
    SLUICE_RETURN_IF_ERROR(stage_ == Stage::kDrain ? leaf->Fill(context_.wanted.window().end, need)
                                                   : leaf->CheckEnd(*chunk_begins_, need));
  }
  return need;
}

/// The batch has the rows that every leaf had room for.
void RowGroupReader::Impl::EndBatch() {
  rows_.end = columns_->FilledEnd(rows_.end);
  rows_ = context_.wanted.CutBehindLast(rows_);
  selected_ = context_.wanted.CountIn(rows_);
  next_row_ = rows_.end;
}

Result<RowGroupBatch> RowGroupReader::Impl::FinishBatch() {
  RowGroupBatch result;
  result.rows = rows_;
  result.batch.schema = schema_;
  if (selected_ < rows_.size()) {
    result.selected.resize(static_cast<size_t>(BitmapWords(rows_.size())));
    context_.wanted.FillBitmap(rows_, result.selected.data());
  }
  result.batch.num_rows = selected_;
  SLUICE_TRY(result.batch.columns, columns_->Finish(rows_, selected_));
  return result;
}

Status RowGroupReader::Impl::Push(RowRange rows, std::span<const uint64_t> selected) {
  const bool is_ready = stage_ == Stage::kIndex || stage_ == Stage::kWindow;
  if (!context_.options.rows_are_pushed || !is_ready || is_pushed_) {
    return Status::InvalidArgument("rows are not to be pushed now");
  }
  const bool fits = selected.empty() || std::ssize(selected) == BitmapWords(rows.size());
  if (rows.begin < context_.wanted.window().end || rows.size() < 1 || rows.size() > kWindowRows ||
      rows.end > context_.num_rows || !fits) {
    return Status::InvalidArgument(
        fmt::format("rows [{}, {}) cannot be pushed", rows.begin, rows.end));
  }
  context_.wanted.MoveTo(rows, selected);
  is_pushed_ = true;
  return Status::Ok();
}

Status RowGroupReader::Impl::Provide(ByteRange range, BufferRef bytes) {
  if (!bytes || bytes->size() < range.length) {
    return Status::InvalidArgument("fewer bytes are provided than their range says");
  }
  bool accepted = false;
  for (ProjectedLeaf* leaf : ReadLeaves()) accepted |= leaf->Accept(range, bytes);
  if (accepted) return Status::Ok();
  return Status::InvalidArgument(fmt::format(
      "bytes at {}, {} long, cover nothing that was asked for", range.offset, range.length));
}

RowGroupReader::RowGroupReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RowGroupReader::~RowGroupReader() = default;

Result<std::unique_ptr<RowGroupReader>> RowGroupReader::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    std::optional<RowSelection> selection, ReadOptions options, std::vector<LeafFilter> filters) {
  return Make(std::move(metadata), projection, row_group, std::move(selection), std::move(options),
              std::move(filters), nullptr);
}

Result<std::unique_ptr<RowGroupReader>> RowGroupReader::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    std::optional<RowSelection> selection, ReadOptions options, std::vector<LeafFilter> filters,
    std::shared_ptr<const std::vector<int64_t>> chunk_begins) {
  SLUICE_TRY(auto impl,
             Impl::Make(std::move(metadata), projection, row_group, std::move(selection),
                        std::move(options), std::move(filters), std::move(chunk_begins)));
  return std::unique_ptr<RowGroupReader>(new RowGroupReader(std::move(impl)));
}

Result<RowGroupReader::Outcome> RowGroupReader::Step() { return impl_->Step(); }
Status RowGroupReader::Provide(ByteRange range, BufferRef bytes) {
  return impl_->Provide(range, std::move(bytes));
}
Status RowGroupReader::Push(RowRange rows, std::span<const uint64_t> selected) {
  return impl_->Push(rows, selected);
}
const ReadCounters& RowGroupReader::counters() const { return impl_->counters(); }
const std::vector<FilterCounters>& RowGroupReader::filter_counters() const {
  return impl_->filter_counters();
}

}  // namespace sluice::inline v0::parquet
