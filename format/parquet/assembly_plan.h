#pragma once

// How the levels of one delivered column's leaves become its nested columns, worked out once a
// projection, so that a batch looks at no schema.

#include <sluice/parquet/projection.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::inline v0::parquet {

/// A pair of levels. As the levels of a repeated node they say which entries of a leaf below it
/// begin one of its elements: those with repetition <= .repetition and definition >= .definition.
/// {0, 0} are those of the record itself.
struct LevelPair {
  uint16_t repetition = 0;
  uint16_t definition = 0;
};

/// A column to be built. It has a row a slot; the slots are the elements of its nearest repeated
/// ancestor, whatever lies between (fault N4).
struct AssemblyNode {
  enum class Kind : uint8_t {
    kLeaf,
    kStruct,
    kRepeats,  ///< A list, map or bare repeated field: offsets, and children that have a row an
               ///< element.
  };

  Kind kind = Kind::kLeaf;
  std::shared_ptr<const DataType> type;
  /// The first leaf below, as an ordinal among the column's projected leaves; -1 where there is
  /// none, and so no levels: such a struct is never null, such a list always empty.
  int32_t leaf = -1;
  LevelPair slot;  ///< The nearest repeated ancestor.
  /// A row is null below this definition level. Only for nodes that are optional themselves: a
  /// required node inside a null parent does not record the parent's nulls, a leaf always does.
  uint16_t definition = 0;
  bool is_optional = false;
  LevelPair element;                   ///< kRepeats: the repeated node.
  std::vector<AssemblyNode> children;  ///< kStruct and kRepeats, as the type's children.
};

/// Two leaves whose common ancestors must have the same structure in both: the entries of
/// repetition <= .shared.repetition, seen up to .shared.definition.
struct SharedLevels {
  int32_t leaf;   ///< The first leaf below the ancestor.
  int32_t other;  ///< The first leaf of another of its children.
  LevelPair shared;
};

struct AssemblyLeaf {
  uint16_t max_definition = 0;
  uint16_t max_repetition = 0;
  /// Of each repetition level r, the definition level of the list that repeats at it: an entry of
  /// repetition r and the entry before it lie inside that list. [0] is 0.
  std::vector<uint16_t> open_definitions;
  int32_t leaf = 0;  ///< Ordinal in SchemaTree::leaves.
};

struct AssemblyPlan {
  std::shared_ptr<const SchemaTree> tree;
  AssemblyNode root;
  std::vector<AssemblyLeaf> leaves;
  std::vector<SharedLevels> shared;
};

/// The plan of the delivered column that `projection.columns()[column]` names.
std::shared_ptr<const AssemblyPlan> MakeAssemblyPlan(const Projection& projection, size_t column);

}  // namespace sluice::inline v0::parquet
