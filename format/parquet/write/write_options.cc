#include "format/parquet/write/write_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/decompressor.h"
#include "format/parquet/write/value_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

// Pages and dictionaries may pass their limits by one row; this leaves room below 2^31 bytes.
constexpr int64_t kMaxBytesLimit = 1 << 30;

std::string Joined(const ColumnPath& path) {
  std::string joined;
  for (const std::string& part : path) joined += (joined.empty() ? "" : ".") + part;
  return joined;
}

Status CheckRange(std::string_view name, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("option {} is out of range: {} not in {}..{}", name, value, low, high));
}

Status CheckFileOptions(const WriteSchema& schema, const WriterOptions& options) {
  SLUICE_RETURN_IF_ERROR(CheckRange("page_bytes", options.page_bytes, 1, kMaxBytesLimit));
  SLUICE_RETURN_IF_ERROR(CheckRange("page_rows", options.page_rows, 1, INT32_MAX));
  SLUICE_RETURN_IF_ERROR(CheckRange("row_group_rows", options.row_group_rows, 1, INT64_MAX));
  SLUICE_RETURN_IF_ERROR(CheckRange("row_group_bytes", options.row_group_bytes, 1, INT64_MAX));
  const auto num_leaves = static_cast<int64_t>(schema.leaves.size());
  for (const SortingColumn& column : options.sorting_columns) {
    SLUICE_RETURN_IF_ERROR(CheckRange("sorting_columns", column.column_index, 0, num_leaves - 1));
  }
  for (const auto& [path, unused] : options.overrides) {
    const bool is_leaf = std::any_of(schema.leaves.begin(), schema.leaves.end(),
                                     [&path](const WriteLeaf& leaf) { return leaf.path == path; });
    if (!is_leaf) {
      return Status::InvalidArgument("option overrides names no leaf: '" + Joined(path) + "'");
    }
  }
  return Status::Ok();
}

Status CheckEncoding(const WriteLeaf& leaf, const ColumnWriteOptions& column,
                     DataPageVersion version) {
  const Encoding encoding = column.encoding.value_or(Encoding::kPlain);
  bool allowed = IsWritable(encoding, leaf.physical_type);
  if (encoding == Encoding::kRleDictionary || encoding == Encoding::kPlainDictionary) {
    allowed = leaf.physical_type != PhysicalType::kBoolean &&
              (encoding == Encoding::kRleDictionary || version == DataPageVersion::kV1);
  }
  if (allowed) return Status::Ok();
  return Status::InvalidArgument(fmt::format("encoding {} cannot be written for {}", Name(encoding),
                                             Name(leaf.physical_type)));
}

Status CheckColumnOptions(const WriteLeaf& leaf, const ColumnWriteOptions& column,
                          DataPageVersion version) {
  SLUICE_RETURN_IF_ERROR(CheckEncoding(leaf, column, version));
  SLUICE_RETURN_IF_ERROR(
      CheckRange("dictionary_bytes_limit", column.dictionary_bytes_limit, 0, kMaxBytesLimit));
  SLUICE_RETURN_IF_ERROR(CheckRange("max_bound_bytes", column.max_bound_bytes, 1, INT32_MAX));
  const double rate = column.bloom_false_positive_rate;
  if (column.bloom_filter && !(rate > 0 && rate < 1)) {
    return Status::InvalidArgument(
        fmt::format("option bloom_false_positive_rate is out of range: {}", rate));
  }
  return Status::Ok();
}

/// Only the codec itself knows its levels: asks it, before there are bytes to lose.
Status CheckCodec(Codec codec, int level) {
  const uint8_t probe[1] = {0};
  return Compress(codec, level, probe, *BufferPool::Make()).status();
}

}  // namespace

Result<std::vector<ColumnWriteOptions>> ResolveColumnOptions(const WriteSchema& schema,
                                                             const WriterOptions& options) {
  SLUICE_RETURN_IF_ERROR(CheckFileOptions(schema, options));
  std::vector<ColumnWriteOptions> columns;
  std::set<std::pair<Codec, int>> known_codecs;
  for (const WriteLeaf& leaf : schema.leaves) {
    const auto found = options.overrides.find(leaf.path);
    ColumnWriteOptions column = found == options.overrides.end() ? options.columns : found->second;
    Status status = CheckColumnOptions(leaf, column, options.page_version);
    const int level = column.level.value_or(kDefaultLevel);
    if (status.ok() && known_codecs.emplace(column.codec, level).second) {
      status = CheckCodec(column.codec, level);
    }
    if (!status.ok()) return status.In("column '" + Joined(leaf.path) + "'");
    if (leaf.physical_type == PhysicalType::kBoolean) column.bloom_filter = false;
    columns.push_back(column);
  }
  return columns;
}

}  // namespace sluice::inline v0::parquet
