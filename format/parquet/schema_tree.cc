#include <fmt/format.h>
#include <sluice/parquet/schema_tree.h>

#include <algorithm>
#include <utility>

#include "format/model/counted_memory.h"
#include "format/model/no_memory.h"
#include "format/model/path_text.h"
#include "format/model/try.h"
#include "format/parquet/annotation.h"
#include "format/parquet/arrow_durations.h"

namespace sluice::inline v0::parquet {

namespace {

using Role = SchemaNode::Role;

/// Types of nested nodes hold copies of what is below them. So many copied fields may there be:
/// each takes some 200 bytes, and files of 100 000 leaves at depth 5 need half of it.
constexpr int64_t kMaxNestedFields = 1'000'000;
/// And so many bytes of copied names.
constexpr int64_t kMaxNestedNameBytes = int64_t{256} << 20;

size_t Index(int32_t ordinal) { return static_cast<size_t>(ordinal); }

/// Builds the nodes in passes over them, none of which recurses: structure and levels, roles
/// (parents first), leaf ranges (children first), Arrow's hints, types (children first).
class SchemaTreeBuilder {
 public:
  SchemaTreeBuilder(const FileMetadata& metadata, const MetadataLimits& limits)
      : metadata_(metadata), limits_(limits) {}

  Status Build();

  std::vector<SchemaNode> nodes;
  std::vector<Leaf> leaves;
  std::shared_ptr<Schema> schema = std::make_shared<Schema>();
  CountedMemory memory;

 private:
  /// A group whose children are being read.
  struct Open {
    int32_t node;
    int32_t missing;  ///< Children that are still to come.
  };

  const SchemaElement& ElementOf(const SchemaNode& node) const {
    return metadata_.schema[Index(node.element)];
  }

  Status BuildNodes();
  Status AddNode(int32_t element, std::vector<Open>& open);
  Status SetLevels(SchemaNode& node, const SchemaNode& parent) const;
  Status AddLeaf(int32_t node);
  Status CountNode(const SchemaElement& element, int64_t depth);
  Status CheckChildren(const SchemaElement& element, int64_t elements_left) const;
  Status Error(int32_t element, std::string_view what) const;

  void SetRoles();
  void SetRole(SchemaNode& node);
  bool IsListOfWrappedElements(const SchemaNode& list, const SchemaNode& repeated) const;

  Status ApplyArrowSchema();
  bool HasPlainInt64() const;

  void SetLeafRanges();
  void SetTypes();
  Field FieldOf(const SchemaNode& node) const;

  const FileMetadata& metadata_;
  const MetadataLimits& limits_;
  int64_t nested_fields_ = 0;
  int64_t nested_name_bytes_ = 0;
  std::vector<std::optional<TimeUnit>> durations_;  ///< By leaf.
};

Status SchemaTreeBuilder::Error(int32_t element, std::string_view what) const {
  constexpr size_t kShownBytes = 80;
  return Status::Corruption(
      fmt::format("schema: {}: element {} '{}'", what, element,
                  metadata_.schema[Index(element)].name.substr(0, kShownBytes)));
}

Status SchemaTreeBuilder::Build() {
  SLUICE_RETURN_IF_ERROR(BuildNodes());
  SetRoles();
  SetLeafRanges();
  SLUICE_RETURN_IF_ERROR(ApplyArrowSchema());
  SetTypes();
  return Status::Ok();
}

/// The number of children, before anything is made of it (fault F3).
Status SchemaTreeBuilder::CheckChildren(const SchemaElement& element, int64_t elements_left) const {
  const auto ordinal = static_cast<int32_t>(&element - metadata_.schema.data());
  if (element.num_children < 0) return Error(ordinal, "number of children is negative");
  if (element.num_children > elements_left) {
    return Error(ordinal, "has more children than there are elements left");
  }
  return Status::Ok();
}

Status SchemaTreeBuilder::BuildNodes() {
  const std::vector<SchemaElement>& elements = metadata_.schema;
  if (elements.empty()) return Status::Corruption("schema: has no root");
  const auto count = static_cast<int64_t>(elements.size());
  if (count > limits_.max_schema_elements) {
    return Status::ResourceExhausted(
        fmt::format("schema: has more elements than it may: {}", count));
  }
  SLUICE_RETURN_IF_ERROR(CheckChildren(elements[0], count - 1));
  SLUICE_RETURN_IF_ERROR(memory.Extend(nodes, elements.size()));
  SchemaNode& root = nodes.emplace_back();  // Whatever its repetition says, it is there once.
  root.name = elements[0].name;
  std::vector<Open> open{{0, elements[0].num_children}};
  for (int32_t element = 1; element < count; ++element) {
    while (!open.empty() && open.back().missing == 0) open.pop_back();
    if (open.empty()) return Error(element, "belongs to no group");
    SLUICE_RETURN_IF_ERROR(AddNode(element, open));
  }
  for (const Open& group : open) {
    if (group.missing != 0) return Error(nodes[Index(group.node)].element, "lacks children");
  }
  return Status::Ok();
}

Status SchemaTreeBuilder::AddNode(int32_t ordinal, std::vector<Open>& open) {
  const SchemaElement& element = metadata_.schema[Index(ordinal)];
  const int32_t parent = open.back().node;
  --open.back().missing;
  if (static_cast<int64_t>(open.size()) > limits_.max_schema_depth) {
    return Status::ResourceExhausted(
        fmt::format("schema: is nested deeper than it may: element {}", ordinal));
  }
  nested_fields_ += static_cast<int64_t>(open.size()) - 1;
  if (nested_fields_ > kMaxNestedFields) {
    return Status::ResourceExhausted("schema: has more nested fields than it may");
  }
  nested_name_bytes_ += static_cast<int64_t>(open.size()) *
                        static_cast<int64_t>(element.name.size() + element.logical.crs.size());
  if (nested_name_bytes_ > kMaxNestedNameBytes) {
    return Status::ResourceExhausted("schema: has longer names in deeper nesting than it may");
  }
  SLUICE_RETURN_IF_ERROR(CountNode(element, static_cast<int64_t>(open.size())));
  const auto node_ordinal = static_cast<int32_t>(nodes.size());
  nodes[Index(parent)].children.push_back(node_ordinal);
  SchemaNode& node = nodes.emplace_back();
  node.name = element.name;
  node.parent = parent;
  node.element = ordinal;
  if (!element.repetition) return Error(ordinal, "has no repetition");
  node.repetition = *element.repetition;
  SLUICE_RETURN_IF_ERROR(SetLevels(node, nodes[Index(parent)]));
  if (element.type) {
    if (element.num_children != 0) return Error(ordinal, "has a type and children");
    return AddLeaf(node_ordinal);
  }
  SLUICE_RETURN_IF_ERROR(
      CheckChildren(element, static_cast<int64_t>(metadata_.schema.size()) - ordinal - 1));
  open.push_back({node_ordinal, element.num_children});
  return Status::Ok();
}

/// Counts what a node that lies `depth` groups deep takes besides itself: its places in vectors
/// that double, and a copy in the type of each group above it, in the schema, and in what is being
/// moved.
Status SchemaTreeBuilder::CountNode(const SchemaElement& element, int64_t depth) {
  constexpr int64_t kPlaces = 2 * (sizeof(int32_t) + sizeof(Leaf)) + sizeof(TimeUnit) + 1;
  const int64_t text = static_cast<int64_t>(element.name.size() + element.logical.crs.size());
  // A bare repeated field is a list of itself, by the same name.
  const int64_t fields = element.repetition == Repetition::kRepeated ? 2 : 1;
  return memory.Add(kPlaces +
                    (depth + 1) * fields * (static_cast<int64_t>(sizeof(Field)) + text + 2));
}

Status SchemaTreeBuilder::SetLevels(SchemaNode& node, const SchemaNode& parent) const {
  const int32_t definition =
      parent.max_definition_level + (node.repetition == Repetition::kRequired ? 0 : 1);
  const int32_t repetition =
      parent.max_repetition_level + (node.repetition == Repetition::kRepeated ? 1 : 0);
  if (definition > INT16_MAX) {
    return Status::ResourceExhausted(
        fmt::format("schema: levels need more than 15 bits: element {}", node.element));
  }
  node.max_definition_level = static_cast<int16_t>(definition);
  node.max_repetition_level = static_cast<int16_t>(repetition);
  return Status::Ok();
}

Status SchemaTreeBuilder::AddLeaf(int32_t ordinal) {
  const SchemaNode& node = nodes[Index(ordinal)];
  const SchemaElement& element = ElementOf(node);
  Leaf leaf;
  leaf.node = ordinal;
  leaf.physical_type = *element.type;
  if (leaf.physical_type == PhysicalType::kFixedLenByteArray) {
    if (element.type_length <= 0) return Error(node.element, "has no length of its fixed type");
    leaf.type_length = element.type_length;
  }
  leaf.column = static_cast<int32_t>(nodes[0].children.size()) - 1;
  leaf.max_definition_level = node.max_definition_level;
  leaf.max_repetition_level = node.max_repetition_level;
  leaves.push_back(leaf);
  return Status::Ok();
}

/// Whether the repeated group of a list only wraps the element, its single child.
/// Source: LogicalTypes.md, "Lists", "Backward-compatibility rules".
bool SchemaTreeBuilder::IsListOfWrappedElements(const SchemaNode& list,
                                                const SchemaNode& repeated) const {
  if (ElementOf(repeated).type) return false;       // Rule 1.
  if (repeated.children.size() != 1) return false;  // Rule 2.
  const SchemaNode& child = nodes[Index(repeated.children[0])];
  if (child.repetition == Repetition::kRepeated) return false;  // Rule 3.
  if (repeated.name == "array") return false;                   // Rule 4.
  const std::string_view tuple = "_tuple";
  return !(repeated.name.size() == list.name.size() + tuple.size() &&
           repeated.name.starts_with(list.name) && repeated.name.ends_with(tuple));
}

void SchemaTreeBuilder::SetRole(SchemaNode& node) {
  const SchemaElement& element = ElementOf(node);
  if (element.type) {
    node.role = Role::kLeaf;
    return;
  }
  if (node.role == Role::kRepeated) return;  // Its parent has said so.
  const GroupAnnotation annotation = AnnotationOfGroup(element);
  if (annotation == GroupAnnotation::kNone || annotation == GroupAnnotation::kVariant) return;
  if (node.children.size() != 1) return;
  SchemaNode& repeated = nodes[Index(node.children[0])];
  if (repeated.repetition != Repetition::kRepeated) return;
  if (annotation == GroupAnnotation::kList) {
    node.role = Role::kList;
    if (IsListOfWrappedElements(node, repeated)) repeated.role = Role::kRepeated;
    return;
  }
  const size_t num_fields = repeated.children.size();
  if (num_fields != 1 && num_fields != 2) return;
  node.role = Role::kMap;
  repeated.role = Role::kRepeated;
}

void SchemaTreeBuilder::SetRoles() {
  for (size_t i = 1; i < nodes.size(); ++i) {
    SchemaNode& node = nodes[i];
    SetRole(node);
    const Role parent = nodes[Index(node.parent)].role;
    node.is_bare_repeated =
        node.repetition == Repetition::kRepeated && parent != Role::kList && parent != Role::kMap;
  }
}

/// Whether a leaf could be a duration.
bool SchemaTreeBuilder::HasPlainInt64() const {
  return std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
    return leaf.physical_type == PhysicalType::kInt64 &&
           DeliveredType(ElementOf(nodes[Index(leaf.node)])).id == TypeId::kInt64;
  });
}

Status SchemaTreeBuilder::ApplyArrowSchema() {
  durations_.resize(leaves.size());
  const auto pair =
      std::find_if(metadata_.key_value_metadata.begin(), metadata_.key_value_metadata.end(),
                   [](const KeyValue& entry) { return entry.key == "ARROW:schema"; });
  if (pair == metadata_.key_value_metadata.end() || !pair->value || !HasPlainInt64()) {
    return Status::Ok();
  }
  const int64_t before = memory.bytes();
  SLUICE_TRY(durations_, DurationsOf(*pair->value, nodes, leaves.size(), memory));
  memory.Remove(memory.bytes() - before);
  return Status::Ok();
}

/// A node as a field of what it is delivered in.
Field SchemaTreeBuilder::FieldOf(const SchemaNode& node) const {
  Field field;
  field.name = node.name;
  field.nullable = node.repetition == Repetition::kOptional;
  field.field_id = ElementOf(node).field_id;
  field.type = node.type;
  if (node.is_bare_repeated) {
    Field element = std::move(field);
    element.field_id.reset();
    field = Field{element.name, DataType::List(element), false, ElementOf(node).field_id};
  }
  return field;
}

void SchemaTreeBuilder::SetLeafRanges() {
  auto next_leaf = static_cast<int32_t>(leaves.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    SchemaNode& node = nodes[i];
    node.end_leaf = node.children.empty() ? next_leaf : nodes[Index(node.children.back())].end_leaf;
    if (node.role == Role::kLeaf) --next_leaf;
    node.first_leaf = next_leaf;
  }
}

void SchemaTreeBuilder::SetTypes() {
  for (size_t i = nodes.size(); i-- > 1;) {
    SchemaNode& node = nodes[i];
    if (node.role == Role::kRepeated) continue;
    if (node.role == Role::kLeaf) {
      node.type = DeliveredType(ElementOf(node));
      const std::optional<TimeUnit> duration = durations_[Index(node.first_leaf)];
      if (duration && node.type.id == TypeId::kInt64) node.type = DataType::Duration(*duration);
      continue;
    }
    if (node.role == Role::kList) {
      const SchemaNode& repeated = nodes[Index(node.children[0])];
      const bool is_wrapped = repeated.role == Role::kRepeated;
      node.type =
          DataType::List(FieldOf(is_wrapped ? nodes[Index(repeated.children[0])] : repeated));
      continue;
    }
    const bool is_map = node.role == Role::kMap;
    const bool is_variant = AnnotationOfGroup(ElementOf(node)) == GroupAnnotation::kVariant;
    node.type = DataType::Of(is_map       ? TypeId::kMap
                             : is_variant ? TypeId::kVariant
                                          : TypeId::kStruct);
    const SchemaNode& group = is_map ? nodes[Index(node.children[0])] : node;
    node.type.children.reserve(group.children.size());
    for (const int32_t child : group.children) {
      node.type.children.push_back(FieldOf(nodes[Index(child)]));
    }
  }
  schema->fields.reserve(nodes[0].children.size());
  for (const int32_t child : nodes[0].children) {
    schema->fields.push_back(FieldOf(nodes[Index(child)]));
  }
}

}  // namespace

Result<std::shared_ptr<const SchemaTree>> SchemaTree::Make(const FileMetadata& metadata,
                                                           const MetadataLimits& limits,
                                                           BufferPool* pool) {
  return OrNoMemory([&]() -> Result<std::shared_ptr<const SchemaTree>> {
    SchemaTreeBuilder builder(metadata, limits);
    if (pool != nullptr) {
      SLUICE_TRY(Reservation reservation, pool->Reserve(0));
      builder.memory = CountedMemory(std::move(reservation));
    }
    SLUICE_RETURN_IF_ERROR(builder.Build());
    auto tree = std::make_shared<SchemaTree>();
    tree->nodes_ = std::move(builder.nodes);
    tree->leaves_ = std::move(builder.leaves);
    tree->schema_ = std::move(builder.schema);
    tree->bytes_ = metadata.bytes;
    tree->memory_ = builder.memory.Finish();
    return std::shared_ptr<const SchemaTree>(std::move(tree));
  });
}

std::string SchemaTree::LeafPath(int32_t leaf) const {
  std::vector<int32_t> way;
  for (int32_t node = leaves_[Index(leaf)].node; node > 0; node = nodes_[Index(node)].parent) {
    way.push_back(node);
  }
  std::string path;
  for (size_t i = way.size(); i-- > 0;) {
    AppendPathPart(nodes_[Index(way[i])].name, path);
  }
  return path;
}

}  // namespace sluice::inline v0::parquet
