#pragma once

// What is the same for every file of a scan.

#include <sluice/filter.h>
#include <sluice/scan.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/bind/bind.h"
#include "engine/bound/bound_expression.h"
#include "engine/scan/filter_cache.h"

namespace sluice::inline v0::engine {

struct JudgedUnit;

enum class VirtualColumn : uint8_t { kNone, kFilePath, kRowNumber, kRowGroup };

/// The type that a virtual column has.
DataType VirtualColumnType(VirtualColumn column);

/// A column of the output.
struct OutputColumn {
  int32_t table_column = 0;  ///< Ordinal in ScanPlan::columns.
  Field field;               ///< Of that column what was asked for, in its own name.
  /// Where `field` is all of the column.
  bool is_whole = true;
};

/// Threads: immutable once files are scanned by it, but for what is thread-safe itself.
struct ScanPlan {
  ScanRequest request;
  ScanOptions options;
  std::shared_ptr<const Schema> table;
  /// The columns of the table, and behind them the virtual ones that can be named.
  std::shared_ptr<const Schema> columns;
  std::vector<OutputColumn> output;
  std::shared_ptr<const Schema> output_schema;
  /// Over `columns`; TRUE without a predicate.
  BoundExpression predicate;
  /// The same, for evidence of whole files; its columns are ordinals in `tree_columns`.
  FilterNode tree;
  std::vector<ColumnPath> tree_columns;
  /// Statistics of row groups are of use.
  bool wants_statistics = false;
  /// Of every file.
  std::shared_ptr<FilterCache> filters;
  /// Whether the rows of a row group that is about to be read are of use; absent: all are. They may
  /// be errors, which are not met then. Called by any thread.
  std::function<bool(const JudgedUnit&)> is_wanted;
  /// What options.read.abandoned is: set, readers of the scan give up.
  std::shared_ptr<std::atomic<bool>> abandoned;

  VirtualColumn VirtualColumnOf(int32_t table_column) const;
};

/// How its predicate is bound. Lifetime: refers to the plan.
BindOptions BindOptionsOf(const ScanPlan& plan);

/// The options have a pool. Errors: as Scan::Open, without those of files.
Result<std::shared_ptr<ScanPlan>> MakeScanPlan(std::shared_ptr<const Schema> table,
                                               ScanRequest request, ScanOptions options);

}  // namespace sluice::inline v0::engine
