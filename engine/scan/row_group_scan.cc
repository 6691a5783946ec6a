#include "engine/scan/row_group_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "engine/scan/row_columns.h"
#include "format/model/bitmap_words.h"
#include "format/model/column_rows.h"
#include "format/model/elapsed.h"
#include "format/model/file_place.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/model/view_buffers.h"

namespace sluice::inline v0::engine {

namespace {

using Clock = std::chrono::steady_clock;
using parquet::Projection;
using parquet::RowGroupBatch;
using parquet::RowGroupCursor;
using Stage = ColumnStages::Place::Stage;

/// What a lazy column may take at once: it is delivered whole.
constexpr int64_t kLazyBytes = int64_t{1} << 40;

}  // namespace

void CutBatch(ScanBatch& batch, int64_t count, BufferPool& pool) {
  if (count >= batch.batch.num_rows) return;
  batch.batch.num_rows = count;
  for (size_t i = 0; i < batch.batch.columns.size(); ++i) {
    Column& column = batch.batch.columns[i];
    if (batch.loaded[i]) {
      column = FirstRows(std::move(column), count);
      UnpinStrings(column, pool);
    } else {
      column.length = count;
    }
  }
  if (batch.selected.empty()) {
    batch.rows.end = batch.rows.begin + count;
    return;
  }
  // The rows behind the last one that is left.
  int64_t end = 0;
  for (int64_t seen = 0; seen < count; ++end) {
    seen += GetBit(batch.selected.data(), end) ? 1 : 0;
  }
  batch.rows.end = batch.rows.begin + end;
  batch.selected.resize(static_cast<size_t>(BitmapWords(end)));
  if (end > 0) batch.selected.back() &= LowBits(end - (BitmapWords(end) - 1) * 64);
}

Status DropRows(ScanBatch& batch, int64_t count, BufferPool& pool) {
  if (count == 0) return Status::Ok();
  const int64_t rows = batch.batch.num_rows;
  std::vector<uint64_t> bits(PaddedWords(rows));
  for (int64_t row = count; row < rows; ++row) SetBit(bits.data(), row);
  for (Column& column : batch.batch.columns) {
    SLUICE_TRY(column, SelectRows(column, bits.data(), rows - count, pool));
    UnpinStrings(column, pool);
  }
  batch.batch.num_rows = rows - count;
  if (batch.selected.empty()) {
    batch.rows.begin += count;
    return Status::Ok();
  }
  // Rows stay where they are, and the dropped ones are not among them.
  int64_t left = count;
  for (uint64_t& word : batch.selected) {
    for (; word != 0 && left > 0; --left) word &= word - 1;
  }
  return Status::Ok();
}

RowGroupScan::RowGroupScan(RowGroupTask task)
    : task_(std::move(task)),
      pages_(std::make_unique<PageTally>(*task_.unpruned, *task_.selection,
                                         task_.reader->options().page_observer)) {}

Result<std::unique_ptr<RowGroupCursor>> RowGroupScan::OpenPushed(const Projection& projection,
                                                                 int64_t batch_bytes) const {
  parquet::ReadOptions options = task_.reader->options();
  options.rows_are_pushed = true;
  options.batch_bytes = batch_bytes;
  options.page_observer = pages_.get();
  options.read_everything = false;  // Of the columns in the first stage that is done.
  auto reader = parquet::RowGroupReader::Make(task_.reader->metadata(), projection, task_.row_group,
                                              RowSelection(), options);
  if (!reader) return reader.error().In(FilePlace(task_.file->name()));
  return std::make_unique<RowGroupCursor>(task_.file, options.pool, options.read_gap_bytes,
                                          *std::move(reader));
}

Result<RowGroupScan> RowGroupScan::Open(RowGroupTask task, RowSelection selection,
                                        std::vector<parquet::LeafFilter> filters) {
  RowGroupScan scan(std::move(task));
  const ColumnStages& stages = *scan.task_.stages;
  if (stages.residual) scan.residual_.emplace(stages.residual);
  SLUICE_TRY(scan.first_,
             scan.task_.reader->RowGroup(scan.task_.row_group, stages.first, std::move(selection),
                                         std::move(filters), scan.pages_.get()));
  if (!stages.rest.columns().empty()) {
    SLUICE_TRY(scan.rest_, scan.OpenPushed(stages.rest, scan.task_.reader->options().batch_bytes));
  }
  scan.lazy_.resize(stages.lazy.size());
  scan.lazy_parts_.resize(stages.lazy.size());
  return scan;
}

int64_t RowGroupScan::RowOf(RowRange rows, const std::vector<uint64_t>& selected, int64_t index) {
  if (selected.empty()) return rows.begin + index;
  int64_t row = rows.begin;
  for (int64_t left = index; row < rows.end; ++row) {
    if (GetBit(selected.data(), row - rows.begin) && left-- == 0) break;
  }
  return row;
}

Status RowGroupScan::ErrorOfRow(int64_t row, const Status& error) const {
  return error.In(fmt::format("row group {}: row {}", task_.row_group, row));
}

bool RowGroupScan::NeedsJudging(RowRange rows) const {
  return residual_ && (task_.undecided == nullptr || task_.undecided->CountIn(rows) > 0);
}

/// What the residual says of the candidates.
Result<PredicateResult> RowGroupScan::Judge() {
  const auto begin = Clock::now();
  Batch batch = candidates_.batch;
  BufferPool& pool = *task_.reader->options().pool;
  if (task_.stages->reads_row_number || task_.stages->reads_row_group) {
    SLUICE_TRY(Column numbers, RowNumbers(candidates_.rows, candidates_.selected, batch.num_rows,
                                          task_.first_row, pool));
    batch.columns.push_back(std::move(numbers));
    batch.columns.push_back(ConstantColumn(RowGroupConstant(task_.row_group), batch.num_rows));
  }
  auto result = residual_->EvaluatePredicate(batch, nullptr);
  residual_nanoseconds_ += NanosecondsSince(begin);
  return result;
}

Result<bool> RowGroupScan::NextCandidates() {
  if (!row_error_.ok()) return row_error_;
  SLUICE_TRY(auto batch, first_->Next());
  if (!batch) return false;
  candidates_ = *std::move(batch);
  joined_ = 0;
  const int64_t rows = candidates_.batch.num_rows;
  rows_after_filters_ += rows;
  num_passing_ = rows;
  if (NeedsJudging(candidates_.rows)) {
    SLUICE_TRY(PredicateResult result, Judge());
    int64_t judged = rows;
    if (result.first_error_row >= 0) {
      // The rows before it are delivered, however rows are cut into batches.
      judged = result.first_error_row;
      row_error_ = ErrorOfRow(RowOf(candidates_.rows, candidates_.selected, judged),
                              Status(StatusCode::kRowError, std::move(result.first_error)));
      for (int64_t row = judged; row < rows; ++row) ClearBit(result.trues.data(), row);
    }
    num_passing_ = CountBits(result.trues.data(), 0, rows);
    rows_judged_ += judged;
    rows_rejected_ += judged - num_passing_;
    passing_ = std::move(result.trues);
  }
  if (num_passing_ == 0) return true;
  if (num_passing_ < rows) {
    PlacePassing();
  } else {
    wanted_ = candidates_.selected;
  }
  if (rest_) SLUICE_RETURN_IF_ERROR(rest_->Push(candidates_.rows, wanted_));
  return true;
}

void RowGroupScan::PlacePassing() {
  const int64_t rows = candidates_.rows.size();
  passing_.resize(PaddedWords(rows));
  wanted_ = passing_;
  if (!candidates_.selected.empty()) {
    std::vector<uint64_t> selected = candidates_.selected;
    selected.resize(PaddedWords(rows));
    kernels::BestTable().deposit_bits(passing_.data(), selected.data(), rows, wanted_.data());
  }
  wanted_.resize(static_cast<size_t>(BitmapWords(rows)));
}

std::vector<uint64_t> RowGroupScan::PassingPart(int64_t begin, int64_t count) const {
  const int64_t rows = candidates_.batch.num_rows;
  std::vector<uint64_t> part(PaddedWords(rows));
  if (num_passing_ == rows) {
    for (int64_t row = begin; row < begin + count; ++row) SetBit(part.data(), row);
    return part;
  }
  if (begin == 0 && count == num_passing_) return passing_;
  int64_t seen = 0;
  for (size_t word = 0; word < part.size() && seen < begin + count; ++word) {
    for (uint64_t left = passing_[word]; left != 0; left &= left - 1, ++seen) {
      if (seen >= begin && seen < begin + count) part[word] |= left & (0 - left);
    }
  }
  return part;
}

Result<ScanBatch> RowGroupScan::Join(std::optional<RowGroupBatch> rest) {
  const int64_t count = rest ? rest->batch.num_rows : num_passing_;
  const bool is_whole = count == num_passing_;
  ScanBatch joined;
  delivered_rows_ = rest ? rest->rows : candidates_.rows;
  delivered_ = rest ? std::move(rest->selected) : wanted_;
  joined.batch.num_rows = count;
  std::vector<Column> first = std::move(candidates_.batch.columns);
  if (!is_whole) candidates_.batch.columns = first;
  BufferPool& pool = *task_.reader->options().pool;
  if (count < candidates_.batch.num_rows) {
    const std::vector<uint64_t> bits = PassingPart(joined_, count);
    for (Column& column : first) {
      SLUICE_TRY(column, SelectRows(column, bits.data(), count, pool));
      UnpinStrings(column, pool);
    }
  }
  joined_ += count;
  SLUICE_RETURN_IF_ERROR(
      AddColumns(first, rest ? rest->batch.columns : std::vector<Column>(), joined));
  return joined;
}

Result<Column> RowGroupScan::JoinedParts(size_t output, const Column& earlier,
                                         const Column* later) const {
  auto joined = JoinParts(*task_.stages->places[output].parts, &earlier, later);
  if (joined) return joined;
  return joined.error().In(
      fmt::format("row group {}: column '{}'", task_.row_group, task_.schema->fields[output].name));
}

Result<const Column*> RowGroupScan::ProjectedOf(size_t output, const std::vector<Column>& first,
                                                const std::vector<Column>& rest,
                                                Column& joined) const {
  const ColumnStages::Place& place = task_.stages->places[output];
  const Column* later = place.stage == Stage::kRest ? &rest[place.column] : nullptr;
  if (place.stage == Stage::kNone || place.stage == Stage::kLazy) return later;
  if (!place.parts) return later != nullptr ? later : &first[place.column];
  SLUICE_TRY(joined, JoinedParts(output, first[static_cast<size_t>(place.parts->earlier)], later));
  return &joined;
}

Result<WidenedColumn> RowGroupScan::ColumnOf(size_t output, const Column* projected, int64_t rows) {
  const OutputSource& source = (*task_.output)[output];
  BufferPool& pool = *task_.reader->options().pool;
  WidenedColumn made;
  switch (source.kind) {
    case OutputSource::Kind::kConstant:
      made.column = ConstantColumn(std::make_shared<const Column>(source.constant), rows);
      return made;
    case OutputSource::Kind::kRowNumber: {
      SLUICE_TRY(made.column, RowNumbers(delivered_rows_, delivered_, rows, task_.first_row, pool));
      return made;
    }
    case OutputSource::Kind::kRowGroup:
      made.column = ConstantColumn(RowGroupConstant(task_.row_group), rows);
      return made;
    case OutputSource::Kind::kFile:
      break;
  }
  if (task_.stages->places[output].stage == Stage::kLazy && projected == nullptr) {
    made.column.type = source.mapping.type;
    made.column.length = rows;
    return made;
  }
  return AdaptColumn(source.mapping, projected, rows, pool, &dictionaries_);
}

Status RowGroupScan::MisfitError(size_t output, const Column& projected, int64_t row) const {
  return ErrorOfRow(RowOf(delivered_rows_, delivered_, row),
                    MisfitErrorOf((*task_.output)[output].mapping,
                                  task_.schema->fields[output].name, projected, row));
}

Status RowGroupScan::AddColumns(const std::vector<Column>& first, const std::vector<Column>& rest,
                                ScanBatch& batch) {
  const int64_t rows = batch.batch.num_rows;
  int64_t fitting = rows;
  batch.batch.schema = task_.schema;
  for (size_t i = 0; i < task_.output->size(); ++i) {
    Column joined;
    SLUICE_TRY(const Column* projected, ProjectedOf(i, first, rest, joined));
    SLUICE_TRY(WidenedColumn made, ColumnOf(i, projected, rows));
    if (const int64_t row = FirstSetBit(made.misfits); row >= 0 && row < fitting) {
      fitting = row;
      misfit_ = MisfitError(i, *projected, row);
    }
    const ColumnStages::Place& place = task_.stages->places[i];
    batch.loaded.push_back(place.stage != Stage::kLazy);
    if (place.stage == Stage::kLazy && place.parts) {
      lazy_parts_[place.column] = first[static_cast<size_t>(place.parts->earlier)];
    }
    batch.batch.columns.push_back(std::move(made.column));
  }
  batch.row_group = task_.row_group;
  batch.rows = {task_.first_row + delivered_rows_.begin, task_.first_row + delivered_rows_.end};
  batch.selected = delivered_;
  CutBatch(batch, fitting, *task_.reader->options().pool);
  return Status::Ok();
}

Result<ScanOutcome> RowGroupScan::Step(ScanBatch* batch) {
  if (!misfit_.ok()) return misfit_;
  if (joined_ == num_passing_) {
    SLUICE_TRY(const bool is_there, NextCandidates());
    if (!is_there) return ScanOutcome::kDone;
    if (num_passing_ == 0) return ScanOutcome::kNoRows;
  }
  std::optional<RowGroupBatch> rest;
  if (rest_) {
    SLUICE_TRY(rest, rest_->Next());
    if (!rest) return Status::Internal("rows that were asked for did not come");
  }
  SLUICE_TRY(*batch, Join(std::move(rest)));
  if (!misfit_.ok()) {
    if (batch->batch.num_rows == 0) return misfit_;
    return ScanOutcome::kBatch;
  }
  // Of what was pushed everything has to be asked for before more can be.
  if (rest_ && joined_ == num_passing_) {
    SLUICE_TRY(const auto more, rest_->Next());
    if (more) return Status::Internal("more rows came than were asked for");
  }
  return ScanOutcome::kBatch;
}

Status RowGroupScan::Load(ScanBatch& batch, size_t column) {
  const ColumnStages::Place& place = task_.stages->places[column];
  auto& cursor = lazy_[place.column];
  if (!cursor) {
    SLUICE_TRY(cursor, OpenPushed(task_.stages->lazy[place.column], kLazyBytes));
  }
  // The limit may have cut the batch.
  RowRange rows = delivered_rows_;
  rows.end = batch.rows.end - task_.first_row;
  SLUICE_RETURN_IF_ERROR(cursor->Push(rows, batch.selected));
  SLUICE_TRY(auto loaded, cursor->Next());
  if (!loaded || loaded->batch.num_rows != batch.batch.num_rows) {
    return Status::Internal("a lazy column has other rows than its batch");
  }
  SLUICE_TRY(const auto more, cursor->Next());
  if (more) return Status::Internal("more rows came than were asked for");
  Column projected = std::move(loaded->batch.columns[0]);
  if (place.parts) {
    const Column earlier = FirstRows(lazy_parts_[place.column], batch.batch.num_rows);
    SLUICE_TRY(projected, JoinedParts(column, earlier, &projected));
  }
  SLUICE_TRY(WidenedColumn made, ColumnOf(column, &projected, batch.batch.num_rows));
  if (const int64_t row = FirstSetBit(made.misfits); row >= 0) {
    return MisfitError(column, projected, row);
  }
  batch.batch.columns[column] = std::move(made.column);
  batch.loaded[column] = true;
  return Status::Ok();
}

Status RowGroupScan::ReadToEnd() {
  for (;;) {
    SLUICE_TRY(const auto batch, first_->Next());
    if (!batch) return Status::Ok();
    rows_after_filters_ += batch->batch.num_rows;
  }
}

parquet::ReadCounters RowGroupScan::counters() const {
  parquet::ReadCounters sum = first_->counters();
  if (rest_) sum += rest_->counters();
  for (const auto& cursor : lazy_) {
    if (cursor) sum += cursor->counters();
  }
  return sum;
}

}  // namespace sluice::inline v0::engine
