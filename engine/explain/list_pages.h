#pragma once

#include <sluice/explain.h>
#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <functional>
#include <optional>
#include <vector>

#include "format/model/counted_memory.h"

namespace sluice::inline v0::engine {

/// Is told of a page that was added, and of the statistics in its header.
using PageVisitor = std::function<void(PageExplanation& page,
                                       const std::optional<parquet::Statistics>& statistics)>;

/// Adds the data pages of a column chunk that have levels, in order: by its offset index where it
/// has one that can be believed, else by their headers; with `visit` by their headers. `memory`
/// counts them.
/// Errors: those of PageCursor, behind the pages before; kResourceExhausted.
Status ListPages(const parquet::FileReader& reader, int32_t row_group, int32_t leaf,
                 const PageVisitor& visit, CountedMemory& memory,
                 std::vector<PageExplanation>& pages);

}  // namespace sluice::inline v0::engine
