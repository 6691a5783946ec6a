#include "engine/scan/unit_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "format/model/elapsed.h"
#include "format/model/file_place.h"
#include "format/model/try.h"
#include "format/parquet/wanted_rows.h"

namespace sluice::inline v0::engine {

namespace {

using Clock = std::chrono::steady_clock;
using Outcome = Verdict::Outcome;

/// Of the columns' own buffers; strings that lie outside are those of pages.
int64_t BytesOf(const std::vector<Column>& columns) {
  int64_t bytes = 0;
  for (const Column& column : columns) {
    if (column.validity) bytes += column.validity->size();
    if (column.data) bytes += column.data->size();
    bytes += BytesOf(column.children);
  }
  return bytes;
}

}  // namespace

Result<JudgedUnit> JudgeUnit(std::shared_ptr<const FilePlan> file, int32_t row_group) {
  RowGroupJudge judge(file->predicate, file->scan->options, *file->open.reader);
  return JudgeUnit(std::move(file), row_group, judge);
}

Result<JudgedUnit> JudgeUnit(std::shared_ptr<const FilePlan> file, int32_t row_group,
                             RowGroupJudge& judge) {
  const auto begin = Clock::now();
  const int64_t bytes_before = judge.metadata_bytes();
  const ScanPlan& scan = *file->scan;
  const bool reads_everything = scan.options.read.read_everything;
  const auto ordinal = static_cast<size_t>(row_group);
  JudgedUnit unit;
  unit.row_group = row_group;
  const RowRange rows{file->first_rows[ordinal], file->first_rows[ordinal + 1]};
  unit.num_rows = rows.size();
  auto decision = judge.Judge(row_group, rows.begin);
  if (!decision) return InFile(NameOf(*file->file), decision.error());
  unit.decision = *std::move(decision);
  const Verdict& verdict = unit.decision.verdict;
  ScanCounters& counters = unit.counters;
  counters.row_groups_considered = 1;
  counters.rows_considered = unit.num_rows;
  counters.metadata_bytes = judge.metadata_bytes() - bytes_before;
  counters.row_group_verdicts[{verdict.outcome, verdict.source, verdict.reason}] = 1;
  if (verdict.outcome == Outcome::kNone) {
    counters.row_groups_pruned = 1;
    counters.rows_pruned_by_row_group = unit.num_rows;
  } else {
    counters.row_groups_proven = verdict.outcome == Outcome::kAll ? 1 : 0;
    unit.pruned_by_page = unit.num_rows - unit.decision.selection.count();
    unit.selection = unit.decision.selection;
    if (file->file->deleted) {
      unit.selection = unit.selection.Without(file->file->deleted->Slice(rows));
      unit.deleted = unit.decision.selection.count() - unit.selection.count();
    }
    counters.rows_pruned_by_page = unit.pruned_by_page;
    counters.rows_deleted = unit.deleted;
  }
  unit.bounds.most = unit.selection.count();
  unit.bounds.least = verdict.outcome == Outcome::kAll ? unit.bounds.most : 0;
  const bool needs_no_columns = verdict.outcome == Outcome::kAll && scan.output.empty();
  unit.is_settled = !reads_everything && (needs_no_columns || unit.bounds.most == 0);
  unit.file = std::move(file);
  counters.judge_nanoseconds = NanosecondsSince(begin);
  return unit;
}

int64_t ProvenRows(std::shared_ptr<const FilePlan> file, int32_t row_group) {
  ScanOptions options = file->scan->options;
  options.use_bloom_filters = options.use_page_index = false;
  RowGroupJudge judge(file->predicate, options, *file->open.reader);
  const auto unit = JudgeUnit(std::move(file), row_group, judge);
  return unit ? unit->bounds.least : 0;
}

Status UnitScan::InFile(const Status& error) const {
  return v0::InFile(NameOf(*unit_.file->file), error);
}

Result<std::shared_ptr<const ColumnStages>> UnitScan::ChooseStages() {
  const FilePlan& file = *unit_.file;
  const std::vector<size_t>& residual = unit_.decision.residual;
  if (residual.empty()) return file.whole;
  passing_share_ = feedback_->PassingShare();
  const bool is_late = ScanFeedback::AreFew(passing_share_);
  SLUICE_TRY(auto late, file.StagesFor(residual, true));
  const bool can_wait = !late->rest.columns().empty() && !file.scan->options.lazy_columns;
  if (can_wait) {
    is_late_ = is_late;
    ++(is_late ? unit_.counters.row_groups_late : unit_.counters.row_groups_at_once);
  }
  if (is_late) return late;
  return file.StagesFor(residual, false);
}

Result<std::vector<parquet::LeafFilter>> UnitScan::ChooseFilters() {
  const FilePlan& file = *unit_.file;
  std::vector<parquet::LeafFilter> filters = std::move(unit_.decision.filters);
  if (file.scan->options.read.reorder_filters && feedback_->Order(file.predicate, filters)) {
    ++unit_.counters.filter_reorders;
  }
  for (parquet::LeafFilter& filter : filters) {
    SLUICE_TRY(filter.compiled, file.scan->filters->Get(filter.filter));
  }
  return filters;
}

Status UnitScan::Open(int64_t limit) {
  const FilePlan& file = *unit_.file;
  const ScanOptions& options = file.scan->options;
  RowGroupTask task;
  task.file = file.open.bytes;
  task.reader = file.open.reader.get();
  task.output = &file.output;
  task.schema = file.scan->output_schema;
  task.row_group = unit_.row_group;
  task.first_row = file.first_rows[static_cast<size_t>(unit_.row_group)];
  task.unpruned = &unit_.decision.selection;
  task.selection = &unit_.selection;
  if (unit_.decision.residual_rows) task.undecided = &*unit_.decision.residual_rows;
  SLUICE_TRY(task.stages, ChooseStages());
  SLUICE_TRY(std::vector<parquet::LeafFilter> filters, ChooseFilters());
  RowSelection selection = unit_.selection;
  const bool all_pass = unit_.decision.verdict.outcome == Outcome::kAll;
  if (all_pass && options.limit_pushdown && !options.read.read_everything) {
    selection = selection.First(limit);
  }
  cut_ = unit_.selection.count() - selection.count();
  SLUICE_TRY(RowGroupScan opened,
             RowGroupScan::Open(std::move(task), std::move(selection), std::move(filters)));
  rows_.emplace(std::move(opened));
  return Status::Ok();
}

Result<ScanOutcome> UnitScan::DeliverSettled(int64_t limit, ScanBatch* batch) {
  const int64_t passing = unit_.bounds.least;
  if (settled_ == 0) cut_ = std::max<int64_t>(passing - limit, 0);
  const int64_t first_row = unit_.file->first_rows[static_cast<size_t>(unit_.row_group)];
  // All rows need no bitmap, however many the footer claims.
  const bool is_whole = passing == unit_.num_rows;
  const int64_t begin = passing == 0 ? unit_.num_rows : unit_.selection.NextSelected(settled_);
  if (begin >= unit_.num_rows) {
    is_done_ = true;
    return ScanOutcome::kDone;
  }
  const int64_t step = is_whole ? unit_.num_rows : parquet::kWindowRows;
  const RowRange rows{begin, begin + std::min(unit_.num_rows - begin, step)};
  settled_ = rows.end;
  *batch = ScanBatch();
  batch->batch.schema = unit_.file->scan->output_schema;
  batch->batch.num_rows = unit_.selection.CountIn(rows);
  batch->row_group = unit_.row_group;
  batch->rows = {first_row + rows.begin, first_row + rows.end};
  if (!is_whole) {
    batch->selected.resize(static_cast<size_t>(BitmapWords(rows.size())));
    unit_.selection.FillBitmap(rows, batch->selected.data());
  }
  is_done_ = settled_ == unit_.num_rows;
  return ScanOutcome::kBatch;
}

Result<ScanOutcome> UnitScan::Advance(int64_t limit, ScanBatch* batch) {
  if (is_done_) return ScanOutcome::kDone;
  if (unit_.is_settled) return DeliverSettled(limit, batch);
  if (!rows_) {
    const auto& is_wanted = unit_.file->scan->is_wanted;
    is_done_ = is_wanted && !is_wanted(unit_);
    if (is_done_) return ScanOutcome::kDone;
    SLUICE_RETURN_IF_ERROR(Open(limit));
  }
  SLUICE_TRY(const ScanOutcome outcome, rows_->Step(batch));
  is_done_ = outcome == ScanOutcome::kDone;
  return outcome;
}

Result<ScanOutcome> UnitScan::Step(int64_t limit, ScanBatch* batch) {
  const auto begin = Clock::now();
  auto outcome = Advance(limit, batch);
  nanoseconds_ += NanosecondsSince(begin);
  if (!outcome) {
    is_done_ = has_failed_ = true;
    return InFile(outcome.error());
  }
  if (*outcome != ScanOutcome::kBatch) return outcome;
  CutBatch(*batch, limit, *unit_.file->scan->options.read.pool);
  batch->file = unit_.file->ordinal;
  delivered_ += batch->batch.num_rows;
  unit_.counters.result_bytes += BytesOf(batch->batch.columns);
  return outcome;
}

Status UnitScan::Load(ScanBatch& batch, size_t column) {
  const auto begin = Clock::now();
  const Status status = rows_ ? rows_->Load(batch, column) : Status::Ok();
  nanoseconds_ += NanosecondsSince(begin);
  if (!status.ok()) return InFile(status);
  unit_.counters.result_bytes += BytesOf({batch.batch.columns[column]});
  return Status::Ok();
}

std::vector<parquet::FilterCounters> UnitScan::filter_counters() const {
  return rows_ ? rows_->filter_counters() : std::vector<parquet::FilterCounters>();
}

CountBounds UnitScan::bounds() const {
  if (is_done_) return {delivered_, delivered_};
  if (!rows_ || unit_.bounds.least == unit_.bounds.most) return unit_.bounds;
  return {delivered_, unit_.bounds.most - rows_->rows_rejected()};
}

Status UnitScan::Finish(bool reads_rest) {
  ScanCounters& counters = unit_.counters;
  bool is_whole = is_done_ && !has_failed_;
  if (reads_rest && rows_ && !is_done_) {
    const Status status = rows_->ReadToEnd();
    if (!status.ok()) return InFile(status);
  }
  const int64_t selected = unit_.selection.count() - cut_;
  int64_t passed = selected;
  int64_t rejected = 0;
  if (rows_) {
    passed = rows_->rows_after_filters();
    rejected = rows_->rows_rejected();
    counters.data += rows_->counters();
    counters.pages += rows_->pages();
    counters.residual_nanoseconds += rows_->residual_nanoseconds();
    feedback_->LearnOfFilters(unit_.file->predicate, rows_->filter_counters());
    feedback_->LearnOfResidual(rows_->rows_judged(), rows_->rows_judged() - rejected);
    for (const parquet::FilterCounters& filter : rows_->filter_counters()) {
      counters.filter_nanoseconds += filter.nanoseconds;
    }
    counters.read_nanoseconds +=
        nanoseconds_ - counters.filter_nanoseconds - counters.residual_nanoseconds;
  } else if (!unit_.is_settled) {
    is_whole = false;
    passed = 0;
  }
  const int64_t left = passed - rejected - delivered_;
  if (left < 0 || passed > selected || (is_whole && left != 0)) {
    return Status::Internal(fmt::format(
        "row group {}: rows do not balance: {} read, {} passed filters, {} rejected, {} delivered",
        unit_.row_group, selected, passed, rejected, delivered_));
  }
  // Where the row group was cut short, filters may not have seen the other rows.
  (is_whole ? counters.rows_filtered : counters.rows_not_reached) += selected - passed;
  counters.rows_rejected += rejected;
  counters.rows_delivered += delivered_;
  counters.rows_not_reached += left + cut_;
  rows_.reset();
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
