#pragma once

// The one evaluator: a predicate held against evidence, whatever the evidence is of.

#include <sluice/evidence.h>
#include <sluice/filter.h>

#include <span>

namespace sluice::inline v0 {

/// Of one filter over the column that the evidence is of. `column` of the result is -1.
Verdict Evaluate(const ColumnFilter& filter, const Evidence& evidence);

/// Of a whole predicate. FilterNode::column is an ordinal in `evidence`; of columns past its end
/// nothing is known.
Verdict Evaluate(const FilterNode& node, std::span<const Evidence> evidence);

/// Whether a filter asks for single values, so that a membership test can decide it.
bool AsksForValues(const ColumnFilter& filter);

}  // namespace sluice::inline v0
