#pragma once

// A column of a file that is read in two parts: what of a struct was decoded for the predicate is
// not decoded again for the output.

#include <sluice/column.h>
#include <sluice/parquet/projection.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::inline v0::engine {

/// How a column is put together of what two projections have of it. Structs are put together;
/// everything else comes whole from one of them. Plain data, immutable once it is shared.
struct ColumnParts {
  std::shared_ptr<const DataType> type;
  /// Where it is in each projection: among its columns, or among the children of its struct; -1
  /// where it is not.
  int32_t earlier = -1;
  int32_t later = -1;
  /// Of a struct that is put together; without them the column is that of the one projection.
  std::vector<ColumnParts> children;
};

/// Whether a column of the file, by its ordinal, can be read in parts: each of them has to tell
/// which rows of the structs around it are null.
bool CanBeParted(const parquet::SchemaTree& tree, int32_t column);

/// What is left to read of the one column of `wanted` where `earlier` is read, for
/// Projection::OfFields.
std::vector<std::vector<int32_t>> PathsLeft(const parquet::Projection& wanted,
                                            const parquet::Projection& earlier);

/// Of the one column of `wanted`; of what is not in `earlier` everything is in `later`.
ColumnParts PlanParts(const parquet::Projection& wanted, const parquet::Projection& earlier,
                      const parquet::Projection& later);

/// The column of what the projections delivered of it, absent where that is nothing, for the same
/// rows. Errors: kCorruption where they say of different rows of a struct that they are null.
Result<Column> JoinParts(const ColumnParts& parts, const Column* earlier, const Column* later);

}  // namespace sluice::inline v0::engine
