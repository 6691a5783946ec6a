#pragma once

// What row groups that were read tell about those that come.

#include <sluice/parquet/reader.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/scan/file_predicate.h"

namespace sluice::inline v0::engine {

/// Threads: thread-safe.
class ScanFeedback {
 public:
  /// Puts the filters first that dropped a row in the least time, in this file or in those before
  /// it (contract V-45). Those of which nothing is known stay in front. Whether that is another
  /// order than before.
  bool Order(const FilePredicate& predicate, std::vector<parquet::LeafFilter>& filters) const;
  /// The share of rows that the residual is expected to let pass; absent where nothing is known.
  std::optional<double> PassingShare() const;
  /// Whether that is so few that other columns are better read behind the residual. Where nothing
  /// is known they are.
  static bool AreFew(std::optional<double> passing_share);
  /// What filters of a row group came to. What their dictionaries took says nothing of a row.
  void LearnOfFilters(const FilePredicate& predicate,
                      std::span<const parquet::FilterCounters> filters);
  /// How many rows of a row group the residual was asked about, and how many of them it let pass.
  /// Counts half as much with each row group that follows: rows that are alike often lie together.
  void LearnOfResidual(int64_t judged, int64_t passed);

 private:
  struct FilterCost {
    int64_t nanoseconds = 0;
    int64_t dropped = 0;
  };
  mutable std::mutex mutex_;
  std::map<ColumnPath, FilterCost> filters_;  ///< By column of the table.
  double judged_ = 0;                         ///< Rows that the residual was asked about,
  double passed_ = 0;                         ///< and those that it let pass.
};

}  // namespace sluice::inline v0::engine
