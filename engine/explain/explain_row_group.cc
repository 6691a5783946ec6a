#include "engine/explain/explain_row_group.h"

#include <sluice/parquet/page_index.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "engine/explain/evidence_checks.h"
#include "engine/explain/explain_file.h"
#include "engine/explain/list_pages.h"
#include "format/model/elapsed.h"
#include "format/model/evaluate.h"
#include "format/model/try.h"
#include "format/parquet/leaf_evidence.h"

namespace sluice::inline v0::engine {

namespace {

using Clock = std::chrono::steady_clock;
using Outcome = Verdict::Outcome;

size_t Index(PageFate fate) { return static_cast<size_t>(fate); }

/// What a chunk takes in its file; 0 where that cannot be right.
int64_t BytesOf(const parquet::FileReader& reader, int32_t row_group, int32_t leaf) {
  const auto& columns = reader.metadata()->row_groups[static_cast<size_t>(row_group)].columns;
  if (leaf >= std::ssize(columns)) return 0;
  const auto range =
      parquet::ChunkByteRange(*reader.metadata(), columns[static_cast<size_t>(leaf)]);
  return range ? range->length : 0;
}

std::set<int32_t> LeavesOf(const ColumnStages& stages) {
  std::set<int32_t> leaves;
  const auto add = [&](const parquet::Projection& projection) {
    leaves.insert(projection.leaves().begin(), projection.leaves().end());
  };
  add(stages.first);
  add(stages.rest);
  for (const parquet::Projection& lazy : stages.lazy) add(lazy);
  return leaves;
}

/// Whether a filter of the leaf looks at the statistics of page headers.
bool LooksAtHeaders(const FilePlan& file, int32_t row_group, int32_t leaf) {
  const parquet::ReadOptions& options = file.scan->options.read;
  if (!options.use_page_statistics || options.read_everything) return false;
  const parquet::FileMetadata& metadata = *file.open.reader->metadata();
  const auto& columns = metadata.row_groups[static_cast<size_t>(row_group)].columns;
  return leaf < std::ssize(columns) && !columns[static_cast<size_t>(leaf)].column_index;
}

}  // namespace

RowGroupExplainer::RowGroupExplainer(std::shared_ptr<const FilePlan> file,
                                     const FileExplanation& explanation, PageLog& log,
                                     ExplainContext& context)
    : file_(std::move(file)),
      explanation_(explanation),
      log_(log),
      context_(context),
      columns_(ColumnsOfFile(*file_)),
      sources_(NamesOfSources(*file_)),
      pruning_(PruningFilters(*file_)) {}

Status RowGroupExplainer::Explain(int32_t row_group, RowGroupExplanation& explanation) {
  const auto ordinal = static_cast<size_t>(row_group);
  explanation.row_group = row_group;
  explanation.rows = {file_->first_rows[ordinal], file_->first_rows[ordinal + 1]};
  if (context_.is_over()) {
    explanation.fate = RowGroupFate::kNotReached;
    explanation.counters.rows_considered = explanation.rows.size();
    explanation.counters.rows_not_reached = explanation.rows.size();
    for (const ColumnRoles& column : explanation_.columns) {
      ChunkExplanation& chunk = explanation.chunks.emplace_back();
      chunk.fate = PageFate::kNotReached;
      chunk.bytes = BytesOf(*file_->open.reader, row_group, column.leaf);
      chunk.bytes_by_fate[Index(PageFate::kNotReached)] = chunk.bytes;
    }
    return Status::Ok();
  }
  const auto begin = Clock::now();
  RowGroupJudge judge(file_->predicate, file_->scan->options, *file_->open.reader);
  SLUICE_TRY(const JudgedUnit unit, JudgeUnit(file_, row_group, judge));
  context_.nanoseconds += NanosecondsSince(begin);
  const Verdict& verdict = unit.decision.verdict;
  explanation.verdict = verdict;
  if (verdict.column >= 0) explanation.column = sources_[static_cast<size_t>(verdict.column)];
  explanation.counters = unit.counters;
  const auto residual = file_->predicate.ResidualOf(unit.decision.residual);
  if (residual && !unit.is_settled) explanation.residual = residual->ToString(columns_);
  AddFilters(unit, explanation);
  const bool is_pruned =
      unit.is_settled && unit.num_rows > 0 && unit.decision.selection.count() == 0;
  explanation.fate = is_pruned         ? RowGroupFate::kPruned
                     : unit.is_settled ? RowGroupFate::kSettled
                                       : RowGroupFate::kToRead;
  log_.Clear();
  Status status;
  if (context_.feedback != nullptr) status = Scan(unit, explanation);
  SLUICE_TRY(const std::vector<ChunkNeed> needs, NeedsOf(unit));
  for (size_t column = 0; column < explanation_.columns.size(); ++column) {
    SLUICE_RETURN_IF_ERROR(AddChunk(column, unit, needs[column], judge, explanation));
  }
  explanation.checks = ChecksOf(*file_, judge,
                                {&unit.decision, context_.feedback != nullptr ? &log_ : nullptr,
                                 &explanation_.columns, explanation.chunks});
  return status;
}

Status RowGroupExplainer::Scan(JudgedUnit unit, RowGroupExplanation& explanation) {
  const auto begin = Clock::now();
  UnitScan scan(std::move(unit), context_.feedback);
  ScanOutcome outcome = ScanOutcome::kNoRows;
  Status status;
  while (outcome != ScanOutcome::kDone && context_.rows_left > 0) {
    ScanBatch batch;
    const auto step = scan.Step(context_.rows_left, &batch);
    status = step.status();
    if (!step) break;
    outcome = *step;
    context_.rows_left -= batch.batch.num_rows;
  }
  AddOutcome(scan, explanation);
  const bool reads_rest = file_->scan->options.read.read_everything && status.ok();
  const Status finished = scan.Finish(reads_rest);
  if (status.ok()) status = finished;
  context_.nanoseconds += NanosecondsSince(begin);
  explanation.counters = scan.counters();
  if (explanation.fate == RowGroupFate::kToRead) {
    const bool is_whole = status.ok() && (outcome == ScanOutcome::kDone || reads_rest);
    explanation.fate = is_whole ? RowGroupFate::kRead : RowGroupFate::kCutShort;
  }
  return status;
}

/// What a scan decided, and what its filters came to.
void RowGroupExplainer::AddOutcome(const UnitScan& scan, RowGroupExplanation& explanation) const {
  explanation.is_late = scan.is_late();
  explanation.passing_share = scan.passing_share();
  const std::vector<parquet::FilterCounters> filters = scan.filter_counters();
  for (FilterUse& use : explanation.filters) {
    const int32_t leaf = explanation_.filters[static_cast<size_t>(use.filter)].leaf;
    for (size_t place = 0; place < filters.size(); ++place) {
      const parquet::FilterCounters& seen = filters[place];
      if (seen.leaf != leaf || use.is_proven) continue;
      use.place = static_cast<int32_t>(place);
      use.rows_tested = seen.rows_tested;
      use.rows_passed = seen.rows_passed;
      use.nanoseconds = seen.nanoseconds;
      use.setup_nanoseconds = seen.setup_nanoseconds;
    }
  }
}

void RowGroupExplainer::AddFilters(const JudgedUnit& unit, RowGroupExplanation& explanation) const {
  if (unit.is_settled) return;
  // Those that have to run are in the order of all.
  size_t next = 0;
  for (size_t i = 0; i < file_->predicate.filters.size(); ++i) {
    const FilePredicate::Filter& filter = file_->predicate.filters[i];
    if (!filter.IsUsed(unit.decision.residual)) continue;
    FilterUse& use = explanation.filters.emplace_back();
    use.filter = static_cast<int32_t>(i);
    use.is_proven = true;
    if (next == unit.decision.filters.size()) continue;
    const parquet::LeafFilter& left = unit.decision.filters[next];
    if (left.leaf != filter.leaf || left.filter.ToString() != filter.filter.ToString()) continue;
    ++next;
    use.is_proven = false;
    use.rows_undecided =
        left.undecided ? unit.selection.And(*left.undecided).count() : unit.selection.count();
  }
}

/// What becomes of every page, where that is the same.
std::optional<PageFate> RowGroupExplainer::FateOfAll(const JudgedUnit& unit) const {
  if (unit.num_rows == 0) return PageFate::kNotNeeded;
  if (!unit.is_settled) return std::nullopt;
  if (unit.decision.verdict.outcome == Outcome::kNone) return PageFate::kPrunedByRowGroup;
  if (unit.decision.selection.count() == 0) return PageFate::kPrunedByPage;
  if (unit.selection.count() == 0) return PageFate::kSkipped;
  return PageFate::kNotNeeded;
}

Result<std::vector<RowGroupExplainer::ChunkNeed>> RowGroupExplainer::NeedsOf(
    const JudgedUnit& unit) const {
  const std::optional<PageFate> fate_of_all = FateOfAll(unit);
  SLUICE_TRY(const auto stages, file_->StagesFor(unit.decision.residual, true));
  const std::set<int32_t> staged = LeavesOf(*stages);
  std::vector<ChunkNeed> needs;
  for (const ColumnRoles& column : explanation_.columns) {
    ChunkNeed& need = needs.emplace_back();
    need.fate = fate_of_all;
    need.is_for_all_rows = staged.count(column.leaf) > 0;
    int num_filters = 0;
    for (const parquet::LeafFilter& filter : unit.decision.filters) {
      if (filter.leaf != column.leaf) continue;
      ++num_filters;
      if (filter.undecided) need.rows = *filter.undecided;
      // Several filters of a leaf run together, on all rows.
      if (!filter.undecided || num_filters > 1) need.is_for_all_rows = true;
      if (LooksAtHeaders(*file_, unit.row_group, column.leaf)) {
        need.header_filters.push_back(&filter.filter);
      }
    }
    const bool is_needed = need.is_for_all_rows || num_filters > 0;
    if (!is_needed && !need.fate) need.fate = PageFate::kNotNeeded;
  }
  return needs;
}

PageFate RowGroupExplainer::FateOf(const PageExplanation& page, int32_t leaf,
                                   const JudgedUnit& unit, const ChunkNeed& need,
                                   RowGroupFate fate) const {
  const auto seen = log_.FateOf(leaf, page.offset);
  if (seen == PageLog::Fate::kOpened) return PageFate::kDecoded;
  if (page.rows) {
    if (unit.decision.selection.CountIn(*page.rows) == 0) return PageFate::kPrunedByPage;
    if (unit.selection.CountIn(*page.rows) == 0) return PageFate::kSkipped;
    if (!need.is_for_all_rows && need.rows.CountIn(*page.rows) == 0) return PageFate::kNotNeeded;
  }
  if (log_.IsExcluded(leaf)) return PageFate::kPrunedByRowGroup;
  if (seen == PageLog::Fate::kExcluded) return PageFate::kPrunedByPage;
  switch (fate) {
    case RowGroupFate::kRead:
      return PageFate::kSkipped;
    case RowGroupFate::kCutShort:
      return seen ? PageFate::kSkipped : PageFate::kNotReached;
    default:
      return PageFate::kToRead;
  }
}

void RowGroupExplainer::AddVerdicts(int32_t leaf, const RowGroupJudge& judge,
                                    ChunkExplanation& chunk) const {
  for (const FilterNode* node : pruning_) {
    const auto source = static_cast<size_t>(node->column);
    if (file_->predicate.sources[source].leaf != leaf) continue;
    if (source >= judge.indexed_columns().size()) return;
    const RowGroupJudge::IndexedColumn& indexed = judge.indexed_columns()[source];
    if (indexed.pages.size() != chunk.pages.size()) return;
    for (size_t page = 0; page < chunk.pages.size(); ++page) {
      chunk.pages[page].verdicts.push_back(Evaluate(node->filter, indexed.pages[page]));
    }
  }
}

Status RowGroupExplainer::AddPages(int32_t leaf, const JudgedUnit& unit, const ChunkNeed& need,
                                   RowGroupFate fate, ChunkExplanation& chunk) {
  const parquet::FileReader& reader = *file_->open.reader;
  const parquet::LeafEvidence evidence(*reader.metadata(), *reader.tree(), leaf);
  std::vector<bool> are_excluded;
  PageVisitor visit;
  if (!need.header_filters.empty()) {
    visit = [&](PageExplanation& page, const std::optional<parquet::Statistics>& statistics) {
      const Evidence known = evidence.OfPage(statistics, page.num_values);
      for (const FilterNode* node : pruning_) {
        const FilePredicate::Source& source =
            file_->predicate.sources[static_cast<size_t>(node->column)];
        if (source.leaf == leaf) page.verdicts.push_back(Evaluate(node->filter, known));
      }
      are_excluded.push_back(std::any_of(
          need.header_filters.begin(), need.header_filters.end(),
          [&](const auto* filter) { return Evaluate(*filter, known).outcome == Outcome::kNone; }));
    };
  }
  chunk.pages_error = ListPages(reader, unit.row_group, leaf, visit, *context_.memory, chunk.pages);
  if (chunk.pages_error.code() == StatusCode::kResourceExhausted) return chunk.pages_error;
  for (size_t i = 0; i < chunk.pages.size(); ++i) {
    PageExplanation& page = chunk.pages[i];
    page.fate = FateOf(page, leaf, unit, need, fate);
    const bool is_open = page.fate == PageFate::kToRead || page.fate == PageFate::kSkipped;
    if (is_open && i < are_excluded.size() && are_excluded[i]) page.fate = PageFate::kPrunedByPage;
    ++chunk.page_counts[Index(page.fate)];
    chunk.bytes_by_fate[Index(page.fate)] += page.bytes;
  }
  return Status::Ok();
}

Status RowGroupExplainer::AddChunk(size_t column, const JudgedUnit& unit, const ChunkNeed& need,
                                   const RowGroupJudge& judge, RowGroupExplanation& explanation) {
  const parquet::FileReader& reader = *file_->open.reader;
  const int32_t leaf = explanation_.columns[column].leaf;
  ChunkExplanation& chunk = explanation.chunks.emplace_back();
  chunk.bytes = BytesOf(reader, unit.row_group, leaf);
  chunk.fate = need.fate;
  if (chunk.fate) {
    chunk.bytes_by_fate[Index(*chunk.fate)] = chunk.bytes;
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(AddPages(leaf, unit, need, explanation.fate, chunk));
  AddVerdicts(leaf, judge, chunk);
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
