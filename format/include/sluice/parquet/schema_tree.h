#pragma once

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0::parquet {

/// A node of the schema with its levels and what it is delivered as.
///
/// The list and map groups of the file keep their nodes; `role` says what each stands for, by the
/// backward-compatibility rules of parquet-format LogicalTypes.md ("Nested Types").
struct SchemaNode {
  enum class Role : uint8_t {
    kLeaf,      ///< A primitive field.
    kStruct,    ///< A group that is delivered as a struct (also VARIANT).
    kList,      ///< A LIST-annotated group; its child 0 is the repeated node, which is either of
                ///< role kRepeated (then the element is that one's only child) or the element.
    kMap,       ///< A MAP group; its child 0 is the repeated key_value node with the fields.
    kRepeated,  ///< The repeated node inside a kList whose only child is the element (three-level
                ///< form), or inside a kMap. Delivered as nothing of its own.
  };

  std::string_view name;  ///< Valid while the tree lives.
  int32_t parent = -1;    ///< Ordinal of the parent node; -1 for the root.
  std::vector<int32_t> children;
  int32_t element = 0;  ///< Ordinal in FileMetadata::schema.
  Role role = Role::kStruct;
  Repetition repetition = Repetition::kRequired;
  int16_t max_definition_level = 0;
  int16_t max_repetition_level = 0;
  /// Leaves [first_leaf, end_leaf) lie below (the node itself, for a leaf).
  int32_t first_leaf = 0;
  int32_t end_leaf = 0;
  /// What the node is delivered as, without the implied list of a bare repeated field; for
  /// Role::kRepeated meaningless.
  DataType type;
  /// A repeated field that is not the repeated child of a kList or kMap: delivered as list<type>,
  /// neither list nor element ever null.
  bool is_bare_repeated = false;

  /// A leaf that is delivered as its values, not as a list of them.
  bool is_single_leaf() const { return role == Role::kLeaf && !is_bare_repeated; }
};

struct Leaf {
  int32_t node = 0;    ///< Ordinal in SchemaTree::nodes.
  int32_t column = 0;  ///< Ordinal of the top-level field that it belongs to.
  PhysicalType physical_type = PhysicalType::kBoolean;
  int32_t type_length = 0;  ///< kFixedLenByteArray: bytes a value.
  int16_t max_definition_level = 0;
  int16_t max_repetition_level = 0;
};

/// The schema of a file as a tree, its leaves, and the columns it is delivered as. Immutable; keeps
/// the footer's bytes alive, which the names are views of.
class SLUICE_EXPORT SchemaTree {
 public:
  /// Errors: kCorruption for counts, repetitions or types that no schema can have;
  /// kResourceExhausted beyond `limits`, and where `pool`, in which the tree counts, has no room
  /// for it. Without a pool nobody counts it.
  static Result<std::shared_ptr<const SchemaTree>> Make(const FileMetadata& metadata,
                                                        const MetadataLimits& limits = {},
                                                        BufferPool* pool = nullptr);

  const std::vector<SchemaNode>& nodes() const { return nodes_; }  ///< Depth first, 0 is the root.
  const std::vector<Leaf>& leaves() const { return leaves_; }
  /// The node of a leaf that is there.
  const SchemaNode& LeafNode(int32_t leaf) const {
    return nodes_[static_cast<size_t>(leaves_[static_cast<size_t>(leaf)].node)];
  }
  /// The delivered columns: one a child of the root.
  const std::shared_ptr<const Schema>& schema() const { return schema_; }

  /// The path of a leaf that is there, written as ParseColumnPaths (text.h) reads paths: for
  /// messages only.
  std::string LeafPath(int32_t leaf) const;

 private:
  std::vector<SchemaNode> nodes_;
  std::vector<Leaf> leaves_;
  std::shared_ptr<const Schema> schema_;
  BufferRef bytes_;
  Reservation memory_;
};

}  // namespace sluice::inline v0::parquet
