#pragma once

#include <sluice/parquet/reader.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace sluice::inline v0::engine {

/// Notes what becomes of the data pages of one file.
///
/// Threads: thread-safe.
class PageLog final : public parquet::PageObserver {
 public:
  void OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                  Fate fate) override;
  void OnDictionaryExclusion(int32_t row_group, int32_t leaf, int64_t pages) override;

  /// What became of a page; one that was read for any purpose was opened. Absent where nothing was
  /// told of it.
  std::optional<Fate> FateOf(int32_t leaf, int64_t offset) const;
  /// How many pages of a leaf became this.
  int64_t Count(int32_t leaf, Fate fate) const;
  /// Whether its dictionary excluded the leaf.
  bool IsExcluded(int32_t leaf) const;
  /// Forgets everything, for the next row group.
  void Clear();

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<int32_t, int64_t>, Fate> fates_;  ///< By leaf and offset.
  std::set<int32_t> excluded_;                         ///< Leaves.
};

}  // namespace sluice::inline v0::engine
