#include "engine/scan/parallel_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
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

ParallelScan::~ParallelScan() { static_cast<void>(Stop(false)); }

Status ParallelScan::Start() {
  const int32_t wanted = plan_.options.threads;
  for (int32_t i = 0; i < wanted; ++i) {
    {
      const std::lock_guard lock(mutex_);
      ++workers_;
      ++idle_;
    }
    if (plan_.options.executor) {
      plan_.options.executor([this] { Work(); });
      continue;
    }
    try {
      threads_.emplace_back([this] { Work(); });
    } catch (const std::system_error& error) {
      const std::lock_guard lock(mutex_);
      --workers_;
      --idle_;
      // Fewer threads do the same work.
      if (!threads_.empty()) break;
      return Status::ResourceExhausted(fmt::format("no thread can be started: {}", error.what()));
    }
  }
  return Status::Ok();
}

void ParallelScan::Work() {
  {
    const std::lock_guard lock(mutex_);
    --idle_;
  }
  while (const std::shared_ptr<Slot> slot = TakeUnit()) {
    if (!slot->is_finished) ScanUnit(*slot);
  }
  // Notified under the lock: once it is given up, the scan may be gone.
  const std::lock_guard lock(mutex_);
  --workers_;
  changed_.notify_all();
}

bool ParallelScan::MayTakeFromQueue() const {
  if (is_queue_empty_ || is_queue_in_use_ || needs_room_) return false;
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
           (is_queue_empty_ && !are_any_left());
  });
  --idle_;
  if (is_stopping_) return nullptr;
  if (is_first_left()) {
    slots_.front()->is_left = false;
    return slots_.front();
  }
  return is_queue_empty_ ? nullptr : TakeFromQueue(lock);
}

std::shared_ptr<ParallelScan::Slot> ParallelScan::TakeFromQueue(
    std::unique_lock<std::mutex>& lock) {
  is_queue_in_use_ = true;
  lock.unlock();
  auto next = queue_.Next();
  lock.lock();
  is_queue_in_use_ = false;
  is_queue_empty_ = next && !*next;
  changed_.notify_all();
  const bool has_no_room = next.status().code() == StatusCode::kResourceExhausted;
  if (has_no_room && !is_queue_short_) {
    is_queue_short_ = true;
    lock.unlock();
    return TakeUnit();
  }
  is_queue_short_ = false;
  auto slot = std::make_shared<Slot>();
  if (is_queue_empty_) {
    // There may be row groups that are to be scanned once more.
    lock.unlock();
    return TakeUnit();
  }
  slots_.push_back(slot);
  if (next) {
    slot->file = (*next)->file;
    slot->file_ordinal = slot->file->ordinal;
    slot->row_group = (*next)->row_group;
  } else {
    slot->error = next.error();
    slot->is_finished = true;
  }
  return slot;
}

void ParallelScan::ScanUnit(Slot& slot) {
  for (;;) {
    UnitResult result = TryUnit(slot);
    const bool has_no_room = result.error.code() == StatusCode::kResourceExhausted;
    if (!result.yields && !has_no_room) return Finish(slot, std::move(result));
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
  int64_t taken = 0;
  {
    const std::lock_guard lock(mutex_);
    taken = slot.delivered;
  }
  auto judged = Judge(slot);
  if (!judged) {
    result.error = judged.error();
    return result;
  }
  result.bounds = judged->bounds;
  UnitScan unit(*std::move(judged), &feedback_);
  while (!result.yields) {
    ScanBatch batch;
    const auto outcome = unit.Step(INT64_MAX, &batch);
    result.error = outcome.status();
    if (!outcome || *outcome == ScanOutcome::kDone) break;
    if (*outcome == ScanOutcome::kBatch) {
      const int64_t dropped = std::min(taken, batch.batch.num_rows);
      taken -= dropped;
      result.error = DropRows(batch, dropped, *plan_.options.read.pool);
      if (!result.error.ok()) break;
      if (batch.batch.num_rows > 0) result.yields = !Put(slot, std::move(batch));
    } else {
      const std::lock_guard lock(mutex_);
      result.yields = is_stopping_ || MustYield(slot);
    }
  }
  const Status balance = unit.Finish(false);
  if (result.error.ok()) result.error = balance;
  result.counters = unit.counters();
  return result;
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
  for (size_t i = 1; i < slots_.size(); ++i) {
    Slot& slot = *slots_[i];
    if (!slot.is_finished || slot.batches.empty()) continue;
    DropQueued(slot);
    slot.is_finished = false;
    slot.is_left = true;
  }
  changed_.notify_all();
}

void ParallelScan::DropQueued(Slot& slot) {
  for (const int64_t bytes : slot.bytes) queued_bytes_ -= bytes;
  slot.batches.clear();
  slot.bytes.clear();
}

bool ParallelScan::Put(Slot& slot, ScanBatch batch) {
  const int64_t bytes = BytesKept(batch.batch.columns);
  std::unique_lock lock(mutex_);
  if (is_stopping_ || MustYield(slot)) return false;
  slot.batches.push_back(std::move(batch));
  slot.bytes.push_back(bytes);
  queued_bytes_ += bytes;
  changed_.notify_all();
  changed_.wait(lock, [&] {
    // Whose turn it is has not to wait for others, but for what it has put aside itself.
    return is_stopping_ || MustYield(slot) || queued_bytes_ < plan_.options.queue_bytes ||
           (IsFirst(slot) && slot.batches.empty());
  });
  return !is_stopping_ && !MustYield(slot);
}

void ParallelScan::Finish(Slot& slot, UnitResult result) {
  const std::lock_guard lock(mutex_);
  slot.error = std::move(result.error);
  slot.counters = result.counters;
  slot.bounds = result.bounds;
  slot.is_finished = true;
  slot.is_cut = result.yields;
  changed_.notify_all();
}

void ParallelScan::Account(const Slot& slot) {
  counters_ += slot.counters;
  // What was put aside and not taken is not delivered.
  const int64_t dropped = slot.counters.rows_delivered - slot.delivered;
  counters_.rows_delivered -= dropped;
  counters_.rows_not_reached += dropped;
  settled_.least += slot.delivered - slot.bounds.least;
  settled_.most += slot.delivered - slot.bounds.most;
}

Result<ScanOutcome> ParallelScan::Take(ScanBatch* batch) {
  for (auto at = slots_.begin(); at != slots_.end();) {
    Slot& slot = **at;
    if (!slot.batches.empty()) {
      *batch = std::move(slot.batches.front());
      slot.batches.pop_front();
      queued_bytes_ -= slot.bytes.front();
      slot.bytes.pop_front();
      slot.delivered += batch->batch.num_rows;
      changed_.notify_all();
      return ScanOutcome::kBatch;
    }
    if (slot.is_finished) {
      if (!slot.error.ok()) return slot.error;
      Account(slot);
      if (at == slots_.begin()) needs_room_ = false;
      at = slots_.erase(at);
      changed_.notify_all();
      continue;
    }
    if (plan_.options.ordered) break;
    ++at;
  }
  // The last worker has ended, and nothing that it left is here.
  if (slots_.empty() && workers_ == 0) return ScanOutcome::kDone;
  return ScanOutcome::kWaiting;
}

Result<ScanOutcome> ParallelScan::Step(bool waits, ScanBatch* batch) {
  std::unique_lock lock(mutex_);
  for (;;) {
    SLUICE_TRY(const ScanOutcome outcome, Take(batch));
    if (outcome != ScanOutcome::kWaiting || !waits) return outcome;
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
  slot.bounds = judged.bounds;
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

Status ParallelScan::Stop(bool reads_rest) {
  {
    std::unique_lock lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return workers_ == 0; });
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  // By now there is all room for it.
  for (const auto& slot : slots_) DropQueued(*slot);
  Status status;
  for (const auto& slot : slots_) {
    const bool is_whole = slot->is_finished && !slot->is_cut && slot->error.ok();
    if (reads_rest && status.ok() && slot->delivered > 0 && !is_whole) status = ReadWhole(*slot);
    Account(*slot);
  }
  slots_.clear();
  return status;
}

}  // namespace sluice::inline v0::engine
