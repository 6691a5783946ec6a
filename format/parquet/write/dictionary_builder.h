#pragma once

#include <sluice/parquet/metadata.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/parquet/write/leaf_rows.h"

namespace sluice::inline v0::parquet {

/// The distinct values of a chunk, told apart by their bytes, numbered as they first occur.
///
/// Threads: confined.
class DictionaryBuilder {
 public:
  DictionaryBuilder(PhysicalType type, int32_t type_length);

  /// Makes room for `count` new values of `bytes` in all.
  void Reserve(int64_t count, int64_t bytes) {
    values_.Reserve(count, bytes);
    MakeRoom(hashes_, count);
  }
  /// The code of `value`, which is added if it is new.
  uint32_t Insert(std::string_view value);

  int64_t size() const { return values_.count(); }
  /// Bytes that it takes, and those that it takes meanwhile to grow by `count` values of `bytes`.
  int64_t held_bytes() const {
    return values_.held_bytes() + HeldBytes(hashes_) + HeldBytes(table_);
  }
  int64_t growth_bytes(int64_t count, int64_t bytes) const;
  int64_t plain_bytes() const { return values_.plain_bytes(); }
  const ValueBuffer& values() const { return values_; }

 private:
  void Grow();

  ValueBuffer values_;
  /// Open addressing, a power of two places, at most half of them taken; kFree or a code.
  std::vector<uint32_t> table_;
  std::vector<uint64_t> hashes_;  ///< Of each value.
};

/// Appends a page of dictionary indices below `dictionary_size`:
///
///   | bit width, 1 byte | RLE/bit-packing hybrid |
void EncodeDictionaryIndices(const std::vector<uint32_t>& codes, int64_t dictionary_size,
                             std::vector<uint8_t>* out);

}  // namespace sluice::inline v0::parquet
