#pragma once

// What a leaf reader hands over for a batch, and what is made of it: physical values become the
// delivered type's layout, levels become validity and offsets, leaves become columns.

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/parquet/projection.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::inline v0::parquet {

/// The selected rows of one leaf: levels, and the values that are present, densely.
struct LeafValues {
  int64_t num_levels = 0;
  /// num_levels each; null pointers where the leaf's maximum level is 0. The levels are checked to
  /// be at most the maxima, the first repetition level to be 0, and to begin `num_rows` rows.
  const uint16_t* definition_levels = nullptr;
  const uint16_t* repetition_levels = nullptr;
  /// One entry a level that is at the maximum definition level, none null, in the delivered type's
  /// layout (flat, view or dictionary).
  Column values;
};

/// Whether values of the leaf are stored in the layout in which `type` is delivered.
bool IsStoredAsDelivered(const Leaf& leaf, const DataType& type);

/// Physical values (flat data of PhysicalWidth bytes a value, or views) without nulls, in the
/// layout of `type`. Checks ranges: a value outside the annotated integer width, or a decimal whose
/// value does not fit the delivered width, is kCorruption naming the value's ordinal. Returns
/// `physical` itself, with the type set, where nothing has to be done.
Result<Column> ConvertValues(const Leaf& leaf, std::shared_ptr<const DataType> type,
                             Column physical, BufferPool& pool);

/// The dense column `values` spread over `length` rows: the i-th set bit of `validity` takes value
/// i, the other rows are null. Works for every form that has no children. `null_count` rows are
/// null.
Result<Column> SpreadValues(Column values, BufferRef validity, int64_t length, int64_t null_count,
                            BufferPool& pool);

struct AssemblyPlan;  // assembly_plan.h

/// Builds one delivered column out of the leaves below it.
class ColumnAssembler {
 public:
  /// For the delivered column that `projection.columns()[column]` names.
  ColumnAssembler(const Projection& projection, size_t column);

  /// `leaves`: the projected leaves of the column, in order. All must tell the same structure: list
  /// lengths and nullness of shared ancestors that differ are kCorruption naming both leaves.
  ///
  /// Errors: kCorruption also for levels that no nested value has (a repetition of a list that is
  /// not open); kResourceExhausted beyond 2^31 - 1 elements, and by the pool.
  Result<Column> Assemble(const std::vector<LeafValues>& leaves, int64_t num_rows,
                          BufferPool& pool) const;

 private:
  std::shared_ptr<const AssemblyPlan> plan_;
};

}  // namespace sluice::inline v0::parquet
