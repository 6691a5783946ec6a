#pragma once

// The schema of a file to be written: what stands in the footer, and the tree along which columns
// are taken apart into levels and values.

#include <sluice/parquet/metadata.h>
#include <sluice/parquet/projection.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "format/parquet/write/bounds.h"

namespace sluice::inline v0::parquet {

/// A field of the written schema and the levels at which it stands.
struct WriteNode {
  enum class Kind : uint8_t { kLeaf, kStruct, kList };  ///< A map is a list of key and value.

  Kind kind = Kind::kLeaf;
  DataType type;  ///< Without children.
  bool is_nullable = true;
  std::string path;  ///< For messages: parts joined by dots.
  /// The definition level of a present value of this node; one less stands for null where it is
  /// nullable. Of a list: of one that is there but empty.
  uint16_t definition_level = 0;
  /// Of a leaf: its maximum. kList: that of the second and further elements.
  uint16_t repetition_level = 0;
  std::vector<WriteNode> children;  ///< kStruct: the fields. kList: element, or key and value.
  int32_t leaf = -1;                ///< kLeaf: its ordinal.
};

/// A leaf of the written schema.
struct WriteLeaf {
  ColumnPath path;  ///< Every name on the way: also list, element, key_value.
  PhysicalType physical_type = PhysicalType::kInt32;
  int32_t type_length = 0;  ///< kFixedLenByteArray only.
  DataType type;
  uint16_t max_definition_level = 0;
  uint16_t max_repetition_level = 0;
  BoundOrder order = BoundOrder::kNone;
};

/// Immutable once made.
struct WriteSchema {
  std::vector<SchemaElement> elements;  ///< Depth first, the root first; names are in `names`.
  std::vector<WriteNode> columns;       ///< One a top-level field.
  std::vector<WriteLeaf> leaves;
  std::deque<std::string> names;  ///< What the elements' views point into.

  /// Lists become the three-level form with the names list and element, maps the one with
  /// key_value, key and value, whatever the children's own names are.
  ///
  /// Errors: kInvalidArgument for what Parquet cannot hold: a struct without fields, widths or
  /// precisions that no type has, nesting beyond kMaxWriteDepth.
  /// Source: parquet-format LogicalTypes.md.
  static Result<WriteSchema> Make(const Schema& schema);
};

/// Nodes on the way from the root to a leaf, at most.
inline constexpr int32_t kMaxWriteDepth = 1000;

}  // namespace sluice::inline v0::parquet
