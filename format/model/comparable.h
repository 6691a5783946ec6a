#pragma once

#include <sluice/types.h>

namespace sluice::inline v0 {

/// Whether values of two scalar types mean the same, so that one may be compared with the other:
/// equal but for the precision of a decimal.
inline bool IsComparable(const DataType& a, const DataType& b) {
  return a.id == b.id && a.unit == b.unit && a.utc_adjusted == b.utc_adjusted &&
         a.byte_width == b.byte_width && a.scale == b.scale && a.crs == b.crs &&
         a.edge_algorithm == b.edge_algorithm;
}

}  // namespace sluice::inline v0
