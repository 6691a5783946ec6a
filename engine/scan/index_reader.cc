#include "engine/scan/index_reader.h"

#include <algorithm>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/check_cancelled.h"
#include "format/parquet/read_ranges.h"

namespace sluice::inline v0::engine {

namespace {

using parquet::BloomFilter;

/// How much of a bloom filter is read where the footer does not say how long it is: its header,
/// and the bitset of most that writers make.
constexpr int64_t kBloomFilterBytes = 64 << 10;
/// What is larger is not worth reading for one row group.
constexpr int64_t kMaxIndexBytes = 16 << 20;

/// The bitset behind a header, if both are whole.
std::optional<BloomFilter> FilterIn(const BufferRef& bytes) {
  if (!bytes) return std::nullopt;
  const auto header = BloomFilter::ParseHeader(bytes->span());
  if (!header || !*header) return std::nullopt;
  const int64_t begin = (*header)->header_size;
  if (begin + (*header)->num_bytes > bytes->size()) return std::nullopt;
  auto filter = BloomFilter::FromBitset(SliceBuffer(bytes, begin, (*header)->num_bytes));
  return filter ? std::optional(*std::move(filter)) : std::nullopt;
}

/// How long a bloom filter is by its header; 0 where that is not in the bytes.
int64_t LengthIn(const BufferRef& bytes) {
  if (!bytes) return 0;
  const auto header = BloomFilter::ParseHeader(bytes->span());
  if (!header || !*header) return 0;
  return int64_t{(*header)->header_size} + (*header)->num_bytes;
}

}  // namespace

bool IndexReader::IsReadable(const ByteRange& range) const {
  return range.offset >= 0 && range.length > 0 && range.length <= kMaxIndexBytes &&
         range.length <= reader_.metadata()->footer_offset - range.offset;
}

Result<std::vector<BufferRef>> IndexReader::Read(const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> readable;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(readable),
               [&](const ByteRange& range) { return IsReadable(range); });
  std::vector<BufferRef> parts(ranges.size());
  const parquet::ReadOptions& options = reader_.options();
  for (const ByteRange& joined : parquet::JoinRanges(std::move(readable), options.read_gap_bytes)) {
    SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(options));
    const auto bytes = reader_.file().Read(joined, *options.pool);
    if (!bytes && bytes.error().code() == StatusCode::kResourceExhausted) continue;
    if (!bytes) return bytes.error();
    bytes_read_ += joined.length;
    for (size_t i = 0; i < ranges.size(); ++i) {
      const ByteRange& range = ranges[i];
      const bool is_inside =
          IsReadable(range) && joined.offset <= range.offset && range.end() <= joined.end();
      if (is_inside) parts[i] = SliceBuffer(*bytes, range.offset - joined.offset, range.length);
    }
  }
  return parts;
}

Result<std::vector<std::optional<BloomFilter>>> IndexReader::ReadBloomFilters(
    const std::vector<const parquet::ColumnChunk*>& chunks) {
  std::vector<ByteRange> ranges;
  for (const parquet::ColumnChunk* chunk : chunks) {
    const int64_t offset = chunk->bloom_filter_offset.value_or(0);
    const int64_t claimed = chunk->bloom_filter_length.value_or(0);
    const int64_t most = offset <= 0 ? 0 : reader_.metadata()->footer_offset - offset;
    ranges.push_back({offset, std::min(claimed > 0 ? claimed : kBloomFilterBytes, most)});
  }
  SLUICE_TRY(std::vector<BufferRef> parts, Read(ranges));
  std::vector<ByteRange> longer(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const int64_t length = LengthIn(parts[i]);
    if (length > ranges[i].length) longer[i] = {ranges[i].offset, length};
  }
  SLUICE_TRY(const std::vector<BufferRef> whole, Read(longer));
  std::vector<std::optional<BloomFilter>> filters;
  for (size_t i = 0; i < ranges.size(); ++i) {
    filters.push_back(FilterIn(whole[i] ? whole[i] : parts[i]));
  }
  return filters;
}

}  // namespace sluice::inline v0::engine
