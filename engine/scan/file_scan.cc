#include <fmt/format.h>
#include <sluice/scan.h>

#include <algorithm>
#include <utility>

#include "engine/scan/predicate_plan.h"
#include "engine/scan/row_group_decision.h"
#include "engine/scan/row_group_scan.h"
#include "format/model/column_rows.h"
#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace {

void AddColumns(const Expression& expression, std::vector<std::string>& names) {
  if (expression.kind == Expression::Kind::kColumn) names.push_back(expression.path.front());
  for (const Expression& child : expression.children) AddColumns(child, names);
}

/// What of a footer the request needs.
parquet::FooterOptions FooterFor(const ScanRequest& request, const ScanOptions& options) {
  parquet::FooterOptions footer;
  if (!options.partial_footer) return footer;
  footer.statistics = request.where.has_value() && options.use_statistics;
  // Names that match in any case are not known before the schema is.
  if (!request.columns || (request.where && options.ignore_case)) return footer;
  footer.columns.emplace();
  for (const parquet::ColumnPath& path : *request.columns) footer.columns->push_back(path.front());
  if (request.where) AddColumns(*request.where, *footer.columns);
  return footer;
}

}  // namespace

class FileScan::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Open(std::shared_ptr<RandomAccessFile> file,
                                            ScanRequest request, ScanOptions options);

  const std::shared_ptr<const Schema>& schema() const { return whole_.schema; }
  const parquet::FileReader& reader() const { return *reader_; }
  Result<std::optional<ScanBatch>> Next();
  const ScanCounters& counters() const { return counters_; }

 private:
  Impl(ScanRequest request, ScanOptions options, engine::ColumnStages whole)
      : request_(std::move(request)),
        options_(std::move(options)),
        whole_(std::move(whole)),
        with_residual_(whole_) {}

  Result<std::optional<ScanBatch>> Advance();
  /// Judges and opens the next row group that has to be read; false behind the last.
  Result<bool> OpenRowGroup();
  Status CloseRowGroup();
  ScanBatch Deliver(parquet::RowGroupBatch rows);
  /// The first rows of a row group at once, where they have no columns and all pass.
  void DeliverCount(int64_t rows);

  ScanRequest request_;
  ScanOptions options_;
  std::shared_ptr<RandomAccessFile> file_;
  std::shared_ptr<parquet::FileReader> reader_;
  engine::PredicatePlan plan_;
  engine::ColumnStages whole_;  ///< Where no residual is left.
  engine::ColumnStages with_residual_;
  std::optional<engine::RowGroupJudge> judge_;

  int32_t next_row_group_ = 0;
  std::optional<engine::RowGroupScan> row_group_;
  int64_t row_group_rows_ = 0;      ///< Of the open row group,
  int64_t row_group_selected_ = 0;  ///< those not pruned by page,
  int64_t row_group_cut_ = 0;       ///< those behind the limit for certain,
  int64_t row_group_begin_ = 0;     ///< the position of its first row,
  int64_t row_group_delivered_ = 0;
  int64_t next_row_group_begin_ = 0;
  std::optional<ScanBatch> counted_;  ///< A row group that need not be opened.
  Status error_;
  ScanCounters counters_;
};

Result<std::unique_ptr<FileScan::Impl>> FileScan::Impl::Open(std::shared_ptr<RandomAccessFile> file,
                                                             ScanRequest request,
                                                             ScanOptions options) {
  if (request.limit < 0) return Status::InvalidArgument("limit must not be negative");
  SLUICE_TRY(std::shared_ptr<parquet::FileReader> reader,
             parquet::FileReader::Open(file, options.read, FooterFor(request, options)));
  options.read.pool = reader->options().pool;
  const auto& tree = reader->tree();
  auto output = request.columns ? parquet::Projection::Of(tree, *request.columns)
                                : parquet::Projection::All(tree);
  const std::string place = FilePlace(file->name());
  if (!output) return output.error().In(place);
  auto plan = engine::PlanPredicate(request, options, *tree);
  if (!plan) return plan.error().In(place);
  std::unique_ptr<Impl> impl(
      new Impl(std::move(request), std::move(options), engine::StagesWithoutResidual(*output)));
  impl->plan_ = *std::move(plan);
  const bool is_late = impl->options_.late_materialization && !impl->options_.read.read_everything;
  SLUICE_TRY(impl->with_residual_,
             engine::PlanStages(*reader, *output, impl->request_, impl->plan_, is_late));
  impl->file_ = std::move(file);
  impl->reader_ = std::move(reader);
  impl->judge_.emplace(impl->plan_, impl->options_, *impl->reader_);
  return impl;
}

Result<std::optional<ScanBatch>> FileScan::Impl::Next() {
  if (!error_.ok()) return error_;
  auto batch = Advance();
  if (!batch) return error_ = InFile(file_->name(), batch.error());
  return batch;
}

Result<std::optional<ScanBatch>> FileScan::Impl::Advance() {
  while (counters_.rows_delivered < request_.limit) {
    if (!row_group_) {
      SLUICE_TRY(const bool is_there, OpenRowGroup());
      if (!is_there) return std::optional<ScanBatch>();
    }
    if (counted_) return std::exchange(counted_, std::nullopt);
    SLUICE_TRY(auto rows, row_group_->Next());
    if (rows) return std::optional<ScanBatch>(Deliver(*std::move(rows)));
    SLUICE_RETURN_IF_ERROR(CloseRowGroup());
  }
  // What is to be read whole is, although nobody takes the rows.
  for (bool more = row_group_ && options_.read.read_everything; more;) {
    SLUICE_TRY(const auto rows, row_group_->Next());
    more = rows.has_value();
  }
  if (row_group_) SLUICE_RETURN_IF_ERROR(CloseRowGroup());
  for (; next_row_group_ < reader_->num_row_groups(); ++next_row_group_) {
    const auto group = static_cast<size_t>(next_row_group_);
    counters_.rows_considered += reader_->metadata()->row_groups[group].num_rows;
    counters_.rows_not_reached += reader_->metadata()->row_groups[group].num_rows;
  }
  return std::optional<ScanBatch>();
}

Result<bool> FileScan::Impl::OpenRowGroup() {
  for (; next_row_group_ < reader_->num_row_groups(); ++next_row_group_) {
    const int64_t rows =
        reader_->metadata()->row_groups[static_cast<size_t>(next_row_group_)].num_rows;
    row_group_begin_ = next_row_group_begin_;
    next_row_group_begin_ += rows;
    ++counters_.row_groups_considered;
    counters_.rows_considered += rows;
    SLUICE_TRY(engine::RowGroupDecision decision, judge_->Judge(next_row_group_));
    counters_.metadata_bytes = judge_->metadata_bytes();
    const Verdict& verdict = decision.verdict;
    ++counters_.row_group_verdicts[{verdict.outcome, verdict.source, verdict.reason}];
    if (verdict.outcome == Verdict::Outcome::kNone && !options_.read.read_everything) {
      ++counters_.row_groups_pruned;
      counters_.rows_pruned_by_row_group += rows;
      continue;
    }
    if (decision.selection.count() == 0 && !options_.read.read_everything) {
      counters_.rows_pruned_by_page += rows;
      continue;
    }
    row_group_cut_ = 0;
    if (verdict.outcome == Verdict::Outcome::kAll) {
      ++counters_.row_groups_proven;
      const int64_t wanted = std::min(rows, request_.limit - counters_.rows_delivered);
      row_group_cut_ = rows - wanted;
      decision.selection = RowSelection::All(wanted);
      if (whole_.first.columns().empty() && !options_.read.read_everything) {
        DeliverCount(wanted);
        ++next_row_group_;
        return true;
      }
    }
    SLUICE_TRY(
        engine::RowGroupScan opened,
        engine::RowGroupScan::Open(file_, *reader_, decision.has_residual ? with_residual_ : whole_,
                                   next_row_group_, decision));
    row_group_.emplace(std::move(opened));
    row_group_rows_ = rows;
    row_group_selected_ = decision.selection.count();
    row_group_delivered_ = 0;
    ++next_row_group_;
    return true;
  }
  return false;
}

/// Adds the row group to the account, and checks that its rows balance.
Status FileScan::Impl::CloseRowGroup() {
  const int64_t pruned = row_group_rows_ - row_group_selected_ - row_group_cut_;
  const int64_t passed = row_group_->rows_after_filters();
  const int64_t left = passed - row_group_->rows_rejected() - row_group_delivered_;
  const bool is_finished = counters_.rows_delivered < request_.limit;
  if (left < 0 || passed > row_group_selected_ || (is_finished && left != 0)) {
    return Status::Internal(fmt::format(
        "row group {}: rows do not balance: {} read, {} passed filters, {} rejected, {} delivered",
        next_row_group_ - 1, row_group_selected_, passed, row_group_->rows_rejected(),
        row_group_delivered_));
  }
  counters_.rows_pruned_by_page += pruned;
  counters_.rows_rejected += row_group_->rows_rejected();
  // Where the limit cut the row group short, filters may not have seen the other rows.
  (is_finished ? counters_.rows_filtered : counters_.rows_not_reached) +=
      row_group_selected_ - passed;
  counters_.rows_not_reached += left + row_group_cut_;
  counters_.data += row_group_->counters();
  row_group_.reset();
  return Status::Ok();
}

void FileScan::Impl::DeliverCount(int64_t rows) {
  counted_.emplace();
  counted_->batch.schema = whole_.schema;
  counted_->batch.num_rows = rows;
  counted_->rows = {row_group_begin_, row_group_begin_ + rows};
  counters_.rows_delivered += rows;
  counters_.rows_not_reached += row_group_cut_;
}

ScanBatch FileScan::Impl::Deliver(parquet::RowGroupBatch rows) {
  ScanBatch result;
  result.batch = std::move(rows.batch);
  result.rows = {row_group_begin_ + rows.rows.begin, row_group_begin_ + rows.rows.end};
  result.selected = std::move(rows.selected);
  const int64_t count = std::min(result.batch.num_rows, request_.limit - counters_.rows_delivered);
  if (count < result.batch.num_rows) {
    result.batch.num_rows = count;
    for (Column& column : result.batch.columns) column = FirstRows(std::move(column), count);
    result.rows.end = result.rows.begin + count;
    // The rows behind the last one that is left.
    int64_t end = 0;
    for (int64_t seen = 0; !result.selected.empty() && seen < count; ++end) {
      seen += GetBit(result.selected.data(), end) ? 1 : 0;
      result.rows.end = result.rows.begin + end + 1;
    }
    if (!result.selected.empty()) {
      result.selected.resize(static_cast<size_t>(BitmapWords(end)));
      result.selected.back() &= LowBits(end - (BitmapWords(end) - 1) * 64);
    }
  }
  counters_.rows_delivered += count;
  row_group_delivered_ += count;
  return result;
}

FileScan::FileScan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileScan::~FileScan() = default;

Result<std::unique_ptr<FileScan>> FileScan::Open(std::shared_ptr<RandomAccessFile> file,
                                                 ScanRequest request, ScanOptions options) {
  SLUICE_TRY(auto impl, Impl::Open(std::move(file), std::move(request), std::move(options)));
  return std::unique_ptr<FileScan>(new FileScan(std::move(impl)));
}

const std::shared_ptr<const Schema>& FileScan::schema() const { return impl_->schema(); }
const parquet::FileReader& FileScan::reader() const { return impl_->reader(); }
Result<std::optional<ScanBatch>> FileScan::Next() { return impl_->Next(); }
const ScanCounters& FileScan::counters() const { return impl_->counters(); }

}  // namespace sluice::inline v0
