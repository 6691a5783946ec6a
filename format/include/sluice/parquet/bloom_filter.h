#pragma once

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace sluice::inline v0::parquet {

/// The hash of a value's PLAIN-encoded bytes without length prefix: XXH64, seed 0.
SLUICE_EXPORT uint64_t BloomHash(std::span<const uint8_t> value);

/// A split-block bloom filter.
///
/// Threads: thread-compatible. Lifetime: keeps its bitset, which copies share.
/// Source: parquet-format BloomFilter.md.
class SLUICE_EXPORT BloomFilter {
 public:
  struct Header {
    int32_t header_size = 0;  ///< Bytes of the Thrift header.
    int32_t num_bytes = 0;    ///< Of the bitset that follows it.
  };
  /// Empty when `bytes` end inside the header. Errors: kCorruption (sizes not a positive multiple
  /// of 32); kUnsupported for another algorithm, hash or compression.
  static Result<std::optional<Header>> ParseHeader(std::span<const uint8_t> bytes);

  /// Over the bitset that a file holds. Errors: kCorruption unless its size is a positive multiple
  /// of 32.
  static Result<BloomFilter> FromBitset(BufferRef bitset);
  /// An empty one for `distinct_values` at the given rate of false positives, of 128 MiB at most.
  /// Errors: kInvalidArgument for a negative number, or a rate outside (0, 1); kResourceExhausted
  /// by the pool.
  static Result<BloomFilter> Make(int64_t distinct_values, double false_positive_rate,
                                  BufferPool& pool);

  /// False only where no value of this BloomHash was inserted.
  bool MayContain(uint64_t hash) const;
  void Insert(uint64_t hash);
  const BufferRef& bitset() const { return bitset_; }

 private:
  explicit BloomFilter(BufferRef bitset) : bitset_(std::move(bitset)) {}
  BufferRef bitset_;
};

}  // namespace sluice::inline v0::parquet
