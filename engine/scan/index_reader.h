#pragma once

// Reads what a file says of row groups beside its footer: bloom filters and page indexes.

#include <sluice/buffer.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::inline v0::engine {

/// Asks for all that is wanted at once; what lies close together is read as one.
///
/// Threads: confined. Lifetime: `reader` outlives it.
class IndexReader {
 public:
  explicit IndexReader(const parquet::FileReader& reader) : reader_(reader) {}

  /// The bytes of each range. Absent where they cannot be an index, or where the pool has no room:
  /// what is not read proves nothing. Errors: of reading.
  Result<std::vector<BufferRef>> Read(const std::vector<ByteRange>& ranges);

  /// The bloom filter of each chunk, read in two rounds at most; absent where there is none that is
  /// of use. Errors: of reading.
  Result<std::vector<std::optional<parquet::BloomFilter>>> ReadBloomFilters(
      const std::vector<const parquet::ColumnChunk*>& chunks);

  int64_t bytes_read() const { return bytes_read_; }

 private:
  bool IsReadable(const ByteRange& range) const;

  const parquet::FileReader& reader_;
  int64_t bytes_read_ = 0;
};

}  // namespace sluice::inline v0::engine
