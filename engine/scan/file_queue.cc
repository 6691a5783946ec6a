#include "engine/scan/file_queue.h"

#include <chrono>
#include <utility>

#include "format/model/elapsed.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

/// Opens the next file that may have rows; false behind the last.
Result<bool> FileQueue::OpenNext() {
  using Clock = std::chrono::steady_clock;
  file_.reset();
  next_row_group_ = 0;
  while (next_file_ < files_->size()) {
    const auto ordinal = static_cast<int32_t>(next_file_);
    const ScanFile& file = (*files_)[next_file_++];
    ++counters_.files_considered;
    const Verdict verdict = JudgeFile(*plan_, file);
    if (plan_->options.use_file_statistics) {
      ++counters_.file_verdicts[{verdict.outcome, verdict.source, verdict.reason}];
    }
    if (verdict.outcome == Verdict::Outcome::kNone && !plan_->options.read.read_everything) {
      ++counters_.files_pruned;
      open_.erase(ordinal);
      continue;
    }
    std::optional<OpenFile> open;
    if (auto node = open_.extract(ordinal)) open = std::move(node.mapped());
    const auto begin = Clock::now();
    const bool is_proven = verdict.outcome == Verdict::Outcome::kAll;
    auto made = MakeFilePlan(plan_, file, ordinal, std::move(open), is_proven);
    counters_.open_nanoseconds += NanosecondsSince(begin);
    if (!made) return made.error();
    file_ = *std::move(made);
    return true;
  }
  return false;
}

Result<std::optional<UnitPlace>> FileQueue::Next() {
  while (!file_ || next_row_group_ >= file_->open.reader->num_row_groups()) {
    SLUICE_TRY(const bool is_there, OpenNext());
    if (!is_there) return std::optional<UnitPlace>();
  }
  return std::optional<UnitPlace>(UnitPlace{file_, next_row_group_++});
}

void FileQueue::Stop() {
  if (file_) {
    const int64_t rows =
        file_->first_rows.back() - file_->first_rows[static_cast<size_t>(next_row_group_)];
    counters_.rows_considered += rows;
    counters_.rows_not_reached += rows;
  }
  file_.reset();
  next_file_ = files_->size();
}

}  // namespace sluice::inline v0::engine
