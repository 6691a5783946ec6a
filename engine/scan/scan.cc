#include <fmt/format.h>
#include <sluice/scan.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/scan/file_queue.h"
#include "engine/scan/opened_plan.h"
#include "engine/scan/parallel_scan.h"
#include "engine/scan/row_tally.h"
#include "engine/scan/scan_plan.h"
#include "engine/scan/unit_scan.h"
#include "format/model/try.h"
#include "format/parquet/check_cancelled.h"

namespace sluice::inline v0 {

namespace {

engine::RowClaims::Place PlaceOf(const engine::JudgedUnit& unit) {
  return {unit.file->ordinal, unit.row_group};
}

}  // namespace

class Scan::Impl {
 public:
  Impl(engine::OpenedPlan opened, std::vector<ScanFile> files)
      : plan_(std::move(opened.plan)),
        files_(std::move(files)),
        queue_(plan_, files_, std::move(opened.open)),
        left_(plan_->request.limit),
        is_alone_(plan_->options.threads == 1) {
    finished_.open_nanoseconds = opened.open_nanoseconds;
  }

  const engine::ScanPlan& plan() const { return *plan_; }
  Result<ScanOutcome> Step(bool waits, ScanBatch* batch);
  Status Load(ScanBatch& batch, size_t column);
  Result<CountBounds> Count();
  const ScanCounters& counters();

 private:
  Result<ScanOutcome> Advance(bool waits, ScanBatch* batch);
  Result<ScanOutcome> AdvanceAlone(ScanBatch* batch);
  Status StartParallel();
  Result<ScanOutcome> AdvanceParallel(bool waits, ScanBatch* batch);
  /// Adds the row group that was scanned to the account.
  Status CloseUnit();
  /// What metadata say of row groups that are not finished.
  Result<engine::RowClaims> ReadClaims();
  /// Nothing more will be delivered.
  Status End();

  std::shared_ptr<const engine::ScanPlan> plan_;
  std::vector<ScanFile> files_;
  engine::FileQueue queue_;
  engine::ScanFeedback feedback_;
  int64_t left_;  ///< Rows that the limit allows.
  std::optional<engine::UnitScan> unit_;
  std::optional<engine::ParallelScan> parallel_;
  bool is_alone_;  ///< All work is done on the thread that asks for batches.
  bool is_ended_ = false;
  Status error_;
  int64_t steps_ = 0;      ///< The number of a batch is that of its step.
  ScanCounters finished_;  ///< Of row groups, and what Count read.
  ScanCounters counters_;
  engine::RowTally rows_;
};

Result<ScanOutcome> Scan::Impl::Step(bool waits, ScanBatch* batch) {
  if (!error_.ok()) return error_;
  if (is_ended_) return ScanOutcome::kDone;
  ++steps_;
  auto outcome = Advance(waits, batch);
  if (outcome && *outcome == ScanOutcome::kBatch) {
    left_ -= batch->batch.num_rows;
    batch->number = steps_;
    // What is under way is not wanted any more.
    if (left_ == 0 && parallel_) error_ = End();
    return outcome;
  }
  if (!outcome) error_ = outcome.error();
  if (!outcome || *outcome == ScanOutcome::kDone) {
    const Status ended = End();
    if (error_.ok()) error_ = ended;
    if (!error_.ok()) return error_;
  }
  return outcome;
}

Result<ScanOutcome> Scan::Impl::Advance(bool waits, ScanBatch* batch) {
  if (left_ == 0) return ScanOutcome::kDone;
  SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(plan_->options.read));
  if (!is_alone_ && !parallel_) SLUICE_RETURN_IF_ERROR(StartParallel());
  return is_alone_ ? AdvanceAlone(batch) : AdvanceParallel(waits, batch);
}

Result<ScanOutcome> Scan::Impl::AdvanceAlone(ScanBatch* batch) {
  if (!unit_) {
    SLUICE_TRY(auto place, queue_.Next());
    if (!place) return ScanOutcome::kDone;
    SLUICE_TRY(engine::JudgedUnit judged,
               engine::JudgeUnit(std::move(place->file), place->row_group));
    unit_.emplace(std::move(judged), &feedback_);
  }
  SLUICE_TRY(const ScanOutcome outcome, unit_->Step(left_, batch));
  if (outcome != ScanOutcome::kDone) return outcome;
  rows_.Finish(PlaceOf(unit_->unit()), unit_->bounds().most, true);
  SLUICE_RETURN_IF_ERROR(CloseUnit());
  return ScanOutcome::kNoRows;
}

Status Scan::Impl::StartParallel() {
  parallel_.emplace(*plan_, queue_, feedback_, rows_);
  SLUICE_TRY(const bool has_workers, parallel_->Start());
  is_alone_ = !has_workers;
  if (is_alone_) parallel_.reset();
  return Status::Ok();
}

Result<ScanOutcome> Scan::Impl::AdvanceParallel(bool waits, ScanBatch* batch) {
  SLUICE_TRY(const ScanOutcome outcome, parallel_->Step(waits, batch));
  if (outcome == ScanOutcome::kBatch) parallel_->Cut(*batch, left_);
  return outcome;
}

Status Scan::Impl::CloseUnit() {
  const Status status = unit_->Finish(plan_->options.read.read_everything && error_.ok());
  finished_ += unit_->counters();
  unit_.reset();
  return status;
}

Status Scan::Impl::End() {
  is_ended_ = true;
  Status status;
  if (unit_) status = CloseUnit();
  if (parallel_) {
    // What is to be read whole is, although nobody takes the rows.
    status = parallel_->Stop(plan_->options.read.read_everything && error_.ok());
    finished_ += parallel_->counters();
    parallel_.reset();
  }
  queue_.Stop();
  return status;
}

Status Scan::Impl::Load(ScanBatch& batch, size_t column) {
  if (column >= batch.batch.columns.size()) {
    return Status::InvalidArgument(fmt::format("there is no column {}", column));
  }
  if (batch.loaded.empty() || batch.loaded[column]) return Status::Ok();
  if (batch.number != steps_ || !unit_) {
    return Status::InvalidArgument(
        "a column can be loaded until the next batch is asked for, not any more");
  }
  if (!error_.ok()) return error_;
  const Status status = unit_->Load(batch, column);
  if (status.code() != StatusCode::kInvalidArgument) error_ = status;
  return status;
}

Result<engine::RowClaims> Scan::Impl::ReadClaims() {
  SLUICE_TRY(Reservation reservation, plan_->options.read.pool->Reserve(0));
  engine::RowClaims claims(std::move(reservation));
  engine::FileQueue queue(plan_, files_, {});
  for (;;) {
    SLUICE_TRY(auto place, queue.Next());
    if (!place) return claims;
    if (rows_.is_finished({place->file->ordinal, place->row_group})) continue;
    SLUICE_TRY(const engine::JudgedUnit unit,
               engine::JudgeUnit(std::move(place->file), place->row_group));
    finished_.metadata_bytes += unit.counters.metadata_bytes;
    finished_.judge_nanoseconds += unit.counters.judge_nanoseconds;
    SLUICE_RETURN_IF_ERROR(claims.Add(PlaceOf(unit), unit.bounds));
  }
}

Result<CountBounds> Scan::Impl::Count() {
  if (!error_.ok()) return error_;
  const int64_t limit = plan_->request.limit;
  const int64_t delivered = limit - left_;
  if (is_ended_ || left_ == 0) return CountBounds{delivered, delivered};
  if (!rows_.has_claims()) {
    SLUICE_TRY(engine::RowClaims claims, ReadClaims());
    rows_.SetClaims(std::move(claims));
  }
  if (unit_) rows_.Narrow(PlaceOf(unit_->unit()), unit_->bounds());
  const CountBounds total = rows_.total();
  return CountBounds{std::min(std::max(total.least, delivered), limit),
                     std::min(total.most, limit)};
}

const ScanCounters& Scan::Impl::counters() {
  counters_ = finished_;
  if (parallel_) {
    counters_ += parallel_->counters();
  } else {
    counters_ += queue_.counters();
  }
  return counters_;
}

Scan::Scan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Scan::~Scan() = default;

Result<std::unique_ptr<Scan>> Scan::Open(std::vector<ScanFile> files, ScanRequest request,
                                         ScanOptions options) {
  SLUICE_TRY(engine::OpenedPlan opened,
             engine::OpenPlan(files, std::move(request), std::move(options)));
  return Start(std::move(opened), std::move(files));
}

std::unique_ptr<Scan> Scan::Start(engine::OpenedPlan opened, std::vector<ScanFile> files) {
  return std::unique_ptr<Scan>(
      new Scan(std::make_unique<Impl>(std::move(opened), std::move(files))));
}

const std::shared_ptr<const Schema>& Scan::schema() const { return impl_->plan().output_schema; }
const std::shared_ptr<const Schema>& Scan::table_schema() const { return impl_->plan().table; }

Result<std::optional<ScanBatch>> Scan::Next() {
  for (;;) {
    ScanBatch batch;
    SLUICE_TRY(const ScanOutcome outcome, impl_->Step(true, &batch));
    if (outcome == ScanOutcome::kBatch) return std::optional<ScanBatch>(std::move(batch));
    if (outcome == ScanOutcome::kDone) return std::optional<ScanBatch>();
  }
}

Result<ScanOutcome> Scan::Step(ScanBatch* batch) { return impl_->Step(false, batch); }
Status Scan::Load(ScanBatch& batch, size_t column) { return impl_->Load(batch, column); }
Result<CountBounds> Scan::Count() { return impl_->Count(); }
const ScanCounters& Scan::counters() const { return impl_->counters(); }

}  // namespace sluice::inline v0
