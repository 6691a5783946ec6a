#pragma once

// Which bounds a file's claims of a leaf are, by the order that they were made with, by who wrote
// them, and by their bytes.

#include <sluice/evidence.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/schema_tree.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/parquet/known_writers.h"
#include "format/parquet/legacy_calendar.h"

namespace sluice::inline v0::parquet {

/// The bounds of a unit as the file has them.
struct BoundClaims {
  std::optional<std::string_view> min;
  std::optional<std::string_view> max;
  EvidenceBound::Exactness min_exactness = EvidenceBound::Exactness::kUnknown;
  EvidenceBound::Exactness max_exactness = EvidenceBound::Exactness::kUnknown;
  bool is_deprecated = false;  ///< Of Statistics::min and max, made by signed comparison.
};

/// Threads: immutable. Lifetime: keeps nothing of the metadata.
class LeafBounds {
 public:
  LeafBounds(const FileMetadata& metadata, const SchemaTree& tree, int32_t leaf);

  /// Sets the bounds of `evidence`, in the leaf's delivered type, or why there are none.
  void Set(const BoundClaims& claims, Evidence& evidence) const;

 private:
  bool HasKnownOrder(bool is_deprecated) const;
  std::optional<Reason> WhyUnusable(const BoundClaims& claims) const;
  bool IsOfOneCalendar(const Evidence& evidence) const;

  Leaf leaf_;
  DataType type_;  ///< Delivered.
  ColumnOrder order_ = ColumnOrder::kUndefined;
  bool has_orders_;                  ///< The file has column orders at all.
  bool is_as_annotated_;             ///< The delivered type is what the file means.
  bool is_from_dictionary_ = false;  ///< Perhaps written from an Arrow dictionary.
  WriterQuirks quirks_;
  LegacyCalendar calendar_;
};

}  // namespace sluice::inline v0::parquet
