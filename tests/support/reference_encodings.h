#pragma once

// Decoding for the reference reader: every value as a string of its PLAIN bytes (without the length
// of a byte array; a boolean as one byte 0 or 1), one value at a time.

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/reference_compact.h"

namespace sluice::support {

/// `count` values of an RLE/bit-packing hybrid. Ends early where a last bit-packed run is cut short
/// and it held enough values.
std::vector<uint64_t> ReadHybrid(ByteCursor& in, int32_t bit_width, uint64_t count);
/// `count` levels of the deprecated BIT_PACKED encoding.
std::vector<uint64_t> ReadBitPackedLevels(ByteCursor& in, int32_t bit_width, uint64_t count);

/// `count` values of a page body in `encoding`; `dictionary` is the chunk's.
std::vector<std::string> ReadValues(std::string_view body, parquet::Encoding encoding,
                                    parquet::PhysicalType type, int32_t type_length, uint64_t count,
                                    const std::vector<std::string>& dictionary);

/// `bytes` decompressed to `size` bytes.
std::string Decompress(parquet::Codec codec, std::string_view bytes, uint64_t size);

}  // namespace sluice::support
