#include "engine/explain/evidence_checks.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "engine/explain/explain_file.h"
#include "engine/scan/filter_cache.h"
#include "format/model/evaluate.h"
#include "format/parquet/leaf_evidence.h"

namespace sluice::inline v0::engine {

namespace {

using Outcome = Verdict::Outcome;
using Source = FilePredicate::Source;

/// What it means that evidence which was there proved nothing for this reason.
CheckState StateOf(Reason reason) {
  switch (reason) {
    case Reason::kNoStatistics:
      return CheckState::kNotThere;
    case Reason::kBoundsUndecided:
    case Reason::kDistinctValuesUndecided:
    case Reason::kMembershipUndecided:
    case Reason::kNullsPresent:
    case Reason::kNansPresent:
      return CheckState::kUndecided;
    case Reason::kNoFilterForm:
      return CheckState::kNotOfUse;
    default:
      return CheckState::kUnusable;
  }
}

/// The checks of one row group.
class Checks {
 public:
  Checks(const FilePlan& file, const RowGroupJudge& judge, const ReadRowGroup& read)
      : file_(file), judge_(judge), read_(read) {
    const std::vector<Evidence>& known = judge.evidence();
    for (size_t i = 0; i < known.size(); ++i) {
      statistics_.push_back(judge.StatisticsOf(i));
      statistics_.back().row_count = known[i].row_count;
    }
    is_decided_by_statistics_ =
        Evaluate(file.predicate.tree, statistics_).outcome != Outcome::kSome;
  }

  /// `ordinal`: among the filters of the same leaf.
  std::vector<EvidenceCheck> Of(const FilterNode& node, size_t ordinal) const {
    std::vector<EvidenceCheck> checks{OfStatistics(node), OfBloomFilter(node),
                                      OfPages(node, ordinal), OfDictionary(node)};
    constexpr EvidenceSource kSources[] = {EvidenceSource::kRowGroup, EvidenceSource::kBloomFilter,
                                           EvidenceSource::kPage, EvidenceSource::kDictionary};
    for (size_t i = 0; i < checks.size(); ++i) checks[i].source = kSources[i];
    return checks;
  }

 private:
  EvidenceCheck OfStatistics(const FilterNode& node) const {
    const auto source = static_cast<size_t>(node.column);
    if (!options().use_statistics) return In(CheckState::kSwitchedOff);
    if (IsLeaf(source) && judge_.ChunkOf(source) == nullptr) return In(CheckState::kUnusable);
    return WithVerdict(Evaluate(node.filter, statistics_[source]));
  }

  EvidenceCheck OfBloomFilter(const FilterNode& node) const {
    const auto source = static_cast<size_t>(node.column);
    if (!options().use_bloom_filters) return In(CheckState::kSwitchedOff);
    if (!IsLeaf(source) || !AsksForValues(node.filter)) return In(CheckState::kNotOfUse);
    const parquet::ColumnChunk* chunk = judge_.ChunkOf(source);
    if (chunk == nullptr || !chunk->bloom_filter_offset) return In(CheckState::kNotThere);
    if (is_decided_by_statistics_ ||
        Evaluate(node.filter, statistics_[source]).outcome != Outcome::kSome) {
      return In(CheckState::kNotLookedAt);
    }
    const Evidence& known = judge_.evidence()[source];
    if (!known.membership) return In(CheckState::kUnusable);
    return WithVerdict(Evaluate(node.filter, known));
  }

  EvidenceCheck OfPages(const FilterNode& node, size_t ordinal) const {
    const auto source = static_cast<size_t>(node.column);
    if (!IsLeaf(source)) return In(CheckState::kNotOfUse);
    const parquet::ColumnChunk* chunk = judge_.ChunkOf(source);
    if (chunk == nullptr) return In(CheckState::kUnusable);
    if (!chunk->column_index) return OfPageHeaders(node, ordinal);
    if (!options().use_page_index || options().read.read_everything) {
      return In(CheckState::kSwitchedOff);
    }
    if (is_decided() || judge_.indexed_columns().empty()) return In(CheckState::kNotLookedAt);
    const std::vector<Evidence>& pages = judge_.indexed_columns()[source].pages;
    if (pages.empty() && IsDecided(node)) return In(CheckState::kNotLookedAt);
    if (pages.empty()) {
      EvidenceCheck check = In(CheckState::kUnusable);
      check.reason = Reason::kIndexContradictory;
      return check;
    }
    std::vector<Verdict> verdicts;
    for (const Evidence& page : pages) verdicts.push_back(Evaluate(node.filter, page));
    return WithPages(verdicts);
  }

  /// Without a column index filters of the decoder look at the pages' own statistics.
  EvidenceCheck OfPageHeaders(const FilterNode& node, size_t ordinal) const {
    const auto source = static_cast<size_t>(node.column);
    if (!options().read.use_page_statistics || options().read.read_everything) {
      return In(CheckState::kSwitchedOff);
    }
    const int32_t leaf = file_.predicate.sources[source].leaf;
    if (!RunsInDecoder(node)) return In(CheckState::kNotOfUse);
    std::vector<Verdict> verdicts;
    for (size_t i = 0; i < read_.columns->size(); ++i) {
      if ((*read_.columns)[i].leaf != leaf) continue;
      for (const PageExplanation& page : read_.chunks[i].pages) {
        if (ordinal < page.verdicts.size()) verdicts.push_back(page.verdicts[ordinal]);
      }
    }
    return verdicts.empty() ? In(CheckState::kNotLookedAt) : WithPages(verdicts);
  }

  /// It is known once the filter has met it.
  EvidenceCheck OfDictionary(const FilterNode& node) const {
    const auto source = static_cast<size_t>(node.column);
    if (!options().read.prune_by_dictionary || options().read.read_everything) {
      return In(CheckState::kSwitchedOff);
    }
    if (!RunsInDecoder(node)) return In(CheckState::kNotOfUse);
    const parquet::ColumnChunk* chunk = judge_.ChunkOf(source);
    if (chunk == nullptr || !parquet::IsAllDictionary(*chunk)) return In(CheckState::kNotThere);
    const int32_t leaf = file_.predicate.sources[source].leaf;
    if (read_.log == nullptr || !HasToRun(node)) return In(CheckState::kNotLookedAt);
    Verdict verdict;
    if (read_.log->IsExcluded(leaf)) {
      verdict.outcome = Outcome::kNone;
      verdict.reason = Reason::kDistinctValues;
    } else if (read_.log->Count(leaf, parquet::PageObserver::Fate::kOpened) > 0) {
      verdict.reason = Reason::kDistinctValuesUndecided;
    } else {
      return In(CheckState::kNotLookedAt);
    }
    return WithVerdict(verdict);
  }

  const ScanOptions& options() const { return file_.scan->options; }
  bool is_decided() const { return read_.decision->verdict.outcome != Outcome::kSome; }
  bool IsLeaf(size_t source) const {
    return file_.predicate.sources[source].kind == Source::Kind::kLeaf;
  }
  bool IsDecided(const FilterNode& node) const {
    const Evidence& known = judge_.evidence()[static_cast<size_t>(node.column)];
    return Evaluate(node.filter, known).outcome != Outcome::kSome;
  }
  /// Whether a filter of the decoder is that of the node, and not only one of the same column.
  template <typename Filter>
  bool IsOf(const FilterNode& node, const Filter& filter) const {
    return filter.leaf == file_.predicate.sources[static_cast<size_t>(node.column)].leaf &&
           AreSame(filter.filter, node.filter);
  }
  /// Whether it runs in the decoder, in row groups in which it has to.
  bool RunsInDecoder(const FilterNode& node) const {
    const auto& filters = file_.predicate.filters;
    return std::any_of(filters.begin(), filters.end(), [&](const FilePredicate::Filter& filter) {
      return IsOf(node, filter) && filter.IsUsed(read_.decision->residual);
    });
  }
  /// Whether it has to run for any row of this one.
  bool HasToRun(const FilterNode& node) const {
    const auto& filters = read_.decision->filters;
    return std::any_of(filters.begin(), filters.end(), [&](const parquet::LeafFilter& filter) {
      return IsOf(node, filter) && (!filter.undecided || filter.undecided->count() > 0);
    });
  }

  static EvidenceCheck In(CheckState state) {
    EvidenceCheck check;
    check.state = state;
    return check;
  }
  static EvidenceCheck WithVerdict(const Verdict& verdict) {
    const bool is_decided = verdict.outcome != Outcome::kSome;
    EvidenceCheck check = In(is_decided ? CheckState::kDecided : StateOf(verdict.reason));
    check.outcome = verdict.outcome;
    check.reason = verdict.reason;
    return check;
  }
  static EvidenceCheck WithPages(const std::vector<Verdict>& verdicts) {
    EvidenceCheck check;
    check.pages = std::ssize(verdicts);
    for (const Verdict& verdict : verdicts) {
      check.pages_excluded += verdict.outcome == Outcome::kNone ? 1 : 0;
      check.pages_proven += verdict.outcome == Outcome::kAll ? 1 : 0;
      // Why the first page that is open is so.
      if (verdict.outcome == Outcome::kSome && check.reason == Reason::kNoEvidence) {
        check.reason = verdict.reason;
      }
    }
    const bool is_decided = check.pages_excluded + check.pages_proven > 0;
    check.state = is_decided ? CheckState::kDecided : StateOf(check.reason);
    return check;
  }

  const FilePlan& file_;
  const RowGroupJudge& judge_;
  const ReadRowGroup& read_;
  std::vector<Evidence> statistics_;  ///< One a source.
  bool is_decided_by_statistics_ = false;
};

}  // namespace

std::vector<EvidenceCheck> ChecksOf(const FilePlan& file, const RowGroupJudge& judge,
                                    const ReadRowGroup& read) {
  const Checks checks(file, judge, read);
  std::vector<EvidenceCheck> all;
  std::map<int32_t, size_t> ordinals;
  int32_t filter = 0;
  for (const FilterNode* node : PruningFilters(file)) {
    const int32_t leaf = file.predicate.sources[static_cast<size_t>(node->column)].leaf;
    for (EvidenceCheck& check : checks.Of(*node, ordinals[leaf]++)) {
      check.filter = filter;
      all.push_back(check);
    }
    ++filter;
  }
  return all;
}

}  // namespace sluice::inline v0::engine
