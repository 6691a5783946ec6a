#pragma once

// The insides of Parquet pages, made one value at a time by the plainest code: level streams, value
// encodings and compression framings, also malformed ones. Nothing here shares code with the
// library's encoders.

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// The low `bytes` bytes of `value`, least significant first.
std::string LittleEndian(uint64_t value, int32_t bytes);
/// The low `bytes` bytes of `value`, most significant first.
std::string BigEndian(uint64_t value, int32_t bytes);
/// Bytes written as hexadecimal digits; spaces are ignored.
std::string Hex(std::string_view digits);

// --- levels and other RLE/bit-packing hybrids (parquet-format Encodings.md) ---

/// One RLE run: header, then the value in whole bytes.
std::string RleRun(uint64_t count, uint64_t value, int32_t bit_width);
/// One bit-packed run, padded with `padding` to a multiple of 8 values.
std::string BitPackedRun(std::vector<uint64_t> values, int32_t bit_width, uint64_t padding = 0);
/// `values` as RLE runs of equal ones.
std::string RleRuns(const std::vector<uint64_t>& values, int32_t bit_width);
/// `bytes` behind their length in four bytes.
std::string WithLength(std::string_view bytes);
/// The deprecated BIT_PACKED levels: most significant bit first, no header.
std::string BitPackedLevels(const std::vector<uint64_t>& values, int32_t bit_width);
/// Values packed least significant bit first, no header.
std::string PackBits(const std::vector<uint64_t>& values, int32_t bit_width);

// --- values ---

std::string PlainInt32(const std::vector<int64_t>& values);
std::string PlainInt64(const std::vector<int64_t>& values);
std::string PlainFloat(const std::vector<float>& values);
std::string PlainDouble(const std::vector<double>& values);
std::string PlainBoolean(const std::vector<bool>& values);
std::string PlainByteArray(const std::vector<std::string>& values);
/// INT96 as eight bytes of nanoseconds and four of the Julian day.
std::string PlainInt96(int64_t nanoseconds, int32_t julian_day);
/// The body of a dictionary-encoded page: bit width, then the runs.
std::string DictionaryIndices(int32_t bit_width, std::string_view runs);
std::string DictionaryIndices(int32_t bit_width, const std::vector<uint64_t>& indices);

/// Sizes of DELTA_BINARY_PACKED; a miniblock holds block_size / miniblocks values.
struct DeltaLayout {
  uint64_t block_size = 128;
  uint64_t miniblocks = 4;
  /// What stands as the width of miniblocks without values.
  uint8_t unused_width = 0;
  /// Arithmetic of 32 or 64 bits.
  int32_t bits = 64;
};
std::string DeltaBinaryPacked(const std::vector<int64_t>& values, const DeltaLayout& layout = {});
std::string DeltaLengthByteArray(const std::vector<std::string>& values);
/// `previous` is what the first value shares a prefix with; by the specification nothing.
std::string DeltaByteArray(const std::vector<std::string>& values, std::string_view previous = {});
/// PLAIN values of `width` bytes, rearranged.
std::string ByteStreamSplit(std::string_view plain, int32_t width);

// --- compression ---

/// `bytes` compressed in the codec's usual framing (kLz4: Hadoop's, one block).
std::string Compress(parquet::Codec codec, std::string_view bytes);
std::string Lz4Block(std::string_view bytes);
/// Hadoop's framing: per block its decompressed and compressed sizes, big-endian.
std::string HadoopLz4(const std::vector<std::string>& blocks);
/// The LZ4 frame format (magic 04 22 4d 18).
std::string Lz4Frame(std::string_view bytes);
std::string ZstdFrame(std::string_view bytes, bool with_content_size);

/// CRC-32 of gzip, bit by bit.
uint32_t Crc32(std::string_view bytes);

}  // namespace sluice::support
