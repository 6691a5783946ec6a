// The explanation of a scan, file after file.

#include <sluice/explain.h>

#include <chrono>
#include <utility>

#include "engine/explain/explain_file.h"
#include "engine/explain/explain_row_group.h"
#include "engine/scan/opened_plan.h"
#include "format/model/elapsed.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace {

using engine::BoundExpression;
using engine::ExplainContext;

class Explainer {
 public:
  Explainer(std::shared_ptr<const engine::ScanPlan> plan, const std::vector<ScanFile>& files,
            bool analyze)
      : plan_(std::move(plan)), files_(files), analyze_(analyze) {}

  Result<Explanation> Run() {
    Explanation explanation;
    explanation.is_analyzed = analyze_;
    SLUICE_TRY(conjuncts_, engine::ExplainPredicate(*plan_, explanation));
    SLUICE_TRY(Reservation reservation, plan_->options.read.pool->Reserve(0));
    memory_ = CountedMemory(std::move(reservation));
    context_.memory = &memory_;
    context_.rows_left = plan_->request.limit;
    if (analyze_) context_.feedback = &feedback_;
    explanation.files.reserve(files_.size());
    for (size_t i = 0; i < files_.size(); ++i) {
      FileExplanation& file = explanation.files.emplace_back();
      const Status status = AddFile(static_cast<int32_t>(i), file);
      explanation.counters += file.counters;
      if (status.ok()) continue;
      if (!analyze_) return status;
      context_.has_failed = true;
      explanation.error = status;
    }
    explanation.nanoseconds = context_.nanoseconds + explanation.counters.open_nanoseconds;
    explanation.memory = memory_.FinishShared();
    return explanation;
  }

 private:
  Status AddFile(int32_t ordinal, FileExplanation& explanation);
  Status AddRowGroups(const std::shared_ptr<const engine::FilePlan>& file, engine::PageLog& log,
                      FileExplanation& explanation);

  std::shared_ptr<const engine::ScanPlan> plan_;
  const std::vector<ScanFile>& files_;
  bool analyze_;
  std::vector<BoundExpression> conjuncts_;
  engine::ScanFeedback feedback_;
  CountedMemory memory_;
  ExplainContext context_;
  int64_t rows_ = 0;  ///< Of the files that were opened.
};

Status Explainer::AddFile(int32_t ordinal, FileExplanation& explanation) {
  const ScanFile& file = files_[static_cast<size_t>(ordinal)];
  explanation.path = engine::NameOf(file);
  explanation.is_reached = !context_.is_over();
  if (!explanation.is_reached) return Status::Ok();
  const Verdict verdict = engine::JudgeFile(*plan_, file);
  explanation.verdict = verdict;
  if (verdict.column >= 0) {
    const engine::ColumnPath& path = plan_->tree_columns[static_cast<size_t>(verdict.column)];
    explanation.column = engine::NameOfColumn(*plan_->columns, path);
  }
  explanation.counters.files_considered = 1;
  if (plan_->options.use_file_statistics) {
    explanation.counters.file_verdicts[{verdict.outcome, verdict.source, verdict.reason}] = 1;
  }
  const bool reads_everything = plan_->options.read.read_everything;
  if (verdict.outcome == Verdict::Outcome::kNone && !reads_everything) {
    explanation.is_pruned = true;
    explanation.counters.files_pruned = 1;
    return Status::Ok();
  }
  engine::PageLog log;
  ScanOptions options = plan_->options;
  options.read.page_observer = &log;
  const auto footer = engine::FooterFor(plan_->request, plan_->options, plan_->wants_statistics);
  const auto begin = std::chrono::steady_clock::now();
  SLUICE_TRY(engine::OpenFile open, engine::OpenScanFile(file, footer, options));
  const bool is_proven = verdict.outcome == Verdict::Outcome::kAll;
  SLUICE_TRY(const auto plan,
             engine::MakeFilePlan(plan_, file, ordinal, std::move(open), is_proven));
  explanation.counters.open_nanoseconds = NanosecondsSince(begin);
  SLUICE_RETURN_IF_ERROR(engine::AddRows(*plan, rows_));
  SLUICE_RETURN_IF_ERROR(engine::ExplainFile(*plan, conjuncts_, is_proven, explanation));
  return AddRowGroups(plan, log, explanation);
}

Status Explainer::AddRowGroups(const std::shared_ptr<const engine::FilePlan>& file,
                               engine::PageLog& log, FileExplanation& explanation) {
  engine::RowGroupExplainer explainer(file, explanation, log, context_);
  Status error;
  for (int32_t i = 0; i < file->open.reader->num_row_groups(); ++i) {
    RowGroupExplanation& group = explanation.row_groups.emplace_back();
    const Status status = explainer.Explain(i, group);
    explanation.counters += group.counters;
    if (!status.ok() && !analyze_) return status;
    if (status.ok()) continue;
    // What is behind the first error is not reached.
    context_.has_failed = true;
    error = status;
  }
  return error;
}

}  // namespace

Result<Explanation> ExplainScan(std::vector<ScanFile> files, ScanRequest request,
                                ScanOptions options, bool analyze) {
  options.lazy_columns = false;
  SLUICE_TRY(engine::OpenedPlan opened,
             engine::OpenPlan(files, std::move(request), std::move(options)));
  // Files are opened once more when it is their turn, with what watches their pages.
  opened.open.clear();
  return Explainer(std::move(opened.plan), files, analyze).Run();
}

}  // namespace sluice::inline v0
