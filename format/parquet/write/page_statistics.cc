#include "format/parquet/write/page_statistics.h"

#include <utility>

namespace sluice::inline v0::parquet {
namespace {

void Count(std::span<const uint16_t> levels, uint16_t max_level, std::vector<int64_t>* histogram) {
  histogram->assign(size_t{max_level} + 1, 0);
  for (const uint16_t level : levels) ++(*histogram)[level];
}

void Add(const std::vector<int64_t>& from, std::vector<int64_t>* to) {
  if (to->empty()) to->resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) (*to)[i] += from[i];
}

bool IsText(TypeId type) {
  return type == TypeId::kString || type == TypeId::kEnum || type == TypeId::kJson;
}

/// The order in which the bounds of the pages that have values stand.
BoundaryOrder OrderOf(const ColumnIndex& index, BoundOrder order) {
  bool ascending = true;
  bool descending = true;
  std::optional<size_t> previous;
  for (size_t i = 0; i < index.null_pages.size(); ++i) {
    if (index.null_pages[i]) continue;
    if (previous) {
      const size_t p = *previous;
      ascending = ascending && !BoundLess(order, index.min_values[i], index.min_values[p]) &&
                  !BoundLess(order, index.max_values[i], index.max_values[p]);
      descending = descending && !BoundLess(order, index.min_values[p], index.min_values[i]) &&
                   !BoundLess(order, index.max_values[p], index.max_values[i]);
    }
    previous = i;
  }
  if (ascending) return BoundaryOrder::kAscending;
  return descending ? BoundaryOrder::kDescending : BoundaryOrder::kUnordered;
}

}  // namespace

void PageStatistics::CountLevels(const WriteLeaf& leaf, std::span<const uint16_t> repetition_levels,
                                 std::span<const uint16_t> definition_levels) {
  if (leaf.max_repetition_level > 0) {
    Count(repetition_levels, leaf.max_repetition_level, &repetition_histogram);
  }
  if (leaf.max_definition_level > 1) {
    Count(definition_levels, leaf.max_definition_level, &definition_histogram);
  }
}

void PageStatistics::Merge(const PageStatistics& page) {
  bounds.Merge(page.bounds);
  num_rows += page.num_rows;
  num_levels += page.num_levels;
  num_values += page.num_values;
  byte_array_bytes += page.byte_array_bytes;
  Add(page.repetition_histogram, &repetition_histogram);
  Add(page.definition_histogram, &definition_histogram);
}

WrittenBounds BoundsToWrite(const WriteLeaf& leaf, const BoundsBuilder& bounds,
                            int32_t max_bound_bytes) {
  if (!bounds.has_bounds()) return {};
  // Only byte strings may be cut: bounds of a fixed width must keep it to be values of their type.
  if (leaf.physical_type != PhysicalType::kByteArray) return {bounds.min(), bounds.max()};
  return {CutLowerBound(bounds.min(), max_bound_bytes, IsText(leaf.type.id)),
          CutUpperBound(bounds.max(), max_bound_bytes, IsText(leaf.type.id))};
}

int64_t PageRecord::held_bytes() const {
  size_t bytes = 8 * (repetition_histogram.capacity() + definition_histogram.capacity());
  if (bounds.min) bytes += bounds.min->bytes.capacity();
  if (bounds.max) bytes += bounds.max->bytes.capacity();
  return static_cast<int64_t>(bytes);
}

PageRecord RecordOf(const WriteLeaf& leaf, PageStatistics statistics, int32_t max_bound_bytes) {
  PageRecord record;
  record.bounds = BoundsToWrite(leaf, statistics.bounds, max_bound_bytes);
  record.num_rows = statistics.num_rows;
  record.num_values = statistics.num_values;
  record.null_count = statistics.null_count();
  record.nan_count = statistics.bounds.nan_count();
  record.byte_array_bytes = statistics.byte_array_bytes;
  record.repetition_histogram = std::move(statistics.repetition_histogram);
  record.definition_histogram = std::move(statistics.definition_histogram);
  return record;
}

std::optional<ColumnIndex> MakeColumnIndex(const WriteLeaf& leaf,
                                           std::span<const PageRecord> pages) {
  // A type without an order has no column index, unless there are no values at all.
  if (leaf.order == BoundOrder::kNone && leaf.type.id != TypeId::kNull) return std::nullopt;
  ColumnIndex index;
  for (const PageRecord& page : pages) {
    const bool is_null = page.num_values == 0;
    if (!is_null && (!page.bounds.min || !page.bounds.max)) return std::nullopt;
    index.null_pages.push_back(is_null);
    index.min_values.push_back(is_null ? std::string_view() : page.bounds.min->bytes);
    index.max_values.push_back(is_null ? std::string_view() : page.bounds.max->bytes);
    index.null_counts.push_back(page.null_count);
    if (IsFloatOrder(leaf.order)) index.nan_counts.push_back(page.nan_count);
    index.repetition_level_histograms.insert(index.repetition_level_histograms.end(),
                                             page.repetition_histogram.begin(),
                                             page.repetition_histogram.end());
    index.definition_level_histograms.insert(index.definition_level_histograms.end(),
                                             page.definition_histogram.begin(),
                                             page.definition_histogram.end());
  }
  index.boundary_order = OrderOf(index, leaf.order);
  return index;
}

}  // namespace sluice::inline v0::parquet
