#include "format/parquet/row_group_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

Result<RowGroupColumns> RowGroupColumns::Make(RowGroupContext* context, RowGroupFilters* filters,
                                              const Projection& projection) {
  RowGroupColumns made(context, filters);
  for (size_t i = 0; i < projection.columns().size(); ++i) made.Add(projection, i);
  SLUICE_RETURN_IF_ERROR(made.ChooseReaders());
  made.PlanBatchRows();
  return made;
}

void RowGroupColumns::Add(const Projection& projection, size_t column) {
  const SchemaTree& tree = *projection.tree();
  const SchemaNode& node = tree.nodes()[static_cast<size_t>(projection.columns()[column])];
  auto type = std::make_shared<const DataType>(projection.schema()->fields[column].type);
  const size_t first = leaves_.size();
  while (leaves_.size() < projection.leaves().size()) {
    const int32_t ordinal = projection.leaves()[leaves_.size()];
    if (ordinal < node.first_leaf || ordinal >= node.end_leaf) break;
    ColumnLeaf leaf;
    leaf.leaf = ordinal;
    leaf.is_column = node.is_single_leaf();
    leaf.type =
        leaf.is_column ? type : std::make_shared<const DataType>(tree.LeafNode(ordinal).type);
    leaves_.push_back(std::move(leaf));
  }
  columns_.push_back(
      {&node, std::move(type), first, leaves_.size(), ColumnAssembler(projection, column)});
}

/// A leaf is read by the filter that keeps its values; where none does, it is read by itself.
Status RowGroupColumns::ChooseReaders() {
  for (ColumnLeaf& leaf : leaves_) {
    leaf.keeper = filters_->KeeperOf(leaf.leaf);
    if (leaf.keeper != nullptr || leaf.own != nullptr) continue;
    SLUICE_TRY(leaf.own, ProjectedLeaf::Open(context_, leaf.leaf, leaf.type, leaf.is_column));
    leaf.own->LimitBytes(max_leaf_bytes_);
  }
  return Status::Ok();
}

void RowGroupColumns::PlanBatchRows() {
  const int64_t batch_bytes = context_->options.batch_bytes;
  int64_t row_bytes = 0;
  for (const ColumnLeaf& leaf : leaves_) {
    row_bytes = std::min(row_bytes + leaf.reader().row_bytes(), batch_bytes);
  }
  batch_rows_ = context_->options.batch_rows;
  if (row_bytes > 0) batch_rows_ = std::clamp<int64_t>(batch_bytes / row_bytes, 1, batch_rows_);
  // Rows may take other bytes than the footer claims on average. Each leaf may take twice its share
  // of a batch, so that all of them together stay in bounds whatever is decoded.
  max_leaf_bytes_ = std::max<int64_t>(batch_bytes / std::max<int64_t>(std::ssize(leaves_), 1), 1);
  for (const ColumnLeaf& leaf : leaves_) {
    if (!leaf.own) continue;
    const int64_t claimed =
        std::min(leaf.own->row_bytes(), batch_bytes / batch_rows_) * batch_rows_;
    leaf.own->LimitBytes(std::max(2 * claimed, max_leaf_bytes_));
  }
}

std::vector<ProjectedLeaf*> RowGroupColumns::leaves() {
  std::vector<ProjectedLeaf*> leaves;
  for (const ColumnLeaf& leaf : leaves_) {
    if (leaf.own) leaves.push_back(leaf.own.get());
  }
  return leaves;
}

Status RowGroupColumns::StartWindow() {
  SLUICE_RETURN_IF_ERROR(ChooseReaders());
  for (const ColumnLeaf& leaf : leaves_) {
    if (leaf.keeper == nullptr) leaf.own->reader().StartWindow();
  }
  return Status::Ok();
}

Status RowGroupColumns::Fill(int64_t end, Need& need) {
  for (const ColumnLeaf& leaf : leaves_) {
    if (leaf.keeper == nullptr) SLUICE_RETURN_IF_ERROR(leaf.own->Fill(end, need));
  }
  return Status::Ok();
}

int64_t RowGroupColumns::FilledEnd(int64_t end) const {
  for (const ColumnLeaf& leaf : leaves_) {
    if (leaf.keeper == nullptr) end = std::min(end, leaf.own->reader().filled_end());
  }
  return end;
}

Result<std::vector<Column>> RowGroupColumns::Finish(RowRange rows, int64_t selected) {
  std::vector<Column> columns;
  for (DeliveredColumn& column : columns_) {
    SLUICE_TRY(Column finished, FinishColumn(column, rows, selected));
    if (finished.length != selected) {
      return Status::Internal(fmt::format("row group {}: column '{}' has {} rows of {}",
                                          context_->row_group, column.node->name, finished.length,
                                          selected));
    }
    finished.type = column.type;
    columns.push_back(std::move(finished));
  }
  return columns;
}

Result<Column> RowGroupColumns::FinishColumn(DeliveredColumn& column, RowRange rows,
                                             int64_t selected) {
  if (column.node->is_single_leaf()) {
    return leaves_[column.first_leaf].reader().FinishColumn(rows, selected);
  }
  std::vector<LeafValues> values;
  for (size_t i = column.first_leaf; i < column.end_leaf; ++i) {
    SLUICE_TRY(LeafValues finished, leaves_[i].reader().FinishLeaf(rows, selected));
    values.push_back(std::move(finished));
  }
  Result<Column> assembled = column.assembler.Assemble(values, selected, *context_->options.pool);
  if (assembled) return assembled;
  return assembled.error().In(
      fmt::format("row group {}: column '{}'", context_->row_group, column.node->name));
}

}  // namespace sluice::inline v0::parquet
