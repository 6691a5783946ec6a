#pragma once

// Where the parts of a predicate go in a file, and which of its columns a scan has to do with.

#include <sluice/explain.h>
#include <sluice/status.h>

#include <string>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/scan/file_plan.h"
#include "engine/scan/scan_plan.h"

namespace sluice::inline v0::engine {

/// The operands of the AND that was asked for, each bound as the plan's predicate is; none without
/// a predicate. Fills in the texts of the explanation.
Result<std::vector<BoundExpression>> ExplainPredicate(const ScanPlan& plan,
                                                      Explanation& explanation);

/// Fills in what is the same for all row groups of a file. `is_proven`: as for MakeFilePlan.
Status ExplainFile(const FilePlan& file, const std::vector<BoundExpression>& conjuncts,
                   bool is_proven, FileExplanation& explanation);

/// A file's columns with what can be named behind them.
Schema ColumnsOfFile(const FilePlan& file);

/// The path of a column of the schema, as ParseColumnPaths takes it.
std::string NameOfColumn(const Schema& schema, const ColumnPath& path);

/// The columns of a file's predicate that evidence is of, by their paths or names.
std::vector<std::string> NamesOfSources(const FilePlan& file);

/// The filters in the tree that evidence is held against, in the order of
/// FileExplanation::pruning.
std::vector<const FilterNode*> PruningFilters(const FilePlan& file);

}  // namespace sluice::inline v0::engine
