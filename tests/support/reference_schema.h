#pragma once

// The schema of a file as the reference reader sees it, and the canonical text of single values.

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/reference_compact.h"

namespace sluice::support {

/// What a primitive field means. An annotation that does not fit its physical type is dropped.
struct ReferenceAnnotation {
  parquet::LogicalKind kind = parquet::LogicalKind::kNone;
  bool is_interval = false;  ///< Has a ConvertedType only.
  int64_t scale = 0;
  int64_t fraction_digits = 0;  ///< Of times: 3, 6 or 9.
  bool utc_adjusted = false;
  bool is_signed = true;
};

struct ReferenceNode {
  enum class Shape { kLeaf, kStruct, kList, kMap };

  std::string name;
  Shape shape = Shape::kStruct;
  parquet::Repetition repetition = parquet::Repetition::kRequired;
  int64_t definition_level = 0;  ///< Of an entry in which the node is there.
  int64_t repetition_level = 0;
  std::vector<ReferenceNode> children;
  /// Of a list: its repeated child only wraps the element, which is that one's child.
  bool element_is_wrapped = false;
  int32_t first_leaf = 0;
  int32_t end_leaf = 0;
  parquet::PhysicalType type = parquet::PhysicalType::kBoolean;
  int32_t type_length = 0;
  ReferenceAnnotation annotation;
};

/// `elements` are those of FileMetaData.schema; returns the root.
ReferenceNode ReadSchema(const std::vector<CompactValue>& elements);
/// The leaves below `node`, in order.
void ListLeaves(const ReferenceNode& node, std::vector<const ReferenceNode*>& leaves);

/// The canonical JSON text of a value that is not null, given as its PLAIN bytes.
std::string ValueText(const ReferenceNode& leaf, std::string_view bytes);
/// `text` as a JSON string.
std::string JsonString(std::string_view text);

}  // namespace sluice::support
