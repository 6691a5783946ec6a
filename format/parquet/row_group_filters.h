#pragma once

#include <sluice/parquet/projection.h>
#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "format/parquet/projected_leaf.h"

namespace sluice::inline v0::parquet {

/// The filters of a row group: run over one window after the other, each on the rows that those
/// before it left, the one first that drops a row in the least time.
///
/// Threads: confined.
class RowGroupFilters {
 public:
  /// `context` outlives this. Errors: kInvalidArgument for a leaf that is not there or below
  /// something repeated, or a filter that is not for its type; as ProjectedLeaf::Open.
  static Result<RowGroupFilters> Make(RowGroupContext* context, std::vector<LeafFilter> filters,
                                      const Projection& projection);

  /// How many rows a window has at most, so that the values that are kept have room.
  int64_t max_window_rows() const { return max_window_rows_; }
  /// Every leaf that is read for a filter, as far as reading goes without filtering.
  std::vector<ProjectedLeaf*> leaves();
  /// The filter's leaf that keeps the values of a projected leaf, if there is one; it may stop
  /// keeping them.
  ProjectedLeaf* KeeperOf(int32_t leaf);

  /// Begins the window of the context's wanted rows.
  void StartWindow();
  /// Goes on with the window. True when all filters ran, and what is kept are the values of the
  /// rows that passed them all; false while bytes are missing, which are added to `need`.
  Result<bool> Run(Need& need);

  /// One a leaf, in the order in which leaves were first given.
  const std::vector<FilterCounters>& counters() const { return counters_; }

 private:
  struct Filter {
    std::unique_ptr<ProjectedLeaf> leaf;
    std::optional<RowSelection> undecided;
    bool is_started = false;        ///< In this window.
    int64_t end = 0;                ///< Behind the last row of the window to be looked at.
    std::vector<uint64_t> decided;  ///< Rows of the window known to pass.
    std::vector<uint64_t> passed;   ///< Rows of the window left behind this filter.
  };

  explicit RowGroupFilters(RowGroupContext* context) : context_(context) {}
  Status Add(std::vector<LeafFilter> filters, const Projection& projection);
  void PlanWindows();
  void StartFilter(Filter& filter, FilterCounters& counters);
  void FinishFilter(Filter& filter, FilterCounters& counters);
  void NarrowKept();
  void Reorder();

  RowGroupContext* context_;
  std::vector<Filter> filters_;
  std::vector<FilterCounters> counters_;
  std::vector<size_t> order_;
  int64_t max_window_rows_ = kWindowRows;
  size_t next_ = 0;  ///< In order_.
};

}  // namespace sluice::inline v0::parquet
