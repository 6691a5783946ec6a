#pragma once

// Row groups scanned side by side, and their batches put in order.

#include <sluice/scan.h>
#include <sluice/status.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>

#include "engine/scan/file_queue.h"
#include "engine/scan/row_tally.h"
#include "engine/scan/scan_feedback.h"
#include "engine/scan/unit_scan.h"
#include "engine/scan/work_calls.h"
#include "engine/scan/work_failure.h"

namespace sluice::inline v0::engine {

/// Workers take row groups from the queue in its order and put batches aside until they are taken.
/// A worker whose row group is not the first one waits while too many bytes are put aside. Where
/// the pool has no room all the same, the first row group gets it: the others drop what they have,
/// and begin again when it is their turn, files behind its own included; a file whose footer has no
/// room is opened once all row groups before it are taken. So a budget that is enough for one
/// thread, and two batches more, is for several. Memory that the process has not is as little room.
/// An exception in a worker ends what it was thrown in, as an error would. Row groups behind those
/// that reach the limit for certain are left alone.
///
/// Threads: its own and the executor's; calls are confined. Lifetime: plan, queue, feedback and
/// tally outlive it.
class ParallelScan {
 public:
  ParallelScan(const ScanPlan& plan, FileQueue& queue, ScanFeedback& feedback, RowTally& rows)
      : plan_(plan), queue_(queue), feedback_(feedback), rows_(rows) {}
  /// Stops the workers, and waits for them.
  ~ParallelScan() { EndWork(); }

  /// Whether there are workers: not where the executor has nothing but this thread for them.
  /// Errors: kResourceExhausted where the system has no threads, or the executor throws.
  Result<bool> Start();
  /// The next batch; kWaiting while there is none and `waits` is not set. What is in front of an
  /// error comes before it, where batches are ordered.
  Result<ScanOutcome> Step(bool waits, ScanBatch* batch);
  /// The first `count` rows of a batch that Step gave; the others are not delivered.
  void Cut(ScanBatch& batch, int64_t count);
  /// Lets workers end early, and waits for them; what they had done is in the counters then. With
  /// `reads_rest` row groups that were taken in part are read to their end, as far as they were
  /// not. Errors: of that reading.
  Status Stop(bool reads_rest);

  /// Of row groups that are finished and taken; after Stop of all.
  const ScanCounters& counters() const { return counters_; }

 private:
  struct QueuedBatch {
    ScanBatch batch;
    int64_t bytes = 0;
  };
  /// A row group that a worker has.
  struct Slot {
    std::shared_ptr<const FilePlan> file;  ///< Absent while it is left; FileOf opens it again.
    int32_t file_ordinal = 0;
    int32_t row_group = 0;
    bool is_left = false;  ///< It made room, and has to be scanned once more.
    std::deque<QueuedBatch> batches;
    bool is_finished = false;
    bool is_cut = false;  ///< Finished before its end, as the scan stops.
    WorkFailure failure;
    ScanCounters counters;
    int64_t delivered = 0;
    int64_t limit = INT64_MAX;  ///< Rows of it that are wanted at most.
    int64_t certain = 0;        ///< Rows that it has at least, as far as that is known.
  };
  /// What came of scanning it.
  struct UnitResult {
    bool yields = false;  ///< It ended early to make room.
    WorkFailure failure;
    ScanCounters counters;
  };

  /// What a worker does. Throws nothing.
  void Work();
  /// A worker has ended without having begun.
  void LoseWorker();
  /// Lets workers end early, and waits for them.
  void EndWork();
  /// The next row group, with the place for what comes of it; null where there is none.
  std::shared_ptr<Slot> TakeUnit();
  std::shared_ptr<Slot> TakeFromQueue(std::unique_lock<std::mutex>& lock);
  /// Whether there is one; if not, it may be because of an error. Throws nothing.
  bool TakeNext(Slot& slot);
  /// Rows that it has for certain, where there is a limit, before it is scanned.
  int64_t CertainRowsOf(const Slot& slot) const noexcept;
  /// Whether the next row group of the queue is wanted now. Under the lock.
  bool MayTakeFromQueue() const;
  Result<std::shared_ptr<const FilePlan>> FileOf(Slot& slot);
  Result<JudgedUnit> Judge(Slot& slot);
  void ScanUnit(Slot& slot);
  /// Scans the row group, but for its first rows that were taken already. Throws nothing.
  UnitResult TryUnit(Slot& slot);
  Status DoUnit(Slot& slot, UnitResult& result);
  /// Reads a row group, of which the first rows were taken, once more and to its end.
  Status ReadWhole(Slot& slot);
  /// Puts a batch aside, and waits while there are too many. `found`: rows of the row group, with
  /// those of the batch. Whether the row group is to go on.
  bool Put(Slot& slot, ScanBatch batch, int64_t found);
  /// Rows that row groups which were taken from the queue have at least. Under the lock.
  int64_t CertainRows() const;
  /// Gives the row group up, to be scanned once more when it is the first; false where it is that
  /// already, or the scan ends.
  bool Leave(Slot& slot);
  /// Waits until the first row group has all room for itself; false where it had, or the scan ends.
  bool WaitForRoom();
  bool IsFirst(const Slot& slot) const { return !slots_.empty() && slots_.front().get() == &slot; }
  /// Whether its worker or its memory is needed for the first one. Under the lock, as all that
  /// follow.
  bool MustYield(const Slot& slot) const;
  void DropQueued(Slot& slot);
  void MakeRoom();
  /// Lets go of files that the first row group does not need.
  void DropFiles();
  void Finish(Slot& slot, UnitResult result);
  /// Whether Step would have something to do. Under the lock.
  bool IsReady() const;
  /// Calls the host if that waits for it, and it need not any more. By workers, without the lock.
  void TellHost() noexcept;
  /// A batch that is there, or what there is instead.
  Result<ScanOutcome> Take(ScanBatch* batch);
  void Account(const Slot& slot);

  const ScanPlan& plan_;
  FileQueue& queue_;
  ScanFeedback& feedback_;
  RowTally& rows_;  ///< Of the thread that calls.

  std::mutex mutex_;  ///< For what follows.
  std::condition_variable changed_;
  std::list<std::shared_ptr<Slot>> slots_;  ///< By the order of units.
  int64_t queued_bytes_ = 0;
  bool is_queue_in_use_ = false;
  bool is_queue_done_ = false;   ///< Nothing more is wanted of it.
  bool is_queue_short_ = false;  ///< There was no room to open its next file.
  int32_t workers_ = 0;          ///< That have not ended,
  int32_t idle_ = 0;  ///< and those of them that hold no memory: they wait, or have not begun.
  WorkFailure worker_failure_;  ///< Of one that ended although there was more to do.
  int64_t taken_rows_ = 0;      ///< Of row groups that are taken whole.
  bool needs_room_ = false;     ///< The first row group does.
  bool is_stopping_ = false;
  bool is_host_waiting_ = false;  ///< Until it is told.
  WorkFailure host_failure_;      ///< Of telling it.
  ScanCounters counters_;

  WorkCalls calls_{[this] { Work(); }, [this] { LoseWorker(); }};
};

}  // namespace sluice::inline v0::engine
