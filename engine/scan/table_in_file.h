#pragma once

// What the columns of a table are in one file.

#include <sluice/scan.h>
#include <sluice/status.h>
#include <sluice/types.h>
#include <sluice/value.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/scan/column_mapping.h"
#include "engine/scan/scan_plan.h"

namespace sluice::inline v0::engine {

/// The type that a path of ordinals ends at.
const DataType& TypeAt(const Schema& schema, const ColumnPath& path);
/// The value in a wider type, or its own. Absent where there is no such value.
std::optional<Value> WidenedValue(const Value& value, const DataType& to);

/// Finds the columns that a scan uses: those of its output and of its predicate.
///
/// Threads: immutable once made.
class TableInFile {
 public:
  /// A column of the file.
  struct Place {
    ColumnPath path;
    DataType type;
  };

  /// Errors: kUnsupported where a column of the file, or a constant, does not widen to the table's;
  /// kInvalidArgument for a constant of a column that the table has not, or given twice.
  static Result<TableInFile> Make(const ScanPlan& scan, const ScanFile& file,
                                  const Schema& file_schema);

  const std::string& path() const { return path_; }
  int32_t num_file_columns() const { return num_file_columns_; }
  /// The value that a column has in every row of the file, in the table's type; null if it has none
  /// such.
  const Value* ConstantOf(int32_t table_column) const;
  /// Where a column of the predicate is; null where the file has none.
  const Place* Find(const ColumnPath& path) const;
  /// One a column of the output; of those that are virtual or constant without meaning.
  const std::vector<ColumnMapping>& output() const { return output_; }

 private:
  Status AddConstants(const ScanPlan& scan, const ScanFile& file);
  Status MapOutput(const ScanPlan& scan, const Schema& file_schema);
  Status MapPredicate(const ScanPlan& scan, const Schema& file_schema);
  /// Whether the column is looked for in the file.
  bool IsInFile(const ScanPlan& scan, int32_t table_column) const;

  std::string path_;
  int32_t num_file_columns_ = 0;
  std::map<int32_t, Value> constants_;
  std::map<ColumnPath, Place> places_;
  std::vector<ColumnMapping> output_;
};

}  // namespace sluice::inline v0::engine
