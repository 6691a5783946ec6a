#pragma once

#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <optional>
#include <string_view>
#include <vector>

#include "format/model/counted_memory.h"

namespace sluice::inline v0::parquet {

/// For each leaf the unit of its duration, where the value of the key "ARROW:schema" says that it
/// is one; `nodes` have their roles and leaf ranges. A schema that is malformed, or of other
/// columns, says nothing. What that takes is added to `memory`.
/// Errors: kResourceExhausted by `memory`.
Result<std::vector<std::optional<TimeUnit>>> DurationsOf(std::string_view arrow_schema,
                                                         const std::vector<SchemaNode>& nodes,
                                                         size_t num_leaves, CountedMemory& memory);

}  // namespace sluice::inline v0::parquet
