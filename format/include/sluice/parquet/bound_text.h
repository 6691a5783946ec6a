#pragma once

#include <sluice/export.h>
#include <sluice/parquet/schema_tree.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::inline v0::parquet {

/// The canonical JSON (text.h) of a bound from a leaf's statistics or column index: its value in
/// the leaf's delivered type, {"hex":"..."} where the bytes are none of that type.
SLUICE_EXPORT std::string BoundText(const SchemaTree& tree, int32_t leaf, std::string_view bound);

}  // namespace sluice::inline v0::parquet
