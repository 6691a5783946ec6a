#pragma once

#include <sluice/export.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice::inline v0::parquet {

/// A column by the names on the way to it, compared part by part, never as a joined string: names
/// may hold dots. One part names a top-level column; more parts name a child of a struct, which is
/// then delivered as a struct that holds the asked children only.
using ColumnPath = std::vector<std::string>;

/// Which columns are read, and what they are delivered as. Immutable plain data over a SchemaTree.
class SLUICE_EXPORT Projection {
 public:
  /// Every column.
  static Projection All(std::shared_ptr<const SchemaTree> tree);
  /// No column: batches carry row counts only.
  static Projection None(std::shared_ptr<const SchemaTree> tree);
  /// The columns that `paths` name, top-level ones in the order in which they are first named,
  /// children in schema order. A path that ends at a group takes all of it. Where a name occurs
  /// twice among siblings the first is taken. Paths go through struct fields, not into lists or
  /// maps. Errors: kNotFound naming the path and the part that is missing; kInvalidArgument for a
  /// path without parts.
  static Result<Projection> Of(std::shared_ptr<const SchemaTree> tree,
                               const std::vector<ColumnPath>& paths);
  /// The same by ordinals, which names that repeat cannot confuse: of a top-level column, then of a
  /// child among the children of its struct, and so on. Errors: kInvalidArgument for an ordinal
  /// that is not there, and for a path that is empty or goes into what is no struct.
  static Result<Projection> OfFields(std::shared_ptr<const SchemaTree> tree,
                                     const std::vector<std::vector<int32_t>>& paths);

  const std::shared_ptr<const SchemaTree>& tree() const { return tree_; }
  /// The delivered columns.
  const std::shared_ptr<const Schema>& schema() const { return schema_; }
  /// The node of each delivered column, a child of the root.
  const std::vector<int32_t>& columns() const { return columns_; }
  /// Ordinals of the leaves to read: those of columns()[0] ascending, then of columns()[1], ...
  const std::vector<int32_t>& leaves() const { return leaves_; }
  /// Whether node `node` has a leaf that is read.
  bool Includes(int32_t node) const { return included_[static_cast<size_t>(node)]; }

 private:
  void Derive();
  DataType PrunedType(int32_t node) const;

  std::shared_ptr<const SchemaTree> tree_;
  std::shared_ptr<const Schema> schema_;
  std::vector<int32_t> columns_;
  std::vector<int32_t> leaves_;
  std::vector<bool> included_;
};

}  // namespace sluice::inline v0::parquet
