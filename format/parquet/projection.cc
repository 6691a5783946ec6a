#include <fmt/format.h>
#include <sluice/parquet/projection.h>

#include <algorithm>

#include "format/model/path_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

size_t Index(int32_t ordinal) { return static_cast<size_t>(ordinal); }

std::string PathText(const ColumnPath& path) {
  std::string text;
  for (const std::string& part : path) AppendPathPart(part, text);
  return text;
}

/// Whether paths go through a node.
bool HasFields(const SchemaTree& tree, int32_t node) {
  const SchemaNode& group = tree.nodes()[Index(node)];
  return node == 0 || (group.role == SchemaNode::Role::kStruct && !group.is_bare_repeated);
}

/// The ordinals of what `path` names, all of which must exist.
Result<std::vector<int32_t>> FindFields(const SchemaTree& tree, const ColumnPath& path) {
  std::vector<int32_t> ordinals;
  int32_t node = 0;
  for (const std::string& part : path) {
    const SchemaNode& parent = tree.nodes()[Index(node)];
    if (!HasFields(tree, node)) {
      return Status::NotFound(fmt::format("column '{}': '{}' is not a struct", PathText(path),
                                          std::string(parent.name)));
    }
    const auto child = std::find_if(
        parent.children.begin(), parent.children.end(),
        [&](int32_t candidate) { return tree.nodes()[Index(candidate)].name == part; });
    if (child == parent.children.end()) {
      return Status::NotFound(
          fmt::format("column '{}': no field named '{}'", PathText(path), part));
    }
    ordinals.push_back(static_cast<int32_t>(child - parent.children.begin()));
    node = *child;
  }
  return ordinals;
}

/// The node that ordinals lead to.
Result<int32_t> FindNode(const SchemaTree& tree, const std::vector<int32_t>& path) {
  if (path.empty()) return Status::InvalidArgument("column path is empty");
  int32_t node = 0;
  for (const int32_t ordinal : path) {
    const std::vector<int32_t>& children = tree.nodes()[Index(node)].children;
    if (!HasFields(tree, node) || ordinal < 0 || Index(ordinal) >= children.size()) {
      return Status::InvalidArgument(
          fmt::format("column path {}: no field {}", fmt::join(path, "."), ordinal));
    }
    node = children[Index(ordinal)];
  }
  return node;
}

/// Marks `node`, all below it and its ancestors.
void Include(const SchemaTree& tree, int32_t node, std::vector<bool>& included) {
  for (int32_t up = node; up >= 0; up = tree.nodes()[Index(up)].parent) included[Index(up)] = true;
  // Nodes are depth first, so that the subtree of a node follows it.
  for (size_t below = Index(node) + 1; below < tree.nodes().size(); ++below) {
    const int32_t parent = tree.nodes()[below].parent;
    if (parent < node) break;
    included[below] = included[Index(parent)];
  }
}

}  // namespace

Projection Projection::All(std::shared_ptr<const SchemaTree> tree) {
  Projection projection;
  projection.included_.assign(tree->nodes().size(), true);
  projection.columns_ = tree->nodes()[0].children;
  projection.tree_ = std::move(tree);
  projection.Derive();
  return projection;
}

Projection Projection::None(std::shared_ptr<const SchemaTree> tree) {
  Projection projection;
  projection.included_.assign(tree->nodes().size(), false);
  projection.tree_ = std::move(tree);
  projection.Derive();
  return projection;
}

Result<Projection> Projection::Of(std::shared_ptr<const SchemaTree> tree,
                                  const std::vector<ColumnPath>& paths) {
  std::vector<std::vector<int32_t>> fields;
  for (const ColumnPath& path : paths) {
    SLUICE_TRY(std::vector<int32_t> ordinals, FindFields(*tree, path));
    fields.push_back(std::move(ordinals));
  }
  return OfFields(std::move(tree), fields);
}

Result<Projection> Projection::OfFields(std::shared_ptr<const SchemaTree> tree,
                                        const std::vector<std::vector<int32_t>>& paths) {
  Projection projection;
  projection.included_.assign(tree->nodes().size(), false);
  std::vector<bool> listed(tree->nodes().size(), false);
  for (const std::vector<int32_t>& path : paths) {
    SLUICE_TRY(const int32_t node, FindNode(*tree, path));
    // A subtree that is already whole stays so; one that was taken in part may grow.
    Include(*tree, node, projection.included_);
    int32_t column = node;
    while (tree->nodes()[Index(column)].parent > 0) column = tree->nodes()[Index(column)].parent;
    if (!listed[Index(column)]) projection.columns_.push_back(column);
    listed[Index(column)] = true;
  }
  projection.tree_ = std::move(tree);
  projection.Derive();
  return projection;
}

DataType Projection::PrunedType(int32_t node_ordinal) const {
  const SchemaNode& node = tree_->nodes()[Index(node_ordinal)];
  DataType type = node.type;
  if (node.role != SchemaNode::Role::kStruct) return type;
  // A path ends at a list or map at the latest, so that only structs can lack children.
  type.children.clear();
  for (size_t i = 0; i < node.children.size(); ++i) {
    const int32_t child = node.children[i];
    if (!included_[Index(child)]) continue;
    Field field = node.type.children[i];
    if (!tree_->nodes()[Index(child)].is_bare_repeated) field.type = PrunedType(child);
    type.children.push_back(std::move(field));
  }
  return type;
}

void Projection::Derive() {
  Schema schema;
  // Children of the root ascend, as nodes are depth first.
  const std::vector<int32_t>& all = tree_->nodes()[0].children;
  for (const int32_t column : columns_) {
    const auto place = std::lower_bound(all.begin(), all.end(), column);
    Field field = tree_->schema()->fields[static_cast<size_t>(place - all.begin())];
    if (!tree_->nodes()[Index(column)].is_bare_repeated) field.type = PrunedType(column);
    schema.fields.push_back(std::move(field));
    const SchemaNode& node = tree_->nodes()[Index(column)];
    for (int32_t leaf = node.first_leaf; leaf < node.end_leaf; ++leaf) {
      if (included_[Index(tree_->leaves()[Index(leaf)].node)]) leaves_.push_back(leaf);
    }
  }
  schema_ = std::make_shared<const Schema>(std::move(schema));
}

}  // namespace sluice::inline v0::parquet
