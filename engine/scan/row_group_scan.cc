#include "engine/scan/row_group_scan.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "format/model/column_rows.h"
#include "format/model/file_place.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/values_builder.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::Projection;
using parquet::RowGroupBatch;

/// The ordinal of a field that is the same; -1 if there is none.
int64_t Find(const Schema& schema, const Field& field) {
  const auto found = std::find(schema.fields.begin(), schema.fields.end(), field);
  return found == schema.fields.end() ? -1 : found - schema.fields.begin();
}

bool HasNameTwice(const Schema& schema) {
  std::set<std::string_view> names;
  return std::any_of(schema.fields.begin(), schema.fields.end(),
                     [&](const Field& field) { return !names.insert(field.name).second; });
}

/// Bits of `bits` from the `begin`-th set one on, `count` of them.
std::vector<uint64_t> PartOf(const std::vector<uint64_t>& bits, int64_t begin, int64_t count) {
  std::vector<uint64_t> part(bits.size());
  int64_t seen = 0;
  for (size_t word = 0; word < bits.size() && seen < begin + count; ++word) {
    for (uint64_t left = bits[word]; left != 0; left &= left - 1, ++seen) {
      if (seen >= begin && seen < begin + count) part[word] |= left & (0 - left);
    }
  }
  return part;
}

}  // namespace

ColumnStages StagesWithoutResidual(const Projection& output) {
  ColumnStages stages{output, Projection::None(output.tree()), {}, output.schema(), nullptr};
  for (size_t i = 0; i < output.schema()->fields.size(); ++i) stages.output.push_back({true, i});
  return stages;
}

Result<ColumnStages> PlanStages(const parquet::FileReader& reader, const Projection& output,
                                const ScanRequest& request, const PredicatePlan& plan,
                                bool late_materialization) {
  ColumnStages stages = StagesWithoutResidual(output);
  if (!plan.residual) return stages;
  // Columns are told apart by their names; where that is not so all are read at once.
  const bool is_whole =
      !request.columns && (!late_materialization || HasNameTwice(*reader.schema()));
  BoundExpression residual = *plan.residual;
  if (is_whole) {
    stages.first = output;
  } else {
    std::vector<parquet::ColumnPath> paths = plan.residual_columns;
    // Values that are decoded for a filter come along.
    for (const int32_t node : output.columns()) {
      const parquet::SchemaNode& column = output.tree()->nodes()[static_cast<size_t>(node)];
      const bool is_filtered = column.role == parquet::SchemaNode::Role::kLeaf &&
                               std::any_of(plan.filters.begin(), plan.filters.end(),
                                           [&](const PredicatePlan::Filter& filter) {
                                             return filter.leaf == column.first_leaf;
                                           });
      if (is_filtered) paths.push_back({std::string(column.name)});
    }
    if (!late_materialization) {
      paths.insert(paths.end(), request.columns->begin(), request.columns->end());
    }
    SLUICE_TRY(stages.first, Projection::Of(output.tree(), paths));
    SLUICE_TRY(residual, Rebase(std::move(residual), *reader.schema(), *stages.first.schema()));
  }
  stages.residual =
      std::make_shared<Evaluator>(std::make_shared<const BoundExpression>(std::move(residual)));
  if (is_whole) return stages;
  std::vector<parquet::ColumnPath> rest;
  for (size_t i = 0; i < stages.output.size(); ++i) {
    const Field& field = output.schema()->fields[i];
    const int64_t place = Find(*stages.first.schema(), field);
    stages.output[i] = {place >= 0, static_cast<size_t>(std::max<int64_t>(place, 0))};
    if (place >= 0) continue;
    if (!request.columns) {
      rest.push_back({field.name});
      continue;
    }
    std::copy_if(request.columns->begin(), request.columns->end(), std::back_inserter(rest),
                 [&](const parquet::ColumnPath& path) { return path.front() == field.name; });
  }
  SLUICE_TRY(stages.rest, Projection::Of(output.tree(), rest));
  for (size_t i = 0; i < stages.output.size(); ++i) {
    if (stages.output[i].is_in_first) continue;
    const int64_t place = Find(*stages.rest.schema(), output.schema()->fields[i]);
    if (place < 0) return Status::Internal("a column of the output is not read");
    stages.output[i].column = static_cast<size_t>(place);
  }
  return stages;
}

Result<RowGroupScan> RowGroupScan::Open(std::shared_ptr<RandomAccessFile> file,
                                        const parquet::FileReader& reader,
                                        const ColumnStages& stages, int32_t row_group,
                                        const RowGroupDecision& decision) {
  RowGroupScan scan(reader, stages, row_group);
  SLUICE_TRY(scan.first_,
             reader.RowGroup(row_group, stages.first, decision.selection, decision.filters));
  if (stages.rest.columns().empty()) return scan;
  parquet::ReadOptions options = reader.options();
  options.rows_are_pushed = true;
  options.read_everything = false;  // Of the columns in the first stage that is done.
  auto rest = parquet::RowGroupReader::Make(reader.metadata(), stages.rest, row_group,
                                            RowSelection(), options);
  if (!rest) return rest.error().In(FilePlace(file->name()));
  scan.rest_ = std::make_unique<parquet::RowGroupCursor>(std::move(file), options.pool,
                                                         options.read_gap_bytes, *std::move(rest));
  return scan;
}

Status RowGroupScan::RowError(const PredicateResult& result) const {
  int64_t row = candidates_.rows.begin;
  int64_t left = result.first_error_row;
  for (; row < candidates_.rows.end; ++row) {
    const bool is_here = candidates_.selected.empty() ||
                         GetBit(candidates_.selected.data(), row - candidates_.rows.begin);
    if (is_here && left-- == 0) break;
  }
  return Status(StatusCode::kRowError,
                fmt::format("row group {}: row {}: {}", row_group_, row, result.first_error));
}

Result<bool> RowGroupScan::NextCandidates() {
  for (;;) {
    if (!row_error_.ok()) return row_error_;
    SLUICE_TRY(auto batch, first_->Next());
    if (!batch) return false;
    candidates_ = *std::move(batch);
    joined_ = 0;
    const int64_t rows = candidates_.batch.num_rows;
    rows_after_filters_ += rows;
    num_passing_ = rows;
    if (stages_->residual == nullptr) return true;
    SLUICE_TRY(PredicateResult result,
               stages_->residual->EvaluatePredicate(candidates_.batch, nullptr));
    if (result.first_error_row >= 0) {
      // The rows before it are delivered, however rows are cut into batches.
      row_error_ = RowError(result);
      for (int64_t row = result.first_error_row; row < rows; ++row) {
        ClearBit(result.trues.data(), row);
      }
    }
    num_passing_ = CountBits(result.trues.data(), 0, rows);
    rows_rejected_ += rows - num_passing_;
    if (num_passing_ == 0) continue;
    passing_ = std::move(result.trues);
    PlacePassing();
    if (rest_) SLUICE_RETURN_IF_ERROR(rest_->Push(candidates_.rows, wanted_));
    return true;
  }
}

void RowGroupScan::PlacePassing() {
  const int64_t rows = candidates_.rows.size();
  const auto words = static_cast<size_t>(BitmapWords(rows));
  constexpr size_t kPaddingWords = kReadPadding / 8;
  passing_.resize(words + kPaddingWords);
  wanted_ = passing_;
  if (!candidates_.selected.empty()) {
    std::vector<uint64_t> selected = candidates_.selected;
    selected.resize(words + kPaddingWords);
    kernels::BestTable().deposit_bits(passing_.data(), selected.data(), rows, wanted_.data());
  }
  wanted_.resize(words);
}

Result<RowGroupBatch> RowGroupScan::Join(std::optional<RowGroupBatch> rest) {
  if (stages_->residual == nullptr) {
    joined_ = num_passing_;
    return std::move(candidates_);
  }
  const int64_t count = rest ? rest->batch.num_rows : num_passing_;
  const bool is_whole = count == num_passing_;
  const std::vector<uint64_t> bits = is_whole ? passing_ : PartOf(passing_, joined_, count);
  joined_ += count;
  RowGroupBatch joined;
  joined.rows = rest ? rest->rows : candidates_.rows;
  joined.selected = rest ? std::move(rest->selected) : wanted_;
  joined.batch.schema = stages_->schema;
  joined.batch.num_rows = count;
  for (const ColumnStages::Place& place : stages_->output) {
    if (!place.is_in_first) {
      joined.batch.columns.push_back(std::move(rest->batch.columns[place.column]));
      continue;
    }
    SLUICE_TRY(Column column, SelectRows(candidates_.batch.columns[place.column], bits.data(),
                                         count, *reader_->options().pool));
    // Rows that do not pass need not stay because of their neighbours' strings.
    if (column.form == ColumnForm::kView && count < candidates_.batch.num_rows) {
      SLUICE_RETURN_IF_ERROR(parquet::UnpinViews(column, 0, *reader_->options().pool));
    }
    joined.batch.columns.push_back(std::move(column));
  }
  return joined;
}

Result<std::optional<RowGroupBatch>> RowGroupScan::Next() {
  if (joined_ == num_passing_) {
    SLUICE_TRY(const bool is_there, NextCandidates());
    if (!is_there) return std::optional<RowGroupBatch>();
  }
  std::optional<RowGroupBatch> rest;
  if (rest_ && stages_->residual != nullptr) {
    SLUICE_TRY(rest, rest_->Next());
    if (!rest) return Status::Internal("rows that were asked for did not come");
  }
  SLUICE_TRY(RowGroupBatch joined, Join(std::move(rest)));
  // Of what was pushed everything has to be asked for before more can be.
  if (rest_ && joined_ == num_passing_) {
    SLUICE_TRY(const auto more, rest_->Next());
    if (more) return Status::Internal("more rows came than were asked for");
  }
  return std::optional<RowGroupBatch>(std::move(joined));
}

parquet::ReadCounters RowGroupScan::counters() const {
  parquet::ReadCounters sum = first_->counters();
  if (rest_) sum += rest_->counters();
  return sum;
}

}  // namespace sluice::inline v0::engine
