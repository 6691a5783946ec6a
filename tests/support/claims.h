#pragma once

// What files claim of their values, written down by hand: statistics, column indexes, and the
// orders that they are made with. All of it may be wrong.

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/file_builder.h"

namespace sluice::support {

/// Statistics, bounds in PLAIN bytes.
struct Claims {
  std::optional<std::string> min_value = {};
  std::optional<std::string> max_value = {};
  std::optional<int64_t> null_count = {};
  std::optional<int64_t> nan_count = {};
  std::optional<bool> is_min_exact = {};
  std::optional<bool> is_max_exact = {};
  std::optional<std::string> deprecated_min = {};
  std::optional<std::string> deprecated_max = {};

  /// The finished struct Statistics.
  std::string Bytes() const;
};

/// A column index; an empty vector is absent.
struct IndexClaims {
  std::vector<bool> null_pages = {};
  std::vector<std::string> min_values = {};
  std::vector<std::string> max_values = {};
  std::vector<int64_t> null_counts = {};
  std::vector<int64_t> nan_counts = {};

  /// The finished struct ColumnIndex, unordered.
  std::string Bytes() const;
};

/// A bloom filter that holds these PLAIN values, without length prefixes: header and bitset.
std::string BloomFilterBytes(const std::vector<std::string>& values);

/// FileMetaData's column_orders: the same member of ColumnOrder for `num_leaves` leaves, for
/// FileSpec::extra_fields. Members are 1 TYPE_ORDER, 2 IEEE_754_TOTAL_ORDER and 3
/// INT96_TIMESTAMP_ORDER; any other is unknown.
ExtraField ColumnOrders(size_t num_leaves, int32_t member = 1);

/// A file of one column and row group: a page for each of `pages`, with type-defined order.
FileSpec ClaimingFile(const ElementSpec& element, int64_t num_rows, std::vector<PageSpec> pages,
                      const std::optional<Claims>& claims);

}  // namespace sluice::support
