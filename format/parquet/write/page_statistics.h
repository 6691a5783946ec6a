#pragma once

#include <sluice/parquet/metadata.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/writer.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/parquet/write/bounds.h"
#include "format/parquet/write/write_schema.h"

namespace sluice::inline v0::parquet {

/// What is known of the rows of a page, or of a whole chunk.
struct PageStatistics {
  explicit PageStatistics(BoundOrder order) : bounds(order) {}

  BoundsBuilder bounds;
  int64_t num_rows = 0;
  int64_t num_levels = 0;
  int64_t num_values = 0;        ///< Present ones.
  int64_t byte_array_bytes = 0;  ///< BYTE_ARRAY: of all values, without lengths.
  /// How often each level occurs; empty where the maximum is 0, or 1 of definition levels.
  std::vector<int64_t> repetition_histogram;
  std::vector<int64_t> definition_histogram;

  int64_t null_count() const { return num_levels - num_values; }
  /// Bytes besides the object itself.
  int64_t held_bytes() const {
    return bounds.held_bytes() + HeldBytes(repetition_histogram) + HeldBytes(definition_histogram);
  }
  /// Counts the levels of a finished page.
  void CountLevels(const WriteLeaf& leaf, std::span<const uint16_t> repetition_levels,
                   std::span<const uint16_t> definition_levels);
  /// Adds what is known of a page that follows.
  void Merge(const PageStatistics& page);
};

/// The bounds as they are written, cut where they are long; absent where there are none.
struct WrittenBounds {
  std::optional<Bound> min;
  std::optional<Bound> max;
};
WrittenBounds BoundsToWrite(const WriteLeaf& leaf, const BoundsBuilder& bounds,
                            int32_t max_bound_bytes);

/// What is kept of a finished page until its chunk ends: bounds that are cut, since those of long
/// strings would take as much as the page.
struct PageRecord {
  WrittenBounds bounds;
  int64_t num_rows = 0;
  int64_t num_values = 0;
  int64_t null_count = 0;
  int64_t nan_count = 0;
  int64_t byte_array_bytes = 0;
  std::vector<int64_t> repetition_histogram;
  std::vector<int64_t> definition_histogram;

  /// Bytes besides the record itself.
  int64_t held_bytes() const;
};
PageRecord RecordOf(const WriteLeaf& leaf, PageStatistics statistics, int32_t max_bound_bytes);

/// The column index of pages, whose bounds it points into, or nothing where one of them has values
/// without bounds. Source: parquet.thrift, ColumnIndex and ColumnOrder.
std::optional<ColumnIndex> MakeColumnIndex(const WriteLeaf& leaf,
                                           std::span<const PageRecord> pages);

}  // namespace sluice::inline v0::parquet
