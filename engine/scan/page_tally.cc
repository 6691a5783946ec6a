#include "engine/scan/page_tally.h"

namespace sluice::inline v0::engine {

void PageTally::OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                           Fate fate) {
  ++counters_.considered;
  const bool are_rows_known = rows.end >= 0;
  switch (fate) {
    case Fate::kOpened:
      ++counters_.read;
      break;
    case Fate::kExcluded:
      ++counters_.pruned_by_header;
      break;
    case Fate::kSkipped:
      if (are_rows_known && unpruned_.CountIn(rows) == 0) {
        ++counters_.pruned_by_index;
      } else if (are_rows_known && selection_.CountIn(rows) == 0) {
        ++counters_.deleted;
      } else {
        ++counters_.unwanted;
      }
      break;
  }
  if (next_ != nullptr) next_->OnDataPage(row_group, leaf, offset, rows, fate);
}

void PageTally::OnDictionaryExclusion(int32_t row_group, int32_t leaf, int64_t pages) {
  counters_.considered += pages;
  counters_.pruned_by_dictionary += pages;
  if (next_ != nullptr) next_->OnDictionaryExclusion(row_group, leaf, pages);
}

}  // namespace sluice::inline v0::engine
