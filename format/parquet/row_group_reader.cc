// The state machine that reads a row group: leaves are filled batch by batch, each asking for the
// bytes that it lacks; when all are full, columns are assembled.

#include <fmt/format.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <utility>

#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/column_chunk_claims.h"
#include "format/parquet/leaf_values.h"
#include "format/parquet/projected_leaf.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int64_t kMaxWindowBytes = int64_t{1} << 30;
constexpr int64_t kMaxBatchBytes = int64_t{1} << 50;

size_t Index(int64_t ordinal) { return static_cast<size_t>(ordinal); }

}  // namespace

class RowGroupReader::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Make(std::shared_ptr<const FileMetadata> metadata,
                                            const Projection& projection, int32_t row_group,
                                            RowSelection selection, ReadOptions options,
                                            std::shared_ptr<const std::vector<int64_t>> begins);

  Result<Outcome> Step();
  Status Provide(ByteRange range, BufferRef bytes);
  const ReadCounters& counters() const { return context_.counters; }

 private:
  enum class Stage : uint8_t { kIndex, kBatch, kEnd, kDone };

  explicit Impl(Projection projection) : projection_(std::move(projection)) {}

  Status AddColumns();
  void PlanBatchRows();
  Result<Outcome> Advance();
  std::optional<Need> OpenIndexes();
  bool StartWindow();
  bool StartBatch();
  /// Fills the batch or, behind the last row, checks that there is no more.
  Result<std::optional<Need>> FillLeaves();
  void EndBatch();
  Result<RowGroupBatch> FinishBatch();
  Result<Column> FinishColumn(size_t column, size_t& leaf);

  RowGroupContext context_;
  Projection projection_;
  std::vector<std::unique_ptr<ProjectedLeaf>> leaves_;
  std::vector<std::shared_ptr<const DataType>> column_types_;
  std::vector<ColumnAssembler> assemblers_;
  int64_t batch_rows_ = 0;  ///< After the bound in bytes.
  /// Ascending, and the footer's; read_everything only.
  std::shared_ptr<const std::vector<int64_t>> chunk_begins_;

  Stage stage_ = Stage::kIndex;
  Status error_;
  int64_t next_row_ = 0;
  bool batch_is_started_ = false;
  bool is_draining_ = false;  ///< read_everything: behind the last wanted row.
  RowRange rows_;             ///< Of the batch; fewer than asked for where leaves have no room.
  int64_t selected_ = 0;      ///< Wanted ones among them.
};

Result<std::unique_ptr<RowGroupReader::Impl>> RowGroupReader::Impl::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    RowSelection selection, ReadOptions options,
    std::shared_ptr<const std::vector<int64_t>> begins) {
  if (row_group < 0 || Index(row_group) >= metadata->row_groups.size()) {
    return Status::InvalidArgument(fmt::format("there is no row group {}", row_group));
  }
  if (options.batch_rows < 1 || options.batch_bytes < 1 || options.read_window_bytes < 1) {
    return Status::InvalidArgument("read options must be positive");
  }
  if (options.read_everything) {
    options.use_offset_index = false;
    if (!begins) begins = std::make_shared<std::vector<int64_t>>(ChunkBegins(*metadata));
  }
  options.read_window_bytes = std::min(options.read_window_bytes, kMaxWindowBytes);
  options.batch_bytes = std::min(options.batch_bytes, kMaxBatchBytes);
  if (!options.pool) options.pool = BufferPool::Make();
  const int64_t num_rows = metadata->row_groups[Index(row_group)].num_rows;
  if (num_rows < 0) {
    return Status::Corruption(
        fmt::format("row group {}: negative row count: {}", row_group, num_rows));
  }
  if (selection.end() > num_rows) {
    return Status::InvalidArgument(
        fmt::format("row group {}: selection ends behind its rows: {} > {}", row_group,
                    selection.end(), num_rows));
  }
  std::unique_ptr<Impl> impl(new Impl(projection));
  impl->chunk_begins_ = std::move(begins);
  RowGroupContext& context = impl->context_;
  context.tree = projection.tree();
  context.row_group = row_group;
  context.num_rows = num_rows;
  context.wanted = WantedRows(std::move(selection), num_rows);
  context.quirks = QuirksOf(metadata->created_by);
  context.calendar = LegacyCalendar::Of(*metadata);
  context.codec_contexts = MakeCodecContexts(options.pool);
  context.kernels = &kernels::BestTable();
  context.options = std::move(options);
  context.metadata = std::move(metadata);
  SLUICE_RETURN_IF_ERROR(impl->AddColumns());
  impl->PlanBatchRows();
  return impl;
}

Status RowGroupReader::Impl::AddColumns() {
  const SchemaTree& tree = *projection_.tree();
  for (size_t column = 0; column < projection_.columns().size(); ++column) {
    const SchemaNode& node = tree.nodes()[Index(projection_.columns()[column])];
    column_types_.push_back(
        std::make_shared<const DataType>(projection_.schema()->fields[column].type));
    assemblers_.emplace_back(projection_, column);
    const bool is_column = node.role == SchemaNode::Role::kLeaf && !node.is_bare_repeated;
    while (leaves_.size() < projection_.leaves().size()) {
      const int32_t leaf = projection_.leaves()[leaves_.size()];
      if (leaf < node.first_leaf || leaf >= node.end_leaf) break;
      const SchemaNode& leaf_node = tree.nodes()[Index(tree.leaves()[Index(leaf)].node)];
      auto type =
          is_column ? column_types_.back() : std::make_shared<const DataType>(leaf_node.type);
      SLUICE_TRY(auto opened, ProjectedLeaf::Open(&context_, leaf, std::move(type), is_column));
      leaves_.push_back(std::move(opened));
    }
  }
  return Status::Ok();
}

void RowGroupReader::Impl::PlanBatchRows() {
  const int64_t batch_bytes = context_.options.batch_bytes;
  int64_t row_bytes = 0;
  for (const auto& leaf : leaves_) row_bytes = std::min(row_bytes + leaf->row_bytes(), batch_bytes);
  batch_rows_ = context_.options.batch_rows;
  if (row_bytes > 0) batch_rows_ = std::clamp<int64_t>(batch_bytes / row_bytes, 1, batch_rows_);
  // Rows may take other bytes than the footer claims on average. Each leaf may take twice its share
  // of a batch, so that all of them together stay in bounds whatever is decoded.
  const int64_t least = batch_bytes / std::max<int64_t>(std::ssize(leaves_), 1);
  for (const auto& leaf : leaves_) {
    const int64_t claimed = std::min(leaf->row_bytes(), batch_bytes / batch_rows_) * batch_rows_;
    leaf->LimitBytes(std::max({2 * claimed, least, int64_t{1}}));
  }
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Step() {
  if (!error_.ok()) return error_;
  Result<Outcome> outcome = Advance();
  if (!outcome) error_ = outcome.error();
  return outcome;
}

Result<RowGroupReader::Outcome> RowGroupReader::Impl::Advance() {
  for (;;) {
    if (context_.options.cancelled != nullptr && context_.options.cancelled->load()) {
      return Status::Cancelled("reading was cancelled by the host");
    }
    if (stage_ == Stage::kDone) return Outcome(Done{});
    if (stage_ == Stage::kIndex) {
      auto need = OpenIndexes();
      if (need) return Outcome(*std::move(need));
      stage_ = Stage::kBatch;
    }
    if (stage_ == Stage::kBatch && !batch_is_started_ && !StartBatch()) {
      stage_ = context_.options.read_everything ? Stage::kEnd : Stage::kDone;
      continue;
    }
    SLUICE_TRY(auto need, FillLeaves());
    if (need) return Outcome(*std::move(need));
    if (stage_ == Stage::kEnd) {
      stage_ = Stage::kDone;
      continue;
    }
    EndBatch();
    if (is_draining_) continue;
    SLUICE_TRY(RowGroupBatch batch, FinishBatch());
    return Outcome(std::move(batch));
  }
}

std::optional<Need> RowGroupReader::Impl::OpenIndexes() {
  Need need;
  for (const auto& leaf : leaves_) leaf->OpenIndex(need);
  if (need.ranges.empty()) return std::nullopt;
  return need;
}

/// Moves to the next window with wanted rows; false behind the last.
bool RowGroupReader::Impl::StartWindow() {
  if (!context_.wanted.NextWindow()) {
    is_draining_ = context_.options.read_everything && next_row_ < context_.num_rows;
    if (!is_draining_) return false;
    context_.wanted.MoveToEnd();
  }
  for (const auto& leaf : leaves_) leaf->reader().StartWindow();
  return true;
}

/// Begins the next batch; false behind the last.
bool RowGroupReader::Impl::StartBatch() {
  for (;;) {
    const auto rows = context_.wanted.NextBatch(next_row_, batch_rows_);
    if (rows) {
      rows_ = *rows;
      break;
    }
    if (!StartWindow()) return false;
    if (is_draining_) {
      rows_ = context_.wanted.window();
      break;
    }
  }
  batch_is_started_ = true;
  return true;
}

Result<std::optional<Need>> RowGroupReader::Impl::FillLeaves() {
  Need need;
  for (const auto& leaf : leaves_) {
    if (stage_ == Stage::kEnd) {
      SLUICE_RETURN_IF_ERROR(leaf->CheckEnd(*chunk_begins_, need));
    } else {
      SLUICE_RETURN_IF_ERROR(leaf->Fill(rows_.end, need));
    }
  }
  if (need.ranges.empty()) return std::optional<Need>();
  return std::optional<Need>(std::move(need));
}

/// The batch has the rows that every leaf had room for.
void RowGroupReader::Impl::EndBatch() {
  for (const auto& leaf : leaves_) rows_.end = std::min(rows_.end, leaf->reader().filled_end());
  if (!is_draining_) rows_ = context_.wanted.CutBehindLast(rows_);
  selected_ = context_.wanted.CountIn(rows_);
  next_row_ = rows_.end;
  batch_is_started_ = false;
}

Result<Column> RowGroupReader::Impl::FinishColumn(size_t column, size_t& leaf) {
  const SchemaTree& tree = *projection_.tree();
  const SchemaNode& node = tree.nodes()[Index(projection_.columns()[column])];
  if (node.role == SchemaNode::Role::kLeaf && !node.is_bare_repeated) {
    return leaves_[leaf++]->FinishColumn(rows_, selected_);
  }
  std::vector<LeafValues> values;
  for (; leaf < leaves_.size(); ++leaf) {
    const int32_t ordinal = leaves_[leaf]->leaf();
    if (ordinal < node.first_leaf || ordinal >= node.end_leaf) break;
    SLUICE_TRY(LeafValues finished, leaves_[leaf]->FinishLeaf(rows_, selected_));
    values.push_back(std::move(finished));
  }
  Result<Column> assembled =
      assemblers_[column].Assemble(values, selected_, *context_.options.pool);
  if (assembled) return assembled;
  return assembled.error().In(
      fmt::format("row group {}: column '{}'", context_.row_group, node.name));
}

Result<RowGroupBatch> RowGroupReader::Impl::FinishBatch() {
  RowGroupBatch result;
  result.rows = rows_;
  result.batch.schema = projection_.schema();
  result.batch.num_rows = selected_;
  size_t leaf = 0;
  for (size_t column = 0; column < projection_.columns().size(); ++column) {
    SLUICE_TRY(Column finished, FinishColumn(column, leaf));
    if (finished.length != selected_) {
      return Status::Internal(fmt::format("row group {}: column {} has {} rows of {}",
                                          context_.row_group, column, finished.length, selected_));
    }
    finished.type = column_types_[column];
    result.batch.columns.push_back(std::move(finished));
  }
  return result;
}

Status RowGroupReader::Impl::Provide(ByteRange range, BufferRef bytes) {
  if (!bytes || bytes->size() < range.length) {
    return Status::InvalidArgument("fewer bytes are provided than their range says");
  }
  bool accepted = false;
  for (const auto& leaf : leaves_) accepted |= leaf->Accept(range, bytes);
  if (accepted) return Status::Ok();
  return Status::InvalidArgument(fmt::format(
      "bytes at {}, {} long, cover nothing that was asked for", range.offset, range.length));
}

RowGroupReader::RowGroupReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RowGroupReader::~RowGroupReader() = default;

Result<std::unique_ptr<RowGroupReader>> RowGroupReader::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    RowSelection selection, ReadOptions options) {
  return Make(std::move(metadata), projection, row_group, std::move(selection), std::move(options),
              nullptr);
}

Result<std::unique_ptr<RowGroupReader>> RowGroupReader::Make(
    std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
    RowSelection selection, ReadOptions options,
    std::shared_ptr<const std::vector<int64_t>> chunk_begins) {
  SLUICE_TRY(auto impl, Impl::Make(std::move(metadata), projection, row_group, std::move(selection),
                                   std::move(options), std::move(chunk_begins)));
  return std::unique_ptr<RowGroupReader>(new RowGroupReader(std::move(impl)));
}

Result<RowGroupReader::Outcome> RowGroupReader::Step() { return impl_->Step(); }
Status RowGroupReader::Provide(ByteRange range, BufferRef bytes) {
  return impl_->Provide(range, std::move(bytes));
}
const ReadCounters& RowGroupReader::counters() const { return impl_->counters(); }

}  // namespace sluice::inline v0::parquet
