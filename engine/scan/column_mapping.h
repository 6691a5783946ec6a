#pragma once

// How the columns of a table are found in a file whose schema is another: which of the file's
// fields is which of the table's, and what has to be read of it. Fields that the file lacks are
// NULL, types are widened (format/model/widen.h), and the nulls of a struct stay its own also where
// none of its asked fields is there. adapt_column.h makes the columns.

#include <sluice/column.h>
#include <sluice/column_match.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sluice::inline v0::engine {

/// A column of a table, or a field below it, in one file. Plain data, immutable once it is shared.
struct ColumnMapping {
  /// What is delivered: the table's type.
  std::shared_ptr<const DataType> type;
  /// Of the file's field among its siblings; -1 where the file has none.
  int32_t ordinal = -1;
  /// Of the file's field among the siblings that a projection of FieldPathsOf delivers. Of no use
  /// at the top level, and where nothing is read.
  int32_t rank = -1;
  /// Of a scalar that is read: its type in the file.
  std::shared_ptr<const DataType> file_type;
  /// A row that stands for all, where nothing of the file is read: NULL. For a field that the file
  /// does not have (its ordinal is -1) the caller may put a default in its place.
  std::shared_ptr<const Column> constant;
  /// One for each child of a struct, list or map.
  std::vector<ColumnMapping> children;
  /// Ordinals from a struct of which no child is read down to the field that is read in order to
  /// know which rows are null.
  std::vector<int32_t> carrier;
  /// Whether what is projected is the table's column as it is.
  bool is_identity = false;

  /// Whether the file is read for it.
  bool is_read() const { return constant == nullptr; }
};

/// Finds the columns `wanted` of a table in a file. `wanted` may be part of the table's schema,
/// down into structs: `positions` are the ordinals of its columns among the table's. Nothing is
/// checked of fields that allow nulls in the file alone, or are missing and allow none.
///
/// A name that siblings share is matched in their order, where table and file have it equally
/// often; at the top level else by position, if the field there has it.
/// Errors: kUnsupported, naming the column, for types without an exact conversion, naming both, and
/// for names or field ids that several fields of the file have; kInvalidArgument for a wanted field
/// without field id, one that is wanted twice, and positions that are not one a column.
Result<std::vector<ColumnMapping>> MapColumns(const Schema& wanted,
                                              std::span<const int32_t> positions,
                                              const Schema& file, ColumnMatch match);

/// What has to be read of the file, for Projection::OfFields; nothing, where nothing has to.
std::vector<std::vector<int32_t>> FieldPathsOf(const ColumnMapping& mapping);

}  // namespace sluice::inline v0::engine
