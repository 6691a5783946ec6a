#include "engine/scan/file_queue.h"

#include <chrono>
#include <utility>

#include "format/model/elapsed.h"
#include "format/model/try.h"
#include "format/parquet/check_cancelled.h"

namespace sluice::inline v0::engine {

void FileQueue::Count(const Verdict& verdict) {
  // First what may need memory: a file is counted once, however often it is tried.
  if (plan_->options.use_file_statistics) {
    ++counters_.file_verdicts[{verdict.outcome, verdict.source, verdict.reason}];
  }
  ++counters_.files_considered;
}

/// Opens the next file that may have rows; false behind the last.
Result<bool> FileQueue::OpenNext() {
  using Clock = std::chrono::steady_clock;
  file_.reset();
  next_row_group_ = 0;
  for (; next_file_ < files_->size(); ++next_file_) {
    SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(plan_->options.read));
    const auto ordinal = static_cast<int32_t>(next_file_);
    const ScanFile& file = (*files_)[next_file_];
    const Verdict verdict = JudgeFile(*plan_, file);
    auto node = open_.extract(ordinal);
    if (verdict.outcome == Verdict::Outcome::kNone && !plan_->options.read.read_everything) {
      Count(verdict);
      ++counters_.files_pruned;
      continue;
    }
    std::optional<OpenFile> open;
    if (node) open = std::move(node.mapped());
    const auto begin = Clock::now();
    const bool is_proven = verdict.outcome == Verdict::Outcome::kAll;
    auto made = MakeFilePlan(plan_, file, ordinal, std::move(open), is_proven);
    counters_.open_nanoseconds += NanosecondsSince(begin);
    // It is still the next one.
    if (made.status().code() == StatusCode::kResourceExhausted) return made.error();
    Count(verdict);
    ++next_file_;
    if (!made) return made.error();
    SLUICE_RETURN_IF_ERROR(AddRows(**made, rows_));
    file_ = *std::move(made);
    return true;
  }
  return false;
}

Result<std::optional<UnitPlace>> FileQueue::Next() {
  SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(plan_->options.read));
  if (released_) {
    auto file = Reopen(*released_);
    if (file.status().code() == StatusCode::kResourceExhausted) return file.error();
    released_.reset();
    if (!file) return file.error();
    file_ = *std::move(file);
  }
  while (!file_ || next_row_group_ >= file_->open.reader->num_row_groups()) {
    SLUICE_TRY(const bool is_there, OpenNext());
    if (!is_there) return std::optional<UnitPlace>();
  }
  return std::optional<UnitPlace>(UnitPlace{file_, next_row_group_++});
}

int64_t FileQueue::RowsLeft() const {
  return file_->first_rows.back() - file_->first_rows[static_cast<size_t>(next_row_group_)];
}

void FileQueue::Release(const FilePlan* kept) {
  if (!file_ || file_.get() == kept) return;
  released_ = file_->ordinal;
  released_rows_ = RowsLeft();
  file_.reset();
}

Result<std::shared_ptr<const FilePlan>> FileQueue::Reopen(int32_t ordinal) const {
  const ScanFile& file = (*files_)[static_cast<size_t>(ordinal)];
  const bool is_proven = JudgeFile(*plan_, file).outcome == Verdict::Outcome::kAll;
  return MakeFilePlan(plan_, file, ordinal, std::nullopt, is_proven);
}

void FileQueue::Stop() {
  const int64_t rows = released_ ? released_rows_ : file_ ? RowsLeft() : 0;
  counters_.rows_considered += rows;
  counters_.rows_not_reached += rows;
  released_.reset();
  file_.reset();
  next_file_ = files_->size();
}

}  // namespace sluice::inline v0::engine
