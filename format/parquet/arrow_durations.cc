#include "format/parquet/arrow_durations.h"

#include <utility>

#include "format/model/try.h"
#include "format/parquet/arrow_schema_hint.h"

namespace sluice::inline v0::parquet {

namespace {

using Role = SchemaNode::Role;

size_t Index(int32_t ordinal) { return static_cast<size_t>(ordinal); }

/// Walks the Arrow field and the node side by side, as far as they have the same shape and names
/// (those in lists and maps are the writer's own business).
void Apply(const ArrowSchemaHint& hint, int32_t field, int32_t node,
           const std::vector<SchemaNode>& nodes, std::vector<std::optional<TimeUnit>>& durations) {
  using Shape = ArrowFieldHint::Shape;
  struct Pair {
    int32_t field;
    int32_t node;
    bool is_element;  ///< The list that a bare repeated node stands for has been entered.
  };
  std::vector<Pair> pending{{field, node, false}};
  while (!pending.empty()) {
    const Pair pair = pending.back();
    pending.pop_back();
    const ArrowFieldHint& arrow = hint.fields[Index(pair.field)];
    const SchemaNode& at = nodes[Index(pair.node)];
    if (at.is_bare_repeated && !pair.is_element) {
      if (arrow.shape == Shape::kList && arrow.children.size() == 1) {
        pending.push_back({arrow.children[0], pair.node, true});
      }
      continue;
    }
    if (at.role == Role::kLeaf) {
      if (arrow.shape == Shape::kDuration) durations[Index(at.first_leaf)] = arrow.unit;
      continue;
    }
    const SchemaNode* group = &at;
    const ArrowFieldHint* fields = &arrow;
    if (at.role == Role::kList || at.role == Role::kMap) {
      const Shape wanted = at.role == Role::kList ? Shape::kList : Shape::kMap;
      if (arrow.shape != wanted || arrow.children.size() != 1) continue;
      const int32_t repeated = at.children[0];
      if (at.role == Role::kList) {
        const SchemaNode& inner = nodes[Index(repeated)];
        const int32_t element = inner.role == Role::kRepeated ? inner.children[0] : repeated;
        pending.push_back({arrow.children[0], element, false});
        continue;
      }
      group = &nodes[Index(repeated)];
      fields = &hint.fields[Index(arrow.children[0])];
    }
    if (fields->shape != Shape::kStruct || fields->children.size() != group->children.size()) {
      continue;
    }
    for (size_t i = 0; i < group->children.size(); ++i) {
      const int32_t child = group->children[i];
      const bool is_same = hint.fields[Index(fields->children[i])].name == nodes[Index(child)].name;
      if (is_same || at.role == Role::kMap) pending.push_back({fields->children[i], child, false});
    }
  }
}

}  // namespace

Result<std::vector<std::optional<TimeUnit>>> DurationsOf(std::string_view arrow_schema,
                                                         const std::vector<SchemaNode>& nodes,
                                                         size_t num_leaves, CountedMemory& memory) {
  std::vector<std::optional<TimeUnit>> durations(num_leaves);
  SLUICE_TRY(const std::optional<ArrowSchemaHint> hint, ParseArrowSchema(arrow_schema, memory));
  if (!hint || hint->columns.size() != nodes[0].children.size()) return durations;
  for (size_t i = 0; i < hint->columns.size(); ++i) {
    const int32_t column = nodes[0].children[i];
    if (hint->fields[Index(hint->columns[i])].name != nodes[Index(column)].name) continue;
    Apply(*hint, hint->columns[i], column, nodes, durations);
  }
  return durations;
}

}  // namespace sluice::inline v0::parquet
