#include "engine/explain/page_log.h"

namespace sluice::inline v0::engine {

void PageLog::OnDataPage(int32_t /*row_group*/, int32_t leaf, int64_t offset, RowRange /*rows*/,
                         Fate fate) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = fates_.try_emplace({leaf, offset}, fate);
  const bool is_more = fate == Fate::kOpened || place->second == Fate::kSkipped;
  if (!is_new && is_more) place->second = fate;
}

void PageLog::OnDictionaryExclusion(int32_t /*row_group*/, int32_t leaf, int64_t /*pages*/) {
  const std::lock_guard lock(mutex_);
  excluded_.insert(leaf);
}

int64_t PageLog::Count(int32_t leaf, Fate fate) const {
  const std::lock_guard lock(mutex_);
  int64_t count = 0;
  for (auto at = fates_.lower_bound({leaf, INT64_MIN});
       at != fates_.end() && at->first.first == leaf; ++at) {
    count += at->second == fate ? 1 : 0;
  }
  return count;
}

bool PageLog::IsExcluded(int32_t leaf) const {
  const std::lock_guard lock(mutex_);
  return excluded_.count(leaf) > 0;
}

std::optional<PageLog::Fate> PageLog::FateOf(int32_t leaf, int64_t offset) const {
  const std::lock_guard lock(mutex_);
  const auto found = fates_.find({leaf, offset});
  if (found == fates_.end()) return std::nullopt;
  return found->second;
}

void PageLog::Clear() {
  const std::lock_guard lock(mutex_);
  fates_.clear();
  excluded_.clear();
}

}  // namespace sluice::inline v0::engine
