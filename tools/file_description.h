#pragma once

#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/description_writer.h"

namespace sluice::tools {

/// Hands to `writer` what a file says of itself, part by part: footer, schema, row groups and their
/// column chunks; with `with_pages` also every page, which takes long for large files. Calls
/// `chunk_is_done` behind each column chunk. Returns how many chunks have pages that could not be
/// read to their end. Errors: those of writing.
Result<int64_t> DescribeFile(const parquet::FileReader& reader, bool with_pages,
                             DescriptionWriter& writer, const std::function<void()>& chunk_is_done);

/// The schema's nodes below the root, depth first; "depth" is 0 for the top-level fields.
Json DescribeSchema(const parquet::FileReader& reader);

/// Adds the "pages" of a chunk to its description: their headers, whose own bounds and counts are
/// "statistics", and in "column_index" what the column index has for them. A page that cannot be
/// read ends them with an "error". An index that cannot be read, or contradicts itself or the
/// pages, is told of in "notes" of the chunk. Returns whether all pages could be read.
bool DescribePages(const parquet::FileReader& reader, int32_t row_group, int32_t leaf, Json& chunk);

/// Bounds and counts; bounds as canonical values of the leaf's type.
Json DescribeStatistics(const parquet::SchemaTree& tree, int32_t leaf,
                        const parquet::Statistics& statistics);

}  // namespace sluice::tools
