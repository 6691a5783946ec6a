#include "tests/support/claims.h"

#include <sluice/buffer.h>
#include <sluice/parquet/bloom_filter.h>

#include <utility>

namespace sluice::support {

std::string Claims::Bytes() const {
  ThriftCompactBuilder out;
  if (deprecated_max) out.Binary(1, *deprecated_max);
  if (deprecated_min) out.Binary(2, *deprecated_min);
  if (null_count) out.I64(3, *null_count);
  if (max_value) out.Binary(5, *max_value);
  if (min_value) out.Binary(6, *min_value);
  if (is_max_exact) out.Bool(7, *is_max_exact);
  if (is_min_exact) out.Bool(8, *is_min_exact);
  if (nan_count) out.I64(9, *nan_count);
  return out.Finish();
}

std::string IndexClaims::Bytes() const {
  const auto strings = [](const std::vector<std::string>& values) {
    std::vector<std::string> elements;
    for (const std::string& value : values) elements.push_back(CompactString(value));
    return elements;
  };
  const auto integers = [](const std::vector<int64_t>& values) {
    std::vector<std::string> elements;
    for (const int64_t value : values) elements.push_back(Varint(ZigZag(value)));
    return elements;
  };
  std::vector<std::string> pages;
  for (const bool is_null : null_pages) pages.emplace_back(1, is_null ? '\1' : '\2');
  ThriftCompactBuilder out;
  out.List(1, CompactType::kTrue, pages)
      .List(2, CompactType::kBinary, strings(min_values))
      .List(3, CompactType::kBinary, strings(max_values))
      .I32(4, 0);
  if (!null_counts.empty()) out.List(5, CompactType::kI64, integers(null_counts));
  if (!nan_counts.empty()) out.List(8, CompactType::kI64, integers(nan_counts));
  return out.Finish();
}

std::string BloomFilterBytes(const std::vector<std::string>& values) {
  parquet::BloomFilter filter = *parquet::BloomFilter::Make(100, 0.0001, *BufferPool::Make());
  for (const std::string& value : values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(value.data());
    filter.Insert(parquet::BloomHash({bytes, value.size()}));
  }
  const std::span<const uint8_t> bitset = filter.bitset()->span();
  // Each of the three unions has one member, an empty struct.
  const std::string first =
      ThriftCompactBuilder().Struct(1, ThriftCompactBuilder().Finish()).Finish();
  return ThriftCompactBuilder()
             .I32(1, static_cast<int64_t>(bitset.size()))
             .Struct(2, first)
             .Struct(3, first)
             .Struct(4, first)
             .Finish() +
         std::string(bitset.begin(), bitset.end());
}

ExtraField ColumnOrders(size_t num_leaves, int32_t member) {
  const std::string order =
      ThriftCompactBuilder().Struct(member, ThriftCompactBuilder().Finish()).Finish();
  const std::vector<std::string> orders(num_leaves, order);
  std::string list = CompactListHeader(CompactType::kStruct, num_leaves);
  for (const std::string& one : orders) list += one;
  return {7, CompactType::kList, list};
}

FileSpec ClaimingFile(const ElementSpec& element, int64_t num_rows, std::vector<PageSpec> pages,
                      const std::optional<Claims>& claims) {
  FileSpec file = OneRowGroup({element}, num_rows, {Chunk(std::move(pages))});
  if (claims) file.row_groups[0].chunks[0].statistics = claims->Bytes();
  file.extra_fields.push_back(ColumnOrders(1));
  return file;
}

}  // namespace sluice::support
