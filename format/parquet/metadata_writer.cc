#include "format/parquet/metadata_writer.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "format/model/try.h"
#include "format/parquet/thrift_border.h"
#include "format/parquet/thrift_conversion.h"

namespace sluice::inline v0::parquet {

namespace {

thrift_gen::SizeStatistics ToThrift(const SizeStatistics& statistics) {
  thrift_gen::SizeStatistics out;
  if (statistics.unencoded_byte_array_data_bytes) {
    out.__set_unencoded_byte_array_data_bytes(*statistics.unencoded_byte_array_data_bytes);
  }
  if (!statistics.repetition_level_histogram.empty()) {
    out.__set_repetition_level_histogram(statistics.repetition_level_histogram);
  }
  if (!statistics.definition_level_histogram.empty()) {
    out.__set_definition_level_histogram(statistics.definition_level_histogram);
  }
  return out;
}

std::vector<thrift_gen::KeyValue> ToThrift(const std::vector<KeyValue>& pairs) {
  std::vector<thrift_gen::KeyValue> out(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    out[i].__set_key(std::string(pairs[i].key));
    if (pairs[i].value) out[i].__set_value(std::string(*pairs[i].value));
  }
  return out;
}

thrift_gen::SchemaElement ToThrift(const SchemaElement& element) {
  thrift_gen::SchemaElement out;
  out.__set_name(std::string(element.name));
  if (element.type) {
    out.__set_type(static_cast<int32_t>(*element.type));
  } else {
    out.__set_num_children(element.num_children);
  }
  if (element.type_length != 0) out.__set_type_length(element.type_length);
  if (element.repetition) out.__set_repetition_type(static_cast<int32_t>(*element.repetition));
  if (element.converted_type) out.__set_converted_type(*element.converted_type);
  if (element.scale) out.__set_scale(*element.scale);
  if (element.precision) out.__set_precision(*element.precision);
  if (element.field_id) out.__set_field_id(*element.field_id);
  if (element.logical.kind != LogicalKind::kNone &&
      element.logical.kind != LogicalKind::kUnrecognized) {
    out.__set_logicalType(ToThrift(element.logical));
  }
  return out;
}

void SetChunkStatistics(const ColumnChunk& chunk, thrift_gen::ColumnMetaData& out) {
  if (chunk.statistics) out.__set_statistics(ToThrift(*chunk.statistics));
  if (chunk.size_statistics) out.__set_size_statistics(ToThrift(*chunk.size_statistics));
  std::vector<thrift_gen::PageEncodingStats> encoding_stats(chunk.encoding_stats.size());
  for (size_t i = 0; i < encoding_stats.size(); ++i) {
    encoding_stats[i].__set_page_type(static_cast<int32_t>(chunk.encoding_stats[i].page_type));
    encoding_stats[i].__set_encoding(static_cast<int32_t>(chunk.encoding_stats[i].encoding));
    encoding_stats[i].__set_count(chunk.encoding_stats[i].count);
  }
  if (!encoding_stats.empty()) out.__set_encoding_stats(encoding_stats);
}

Result<thrift_gen::ColumnMetaData> ColumnMetaDataOf(const ColumnChunk& chunk) {
  thrift_gen::ColumnMetaData out;
  out.__set_type(static_cast<int32_t>(chunk.type));
  for (const Encoding encoding : chunk.encodings) {
    out.encodings.push_back(static_cast<int32_t>(encoding));
  }
  for (const std::string_view part : chunk.path_in_schema) out.path_in_schema.emplace_back(part);
  out.__set_codec(static_cast<int32_t>(chunk.codec));
  out.__set_num_values(chunk.num_values);
  out.__set_total_uncompressed_size(chunk.total_uncompressed_size);
  out.__set_total_compressed_size(chunk.total_compressed_size);
  if (!chunk.key_value_metadata.empty()) {
    out.__set_key_value_metadata(ToThrift(chunk.key_value_metadata));
  }
  out.__set_data_page_offset(chunk.data_page_offset);
  if (chunk.index_page_offset) out.__set_index_page_offset(*chunk.index_page_offset);
  if (chunk.dictionary_page_offset) {
    out.__set_dictionary_page_offset(*chunk.dictionary_page_offset);
  }
  if (chunk.bloom_filter_offset) out.__set_bloom_filter_offset(*chunk.bloom_filter_offset);
  if (chunk.bloom_filter_length) out.__set_bloom_filter_length(*chunk.bloom_filter_length);
  SetChunkStatistics(chunk, out);
  if (!chunk.geospatial_statistics.empty()) {
    // Kept raw by the parsers; through the generated struct they come out as they went in.
    const std::span<const uint8_t> raw(
        reinterpret_cast<const uint8_t*>(chunk.geospatial_statistics.data()),
        chunk.geospatial_statistics.size());
    thrift_gen::GeospatialStatistics geospatial;
    SLUICE_RETURN_IF_ERROR(
        ReadByThrift(raw, MetadataLimits{}.max_thrift_depth, geospatial).In("geospatial"));
    out.__set_geospatial_statistics(geospatial);
  }
  return out;
}

Result<thrift_gen::ColumnChunk> ColumnChunkOf(const ColumnChunk& chunk) {
  thrift_gen::ColumnChunk out;
  if (!chunk.file_path.empty()) out.__set_file_path(std::string(chunk.file_path));
  out.__set_file_offset(chunk.file_offset);
  SLUICE_TRY(const thrift_gen::ColumnMetaData metadata, ColumnMetaDataOf(chunk));
  out.__set_meta_data(metadata);
  if (chunk.offset_index) {
    out.__set_offset_index_offset(chunk.offset_index->offset);
    out.__set_offset_index_length(static_cast<int32_t>(chunk.offset_index->length));
  }
  if (chunk.column_index) {
    out.__set_column_index_offset(chunk.column_index->offset);
    out.__set_column_index_length(static_cast<int32_t>(chunk.column_index->length));
  }
  return out;
}

Result<thrift_gen::RowGroup> RowGroupOf(const RowGroup& row_group) {
  thrift_gen::RowGroup out;
  out.columns.reserve(row_group.columns.size());
  for (const ColumnChunk& chunk : row_group.columns) {
    SLUICE_TRY(thrift_gen::ColumnChunk column, ColumnChunkOf(chunk));
    out.columns.push_back(std::move(column));
  }
  out.__set_total_byte_size(row_group.total_byte_size);
  out.__set_num_rows(row_group.num_rows);
  std::vector<thrift_gen::SortingColumn> sorting(row_group.sorting_columns.size());
  for (size_t i = 0; i < sorting.size(); ++i) {
    sorting[i].__set_column_idx(row_group.sorting_columns[i].column_index);
    sorting[i].__set_descending(row_group.sorting_columns[i].descending);
    sorting[i].__set_nulls_first(row_group.sorting_columns[i].nulls_first);
  }
  if (!sorting.empty()) out.__set_sorting_columns(sorting);
  if (row_group.file_offset) out.__set_file_offset(*row_group.file_offset);
  if (row_group.total_compressed_size) {
    out.__set_total_compressed_size(*row_group.total_compressed_size);
  }
  if (row_group.ordinal) out.__set_ordinal(static_cast<int16_t>(*row_group.ordinal));
  return out;
}

/// An order without a name is written as a union without members.
thrift_gen::ColumnOrder ToThrift(ColumnOrder order) {
  thrift_gen::ColumnOrder out;
  switch (order) {
    case ColumnOrder::kTypeDefined:
      out.__set_TYPE_ORDER({});
      break;
    case ColumnOrder::kIeee754Total:
      out.__set_IEEE_754_TOTAL_ORDER({});
      break;
    case ColumnOrder::kInt96Timestamp:
      out.__set_INT96_TIMESTAMP_ORDER({});
      break;
    case ColumnOrder::kUndefined:
      break;
  }
  return out;
}

}  // namespace

Result<std::string> SerializeFooter(const FileMetadata& metadata) {
  thrift_gen::FileMetaData out;
  out.__set_version(metadata.version);
  out.schema.reserve(metadata.schema.size());
  for (const SchemaElement& element : metadata.schema) out.schema.push_back(ToThrift(element));
  out.__set_num_rows(metadata.num_rows);
  out.row_groups.reserve(metadata.row_groups.size());
  for (const RowGroup& row_group : metadata.row_groups) {
    SLUICE_TRY(thrift_gen::RowGroup group, RowGroupOf(row_group));
    out.row_groups.push_back(std::move(group));
  }
  if (!metadata.key_value_metadata.empty()) {
    out.__set_key_value_metadata(ToThrift(metadata.key_value_metadata));
  }
  if (!metadata.created_by.empty()) out.__set_created_by(std::string(metadata.created_by));
  std::vector<thrift_gen::ColumnOrder> orders;
  for (const ColumnOrder order : metadata.column_orders) orders.push_back(ToThrift(order));
  if (!orders.empty()) out.__set_column_orders(orders);
  return WriteByThrift(out);
}

int64_t SerializingBytes(const FileMetadata& metadata) {
  // The generated structs hold copies of everything; the bytes of a chunk or element are some
  // hundred, which double as they are written, and are copied once.
  constexpr size_t kChunkBytes = sizeof(thrift_gen::ColumnChunk) + 512;
  constexpr size_t kElementBytes = sizeof(thrift_gen::SchemaElement) + 256;
  constexpr size_t kTimes = 4;
  size_t bytes = 4096 + metadata.schema.size() * kElementBytes;
  size_t text = metadata.created_by.size();
  for (const SchemaElement& element : metadata.schema) text += element.name.size();
  for (const KeyValue& pair : metadata.key_value_metadata) {
    text += pair.key.size() + pair.value.value_or("").size() + 2 * sizeof(std::string);
  }
  for (const RowGroup& row_group : metadata.row_groups) {
    bytes += sizeof(thrift_gen::RowGroup) + row_group.columns.size() * kChunkBytes;
    for (const ColumnChunk& chunk : row_group.columns) {
      for (const std::string_view part : chunk.path_in_schema) {
        text += sizeof(std::string) + part.size();
      }
      if (!chunk.statistics) continue;
      text += chunk.statistics->min_value.value_or("").size() +
              chunk.statistics->max_value.value_or("").size();
    }
  }
  return static_cast<int64_t>(bytes + kTimes * text);
}

namespace {

thrift_gen::DataPageHeader DataPageHeaderOf(const PageHeader& header) {
  thrift_gen::DataPageHeader out;
  out.__set_num_values(header.num_values);
  out.__set_encoding(static_cast<int32_t>(header.encoding));
  out.__set_definition_level_encoding(static_cast<int32_t>(header.definition_level_encoding));
  out.__set_repetition_level_encoding(static_cast<int32_t>(header.repetition_level_encoding));
  if (header.statistics) out.__set_statistics(ToThrift(*header.statistics));
  return out;
}

thrift_gen::DictionaryPageHeader DictionaryPageHeaderOf(const PageHeader& header) {
  thrift_gen::DictionaryPageHeader out;
  out.__set_num_values(header.num_values);
  out.__set_encoding(static_cast<int32_t>(header.encoding));
  if (header.is_sorted) out.__set_is_sorted(true);
  return out;
}

thrift_gen::DataPageHeaderV2 DataPageHeaderV2Of(const PageHeader& header) {
  thrift_gen::DataPageHeaderV2 out;
  out.__set_num_values(header.num_values);
  out.__set_num_nulls(header.num_nulls);
  out.__set_num_rows(header.num_rows);
  out.__set_encoding(static_cast<int32_t>(header.encoding));
  out.__set_definition_levels_byte_length(header.definition_levels_byte_length);
  out.__set_repetition_levels_byte_length(header.repetition_levels_byte_length);
  out.__set_is_compressed(header.is_compressed);
  if (header.statistics) out.__set_statistics(ToThrift(*header.statistics));
  return out;
}

}  // namespace

Result<std::string> SerializePageHeader(const PageHeader& header) {
  thrift_gen::PageHeader out;
  out.__set_type(static_cast<int32_t>(header.type));
  out.__set_uncompressed_page_size(header.uncompressed_size);
  out.__set_compressed_page_size(header.compressed_size);
  if (header.crc) out.__set_crc(static_cast<int32_t>(*header.crc));
  switch (header.type) {
    case PageType::kDataPage:
      out.__set_data_page_header(DataPageHeaderOf(header));
      break;
    case PageType::kIndexPage:
      out.__set_index_page_header({});
      break;
    case PageType::kDictionaryPage:
      out.__set_dictionary_page_header(DictionaryPageHeaderOf(header));
      break;
    case PageType::kDataPageV2:
      out.__set_data_page_header_v2(DataPageHeaderV2Of(header));
      break;
  }
  return WriteByThrift(out);
}

Result<std::string> SerializeColumnIndex(const ColumnIndex& index) {
  thrift_gen::ColumnIndex out;
  out.__set_null_pages(index.null_pages);
  out.__set_min_values({index.min_values.begin(), index.min_values.end()});
  out.__set_max_values({index.max_values.begin(), index.max_values.end()});
  out.__set_boundary_order(static_cast<int32_t>(index.boundary_order));
  if (!index.null_counts.empty()) out.__set_null_counts(index.null_counts);
  if (!index.repetition_level_histograms.empty()) {
    out.__set_repetition_level_histograms(index.repetition_level_histograms);
  }
  if (!index.definition_level_histograms.empty()) {
    out.__set_definition_level_histograms(index.definition_level_histograms);
  }
  if (!index.nan_counts.empty()) out.__set_nan_counts(index.nan_counts);
  return WriteByThrift(out);
}

Result<std::string> SerializeOffsetIndex(const OffsetIndex& index) {
  thrift_gen::OffsetIndex out;
  out.page_locations.resize(index.page_locations.size());
  for (size_t i = 0; i < index.page_locations.size(); ++i) {
    out.page_locations[i].__set_offset(index.page_locations[i].offset);
    out.page_locations[i].__set_compressed_page_size(index.page_locations[i].compressed_page_size);
    out.page_locations[i].__set_first_row_index(index.page_locations[i].first_row_index);
  }
  if (!index.unencoded_byte_array_data_bytes.empty()) {
    out.__set_unencoded_byte_array_data_bytes(index.unencoded_byte_array_data_bytes);
  }
  return WriteByThrift(out);
}

Result<std::string> SerializeBloomHeader(int32_t num_bytes) {
  thrift_gen::BloomFilterAlgorithm algorithm;
  algorithm.__set_BLOCK({});
  thrift_gen::BloomFilterHash hash;
  hash.__set_XXHASH({});
  thrift_gen::BloomFilterCompression compression;
  compression.__set_UNCOMPRESSED({});
  thrift_gen::BloomFilterHeader out;
  out.__set_numBytes(num_bytes);
  out.__set_algorithm(algorithm);
  out.__set_hash(hash);
  out.__set_compression(compression);
  return WriteByThrift(out);
}

}  // namespace sluice::inline v0::parquet
