#include "tests/support/scan_expectation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace sluice::support {

std::optional<int64_t> ScanExpectation::RowsOf(int64_t limit) const {
  const auto end = fates_.begin() + std::min<int64_t>(limit, std::ssize(fates_));
  const bool are_good =
      std::all_of(fates_.begin(), end, [](const auto& fate) { return fate.is_good(); });
  return are_good ? std::optional<int64_t>(end - fates_.begin()) : std::nullopt;
}

bool ScanExpectation::AreGood(size_t begin) const {
  return std::all_of(fates_.begin() + static_cast<std::ptrdiff_t>(begin), fates_.end(),
                     [](const auto& fate) { return fate.is_good(); });
}

void ScanExpectation::Check(const ScanConduct& conduct, std::vector<ScanRow> delivered,
                            const Status& status) const {
  const bool is_known = status.ok() || status.code() == StatusCode::kRowError ||
                        (conduct.has_budget && status.code() == StatusCode::kResourceExhausted);
  ASSERT_TRUE(is_known) << status.ToString();
  if (conduct.is_ordered) return CheckOrdered(conduct, delivered, status);
  CheckUnordered(conduct, std::move(delivered), status);
}

void ScanExpectation::CheckOrdered(const ScanConduct& conduct,
                                   const std::vector<ScanRow>& delivered,
                                   const Status& status) const {
  ASSERT_LE(delivered.size(), fates_.size()) << "there are too many rows";
  for (size_t i = 0; i < delivered.size(); ++i) {
    ASSERT_EQ(delivered[i], fates_[i].row) << "row " << i;
    ASSERT_FALSE(fates_[i].is_error) << "the error of a row is lost";
    ASSERT_TRUE(conduct.is_lazy || !fates_[i].is_misfit) << "a value has no counterpart";
  }
  const auto count = std::ssize(delivered);
  ASSERT_LE(count, conduct.limit);
  if (status.ok()) {
    ASSERT_EQ(count, std::min<int64_t>(conduct.limit, std::ssize(fates_))) << "rows are missing";
  } else if (status.code() == StatusCode::kRowError) {
    ASSERT_LT(count, conduct.limit) << status.ToString();
    ASSERT_LT(count, std::ssize(fates_)) << status.ToString();
    // Every row before the one that fails, and no other. Of a lazy batch all rows fail with one.
    ASSERT_TRUE(conduct.is_lazy ? !AreGood(delivered.size()) : !fates_[delivered.size()].is_good())
        << status.ToString();
  }
}

void ScanExpectation::CheckUnordered(const ScanConduct& conduct, std::vector<ScanRow> delivered,
                                     const Status& status) const {
  std::sort(delivered.begin(), delivered.end());
  ASSERT_EQ(std::adjacent_find(delivered.begin(), delivered.end()), delivered.end());
  std::vector<ScanRow> good;
  for (const ScanRowFate& fate : fates_) {
    if (fate.is_good()) good.push_back(fate.row);
  }
  ASSERT_TRUE(std::includes(good.begin(), good.end(), delivered.begin(), delivered.end()));
  if (status.ok()) {
    // An error behind the limit is not met.
    ASSERT_TRUE(conduct.limit < INT64_MAX || AreGood(0)) << "the error of a row is lost";
    ASSERT_EQ(std::ssize(delivered), std::min<int64_t>(conduct.limit, std::ssize(good)));
  } else if (status.code() == StatusCode::kRowError) {
    ASSERT_FALSE(AreGood(0)) << status.ToString();
  }
}

}  // namespace sluice::support
