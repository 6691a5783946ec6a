#include "tests/support/leaf_rows.h"

#include <string>

#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"

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

Result<std::shared_ptr<parquet::FileReader>> OpenBytes(std::string_view bytes) {
  return parquet::FileReader::Open(MakeMemoryFile(std::string(kFileName), PaddedBuffer(bytes)));
}

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
  const DataType type =
      reader.tree()
          ->nodes()[static_cast<size_t>(reader.tree()->leaves()[static_cast<size_t>(leaf)].node)]
          .type;
  std::vector<Value> rows;
  while (true) {
    const auto next = (*cursor)->Next();
    if (!next) return next.error();
    if (!*next) return rows;
    const Batch& batch = (*next)->batch;
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      rows.push_back({type, ValueIn(batch.columns[0], row).bytes});
    }
  }
}

}  // namespace sluice::support
