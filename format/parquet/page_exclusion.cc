#include "format/parquet/page_exclusion.h"

#include <algorithm>

#include "format/model/evaluate.h"

namespace sluice::inline v0::parquet {

bool PageExclusion::NonePass(const Evidence& evidence) const {
  return std::any_of(filters_.begin(), filters_.end(), [&](const ColumnFilter& filter) {
    return Evaluate(filter, evidence).outcome == Verdict::Outcome::kNone;
  });
}

bool PageExclusion::Excludes(const PageHeader& header, int64_t num_rows) const {
  return uses_headers_ && header.statistics &&
         NonePass(evidence_.OfPage(header.statistics, num_rows));
}

bool PageExclusion::ExcludesAll(const std::shared_ptr<const Column>& dictionary) {
  if (dictionary && is_all_dictionary_) {
    is_all_dictionary_ = false;
    excludes_all_ = NonePass(evidence_.OfDictionary(dictionary));
  }
  return excludes_all_;
}

}  // namespace sluice::inline v0::parquet
