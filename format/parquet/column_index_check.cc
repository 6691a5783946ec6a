// Whether a column index can be true.

#include <fmt/format.h>
#include <sluice/parquet/page_index.h>
#include <sluice/value.h>

#include <optional>
#include <string>
#include <utility>

#include "format/parquet/plain_value.h"

namespace sluice::inline v0::parquet {
namespace {

/// The values of a page's bounds, as Value::bytes, as far as they can be compared.
struct PageBounds {
  std::optional<std::string> min;
  std::optional<std::string> max;
};

class ColumnIndexCheck {
 public:
  ColumnIndexCheck(const ColumnIndex& index, const FileMetadata& metadata, const SchemaTree& tree,
                   int32_t leaf, std::span<const int64_t> page_values)
      : index_(index),
        leaf_(tree.leaves()[static_cast<size_t>(leaf)]),
        type_(tree.nodes()[static_cast<size_t>(leaf_.node)].type),
        page_values_(page_values) {
    const auto ordinal = static_cast<size_t>(leaf);
    has_order_ = IsOrdered(type_) && ordinal < metadata.column_orders.size() &&
                 metadata.column_orders[ordinal] != ColumnOrder::kUndefined;
    // The order that the specification defines for INT96 is newer than most of its bounds.
    if (leaf_.physical_type == PhysicalType::kInt96) {
      has_order_ = has_order_ && metadata.column_orders[ordinal] == ColumnOrder::kInt96Timestamp;
    }
  }

  Status Run() {
    if (index_.null_pages.size() != page_values_.size()) {
      return Status::Corruption(fmt::format("column index: has {} pages, the column chunk {}",
                                            index_.null_pages.size(), page_values_.size()));
    }
    for (size_t page = 0; page < page_values_.size() && wrong_.empty(); ++page) {
      CheckCounts(page);
      CheckHistogram(index_.definition_level_histograms, leaf_.max_definition_level, page);
      CheckHistogram(index_.repetition_level_histograms, leaf_.max_repetition_level, page);
      if (!index_.null_pages[page]) CheckBounds(page);
    }
    if (wrong_.empty()) return Status::Ok();
    return Status::Corruption("column index: " + wrong_);
  }

 private:
  void Wrong(size_t page, const char* what) {
    if (wrong_.empty()) wrong_ = fmt::format("{}: page {}", what, page);
  }

  void CheckCounts(size_t page) {
    const int64_t values = page_values_[page];
    int64_t nulls = 0;
    if (!index_.null_counts.empty()) {
      nulls = index_.null_counts[page];
      if (nulls < 0 || nulls > values) return Wrong(page, "null count is impossible");
      // Whether a list without elements counts as a null is a matter of the writer.
      const bool is_flat = leaf_.max_repetition_level == 0;
      const bool is_null_page = index_.null_pages[page];
      if (is_null_page && is_flat && nulls < values) {
        return Wrong(page, "null page has values by its null count");
      }
      if (!is_null_page && values > 0 && nulls == values) {
        return Wrong(page, "page with bounds has no values by its null count");
      }
    }
    if (!index_.nan_counts.empty()) {
      const int64_t nans = index_.nan_counts[page];
      if (nans < 0 || nans > values - nulls) return Wrong(page, "NaN count is impossible");
    }
  }

  void CheckHistogram(const std::vector<int64_t>& histograms, int16_t max_level, size_t page) {
    if (histograms.empty()) return;
    const auto bins = static_cast<size_t>(max_level) + 1;
    if (histograms.size() != bins * page_values_.size()) {
      return Wrong(page, "level histogram does not fit the column's levels");
    }
    int64_t left = page_values_[page];
    for (size_t bin = page * bins; bin < (page + 1) * bins; ++bin) {
      if (histograms[bin] < 0 || histograms[bin] > left) {
        return Wrong(page, "level histogram is impossible");
      }
      left -= histograms[bin];
    }
    if (left != 0) Wrong(page, "level histogram counts too few levels");
  }

  void CheckBounds(size_t page) {
    PageBounds bounds{Bound(page, index_.min_values[page]), Bound(page, index_.max_values[page])};
    if (IsAbove(bounds.min, bounds.max)) return Wrong(page, "lower bound is above the upper one");
    if (index_.boundary_order == BoundaryOrder::kAscending) {
      CheckOrder(page, last_, bounds);
    } else if (index_.boundary_order == BoundaryOrder::kDescending) {
      CheckOrder(page, bounds, last_);
    }
    last_ = std::move(bounds);
  }

  std::optional<std::string> Bound(size_t page, std::string_view bytes) {
    std::optional<std::string> value = DeliveredValue(leaf_, type_, bytes);
    // Long ones of these may be shortened.
    const bool is_fixed = leaf_.physical_type != PhysicalType::kByteArray &&
                          leaf_.physical_type != PhysicalType::kFixedLenByteArray;
    if (!value && is_fixed && type_.id != TypeId::kNull) {
      Wrong(page, "bound is no value of the column");
    }
    return value;
  }

  /// Bounds that are NaN say nothing of the order they were made with.
  bool IsAbove(const std::optional<std::string>& a, const std::optional<std::string>& b) const {
    return has_order_ && a && b && !IsNan(type_, *a) && !IsNan(type_, *b) &&
           CompareValues(type_, *a, *b) > 0;
  }

  void CheckOrder(size_t page, const PageBounds& low, const PageBounds& high) {
    if (IsAbove(low.min, high.min) || IsAbove(low.max, high.max)) {
      Wrong(page, "bounds are not in the order that it claims");
    }
  }

  const ColumnIndex& index_;
  const Leaf& leaf_;
  const DataType& type_;
  std::span<const int64_t> page_values_;
  bool has_order_ = false;
  PageBounds last_;  ///< Of the page before that is no null page.
  std::string wrong_;
};

}  // namespace

Status CheckColumnIndex(const ColumnIndex& index, const FileMetadata& metadata,
                        const SchemaTree& tree, int32_t leaf,
                        std::span<const int64_t> page_values) {
  return ColumnIndexCheck(index, metadata, tree, leaf, page_values).Run();
}

}  // namespace sluice::inline v0::parquet
