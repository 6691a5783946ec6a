#pragma once

// Whole pages of values in each encoding. Writers choose one encoding a page; dictionary indices
// have an encoder of their own (dictionary_builder.h).

#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "format/parquet/write/leaf_rows.h"

namespace sluice::inline v0::parquet {

/// Whether values of `type` may be written in `encoding`: what the specification allows, without
/// what is deprecated there (BIT_PACKED) and the dictionary encodings.
bool IsWritable(Encoding encoding, PhysicalType type);

/// Appends `values` in `encoding`, which is writable for their type.
/// Source: parquet-format Encodings.md.
void EncodeValues(Encoding encoding, const ValueBuffer& values, std::vector<uint8_t>* out);

/// DELTA_BINARY_PACKED of 32 and of 64-bit integers: blocks of 128 in 4 miniblocks.
///
///   varint block size | varint miniblocks | varint count | zigzag first value | blocks
///   block: zigzag minimum delta | 4 bytes bit widths | miniblocks of 32 deltas less the minimum
void EncodeDelta(std::span<const int32_t> values, std::vector<uint8_t>* out);
void EncodeDelta(std::span<const int64_t> values, std::vector<uint8_t>* out);

/// ALP of FLOAT (element_bytes 4) and DOUBLE (8): `count` values at `values`.
/// Source: parquet-format AlpEncoding.md.
void EncodeAlp(const uint8_t* values, int64_t count, int32_t element_bytes,
               std::vector<uint8_t>* out);

}  // namespace sluice::inline v0::parquet
