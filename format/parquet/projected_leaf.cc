#include "format/parquet/projected_leaf.h"

#include <fmt/format.h>
#include <sluice/parquet/page_index.h>

#include <utility>

#include "format/model/try.h"
#include "format/parquet/column_chunk_claims.h"

namespace sluice::inline v0::parquet {

Status ProjectedLeaf::InColumn(const Status& status) const {
  if (status.ok()) return status;
  return status.In(fmt::format("row group {}: column '{}'", context_->row_group,
                               context_->tree->LeafPath(leaf_)));
}

Status ProjectedLeaf::InRows(RowRange rows, const Status& status) const {
  return InColumn(status.In(
      fmt::format("{}: rows {} to {}", reader_->PlaceOfPages(), rows.begin, rows.end - 1)));
}

Result<std::unique_ptr<ProjectedLeaf>> ProjectedLeaf::Open(RowGroupContext* context, int32_t leaf,
                                                           std::shared_ptr<const DataType> type,
                                                           bool is_column, bool is_filtered) {
  std::unique_ptr<ProjectedLeaf> opened(new ProjectedLeaf(context, leaf));
  const FileMetadata& metadata = *context->metadata;
  SLUICE_RETURN_IF_ERROR(
      opened->InColumn(CheckColumnChunk(metadata, *context->tree, context->row_group, leaf)));
  const RowGroup& group = metadata.row_groups[static_cast<size_t>(context->row_group)];
  opened->chunk_ = &group.columns[static_cast<size_t>(leaf)];
  opened->row_bytes_ = DeliveredRowBytes(*context->tree, leaf, *opened->chunk_, context->num_rows);
  if (context->wanted.num_selected() > 0 || context->options.read_everything) {
    auto range = ChunkByteRange(metadata, *opened->chunk_);
    if (!range) return opened->InColumn(range.error());
    opened->chunk_range_ = *range;
  }
  opened->type_ = std::move(type);
  // The column index says the same of all pages at once.
  opened->keeps_statistics_ = is_filtered && context->options.use_page_statistics &&
                              !opened->chunk_->column_index.has_value();
  const LeafPlan plan = opened->MakePlan();
  // An index helps where rows are left out.
  const auto& index = opened->chunk_->offset_index;
  const WantedRows& wanted = context->wanted;
  const bool leaves_out_rows = wanted.is_narrowed() || wanted.num_selected() < context->num_rows;
  if (context->options.use_offset_index && !plan.reads_every_page && leaves_out_rows &&
      wanted.num_selected() > 0 && index.has_value() && index->length > 0) {
    opened->index_range_ = index;
  }
  opened->reader_ = std::make_unique<LeafReader>(plan, is_column);
  return opened;
}

Status ProjectedLeaf::FilterBy(const std::vector<LeafFilter>& filters, bool keeps_values) {
  const Leaf& shape = context_->tree->leaves()[static_cast<size_t>(leaf_)];
  BufferPool* pool = context_->options.pool.get();
  std::vector<ValueFilter> made;
  std::vector<ColumnFilter> asked;
  for (const LeafFilter& filter : filters) {
    auto one = filter.compiled
                   ? ValueFilter::Make(filter.compiled, shape, type_, pool, context_->kernels)
                   : ValueFilter::Make(filter.filter, shape, type_, pool, context_->kernels);
    if (!one) return InColumn(one.error());
    made.push_back(*std::move(one));
    asked.push_back(filter.filter);
  }
  std::optional<PageExclusion> exclusion;
  const bool is_all_dictionary = context_->options.prune_by_dictionary && IsAllDictionary(*chunk_);
  if ((keeps_statistics_ || is_all_dictionary) && !reads_every_page_) {
    exclusion.emplace(LeafEvidence(*context_->metadata, *context_->tree, leaf_), std::move(asked),
                      keeps_statistics_, is_all_dictionary);
  }
  reader_->FilterBy(std::move(made), keeps_values, std::move(exclusion));
  return Status::Ok();
}

LeafPlan ProjectedLeaf::MakePlan() {
  const Leaf& shape = context_->tree->leaves()[static_cast<size_t>(leaf_)];
  LeafPlan plan;
  plan.row_group = context_->row_group;
  plan.leaf = leaf_;
  plan.chunk = chunk_;
  plan.chunk_range = chunk_range_;
  plan.num_rows = context_->num_rows;
  plan.type = type_;
  plan.wanted = &context_->wanted;
  plan.options = &context_->options;
  plan.counters = &context_->counters;
  plan.calendar = context_->calendar;
  plan.context.leaf = shape;
  plan.context.codec = chunk_->codec;
  plan.context.verify_checksums =
      context_->options.verify_checksums && !context_->quirks.wrong_checksums;
  plan.context.stream_pages = context_->options.stream_pages;
  plan.context.pool = context_->options.pool.get();
  plan.context.kernels = context_->kernels;
  plan.context.codec_contexts = context_->codec_contexts;
  const bool carries_over = context_->quirks.delta_byte_array_carries_over &&
                            (shape.physical_type == PhysicalType::kByteArray ||
                             shape.physical_type == PhysicalType::kFixedLenByteArray);
  if (carries_over) {
    carried_value_ = std::make_unique<std::string>();
    plan.context.carried_value = carried_value_.get();
  }
  plan.reads_every_page = reads_every_page_ = context_->options.read_everything || carries_over;
  plan.keeps_statistics = keeps_statistics_;
  return plan;
}

void ProjectedLeaf::OpenIndex(Need& need) {
  if (!index_range_) return;
  if (!index_bytes_) {
    // An index outside the file is no index.
    if (index_range_->offset < 0 ||
        index_range_->length > context_->metadata->footer_offset - index_range_->offset) {
      index_range_.reset();
      return;
    }
    if (!index_is_asked_) context_->counters.bytes_requested += index_range_->length;
    index_is_asked_ = true;
    need.ranges.push_back(*index_range_);
    return;
  }
  // An index that cannot be right is not used, nor one that the budget has no room for; the pages
  // are walked instead (fault I3).
  auto index = ParseOffsetIndex(index_bytes_->span(), context_->options.pool.get());
  if (index && CheckOffsetIndex(*index, context_->num_rows, chunk_range_).ok()) {
    reader_->pages().UseOffsetIndex(*std::move(index));
  }
  index_range_.reset();
  index_bytes_.reset();
}

template <typename GoOn>
Status ProjectedLeaf::AddPending(Need& need, GoOn&& go_on) {
  const auto& pending = reader_->bytes().pending();
  // What was asked for before may still be on its way.
  if (pending.empty()) {
    const Result<bool> is_there = go_on();
    Status status = is_there ? Status::Ok() : is_there.error();
    if (is_there && !*is_there && pending.empty()) {
      status = Status::Internal("the reader waits for bytes that it did not ask for");
    }
    if (!status.ok()) return InColumn(status.In(reader_->pages().Place()));
    for (const ByteRange& range : pending) context_->counters.bytes_requested += range.length;
  }
  need.ranges.insert(need.ranges.end(), pending.begin(), pending.end());
  return Status::Ok();
}

Status ProjectedLeaf::Fill(int64_t end, Need& need) {
  // A leaf that was opened late has still to get its index.
  OpenIndex(need);
  if (index_range_) return Status::Ok();
  return AddPending(need, [&] { return reader_->Fill(end, max_bytes_); });
}

Status ProjectedLeaf::CheckEnd(const std::vector<int64_t>& chunk_begins, Need& need) {
  const int64_t own_end = EndOfOwnBytes(chunk_begins, *context_->metadata, *chunk_);
  return AddPending(need, [&] { return reader_->CheckEnd(own_end); });
}

bool ProjectedLeaf::Accept(ByteRange range, const BufferRef& bytes) {
  bool accepted = reader_->AcceptBytes(range, bytes);
  if (index_range_ && !index_bytes_ && index_is_asked_ && range.offset <= index_range_->offset &&
      index_range_->end() <= range.end()) {
    index_bytes_ = SliceBuffer(bytes, index_range_->offset - range.offset, index_range_->length);
    accepted = true;
  }
  return accepted;
}

Result<Column> ProjectedLeaf::FinishColumn(RowRange rows, int64_t count) {
  Result<Column> column = reader_->FinishColumn(count);
  if (!column) return InRows(rows, column.error());
  return column;
}

Result<LeafValues> ProjectedLeaf::FinishLeaf(RowRange rows, int64_t count) {
  Result<LeafValues> values = reader_->FinishLeaf(count);
  if (!values) return InRows(rows, values.error());
  return values;
}

}  // namespace sluice::inline v0::parquet
