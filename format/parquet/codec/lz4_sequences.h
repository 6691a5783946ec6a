#pragma once

// One LZ4 block, a row of sequences:
//
//   | token: literals (high 4 bits), match - 4 (low 4 bits) |
//   | more of the literal count: bytes to add while they are 255 | literals |
//   | distance, little-endian 16 bits | more of the match length, as above |
//
// The last sequence ends after its literals. Source: lz4_Block_format.md of the LZ4 project.
//
// Decoded here and not by the library, which cannot stop in the middle and go on later, and which
// takes a distance of 0, of which the format says that the block is corrupted.

#include <cstdint>

namespace sluice::inline v0::parquet {

enum class Lz4Outcome : uint8_t { kOk, kCutShort, kTooLong, kBadDistance };

/// Where the decoding of a block stands. Input is readable for kReadPadding bytes past its end.
struct Lz4Sequences {
  const uint8_t* in;
  const uint8_t* in_end;
  uint8_t* begin;  ///< Of the output; matches reach back to here.
  uint8_t* out;
  uint8_t* out_end;

  /// Decodes whole sequences until `target` bytes are there, counted from `begin`, or the input
  /// ends. Writes anything between `out` and `out_end`. After an outcome other than kOk `in` and
  /// `out` are where the broken sequence is.
  Lz4Outcome Decode(int64_t target);

 private:
  Lz4Outcome DecodeOne();
};

}  // namespace sluice::inline v0::parquet
