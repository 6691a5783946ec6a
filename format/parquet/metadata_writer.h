#pragma once

// Parquet's metadata as bytes of Thrift's compact protocol, for whoever writes files.

#include <sluice/parquet/metadata.h>
#include <sluice/parquet/page_index.h>
#include <sluice/status.h>

#include <cstdint>
#include <string>

#include "format/parquet/page_header.h"

namespace sluice::inline v0::parquet {

/// Every field that is set in the plain struct, and the required ones, goes into the bytes; nothing
/// is added or checked. An annotation of kUnrecognized is left out. Bounds, names and keys are
/// copied. Errors: kResourceExhausted, for no memory; kCorruption when `geospatial_statistics` are
/// not that, or a string is longer than 2^31 bytes.

/// FileMetaData. `footer_offset`, `bytes` and encryption are not part of it; the caller puts length
/// and magic after it.
Result<std::string> SerializeFooter(const FileMetadata& metadata);
/// Bytes that SerializeFooter takes meanwhile, about, its result included.
int64_t SerializingBytes(const FileMetadata& metadata);

/// PageHeader, with the struct of its type. `header_size` is not part of it. `is_compressed` of V2
/// pages is always written.
Result<std::string> SerializePageHeader(const PageHeader& header);

Result<std::string> SerializeColumnIndex(const ColumnIndex& index);
Result<std::string> SerializeOffsetIndex(const OffsetIndex& index);

/// BloomFilterHeader of a split-block filter with XXH64, uncompressed, over `num_bytes` of bitset.
Result<std::string> SerializeBloomHeader(int32_t num_bytes);

}  // namespace sluice::inline v0::parquet
