#pragma once

#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/scan_counters.h>

#include <cstdint>

namespace sluice::inline v0::engine {

/// Counts the data pages of a row group that are read or left out, and why.
///
/// Threads: confined. Lifetime: what it is made of outlives it.
class PageTally final : public parquet::PageObserver {
 public:
  /// `unpruned`: the rows that evidence of pages left; `selection`: those of them that are not
  /// deleted. `next`, if there is one, is told everything too.
  PageTally(const RowSelection& unpruned, const RowSelection& selection, PageObserver* next)
      : unpruned_(unpruned), selection_(selection), next_(next) {}

  void OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                  Fate fate) override;
  void OnDictionaryExclusion(int32_t row_group, int32_t leaf, int64_t pages) override;

  const PageCounters& counters() const { return counters_; }

 private:
  const RowSelection& unpruned_;
  const RowSelection& selection_;
  PageObserver* next_;
  PageCounters counters_;
};

}  // namespace sluice::inline v0::engine
