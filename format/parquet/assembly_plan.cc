#include "format/parquet/assembly_plan.h"

#include <cassert>
#include <utility>

namespace sluice::inline v0::parquet {
namespace {

/// Recursion is as deep as the schema, which SchemaTree::Make limits.
class Planner {
 public:
  Planner(const Projection& projection, AssemblyPlan& plan)
      : projection_(projection), nodes_(projection.tree()->nodes()), plan_(plan) {}

  /// The column of `node`, delivered as `type`, whose slots are those of `slot`.
  AssemblyNode Plan(int32_t node, const DataType& type, LevelPair slot);

 private:
  using Kind = AssemblyNode::Kind;

  const SchemaNode& At(int32_t node) const { return nodes_[static_cast<size_t>(node)]; }
  static LevelPair Levels(const SchemaNode& node) {
    return {static_cast<uint16_t>(node.max_repetition_level),
            static_cast<uint16_t>(node.max_definition_level)};
  }
  AssemblyNode PlanValue(int32_t node, const DataType& type, LevelPair slot);
  AssemblyNode PlanLeaf(const SchemaNode& node);
  void PlanRepeats(const SchemaNode& node, const DataType& type, AssemblyNode& planned);
  void PlanFields(const SchemaNode& group, const DataType& type, LevelPair slot, LevelPair shared,
                  AssemblyNode& planned);
  std::shared_ptr<const DataType> Share(const DataType& type) const {
    return {projection_.schema(), &type};
  }

  const Projection& projection_;
  const std::vector<SchemaNode>& nodes_;
  AssemblyPlan& plan_;
  std::vector<uint16_t> open_definitions_{0};  ///< Of the lists around the node being planned.
};

AssemblyNode Planner::Plan(int32_t node, const DataType& type, LevelPair slot) {
  const SchemaNode& schema_node = At(node);
  if (!schema_node.is_bare_repeated) return PlanValue(node, type, slot);
  AssemblyNode planned;
  planned.kind = Kind::kRepeats;
  planned.type = Share(type);
  planned.slot = slot;
  planned.element = Levels(schema_node);
  open_definitions_.push_back(planned.element.definition);
  planned.children.push_back(PlanValue(node, type.children[0].type, planned.element));
  open_definitions_.pop_back();
  planned.leaf = planned.children[0].leaf;
  return planned;
}

AssemblyNode Planner::PlanValue(int32_t node, const DataType& type, LevelPair slot) {
  const SchemaNode& schema_node = At(node);
  AssemblyNode planned;
  switch (schema_node.role) {
    case SchemaNode::Role::kLeaf:
      planned = PlanLeaf(schema_node);
      break;
    case SchemaNode::Role::kList:
    case SchemaNode::Role::kMap:
      planned.kind = Kind::kRepeats;
      PlanRepeats(schema_node, type, planned);
      break;
    case SchemaNode::Role::kStruct:
    case SchemaNode::Role::kRepeated:
      planned.kind = Kind::kStruct;
      PlanFields(schema_node, type, slot, Levels(schema_node), planned);
      break;
  }
  planned.type = Share(type);
  planned.slot = slot;
  planned.definition = Levels(schema_node).definition;
  planned.is_optional = schema_node.repetition == Repetition::kOptional;
  return planned;
}

AssemblyNode Planner::PlanLeaf(const SchemaNode& node) {
  AssemblyNode planned;
  planned.kind = Kind::kLeaf;
  planned.leaf = static_cast<int32_t>(plan_.leaves.size());
  AssemblyLeaf leaf;
  leaf.max_repetition = Levels(node).repetition;
  leaf.max_definition = Levels(node).definition;
  leaf.open_definitions = open_definitions_;
  leaf.leaf = node.first_leaf;
  plan_.leaves.push_back(std::move(leaf));
  return planned;
}

void Planner::PlanRepeats(const SchemaNode& node, const DataType& type, AssemblyNode& planned) {
  const int32_t repeated = node.children[0];
  const SchemaNode& repeated_node = At(repeated);
  planned.element = Levels(repeated_node);
  open_definitions_.push_back(planned.element.definition);
  if (node.role == SchemaNode::Role::kMap) {
    PlanFields(repeated_node, type, planned.element, planned.element, planned);
  } else {
    const int32_t element =
        repeated_node.role == SchemaNode::Role::kRepeated ? repeated_node.children[0] : repeated;
    planned.children.push_back(Plan(element, type.children[0].type, planned.element));
    planned.leaf = planned.children[0].leaf;
  }
  open_definitions_.pop_back();
}

/// The delivered fields are those children of `group` that are projected.
void Planner::PlanFields(const SchemaNode& group, const DataType& type, LevelPair slot,
                         LevelPair shared, AssemblyNode& planned) {
  for (const int32_t child : group.children) {
    if (!projection_.Includes(child)) continue;
    const DataType& child_type = type.children[planned.children.size()].type;
    AssemblyNode field = Plan(child, child_type, slot);
    if (planned.leaf < 0) {
      planned.leaf = field.leaf;
    } else if (field.leaf >= 0 && shared.definition > 0) {
      plan_.shared.push_back({planned.leaf, field.leaf, shared});
    }
    planned.children.push_back(std::move(field));
  }
  assert(planned.children.size() == type.children.size());
}

}  // namespace

std::shared_ptr<const AssemblyPlan> MakeAssemblyPlan(const Projection& projection, size_t column) {
  auto plan = std::make_shared<AssemblyPlan>();
  plan->tree = projection.tree();
  Planner planner(projection, *plan);
  plan->root = planner.Plan(projection.columns()[column], projection.schema()->fields[column].type,
                            LevelPair{});
  return plan;
}

}  // namespace sluice::inline v0::parquet
