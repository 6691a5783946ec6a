#pragma once

#include <sluice/column.h>
#include <sluice/filter.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "format/parquet/leaf_evidence.h"
#include "format/parquet/page_header.h"

namespace sluice::inline v0::parquet {

/// Tells which pages of a filtered leaf need not be looked at, as no row of them passes: by the
/// statistics in their headers (fault S26), or by a dictionary that has every value of the chunk.
///
/// Threads: confined.
class PageExclusion {
 public:
  /// `uses_headers`: headers come with their statistics. `is_all_dictionary`: IsAllDictionary, or
  /// false where dictionaries are not to be used.
  PageExclusion(LeafEvidence evidence, std::vector<ColumnFilter> filters, bool uses_headers,
                bool is_all_dictionary)
      : evidence_(std::move(evidence)),
        filters_(std::move(filters)),
        uses_headers_(uses_headers),
        is_all_dictionary_(is_all_dictionary) {}

  /// Whether no row of a page of `num_rows` rows passes.
  bool Excludes(const PageHeader& header, int64_t num_rows) const;
  /// Whether no row of the chunk passes, whose dictionary this is. Judges it once.
  bool ExcludesAll(const std::shared_ptr<const Column>& dictionary);

 private:
  bool NonePass(const Evidence& evidence) const;

  LeafEvidence evidence_;
  std::vector<ColumnFilter> filters_;  ///< A row passes if it passes all.
  bool uses_headers_;
  bool is_all_dictionary_;
  bool excludes_all_ = false;
};

}  // namespace sluice::inline v0::parquet
