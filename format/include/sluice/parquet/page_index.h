#pragma once

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0::parquet {

struct PageLocation {
  int64_t offset = 0;
  int32_t compressed_page_size = 0;  ///< Header included.
  int64_t first_row_index = 0;       ///< In the row group.
};

/// Where the data pages of a chunk are.
struct OffsetIndex {
  std::vector<PageLocation> page_locations;
  std::vector<int64_t> unencoded_byte_array_data_bytes;  ///< One a page, or empty.
  std::shared_ptr<const Reservation> memory;             ///< What a parsed index takes of the pool.
};

enum class BoundaryOrder : uint8_t { kUnordered = 0, kAscending = 1, kDescending = 2 };

/// The specification's names, for example "ASCENDING".
SLUICE_EXPORT std::string_view Name(BoundaryOrder order);

/// Bounds of each data page of a chunk, raw. Vectors of optional fields are one a page or empty.
struct ColumnIndex {
  std::vector<bool> null_pages;
  std::vector<std::string_view> min_values;  ///< Into `bytes`.
  std::vector<std::string_view> max_values;  ///< Into `bytes`.
  BoundaryOrder boundary_order = BoundaryOrder::kUnordered;
  std::vector<int64_t> null_counts;
  std::vector<int64_t> nan_counts;
  std::vector<int64_t> repetition_level_histograms;
  std::vector<int64_t> definition_level_histograms;
  BufferRef bytes;  ///< The index as it is in the file, kept for the bounds.
  std::shared_ptr<const Reservation> memory;  ///< What the vectors take of the pool.
};

/// Errors: kCorruption; kResourceExhausted where `pool` has no room for the vectors, which may be
/// some times as large as `bytes`. Without a pool nobody counts them.
SLUICE_EXPORT Result<OffsetIndex> ParseOffsetIndex(std::span<const uint8_t> bytes,
                                                   BufferPool* pool = nullptr);
/// Errors: as ParseOffsetIndex; kCorruption also when the vectors' lengths differ.
SLUICE_EXPORT Result<ColumnIndex> ParseColumnIndex(BufferRef bytes, BufferPool* pool = nullptr);

/// Whether the index can be believed for skipping: first page at row 0, rows strictly ascending and
/// below num_rows, offsets ascending and inside the chunk's bytes, sizes positive. What is wrong,
/// or OK.
SLUICE_EXPORT Status CheckOffsetIndex(const OffsetIndex& index, int64_t num_rows,
                                      ByteRange chunk_bytes);

/// Whether the index agrees with itself and with the chunk's data pages, which have `page_values`
/// levels each: one entry a page, no count above the levels, pages of nulls alone where it says so
/// and nowhere else, bounds that are values of the column's type, the lower not above the upper,
/// and in the order that it claims. What is wrong, or OK. Bounds are compared where the
/// column has an order of this version; what lists without elements count as is left open.
SLUICE_EXPORT Status CheckColumnIndex(const ColumnIndex& index, const FileMetadata& metadata,
                                      const SchemaTree& tree, int32_t leaf,
                                      std::span<const int64_t> page_values);

/// The bytes that a chunk can occupy: from the smaller valid offset of dictionary and first data
/// page (0 counts as absent) over total_compressed_size, and somewhat more of writers that are
/// known to say less than there is; cut where the footer begins. Errors: kCorruption for a negative
/// offset or size, an offset that is not before the footer, and for bytes without an offset.
SLUICE_EXPORT Result<ByteRange> ChunkByteRange(const FileMetadata& metadata,
                                               const ColumnChunk& chunk);

}  // namespace sluice::inline v0::parquet
