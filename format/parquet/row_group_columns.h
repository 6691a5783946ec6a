#pragma once

#include <sluice/column.h>
#include <sluice/parquet/projection.h>
#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "format/parquet/leaf_values.h"
#include "format/parquet/projected_leaf.h"
#include "format/parquet/row_group_filters.h"

namespace sluice::inline v0::parquet {

/// The delivered columns of a row group: the leaves below them, filled side by side, and what they
/// become in a batch.
///
/// Threads: confined.
class RowGroupColumns {
 public:
  /// `context` and `filters` outlive this. Errors: as ProjectedLeaf::Open.
  static Result<RowGroupColumns> Make(RowGroupContext* context, RowGroupFilters* filters,
                                      const Projection& projection);

  /// How many rows a batch may have, by the options and by what the footer claims of bytes.
  int64_t batch_rows() const { return batch_rows_; }
  /// The leaves that are not read for a filter alone, as far as they are open.
  std::vector<ProjectedLeaf*> leaves();

  /// Begins the window of the context's wanted rows, once filters ran over it.
  Status StartWindow();
  /// Goes on with every leaf to the wanted rows of the window before `end`, or as many of them as
  /// have room; bytes that are missing are added to `need`.
  Status Fill(int64_t end, Need& need);
  /// The rows of the window before this one, which is at most `end`, have room in every leaf, after
  /// Fill.
  int64_t FilledEnd(int64_t end) const;
  /// The columns of `rows`, of which `selected` are wanted. All of them were filled.
  Result<std::vector<Column>> Finish(RowRange rows, int64_t selected);

 private:
  /// A projected leaf. It is not opened while a filter keeps its values.
  struct ColumnLeaf {
    int32_t leaf = 0;
    std::shared_ptr<const DataType> type;
    bool is_column = false;  ///< Delivered itself.
    std::unique_ptr<ProjectedLeaf> own;
    ProjectedLeaf* keeper = nullptr;  ///< In this window.

    ProjectedLeaf& reader() const { return keeper != nullptr ? *keeper : *own; }
  };
  struct DeliveredColumn {
    const SchemaNode* node = nullptr;
    std::shared_ptr<const DataType> type;
    size_t first_leaf = 0;  ///< In leaves_; those of the column before it end here.
    size_t end_leaf = 0;
    ColumnAssembler assembler;
  };

  RowGroupColumns(RowGroupContext* context, RowGroupFilters* filters)
      : context_(context), filters_(filters) {}
  void Add(const Projection& projection, size_t column);
  Status ChooseReaders();
  void PlanBatchRows();
  Result<Column> FinishColumn(DeliveredColumn& column, RowRange rows, int64_t selected);

  RowGroupContext* context_;
  RowGroupFilters* filters_;
  std::vector<DeliveredColumn> columns_;
  std::vector<ColumnLeaf> leaves_;
  int64_t batch_rows_ = 0;      ///< After the bound in bytes.
  int64_t max_leaf_bytes_ = 1;  ///< Of a batch, where nothing is claimed of the leaf.
};

}  // namespace sluice::inline v0::parquet
