#include "tests/support/footer_by_thrift.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/model/try.h"
#include "format/parquet/footer.h"
#include "format/parquet/thrift_border.h"

namespace sluice::support {
namespace {

using namespace parquet;

/// What a FileMetadata out of generated structs keeps alive: its views point into `parsed` and
/// `geospatial`.
struct Owner {
  BufferRef bytes;
  thrift_gen::FileMetaData parsed;
  std::vector<std::unique_ptr<std::string>> geospatial;
};

std::optional<TimeUnit> UnitFromThrift(const thrift_gen::TimeUnit& unit) {
  if (unit.__isset.MILLIS + unit.__isset.MICROS + unit.__isset.NANOS != 1) return std::nullopt;
  if (unit.__isset.MILLIS) return TimeUnit::kMilliseconds;
  return unit.__isset.MICROS ? TimeUnit::kMicroseconds : TimeUnit::kNanoseconds;
}

template <typename TimeType>
void TimeFromThrift(const TimeType& from, LogicalAnnotation& logical) {
  logical.utc_adjusted = from.isAdjustedToUTC;
  logical.unit = UnitFromThrift(from.unit);
}

/// The member that is set; kUnrecognized for none and for several.
LogicalKind KindOf(const thrift_gen::LogicalType& from) {
  const auto& set = from.__isset;
  const struct {
    bool is_set;
    LogicalKind kind;
  } members[] = {
      {set.STRING, LogicalKind::kString},       {set.MAP, LogicalKind::kMap},
      {set.LIST, LogicalKind::kList},           {set.ENUM, LogicalKind::kEnum},
      {set.DECIMAL, LogicalKind::kDecimal},     {set.DATE, LogicalKind::kDate},
      {set.TIME, LogicalKind::kTime},           {set.TIMESTAMP, LogicalKind::kTimestamp},
      {set.INTEGER, LogicalKind::kInteger},     {set.UNKNOWN, LogicalKind::kUnknown},
      {set.JSON, LogicalKind::kJson},           {set.BSON, LogicalKind::kBson},
      {set.UUID, LogicalKind::kUuid},           {set.FLOAT16, LogicalKind::kFloat16},
      {set.VARIANT, LogicalKind::kVariant},     {set.GEOMETRY, LogicalKind::kGeometry},
      {set.GEOGRAPHY, LogicalKind::kGeography}, {set.FILE, LogicalKind::kFile},
  };
  LogicalKind kind = LogicalKind::kNone;
  for (const auto& member : members) {
    if (!member.is_set) continue;
    kind = kind == LogicalKind::kNone ? member.kind : LogicalKind::kUnrecognized;
  }
  return kind == LogicalKind::kNone ? LogicalKind::kUnrecognized : kind;
}

void FromThrift(const thrift_gen::Statistics& from, Statistics& statistics) {
  const auto& set = from.__isset;
  if (set.max) statistics.max = from.max;
  if (set.min) statistics.min = from.min;
  if (set.null_count) statistics.null_count = from.null_count;
  if (set.distinct_count) statistics.distinct_count = from.distinct_count;
  if (set.max_value) statistics.max_value = from.max_value;
  if (set.min_value) statistics.min_value = from.min_value;
  if (set.is_max_value_exact) statistics.is_max_value_exact = from.is_max_value_exact;
  if (set.is_min_value_exact) statistics.is_min_value_exact = from.is_min_value_exact;
  if (set.nan_count) statistics.nan_count = from.nan_count;
}

void FromThrift(const thrift_gen::LogicalType& from, LogicalAnnotation& logical) {
  logical = {};
  logical.kind = KindOf(from);
  switch (logical.kind) {
    case LogicalKind::kDecimal:
      logical.scale = from.DECIMAL.scale;
      logical.precision = from.DECIMAL.precision;
      break;
    case LogicalKind::kTime:
      TimeFromThrift(from.TIME, logical);
      break;
    case LogicalKind::kTimestamp:
      TimeFromThrift(from.TIMESTAMP, logical);
      break;
    case LogicalKind::kInteger:
      logical.bit_width = from.INTEGER.bitWidth;
      logical.is_signed = from.INTEGER.isSigned;
      break;
    case LogicalKind::kVariant:
      if (from.VARIANT.__isset.specification_version) {
        logical.specification_version = from.VARIANT.specification_version;
      }
      break;
    case LogicalKind::kGeometry:
      if (from.GEOMETRY.__isset.crs) logical.crs = from.GEOMETRY.crs;
      break;
    case LogicalKind::kGeography:
      if (from.GEOGRAPHY.__isset.crs) logical.crs = from.GEOGRAPHY.crs;
      if (from.GEOGRAPHY.__isset.algorithm) logical.edge_algorithm = from.GEOGRAPHY.algorithm;
      break;
    default:
      break;
  }
}

Result<PhysicalType> PhysicalTypeOf(int32_t id) {
  if (id < 0 || id > static_cast<int32_t>(PhysicalType::kFixedLenByteArray)) {
    return Status::Corruption(fmt::format("footer: no such physical type: {}", id));
  }
  return static_cast<PhysicalType>(id);
}

Status Convert(const thrift_gen::SchemaElement& from, SchemaElement& element) {
  const auto& set = from.__isset;
  element.name = from.name;
  if (set.type) {
    SLUICE_TRY(element.type, PhysicalTypeOf(from.type));
  }
  if (set.type_length) element.type_length = from.type_length;
  if (set.repetition_type) {
    if (from.repetition_type < 0 ||
        from.repetition_type > static_cast<int32_t>(Repetition::kRepeated)) {
      return Status::Corruption(
          fmt::format("footer: no such repetition: {}", from.repetition_type));
    }
    element.repetition = static_cast<Repetition>(from.repetition_type);
  }
  if (set.num_children) element.num_children = from.num_children;
  if (set.converted_type) element.converted_type = from.converted_type;
  if (set.scale) element.scale = from.scale;
  if (set.precision) element.precision = from.precision;
  if (set.field_id) element.field_id = from.field_id;
  if (set.logicalType) FromThrift(from.logicalType, element.logical);
  return Status::Ok();
}

void Convert(const std::vector<thrift_gen::KeyValue>& from, std::vector<KeyValue>& pairs) {
  for (const thrift_gen::KeyValue& pair : from) {
    KeyValue& out = pairs.emplace_back();
    out.key = pair.key;
    if (pair.__isset.value) out.value = pair.value;
  }
}

void Convert(const thrift_gen::SizeStatistics& from, SizeStatistics& statistics) {
  if (from.__isset.unencoded_byte_array_data_bytes) {
    statistics.unencoded_byte_array_data_bytes = from.unencoded_byte_array_data_bytes;
  }
  statistics.repetition_level_histogram = from.repetition_level_histogram;
  statistics.definition_level_histogram = from.definition_level_histogram;
}

Status ConvertStatistics(const thrift_gen::ColumnMetaData& from, Owner& owner, ColumnChunk& chunk) {
  if (from.__isset.statistics) FromThrift(from.statistics, chunk.statistics.emplace());
  if (from.__isset.size_statistics) {
    Convert(from.size_statistics, chunk.size_statistics.emplace());
  }
  if (from.__isset.geospatial_statistics) {
    SLUICE_TRY(std::string bytes, WriteByThrift(from.geospatial_statistics));
    owner.geospatial.push_back(std::make_unique<std::string>(std::move(bytes)));
    chunk.geospatial_statistics = *owner.geospatial.back();
  }
  return Status::Ok();
}

Status Convert(const thrift_gen::ColumnMetaData& from, Owner& owner, ColumnChunk& chunk) {
  SLUICE_TRY(chunk.type, PhysicalTypeOf(from.type));
  chunk.codec = static_cast<Codec>(from.codec);
  chunk.num_values = from.num_values;
  chunk.total_uncompressed_size = from.total_uncompressed_size;
  chunk.total_compressed_size = from.total_compressed_size;
  chunk.data_page_offset = from.data_page_offset;
  if (from.__isset.dictionary_page_offset) {
    chunk.dictionary_page_offset = from.dictionary_page_offset;
  }
  if (from.__isset.index_page_offset) chunk.index_page_offset = from.index_page_offset;
  if (from.__isset.bloom_filter_offset) chunk.bloom_filter_offset = from.bloom_filter_offset;
  if (from.__isset.bloom_filter_length) chunk.bloom_filter_length = from.bloom_filter_length;
  for (const int32_t id : from.encodings) chunk.encodings.push_back(static_cast<Encoding>(id));
  for (const std::string& part : from.path_in_schema) chunk.path_in_schema.push_back(part);
  for (const thrift_gen::PageEncodingStats& stats : from.encoding_stats) {
    chunk.encoding_stats.push_back({static_cast<PageType>(stats.page_type),
                                    static_cast<Encoding>(stats.encoding), stats.count});
  }
  Convert(from.key_value_metadata, chunk.key_value_metadata);
  return ConvertStatistics(from, owner, chunk);
}

Status Convert(const thrift_gen::ColumnChunk& from, Owner& owner, ColumnChunk& chunk) {
  const auto& set = from.__isset;
  if (set.file_path) chunk.file_path = from.file_path;
  chunk.file_offset = from.file_offset;
  chunk.is_encrypted = set.crypto_metadata || set.encrypted_column_metadata;
  const auto optional = [](bool is_set, auto value) {
    return is_set ? std::optional(value) : std::nullopt;
  };
  chunk.offset_index = IndexRange(optional(set.offset_index_offset, from.offset_index_offset),
                                  optional(set.offset_index_length, from.offset_index_length));
  chunk.column_index = IndexRange(optional(set.column_index_offset, from.column_index_offset),
                                  optional(set.column_index_length, from.column_index_length));
  if (set.meta_data) return Convert(from.meta_data, owner, chunk);
  if (!chunk.is_encrypted) return Status::Corruption("footer: column chunk has no metadata");
  return Status::Ok();
}

Status Convert(const thrift_gen::RowGroup& from, Owner& owner, RowGroup& row_group) {
  row_group.columns.resize(from.columns.size());
  for (size_t i = 0; i < from.columns.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(Convert(from.columns[i], owner, row_group.columns[i]));
  }
  row_group.num_rows = from.num_rows;
  row_group.total_byte_size = from.total_byte_size;
  if (from.__isset.file_offset) row_group.file_offset = from.file_offset;
  if (from.__isset.total_compressed_size) {
    row_group.total_compressed_size = from.total_compressed_size;
  }
  if (from.__isset.ordinal) row_group.ordinal = from.ordinal;
  for (const thrift_gen::SortingColumn& sorting : from.sorting_columns) {
    row_group.sorting_columns.push_back(
        {sorting.column_idx, sorting.descending, sorting.nulls_first});
  }
  return Status::Ok();
}

ColumnOrder ColumnOrderOf(const thrift_gen::ColumnOrder& from) {
  const auto& set = from.__isset;
  if (set.TYPE_ORDER + set.IEEE_754_TOTAL_ORDER + set.INT96_TIMESTAMP_ORDER != 1) {
    return ColumnOrder::kUndefined;
  }
  if (set.TYPE_ORDER) return ColumnOrder::kTypeDefined;
  return set.IEEE_754_TOTAL_ORDER ? ColumnOrder::kIeee754Total : ColumnOrder::kInt96Timestamp;
}

Status Convert(Owner& owner, FileMetadata& metadata) {
  const thrift_gen::FileMetaData& from = owner.parsed;
  metadata.version = from.version;
  metadata.num_rows = from.num_rows;
  if (from.__isset.created_by) metadata.created_by = from.created_by;
  metadata.schema.resize(from.schema.size());
  for (size_t i = 0; i < from.schema.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(Convert(from.schema[i], metadata.schema[i]));
  }
  metadata.row_groups.resize(from.row_groups.size());
  for (size_t i = 0; i < from.row_groups.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(Convert(from.row_groups[i], owner, metadata.row_groups[i]));
  }
  Convert(from.key_value_metadata, metadata.key_value_metadata);
  for (const thrift_gen::ColumnOrder& order : from.column_orders) {
    metadata.column_orders.push_back(ColumnOrderOf(order));
  }
  metadata.has_encryption_algorithm = from.__isset.encryption_algorithm;
  return Status::Ok();
}

}  // namespace

Result<std::shared_ptr<FileMetadata>> ParseFooterByThrift(BufferRef bytes,
                                                          const MetadataLimits& limits) {
  const auto owner = std::make_shared<Owner>();
  owner->bytes = std::move(bytes);
  SLUICE_RETURN_IF_ERROR(
      ReadByThrift(owner->bytes->span(), limits.max_thrift_depth, owner->parsed).In("footer"));
  if (static_cast<int64_t>(owner->parsed.schema.size()) > limits.max_schema_elements) {
    return Status::ResourceExhausted("footer: schema has more elements than it may");
  }
  auto metadata = std::make_shared<FileMetadata>();
  SLUICE_RETURN_IF_ERROR(Convert(*owner, *metadata));
  metadata->bytes = WrapBytes(owner->bytes->data(), owner->bytes->size(), owner);
  return metadata;
}

}  // namespace sluice::support
