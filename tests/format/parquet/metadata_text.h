#pragma once

#include <fmt/format.h>
#include <sluice/parquet/metadata.h>

#include <string>

namespace sluice {

/// Every field of a footer as text, but for the raw bytes of geospatial statistics: what two
/// parsers made of the same bytes is compared by it.
inline std::string MetadataText(const parquet::FileMetadata& metadata) {
  using namespace parquet;
  std::string text;
  const auto line = [&](const char* name, const auto& value) {
    text += fmt::format("{}={}\n", name, value);
  };
  const auto optional = [&](const char* name, const auto& value) {
    if (value) text += fmt::format("{}={}\n", name, *value);
  };
  const auto optional_enum = [&](const char* name, const auto& value) {
    if (value) text += fmt::format("{}={}\n", name, static_cast<int>(*value));
  };
  const auto pairs = [&](const std::vector<KeyValue>& values) {
    for (const KeyValue& pair : values) {
      text += fmt::format("{}: {}\n", pair.key, pair.value ? *pair.value : "(none)");
    }
  };
  line("version", metadata.version);
  line("num_rows", metadata.num_rows);
  line("created_by", metadata.created_by);
  line("encryption", metadata.has_encryption_algorithm);
  pairs(metadata.key_value_metadata);
  for (const ColumnOrder order : metadata.column_orders) line("order", static_cast<int>(order));
  for (const SchemaElement& element : metadata.schema) {
    line("element", element.name);
    optional_enum("type", element.type);
    line("type_length", element.type_length);
    optional_enum("repetition", element.repetition);
    line("num_children", element.num_children);
    optional("converted_type", element.converted_type);
    optional("scale", element.scale);
    optional("precision", element.precision);
    optional("field_id", element.field_id);
    const LogicalAnnotation& logical = element.logical;
    text += fmt::format("logical={} {} {} {} {} {} {} {} {} {}\n", static_cast<int>(logical.kind),
                        logical.scale, logical.precision,
                        logical.unit ? static_cast<int>(*logical.unit) : -1, logical.utc_adjusted,
                        logical.bit_width, logical.is_signed, logical.crs, logical.edge_algorithm,
                        logical.specification_version);
  }
  for (const RowGroup& row_group : metadata.row_groups) {
    line("row group", row_group.num_rows);
    line("total_byte_size", row_group.total_byte_size);
    optional("file_offset", row_group.file_offset);
    optional("total_compressed_size", row_group.total_compressed_size);
    optional("ordinal", row_group.ordinal);
    for (const SortingColumn& sorting : row_group.sorting_columns) {
      text += fmt::format("sorting={} {} {}\n", sorting.column_index, sorting.descending,
                          sorting.nulls_first);
    }
    for (const ColumnChunk& chunk : row_group.columns) {
      line("chunk", static_cast<int>(chunk.type));
      text += fmt::format("{} {} {} {} {} '{}' {} {} {}\n", static_cast<int>(chunk.codec),
                          chunk.num_values, chunk.total_uncompressed_size,
                          chunk.total_compressed_size, chunk.data_page_offset, chunk.file_path,
                          chunk.file_offset, chunk.is_encrypted, chunk.is_present);
      optional("dictionary_page_offset", chunk.dictionary_page_offset);
      optional("index_page_offset", chunk.index_page_offset);
      if (chunk.column_index) {
        line("column_index", chunk.column_index->offset);
        line("column_index", chunk.column_index->length);
      }
      if (chunk.offset_index) {
        line("offset_index", chunk.offset_index->offset);
        line("offset_index", chunk.offset_index->length);
      }
      optional("bloom_filter_offset", chunk.bloom_filter_offset);
      optional("bloom_filter_length", chunk.bloom_filter_length);
      for (const Encoding encoding : chunk.encodings) line("encoding", static_cast<int>(encoding));
      for (const std::string_view part : chunk.path_in_schema) line("path", part);
      for (const PageEncodingStats& stats : chunk.encoding_stats) {
        text += fmt::format("pages={} {} {}\n", static_cast<int>(stats.page_type),
                            static_cast<int>(stats.encoding), stats.count);
      }
      pairs(chunk.key_value_metadata);
      if (chunk.statistics) {
        optional("min", chunk.statistics->min);
        optional("max", chunk.statistics->max);
        optional("min_value", chunk.statistics->min_value);
        optional("max_value", chunk.statistics->max_value);
        optional("is_min_value_exact", chunk.statistics->is_min_value_exact);
        optional("is_max_value_exact", chunk.statistics->is_max_value_exact);
        optional("null_count", chunk.statistics->null_count);
        optional("distinct_count", chunk.statistics->distinct_count);
        optional("nan_count", chunk.statistics->nan_count);
        text += "statistics\n";
      }
      if (chunk.size_statistics) {
        optional("bytes", chunk.size_statistics->unencoded_byte_array_data_bytes);
        for (const int64_t count : chunk.size_statistics->repetition_level_histogram) {
          line("repetition", count);
        }
        for (const int64_t count : chunk.size_statistics->definition_level_histogram) {
          line("definition", count);
        }
        text += "size statistics\n";
      }
    }
  }
  return text;
}

}  // namespace sluice
