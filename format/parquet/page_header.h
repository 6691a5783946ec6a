#pragma once

#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <span>

namespace sluice::inline v0::parquet {

/// A page header as the file has it, its sizes and counts checked not to be negative.
struct PageHeader {
  PageType type = PageType::kDataPage;
  int32_t uncompressed_size = 0;
  int32_t compressed_size = 0;
  std::optional<uint32_t> crc;
  /// Data pages: levels. Dictionary pages: entries.
  int32_t num_values = 0;
  Encoding encoding = Encoding::kPlain;
  Encoding definition_level_encoding = Encoding::kRle;  ///< V1.
  Encoding repetition_level_encoding = Encoding::kRle;  ///< V1.
  int32_t num_nulls = 0;                                ///< V2; may be wrong.
  int32_t num_rows = 0;                                 ///< V2.
  int32_t definition_levels_byte_length = 0;            ///< V2.
  int32_t repetition_levels_byte_length = 0;            ///< V2.
  bool is_compressed = true;                            ///< V2; true when absent (fault P2).
  bool is_sorted = false;                               ///< Dictionary pages.
  std::optional<Statistics> statistics;                 ///< Views into the header's bytes.
  int32_t header_size = 0;                              ///< Bytes of the header itself.
};

/// A page header may be this long, which statistics that are not cut can make it (fault M7).
inline constexpr int64_t kMaxPageHeaderBytes = 16 << 20;

/// Parses the page header at the front of `bytes`. Empty when `bytes` end inside it.
/// Errors: kCorruption (no header, negative sizes, the struct for its page type missing,
/// levels of a V2 page longer than the page); kResourceExhausted beyond kMaxPageHeaderBytes.
/// Source: parquet.thrift, PageHeader.
Result<std::optional<PageHeader>> ParsePageHeader(std::span<const uint8_t> bytes);

}  // namespace sluice::inline v0::parquet
