#include "engine/scan/scan_feedback.h"

#include <algorithm>

namespace sluice::inline v0::engine {

namespace {

/// Below this share of passing rows it pays to read other columns behind the residual: rows that
/// are left are picked one by one, which costs more a row than reading all.
constexpr double kFewShare = 0.8;

const ColumnPath& TableColumnOf(const FilePredicate& predicate, int32_t leaf) {
  const auto filter =
      std::find_if(predicate.filters.begin(), predicate.filters.end(),
                   [&](const FilePredicate::Filter& one) { return one.leaf == leaf; });
  return filter->table_column;
}

}  // namespace

bool ScanFeedback::Order(const FilePredicate& predicate,
                         std::vector<parquet::LeafFilter>& filters) const {
  const std::lock_guard lock(mutex_);
  if (filters_.empty()) return false;
  const auto cost = [&](const parquet::LeafFilter& filter) {
    const auto known = filters_.find(TableColumnOf(predicate, filter.leaf));
    if (known == filters_.end()) return 0.0;
    return static_cast<double>(known->second.nanoseconds) /
           static_cast<double>(std::max<int64_t>(known->second.dropped, 1));
  };
  const auto is_cheaper = [&](const auto& a, const auto& b) { return cost(a) < cost(b); };
  if (std::is_sorted(filters.begin(), filters.end(), is_cheaper)) return false;
  std::stable_sort(filters.begin(), filters.end(), is_cheaper);
  return true;
}

std::optional<double> ScanFeedback::PassingShare() const {
  const std::lock_guard lock(mutex_);
  if (judged_ == 0) return std::nullopt;
  return passed_ / judged_;
}

bool ScanFeedback::AreFew(std::optional<double> passing_share) {
  return !passing_share || *passing_share < kFewShare;
}

void ScanFeedback::LearnOfFilters(const FilePredicate& predicate,
                                  std::span<const parquet::FilterCounters> filters) {
  const std::lock_guard lock(mutex_);
  for (const parquet::FilterCounters& seen : filters) {
    if (seen.rows_tested == 0) continue;
    FilterCost& cost = filters_[TableColumnOf(predicate, seen.leaf)];
    cost.nanoseconds += seen.nanoseconds - seen.setup_nanoseconds;
    cost.dropped += seen.rows_tested - seen.rows_passed;
  }
}

void ScanFeedback::LearnOfResidual(int64_t judged, int64_t passed) {
  const std::lock_guard lock(mutex_);
  if (judged == 0) return;
  judged_ = judged_ / 2 + static_cast<double>(judged);
  passed_ = passed_ / 2 + static_cast<double>(passed);
}

}  // namespace sluice::inline v0::engine
