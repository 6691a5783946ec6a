#pragma once

// The rows that a scan has to deliver, and what it may end with, by an oracle that goes row by row.

#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::support {

/// A row of a scan of several files.
struct ScanRow {
  int32_t file = 0;
  int64_t position = 0;
  auto operator<=>(const ScanRow&) const = default;
};

/// What becomes of a row that the predicate does not drop.
struct ScanRowFate {
  ScanRow row;
  bool is_error = false;   ///< The predicate as a whole is one.
  bool is_misfit = false;  ///< A value to deliver has no counterpart in the table's type.

  bool is_good() const { return !is_error && !is_misfit; }
};

/// How a scan was run, as far as that has a bearing on what it delivers.
struct ScanConduct {
  int64_t limit = INT64_MAX;
  bool is_ordered = true;
  bool is_lazy = false;     ///< Values that have no counterpart are met only when they are loaded.
  bool has_budget = false;  ///< It may end for want of memory.
};

/// The rows that no predicate drops, ascending.
class ScanExpectation {
 public:
  void Add(const ScanRowFate& fate) { fates_.push_back(fate); }

  const std::vector<ScanRowFate>& fates() const { return fates_; }
  /// How many rows the scan has; absent where it ends with an error.
  std::optional<int64_t> RowsOf(int64_t limit) const;
  /// Fails the test fatally unless these rows, in this order, may be delivered before the scan ends
  /// with `status`.
  void Check(const ScanConduct& conduct, std::vector<ScanRow> delivered,
             const Status& status) const;

 private:
  void CheckOrdered(const ScanConduct& conduct, const std::vector<ScanRow>& delivered,
                    const Status& status) const;
  void CheckUnordered(const ScanConduct& conduct, std::vector<ScanRow> delivered,
                      const Status& status) const;
  /// Whether all from `begin` on are good.
  bool AreGood(size_t begin) const;

  std::vector<ScanRowFate> fates_;
};

}  // namespace sluice::support
