#include "format/parquet/row_group_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/elapsed.h"
#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

using Clock = std::chrono::steady_clock;

/// Whether a leaf is delivered: by itself, or in a struct.
bool IsRead(const Projection& projection, int32_t leaf) {
  const auto& leaves = projection.leaves();
  return std::find(leaves.begin(), leaves.end(), leaf) != leaves.end();
}

/// Filters of one leaf are run together.
std::vector<std::vector<LeafFilter>> GroupByLeaf(std::vector<LeafFilter> filters) {
  std::vector<std::vector<LeafFilter>> groups;
  for (LeafFilter& filter : filters) {
    const int32_t leaf = filter.leaf;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [leaf](const auto& one) { return one.front().leaf == leaf; });
    if (group == groups.end()) group = groups.emplace(group);
    group->push_back(std::move(filter));
  }
  return groups;
}

}  // namespace

Result<RowGroupFilters> RowGroupFilters::Make(RowGroupContext* context,
                                              std::vector<LeafFilter> filters,
                                              const Projection& projection) {
  RowGroupFilters made(context);
  for (std::vector<LeafFilter>& group : GroupByLeaf(std::move(filters))) {
    SLUICE_RETURN_IF_ERROR(made.Add(std::move(group), projection));
  }
  made.order_.resize(made.filters_.size());
  std::iota(made.order_.begin(), made.order_.end(), size_t{0});
  made.PlanWindows();
  return made;
}

Status RowGroupFilters::Add(std::vector<LeafFilter> filters, const Projection& projection) {
  const int32_t ordinal = filters.front().leaf;
  const SchemaTree& tree = *context_->tree;
  if (ordinal < 0 || ordinal >= std::ssize(tree.leaves())) {
    return Status::InvalidArgument(fmt::format("filter: there is no leaf {}", ordinal));
  }
  const Leaf& shape = tree.leaves()[static_cast<size_t>(ordinal)];
  if (shape.max_repetition_level > 0) {
    return Status::InvalidArgument(
        fmt::format("filter: column '{}' is below something repeated", tree.LeafPath(ordinal)));
  }
  const SchemaNode& node = tree.LeafNode(ordinal);
  // As a column of its own its nulls are kept as bits, in a struct as levels.
  const bool is_column = node.parent == 0;
  Filter filter;
  SLUICE_TRY(filter.leaf,
             ProjectedLeaf::Open(context_, ordinal, std::make_shared<const DataType>(node.type),
                                 is_column, true));
  SLUICE_RETURN_IF_ERROR(filter.leaf->FilterBy(filters, IsRead(projection, ordinal)));
  if (filters.size() == 1) filter.undecided = std::move(filters.front().undecided);
  filters_.push_back(std::move(filter));
  counters_.push_back({.leaf = ordinal});
  return Status::Ok();
}

void RowGroupFilters::PlanWindows() {
  const int64_t batch_bytes = context_->options.batch_bytes;
  int64_t row_bytes = 0;
  for (const Filter& filter : filters_) {
    if (!filter.leaf->reader().keeps_values()) continue;
    row_bytes = std::min(row_bytes + filter.leaf->row_bytes(), batch_bytes);
  }
  if (row_bytes > 0) {
    max_window_rows_ = std::clamp<int64_t>(batch_bytes / row_bytes, 1, kWindowRows);
  }
  // What the footer claims may be wrong; who takes more than twice that keeps nothing.
  for (const Filter& filter : filters_) {
    const int64_t claimed = max_window_rows_ * filter.leaf->row_bytes();
    filter.leaf->LimitBytes(2 * std::max(claimed, batch_bytes / 8 + 1));
  }
}

std::vector<ProjectedLeaf*> RowGroupFilters::leaves() {
  std::vector<ProjectedLeaf*> leaves;
  for (Filter& filter : filters_) leaves.push_back(filter.leaf.get());
  return leaves;
}

ProjectedLeaf* RowGroupFilters::KeeperOf(int32_t leaf) {
  for (Filter& filter : filters_) {
    if (filter.leaf->leaf() == leaf && filter.leaf->reader().keeps_values()) {
      return filter.leaf.get();
    }
  }
  return nullptr;
}

void RowGroupFilters::StartWindow() {
  if (context_->options.reorder_filters) Reorder();
  next_ = 0;
  for (Filter& filter : filters_) filter.is_started = false;
}

/// Ascending by the time that it takes to drop a row, without what dictionaries took (contract
/// V-45).
void RowGroupFilters::Reorder() {
  std::vector<double> cost;
  for (const FilterCounters& seen : counters_) {
    const int64_t dropped = seen.rows_tested - seen.rows_passed;
    cost.push_back(static_cast<double>(seen.nanoseconds - seen.setup_nanoseconds) /
                   static_cast<double>(std::max<int64_t>(dropped, 1)));
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return cost[a] < cost[b]; });
}

/// Sets aside the rows that are known to pass.
void RowGroupFilters::StartFilter(Filter& filter, FilterCounters& counters) {
  WantedRows& wanted = context_->wanted;
  filter.leaf->reader().StartWindow();
  filter.is_started = true;
  const auto words = static_cast<size_t>(BitmapWords(wanted.window().size()));
  filter.decided.assign(words, 0);
  if (filter.undecided && !filter.leaf->reader().keeps_values()) {
    std::vector<uint64_t> undecided(words);
    filter.undecided->FillBitmap(wanted.window(), undecided.data());
    for (size_t i = 0; i < words; ++i) {
      filter.decided[i] = wanted.bits()[i] & ~undecided[i];
      wanted.bits()[i] &= undecided[i];
    }
    counters.rows_decided += CountBits(filter.decided.data(), 0, wanted.window().size());
  }
  counters.rows_tested += wanted.CountIn(wanted.window());
  filter.end = wanted.CutBehindLast(wanted.window()).end;
}

Result<bool> RowGroupFilters::Run(Need& need) {
  WantedRows& wanted = context_->wanted;
  for (; next_ < order_.size(); ++next_) {
    Filter& filter = filters_[order_[next_]];
    FilterCounters& counters = counters_[order_[next_]];
    if (!filter.is_started) {
      if (wanted.CountIn(wanted.window()) == 0) break;
      StartFilter(filter, counters);
    }
    const size_t asked = need.ranges.size();
    const auto begin = Clock::now();
    // Where all rows are decided there is none to go on to.
    if (filter.end > wanted.window().begin) {
      SLUICE_RETURN_IF_ERROR(filter.leaf->Fill(filter.end, need));
    }
    counters.nanoseconds += NanosecondsSince(begin);
    counters.setup_nanoseconds = filter.leaf->reader().setup_nanoseconds();
    if (need.ranges.size() > asked) return false;
    FinishFilter(filter, counters);
  }
  NarrowKept();
  return true;
}

void RowGroupFilters::FinishFilter(Filter& filter, FilterCounters& counters) {
  WantedRows& wanted = context_->wanted;
  counters.rows_passed += wanted.CountIn(wanted.window());
  const size_t words = filter.decided.size();
  for (size_t i = 0; i < words; ++i) wanted.bits()[i] |= filter.decided[i];
  filter.passed.assign(wanted.bits(), wanted.bits() + words + kPaddingWords);
}

/// Drops of the values that are kept those of rows that later filters dropped.
void RowGroupFilters::NarrowKept() {
  const WantedRows& wanted = context_->wanted;
  const int64_t rows = wanted.window().size();
  std::vector<uint64_t> left(PaddedWords(rows));
  for (Filter& filter : filters_) {
    if (!filter.is_started || !filter.leaf->reader().keeps_values()) continue;
    context_->kernels->extract_bits(wanted.bits(), filter.passed.data(), rows, left.data());
    filter.leaf->reader().Narrow(left.data());
  }
}

}  // namespace sluice::inline v0::parquet
