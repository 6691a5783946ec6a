// The side of a parallel scan that takes what its workers put aside.

#include <algorithm>
#include <utility>

#include "engine/scan/parallel_scan.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

bool ParallelScan::IsReady() const {
  if (workers_ == 0 || !host_failure_.ok()) return true;
  for (const std::shared_ptr<Slot>& slot : slots_) {
    // One without rows has to be taken too, as it is in the way of others.
    if (!slot->batches.empty() || slot->is_finished) return true;
    if (plan_.options.ordered) return false;
  }
  return slots_.empty() && is_queue_done_;
}

void ParallelScan::TellHost() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!is_host_waiting_ || is_stopping_ || !IsReady()) return;
    is_host_waiting_ = false;
  }
  try {
    plan_.options.on_ready();
  } catch (...) {
    WorkFailure failure = WorkFailure::OfException();
    const std::lock_guard lock(mutex_);
    host_failure_ = std::move(failure);
    changed_.notify_all();
  }
}

void ParallelScan::Account(const Slot& slot) {
  taken_rows_ += slot.delivered;
  counters_ += slot.counters;
  // What was put aside and not taken is not delivered.
  const int64_t dropped = slot.counters.rows_delivered - slot.delivered;
  counters_.rows_delivered -= dropped;
  if (dropped >= 0) {
    counters_.rows_not_reached += dropped;
  } else {
    // An exception ended it: there is no account but of what was taken.
    counters_.rows_considered -= dropped;
  }
}

Result<ScanOutcome> ParallelScan::Take(ScanBatch* batch) {
  if (!host_failure_.ok()) return host_failure_.ToStatus();
  for (auto at = slots_.begin(); at != slots_.end();) {
    Slot& slot = **at;
    if (!slot.batches.empty()) {
      *batch = std::move(slot.batches.front().batch);
      queued_bytes_ -= slot.batches.front().bytes;
      slot.batches.pop_front();
      slot.delivered += batch->batch.num_rows;
      changed_.notify_all();
      return ScanOutcome::kBatch;
    }
    if (slot.is_finished) {
      if (!slot.failure.ok()) return slot.failure.ToStatus();
      Account(slot);
      const bool is_oldest = at == slots_.begin();
      rows_.Finish({slot.file_ordinal, slot.row_group}, slot.delivered, is_oldest);
      if (is_oldest) needs_room_ = false;
      at = slots_.erase(at);
      changed_.notify_all();
      continue;
    }
    if (plan_.options.ordered) break;
    ++at;
  }
  if (slots_.empty() && is_queue_done_) return ScanOutcome::kDone;
  if (workers_ > 0) return ScanOutcome::kWaiting;
  if (!worker_failure_.ok()) return worker_failure_.ToStatus();
  return Status::ResourceExhausted("the executor of the host dropped the scan's work");
}

Result<ScanOutcome> ParallelScan::Step(bool waits, ScanBatch* batch) {
  std::unique_lock lock(mutex_);
  for (;;) {
    SLUICE_TRY(const ScanOutcome outcome, Take(batch));
    if (outcome != ScanOutcome::kWaiting) return outcome;
    is_host_waiting_ = !waits && plan_.options.on_ready;
    if (!waits) return outcome;
    changed_.wait(lock);
  }
}

void ParallelScan::Cut(ScanBatch& batch, int64_t count) {
  const int64_t dropped = std::max<int64_t>(batch.batch.num_rows - count, 0);
  CutBatch(batch, count, *plan_.options.read.pool);
  counters_.rows_delivered -= dropped;
  counters_.rows_not_reached += dropped;
}

Status ParallelScan::ReadWhole(Slot& slot) {
  SLUICE_TRY(JudgedUnit judged, Judge(slot));
  UnitScan unit(std::move(judged), &feedback_);
  for (int64_t left = slot.delivered; left > 0;) {
    ScanBatch batch;
    SLUICE_TRY(const ScanOutcome outcome, unit.Step(left, &batch));
    if (outcome == ScanOutcome::kDone) break;
    left -= batch.batch.num_rows;
  }
  const Status status = unit.Finish(true);
  slot.counters = unit.counters();
  return status;
}

void ParallelScan::EndWork() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
  }
  plan_.abandoned->store(true);
  calls_.End();
  plan_.abandoned->store(false);
}

Status ParallelScan::Stop(bool reads_rest) {
  EndWork();
  // By now there is all room for it.
  for (const auto& slot : slots_) DropQueued(*slot);
  Status status;
  for (const auto& slot : slots_) {
    const bool is_whole = slot->is_finished && !slot->is_cut && slot->failure.ok();
    if (reads_rest && status.ok() && slot->delivered > 0 && !is_whole) status = ReadWhole(*slot);
    Account(*slot);
  }
  slots_.clear();
  return status;
}

}  // namespace sluice::inline v0::engine
