#pragma once

// Which columns of a file are read when, and where the columns of the output come from.

#include <sluice/column.h>
#include <sluice/parquet/projection.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/bound/bound_expression.h"
#include "engine/scan/column_mapping.h"
#include "engine/scan/column_parts.h"
#include "engine/scan/file_predicate.h"

namespace sluice::inline v0::engine {

/// A column of the output as a file has it.
struct OutputSource {
  enum class Kind : uint8_t { kFile, kConstant, kRowNumber, kRowGroup };
  Kind kind = Kind::kConstant;
  ColumnMapping mapping;  ///< kFile
  Column constant;        ///< kConstant: of one row, which stands for every row.

  /// Whether anything of the file is read for it.
  bool is_read() const { return kind == Kind::kFile && mapping.is_read(); }
};

/// How the columns of a scan of a file are read: `first` are those that the residual needs, what
/// is decoded for filters anyway, and without late materialization all; `rest` are the others. No
/// leaf is in two of them.
struct ColumnStages {
  /// Where a column of the output is found.
  struct Place {
    enum class Stage : uint8_t { kNone, kFirst, kRest, kLazy };
    Stage stage = Stage::kNone;
    size_t column = 0;  ///< In the projection; of kLazy the projection.
    /// Where more of the column is in `first` than is asked for, or a part of it only.
    std::shared_ptr<const ColumnParts> parts;
  };
  parquet::Projection first;
  parquet::Projection rest;
  std::vector<parquet::Projection> lazy;  ///< Of one column each.
  std::vector<Place> places;              ///< One a column of the output.
  /// Over the columns of `first`, with row number and row group behind them. Absent where every row
  /// that filters let pass is delivered.
  std::shared_ptr<const BoundExpression> residual;
  bool reads_row_number = false;  ///< The residual does.
  bool reads_row_group = false;
};

enum class Lateness : uint8_t {
  kNone,   ///< All columns are read at once.
  kRows,   ///< What the residual does not need is read for rows that pass it.
  kAsked,  ///< What neither filters nor the residual need is read when it is asked for.
};

/// `conjuncts`: those of the predicate's residual that are left to evaluate, by their ordinals.
Result<ColumnStages> PlanStages(const std::shared_ptr<const parquet::SchemaTree>& tree,
                                const std::vector<OutputSource>& output,
                                const FilePredicate& predicate,
                                const std::vector<size_t>& conjuncts, Lateness lateness);

}  // namespace sluice::inline v0::engine
