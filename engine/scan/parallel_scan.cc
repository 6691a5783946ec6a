#include "engine/scan/parallel_scan.h"

#include <algorithm>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

/// Row groups that are begun and not taken whole, for each worker.
constexpr size_t kSlotsPerWorker = 4;

/// What a batch keeps, pages that several batches share counted with each.
int64_t BytesKept(const std::vector<Column>& columns) {
  int64_t bytes = 0;
  for (const Column& column : columns) {
    if (column.validity) bytes += column.validity->size();
    if (column.data) bytes += column.data->size();
    for (const BufferRef& buffer : column.view_buffers) bytes += buffer->size();
    bytes += BytesKept(column.children);
  }
  return bytes;
}

}  // namespace

Result<bool> ParallelScan::Start() {
  const int32_t wanted = plan_.options.threads;
  {
    const std::lock_guard lock(mutex_);
    workers_ = idle_ = wanted;
  }
  SLUICE_RETURN_IF_ERROR(calls_.Start(wanted, plan_.options.executor));
  return !calls_.is_inline();
}

void ParallelScan::Work() {
  {
    const std::lock_guard lock(mutex_);
    --idle_;
  }
  WorkFailure failure;
  try {
    while (const std::shared_ptr<Slot> slot = TakeUnit()) {
      if (!slot->is_finished) ScanUnit(*slot);
    }
  } catch (...) {
    // There is no memory for so much as a place for its next row group. Others may go on.
    failure = WorkFailure::OfException();
  }
  {
    const std::lock_guard lock(mutex_);
    if (!failure.ok()) worker_failure_ = std::move(failure);
    --workers_;
    changed_.notify_all();
  }
  TellHost();
}

void ParallelScan::LoseWorker() {
  {
    const std::lock_guard lock(mutex_);
    --workers_;
    --idle_;
    changed_.notify_all();
  }
  TellHost();
}

bool ParallelScan::MayTakeFromQueue() const {
  if (is_queue_done_ || is_queue_in_use_ || needs_room_) return false;
  if (is_queue_short_) return slots_.empty() && idle_ == workers_;
  return slots_.size() < kSlotsPerWorker * static_cast<size_t>(plan_.options.threads);
}

std::shared_ptr<ParallelScan::Slot> ParallelScan::TakeUnit() {
  const auto is_first_left = [&] { return !slots_.empty() && slots_.front()->is_left; };
  const auto are_any_left = [&] {
    return std::any_of(slots_.begin(), slots_.end(), [](const auto& one) { return one->is_left; });
  };
  std::unique_lock lock(mutex_);
  ++idle_;
  changed_.notify_all();
  changed_.wait(lock, [&] {
    return is_stopping_ || is_first_left() || MayTakeFromQueue() ||
           (is_queue_done_ && !are_any_left());
  });
  --idle_;
  if (is_stopping_) return nullptr;
  if (is_first_left()) {
    slots_.front()->is_left = false;
    return slots_.front();
  }
  return is_queue_done_ ? nullptr : TakeFromQueue(lock);
}

std::shared_ptr<ParallelScan::Slot> ParallelScan::TakeFromQueue(
    std::unique_lock<std::mutex>& lock) {
  // What comes from the queue has its place before, so that it cannot be lost.
  std::list<std::shared_ptr<Slot>> place;
  place.push_back(std::make_shared<Slot>());
  const std::shared_ptr<Slot> slot = place.front();
  is_queue_in_use_ = true;
  lock.unlock();
  const bool is_there = TakeNext(*slot);
  lock.lock();
  is_queue_in_use_ = false;
  changed_.notify_all();
  if (slot->failure.has_no_room() && !is_queue_short_) {
    is_queue_short_ = true;
    lock.unlock();
    return TakeUnit();
  }
  is_queue_short_ = false;
  // Behind an error nothing is wanted.
  is_queue_done_ |= !is_there;
  if (!is_there && slot->failure.ok()) {
    lock.unlock();
    TellHost();
    // There may be row groups that are to be scanned once more.
    return TakeUnit();
  }
  if (plan_.options.limit_pushdown) {
    const int64_t wanted = plan_.request.limit - CertainRows();
    if (!plan_.options.read.read_everything) slot->limit = wanted;
    is_queue_done_ |= slot->certain >= wanted;
  }
  slots_.splice(slots_.end(), place);
  if (is_there) return slot;
  lock.unlock();
  TellHost();
  return slot;
}

bool ParallelScan::TakeNext(Slot& slot) {
  try {
    auto next = queue_.Next();
    if (next && !*next) return false;
    if (next) {
      slot.file = std::move((*next)->file);
      slot.file_ordinal = slot.file->ordinal;
      slot.row_group = (*next)->row_group;
      slot.certain = CertainRowsOf(slot);
      return true;
    }
    slot.failure = next.error();
  } catch (...) {
    slot.failure = WorkFailure::OfException();
  }
  slot.is_finished = true;
  return false;
}

int64_t ParallelScan::CertainRowsOf(const Slot& slot) const noexcept {
  if (plan_.request.limit == INT64_MAX) return 0;
  try {
    return ProvenRows(slot.file, slot.row_group);
  } catch (...) {
    // The row group is taken; its worker sees for itself whether there is memory.
    return 0;
  }
}

void ParallelScan::ScanUnit(Slot& slot) {
  for (;;) {
    UnitResult result = TryUnit(slot);
    if (!result.yields && !result.failure.has_no_room()) return Finish(slot, std::move(result));
    if (Leave(slot)) return;
    if (!WaitForRoom()) return Finish(slot, std::move(result));
    const std::lock_guard lock(mutex_);
    DropQueued(slot);
  }
}

Result<std::shared_ptr<const FilePlan>> ParallelScan::FileOf(Slot& slot) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& other : slots_) {
      if (slot.file) break;
      if (other->file_ordinal == slot.file_ordinal) slot.file = other->file;
    }
    if (slot.file) return slot.file;
  }
  SLUICE_TRY(std::shared_ptr<const FilePlan> file, queue_.Reopen(slot.file_ordinal));
  const std::lock_guard lock(mutex_);
  return slot.file = std::move(file);
}

Result<JudgedUnit> ParallelScan::Judge(Slot& slot) {
  SLUICE_TRY(std::shared_ptr<const FilePlan> file, FileOf(slot));
  return JudgeUnit(std::move(file), slot.row_group);
}

ParallelScan::UnitResult ParallelScan::TryUnit(Slot& slot) {
  UnitResult result;
  try {
    result.failure = DoUnit(slot, result);
  } catch (...) {
    result.failure = WorkFailure::OfException();
  }
  return result;
}

Status ParallelScan::DoUnit(Slot& slot, UnitResult& result) {
  int64_t taken = 0;
  {
    const std::lock_guard lock(mutex_);
    taken = slot.delivered;
  }
  SLUICE_TRY(JudgedUnit judged, Judge(slot));
  UnitScan unit(std::move(judged), &feedback_);
  int64_t found = 0;
  Status status;
  while (!result.yields && found < slot.limit) {
    ScanBatch batch;
    const auto outcome = unit.Step(slot.limit - found, &batch);
    status = outcome.status();
    if (!outcome || *outcome == ScanOutcome::kDone) break;
    if (*outcome == ScanOutcome::kBatch) {
      found += batch.batch.num_rows;
      const int64_t dropped = std::min(taken, batch.batch.num_rows);
      taken -= dropped;
      status = DropRows(batch, dropped, *plan_.options.read.pool);
      if (!status.ok()) break;
      if (batch.batch.num_rows > 0) result.yields = !Put(slot, std::move(batch), found);
    } else {
      const std::lock_guard lock(mutex_);
      result.yields = is_stopping_ || MustYield(slot);
    }
  }
  const Status balance = unit.Finish(false);
  result.counters = unit.counters();
  return status.ok() ? balance : status;
}

bool ParallelScan::Leave(Slot& slot) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_ || IsFirst(slot)) return false;
  DropQueued(slot);
  slot.is_left = true;
  changed_.notify_all();
  return true;
}

bool ParallelScan::WaitForRoom() {
  std::unique_lock lock(mutex_);
  const auto is_alone = [&] { return idle_ + 1 == workers_ && !is_queue_in_use_; };
  // All room that there is was not enough.
  if (is_stopping_ || (needs_room_ && is_alone())) return false;
  MakeRoom();
  changed_.wait(lock, [&] { return is_stopping_ || is_alone(); });
  if (is_stopping_) return false;
  DropFiles();
  return true;
}

void ParallelScan::DropFiles() {
  const std::shared_ptr<const FilePlan>& kept = slots_.front()->file;
  queue_.Release(kept.get());
  for (const auto& slot : slots_) {
    if (slot->file != kept) slot->file.reset();
  }
}

bool ParallelScan::MustYield(const Slot& slot) const {
  if (IsFirst(slot) || slots_.empty()) return false;
  return needs_room_ || (slots_.front()->is_left && idle_ == 0);
}

/// Every row group but the first drops what it has.
void ParallelScan::MakeRoom() {
  needs_room_ = true;
  for (const std::shared_ptr<Slot>& slot : slots_) {
    if (IsFirst(*slot) || !slot->is_finished || slot->batches.empty()) continue;
    DropQueued(*slot);
    slot->is_finished = false;
    slot->is_left = true;
  }
  changed_.notify_all();
}

void ParallelScan::DropQueued(Slot& slot) {
  for (const QueuedBatch& queued : slot.batches) queued_bytes_ -= queued.bytes;
  slot.batches.clear();
}

bool ParallelScan::Put(Slot& slot, ScanBatch batch, int64_t found) {
  const int64_t bytes = BytesKept(batch.batch.columns);
  std::unique_lock lock(mutex_);
  if (is_stopping_ || MustYield(slot)) return false;
  slot.batches.push_back({std::move(batch), bytes});
  queued_bytes_ += bytes;
  slot.certain = std::max(slot.certain, found);
  is_queue_done_ |= plan_.options.limit_pushdown && CertainRows() >= plan_.request.limit;
  changed_.notify_all();
  lock.unlock();
  TellHost();
  lock.lock();
  changed_.wait(lock, [&] {
    // Whose turn it is has not to wait for others, but for what it has put aside itself.
    return is_stopping_ || MustYield(slot) || queued_bytes_ < plan_.options.queue_bytes ||
           (IsFirst(slot) && slot.batches.empty());
  });
  return !is_stopping_ && !MustYield(slot);
}

void ParallelScan::Finish(Slot& slot, UnitResult result) {
  {
    const std::lock_guard lock(mutex_);
    slot.failure = std::move(result.failure);
    slot.counters = std::move(result.counters);
    slot.is_finished = true;
    slot.is_cut = result.yields;
    changed_.notify_all();
  }
  TellHost();
}

int64_t ParallelScan::CertainRows() const {
  const int64_t limit = plan_.request.limit;
  int64_t rows = std::min(taken_rows_, limit);
  for (const std::shared_ptr<Slot>& slot : slots_) rows += std::min(slot->certain, limit - rows);
  return rows;
}

}  // namespace sluice::inline v0::engine
