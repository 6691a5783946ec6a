#include "tests/support/leaf_rows.h"

#include <string>

#include "tests/support/file_reading.h"

namespace sluice::support {
namespace {

using parquet::SchemaNode;
using parquet::SchemaTree;

Value ValueIn(const Column& column, int64_t row) {
  const Column* at = &column;
  while (at->type->id == TypeId::kStruct) {
    if (at->IsNull(row)) return Value::Null(*at->type);
    at = &at->children[0];
  }
  return ValueAt(*at, row);
}

}  // namespace

parquet::ColumnPath LeafPathOf(const SchemaTree& tree, int32_t leaf) {
  parquet::ColumnPath path;
  const int32_t leaf_node = tree.leaves()[static_cast<size_t>(leaf)].node;
  for (int32_t node = leaf_node; node != 0;) {
    const SchemaNode& at = tree.nodes()[static_cast<size_t>(node)];
    const bool is_struct = at.role == SchemaNode::Role::kStruct && at.type.id == TypeId::kStruct;
    if (at.is_bare_repeated || (node != leaf_node && !is_struct)) return {};
    path.insert(path.begin(), std::string(at.name));
    node = at.parent;
  }
  return path;
}

Result<std::vector<Value>> LeafRows(const parquet::FileReader& reader, int32_t row_group,
                                    int32_t leaf) {
  const parquet::ColumnPath path = LeafPathOf(*reader.tree(), leaf);
  if (path.empty()) return Status::Unsupported("the leaf's values are not rows");
  const auto projection = parquet::Projection::Of(reader.tree(), {path});
  if (!projection) return projection.error();
  if (projection->leaves() != std::vector<int32_t>{leaf}) {
    return Status::Unsupported("the leaf's name is an earlier one's too");
  }
  auto cursor = reader.RowGroup(row_group, *projection);
  if (!cursor) return cursor.error();
  const DataType type = reader.tree()->LeafNode(leaf).type;
  std::vector<Value> rows;
  const auto read = ReadOn(**cursor, [&](const parquet::RowGroupBatch& next) {
    for (int64_t row = 0; row < next.batch.num_rows; ++row) {
      rows.push_back({type, ValueIn(next.batch.columns[0], row).bytes});
    }
  });
  if (!read) return read.error();
  return rows;
}

}  // namespace sluice::support
