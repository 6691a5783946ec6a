#pragma once

// Writers that are known to be wrong, and in what: data, so that the code that reads files asks
// for a property and never for a name.

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::inline v0::parquet {

/// What the files of a writer may have wrong.
struct WriterQuirks {
  /// Page CRCs that are not those of the pages.
  bool wrong_checksums = false;
  /// Bytes that total_compressed_size may leave out at a chunk's end (fault F7).
  int32_t missing_chunk_bytes = 0;
  /// The first prefix of a DELTA_BYTE_ARRAY page may refer to the page before it (fault E9).
  bool delta_byte_array_carries_over = false;
  /// Deprecated min and max of BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY may be of other values
  /// (fault S19).
  bool wrong_binary_statistics = false;
  /// Bounds of the kinds below, min_value and max_value too, may not hold.
  bool wrong_bounds = false;                     ///< Of any type.
  bool wrong_byte_array_bounds = false;          ///< BYTE_ARRAY.
  bool wrong_dictionary_bounds = false;          ///< BYTE_ARRAY, written from Arrow dictionaries.
  bool wrong_decimal_bounds = false;             ///< DECIMAL in either byte array.
  bool wrong_byte_array_decimal_bounds = false;  ///< DECIMAL in BYTE_ARRAY.
  /// Null counts that are not 0 may be too large.
  bool overstated_null_counts = false;
  /// Bloom filters may lack values that occur.
  bool wrong_bloom_filters = false;

  bool operator==(const WriterQuirks&) const = default;
};

struct WriterVersion {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = 0;
  bool is_prerelease = false;  ///< A snapshot or release candidate of it: comes before it.

  bool IsBefore(const WriterVersion& release) const;
};

/// Who wrote a file, from created_by: "parquet-mr version 1.8.0 (build 0fda28a)", and whatever else
/// is found in its place. The version is absent where there is none, or none with two numbers.
struct Writer {
  std::string_view application;  ///< Up to the first blank.
  std::optional<WriterVersion> version;
};
Writer ParseCreatedBy(std::string_view created_by);

/// Of a known writer without a version, any is assumed.
WriterQuirks QuirksOf(std::string_view created_by);

}  // namespace sluice::inline v0::parquet
