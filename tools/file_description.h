#pragma once

#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace sluice::tools {

using Json = nlohmann::ordered_json;

/// What a file says of itself, as `sluice inspect --json` prints it: footer, schema, row groups and
/// their column chunks; with `with_pages` also every page.
Result<Json> DescribeFile(const parquet::FileReader& reader, bool with_pages);

/// The schema's nodes below the root, depth first; "depth" is 0 for the top-level fields.
Json DescribeSchema(const parquet::FileReader& reader);

/// The pages of a chunk by their headers. A page that cannot be read ends them with an "error".
Json DescribePages(const parquet::FileReader& reader, int32_t row_group, int32_t leaf);

/// Bounds and counts; bounds as canonical values of the leaf's type.
Json DescribeStatistics(const parquet::SchemaTree& tree, int32_t leaf,
                        const parquet::Statistics& statistics);

/// The file and `description` as lines for people.
std::string DescriptionText(const Json& description);

}  // namespace sluice::tools
