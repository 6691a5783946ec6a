#include "engine/scan/column_parts.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::Projection;
using parquet::SchemaNode;
using parquet::SchemaTree;

const SchemaNode& NodeAt(const SchemaTree& tree, int32_t node) {
  return tree.nodes()[static_cast<size_t>(node)];
}

bool IsStruct(const SchemaNode& node) {
  return node.role == SchemaNode::Role::kStruct && !node.is_bare_repeated;
}

int32_t OrdinalOf(int32_t node, const std::vector<int32_t>& siblings) {
  const auto found = std::find(siblings.begin(), siblings.end(), node);
  return found == siblings.end() ? -1 : static_cast<int32_t>(found - siblings.begin());
}

/// Whether two projections read the same leaves below a node.
bool ReadTheSame(const Projection& a, const Projection& b, const SchemaNode& node) {
  for (int32_t leaf = node.first_leaf; leaf < node.end_leaf; ++leaf) {
    const int32_t leaf_node = a.tree()->leaves()[static_cast<size_t>(leaf)].node;
    if (a.Includes(leaf_node) != b.Includes(leaf_node)) return false;
  }
  return true;
}

void AddPathsLeft(const Projection& wanted, const Projection& earlier, int32_t node,
                  std::vector<int32_t>& path, std::vector<std::vector<int32_t>>& paths) {
  const SchemaNode& shape = NodeAt(*wanted.tree(), node);
  if (!IsStruct(shape)) {
    if (!earlier.Includes(node)) paths.push_back(path);
    return;
  }
  for (size_t i = 0; i < shape.children.size(); ++i) {
    if (!wanted.Includes(shape.children[i])) continue;
    path.push_back(static_cast<int32_t>(i));
    AddPathsLeft(wanted, earlier, shape.children[i], path, paths);
    path.pop_back();
  }
}

/// The parts of the children of a struct.
class PartsPlanner {
 public:
  PartsPlanner(const Projection& wanted, const Projection& earlier, const Projection& later)
      : wanted_(wanted), earlier_(earlier), later_(later) {}

  void Plan(int32_t node, const DataType& type, ColumnParts& parts) const {
    parts.type = std::make_shared<const DataType>(type);
    const SchemaNode& shape = NodeAt(*wanted_.tree(), node);
    if (!IsStruct(shape) || ReadTheSame(wanted_, earlier_, shape)) {
      if (parts.earlier >= 0) parts.later = -1;
      return;
    }
    if (ReadTheSame(wanted_, later_, shape)) {
      parts.earlier = -1;
      return;
    }
    int32_t earlier = 0;
    int32_t later = 0;
    for (const int32_t child : shape.children) {
      const bool is_earlier = earlier_.Includes(child);
      const bool is_later = later_.Includes(child);
      if (wanted_.Includes(child)) {
        ColumnParts& below = parts.children.emplace_back();
        below.earlier = is_earlier ? earlier : -1;
        below.later = is_later ? later : -1;
        Plan(child, type.children[parts.children.size() - 1].type, below);
      }
      earlier += is_earlier ? 1 : 0;
      later += is_later ? 1 : 0;
    }
  }

 private:
  const Projection& wanted_;
  const Projection& earlier_;
  const Projection& later_;
};

/// Whether the same rows of two columns are null.
bool HaveSameNulls(const Column& a, const Column& b) {
  if (a.null_count != b.null_count) return false;
  if (a.null_count == 0 || a.null_count == a.length) return true;
  const auto* left = a.validity->as<uint64_t>();
  const auto* right = b.validity->as<uint64_t>();
  for (int64_t row = 0; row < a.length; row += 64) {
    const uint64_t differing = left[row / 64] ^ right[row / 64];
    if ((differing & LowBits(std::min<int64_t>(a.length - row, 64))) != 0) return false;
  }
  return true;
}

const Column* ChildAt(const Column* column, int32_t ordinal) {
  return ordinal < 0 ? nullptr : &column->children[static_cast<size_t>(ordinal)];
}

}  // namespace

bool CanBeParted(const SchemaTree& tree, int32_t column) {
  const int32_t node = NodeAt(tree, 0).children[static_cast<size_t>(column)];
  if (!IsStruct(NodeAt(tree, node))) return false;
  // Nodes are depth first.
  for (size_t below = static_cast<size_t>(node); below < tree.nodes().size(); ++below) {
    if (static_cast<int32_t>(below) > node && tree.nodes()[below].parent < node) break;
    if (tree.nodes()[below].first_leaf == tree.nodes()[below].end_leaf) return false;
  }
  return true;
}

std::vector<std::vector<int32_t>> PathsLeft(const Projection& wanted, const Projection& earlier) {
  const int32_t column = wanted.columns()[0];
  std::vector<int32_t> path{OrdinalOf(column, NodeAt(*wanted.tree(), 0).children)};
  std::vector<std::vector<int32_t>> paths;
  AddPathsLeft(wanted, earlier, column, path, paths);
  return paths;
}

ColumnParts PlanParts(const Projection& wanted, const Projection& earlier,
                      const Projection& later) {
  const int32_t column = wanted.columns()[0];
  ColumnParts parts;
  parts.earlier = OrdinalOf(column, earlier.columns());
  parts.later = OrdinalOf(column, later.columns());
  PartsPlanner(wanted, earlier, later).Plan(column, wanted.schema()->fields[0].type, parts);
  return parts;
}

Result<Column> JoinParts(const ColumnParts& parts, const Column* earlier, const Column* later) {
  if (parts.children.empty()) return *(parts.earlier >= 0 ? earlier : later);
  const Column& one = earlier != nullptr ? *earlier : *later;
  if (earlier != nullptr && later != nullptr) {
    if (earlier->length != later->length) {
      return Status::Internal(
          fmt::format("parts of a struct have {} and {} rows", earlier->length, later->length));
    }
    if (!HaveSameNulls(*earlier, *later)) {
      return Status::Corruption("levels of two leaves tell different lists or nulls around them");
    }
  }
  Column joined;
  joined.type = parts.type;
  joined.length = one.length;
  joined.null_count = one.null_count;
  joined.validity = one.validity;
  for (const ColumnParts& child : parts.children) {
    SLUICE_TRY(Column below,
               JoinParts(child, ChildAt(earlier, child.earlier), ChildAt(later, child.later)));
    joined.children.push_back(std::move(below));
  }
  return joined;
}

}  // namespace sluice::inline v0::engine
