#pragma once

#include <sluice/parquet/metadata.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>

#include <cstdint>
#include <vector>

namespace sluice::inline v0::parquet {

/// Whether what the footer says of a leaf's chunk can be read here: it is there, in this file, not
/// encrypted, of the schema's type, and of as many values as a flat column has rows.
/// Errors: kCorruption, kEncrypted, kUnsupported; without the place.
Status CheckColumnChunk(const FileMetadata& metadata, const SchemaTree& tree, int32_t row_group,
                        int32_t leaf);

/// About how many bytes a row of the leaf takes while it is read and delivered, by the sizes and
/// counts that the footer claims; at least what delivered nulls take, and bounded so that some
/// thousand of them can be added up.
int64_t DeliveredRowBytes(const SchemaTree& tree, int32_t leaf, const ColumnChunk& chunk,
                          int64_t num_rows);

/// Where the column chunks of a file begin and where its footer does, ascending; 0 for one that
/// nobody knows.
std::vector<int64_t> ChunkBegins(const FileMetadata& metadata);
/// Where the next chunk begins behind the beginning of this one, or the footer: sizes are
/// overstated in some files (fault F11), and what lies there is not the chunk's own. 0 where some
/// beginning is not known.
int64_t EndOfOwnBytes(const std::vector<int64_t>& chunk_begins, const FileMetadata& metadata,
                      const ColumnChunk& chunk);

}  // namespace sluice::inline v0::parquet
