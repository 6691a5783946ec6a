#pragma once

// The parser of the footer's Thrift bytes: our own, which skips what a scan does not need and
// copies nothing. Tests hold it against Thrift's (tests/support/footer_by_thrift.h).

#include <sluice/buffer.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace sluice::inline v0::parquet {

/// Parses FileMetaData at the front of `bytes`; bytes after it are ignored (a signature may
/// follow). Errors: kCorruption, with the byte offset; kResourceExhausted beyond the limits, and
/// where the pool of the options has no room for what the footer says.
Result<std::shared_ptr<FileMetadata>> ParseFooter(BufferRef bytes,
                                                  const FooterOptions& options = {});

/// Where a part of the page index is, by the two fields of ColumnChunk that say so. Nothing unless
/// both are there and positive: an index that cannot be is one that is not there.
std::optional<ByteRange> IndexRange(std::optional<int64_t> offset, std::optional<int32_t> length);

}  // namespace sluice::inline v0::parquet
