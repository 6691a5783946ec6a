#pragma once

// What becomes of a field on the way to Arrow: decided once, and what both the schema and the
// arrays are made by.

#include <sluice/arrow.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::inline v0::arrow {

/// How a field's values are laid out in Arrow's buffers.
enum class ArrowLayout : uint8_t {
  kNull,      ///< No buffers.
  kFixed,     ///< As in our column, bits of booleans too.
  kDecimal,   ///< 16 bytes, of our 4 or 8.
  kInt96,     ///< 64-bit timestamps, of our 12 bytes.
  kInterval,  ///< int32 months, int32 days, int64 nanoseconds, of our 12 bytes.
  kViews,     ///< As in our column.
  kText32,    ///< int32 offsets and bytes, of our views.
  kText64,    ///< int64 offsets and bytes, of our views.
  kList,      ///< One child; its offsets are our column's. A map without values too.
  kMap,       ///< One child, the entries, of which our column has the children.
  kStruct,
};

struct ArrowField {
  std::string name;
  std::string format;    ///< Of the values, also in a dictionary.
  std::string metadata;  ///< As ArrowSchema has it; empty: none.
  bool nullable = true;
  bool is_dictionary = false;  ///< int32 codes into a dictionary of the values.
  ArrowLayout layout = ArrowLayout::kFixed;
  DataType type;  ///< Ours, without its children and what is only in the metadata.
  std::vector<ArrowField> children;
};

/// A struct of the schema's fields, and of all below them.
/// Errors: as ExportSchema (arrow.h); messages name the field.
Result<ArrowField> MakeArrowField(const Schema& schema, const ArrowExportOptions& options);

/// Whether a column of the type, its children aside, is one of the field.
bool IsOfField(const DataType& type, const ArrowField& field);

/// How deep fields may be nested: consumers allow less, and walk them recursively as we do.
inline constexpr int kMaxArrowDepth = 1000;

}  // namespace sluice::inline v0::arrow
