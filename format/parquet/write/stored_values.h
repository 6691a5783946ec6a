#pragma once

// Values of a column's layout turned into those of the physical type that its leaf is stored as.

#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>

#include "format/parquet/write/leaf_rows.h"

namespace sluice::inline v0::parquet {

/// Rows of a column: `count` of them, list[0], list[1], ... or, without a list, from `begin` on.
struct RowList {
  int64_t begin = 0;
  int64_t count = 0;
  const int64_t* list = nullptr;

  int64_t operator[](int64_t i) const { return list == nullptr ? begin + i : list[i]; }
};

/// Decimals of at most so many digits are stored as INT32 or INT64, longer ones as
/// FIXED_LEN_BYTE_ARRAY, big-endian.
inline constexpr int32_t kMaxInt32Precision = 9;
inline constexpr int32_t kMaxInt64Precision = 18;
/// Bytes of a stored decimal of `precision` digits, 1..76.
int32_t DecimalBytes(int32_t precision);

/// Sets the values of `out` to the rows `rows` of `column`, which is flat or view and not null at
/// any of them. They point into the column where its layout is the stored one.
///
/// Errors: kInvalidArgument for a decimal that does not fit the width stored for its precision.
Status StoreValues(const DataType& type, const Column& column, RowList rows, LeafRows* out);

}  // namespace sluice::inline v0::parquet
