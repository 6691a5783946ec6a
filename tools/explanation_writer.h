#pragma once

#include <sluice/explain.h>
#include <sluice/status.h>

namespace sluice::tools {

/// Writes an explanation to standard output, in lines for people. Errors: those of WriteOutput.
Status WriteExplanationText(const Explanation& explanation);
/// The same as one JSON object, with every page; a line a row group.
Status WriteExplanationJson(const Explanation& explanation);

}  // namespace sluice::tools
