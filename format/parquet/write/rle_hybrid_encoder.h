#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::inline v0::parquet {

/// Appends `values`, each below 2^bit_width (0..32), as runs and bit-packed groups.
///
///   repeated run:   varint(length << 1) | value, ceil(bit_width / 8) bytes
///   bit-packed run: varint(groups << 1 | 1) | groups of 8 values, zeros after the last one
///
/// Source: parquet-format Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
void EncodeRleHybrid(std::span<const uint32_t> values, int32_t bit_width,
                     std::vector<uint8_t>* out);
/// The same for levels, and for booleans a byte each.
void EncodeRleHybrid(std::span<const uint16_t> values, int32_t bit_width,
                     std::vector<uint8_t>* out);
void EncodeRleHybrid(std::span<const uint8_t> values, int32_t bit_width, std::vector<uint8_t>* out);

/// Bits that hold every integer up to `largest`.
int32_t BitsFor(uint64_t largest);

}  // namespace sluice::inline v0::parquet
