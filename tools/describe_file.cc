// The footer as JSON. A member is there only where the file has the field.

#include <fmt/format.h>
#include <sluice/parquet/bound_text.h>
#include <sluice/parquet/page_index.h>

#include <string>
#include <utility>

#include "tools/file_description.h"

namespace sluice::tools {
namespace {

using parquet::ColumnChunk;
using parquet::FileReader;

std::string Text(std::string_view view) { return std::string(view); }

bool HasLeaf(const FileReader& reader, int32_t leaf) {
  return static_cast<size_t>(leaf) < reader.tree()->leaves().size();
}

/// The specification's name, or the number where it has none.
template <typename Enum>
std::string NameOf(Enum id) {
  const std::string_view name = parquet::Name(id);
  return name == "UNKNOWN" ? fmt::format("UNKNOWN({})", static_cast<int32_t>(id)) : Text(name);
}

template <typename T>
void Put(Json& json, const char* key, const std::optional<T>& value) {
  if (value.has_value()) json[key] = *value;
}

Json Range(const ByteRange& range) { return {{"offset", range.offset}, {"length", range.length}}; }

Json KeyValues(const std::vector<parquet::KeyValue>& pairs) {
  Json json = Json::array();
  for (const parquet::KeyValue& pair : pairs) {
    json.push_back({{"key", Text(pair.key)},
                    {"value", pair.value.has_value() ? Json(Text(*pair.value)) : Json()}});
  }
  return json;
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", static_cast<uint8_t>(byte));
  }
  return hex;
}

Json DescribeSizeStatistics(const parquet::SizeStatistics& sizes) {
  Json json = Json::object();
  Put(json, "unencoded_byte_array_data_bytes", sizes.unencoded_byte_array_data_bytes);
  if (!sizes.repetition_level_histogram.empty()) {
    json["repetition_level_histogram"] = sizes.repetition_level_histogram;
  }
  if (!sizes.definition_level_histogram.empty()) {
    json["definition_level_histogram"] = sizes.definition_level_histogram;
  }
  return json;
}

void DescribeEncodings(const ColumnChunk& chunk, Json& json) {
  Json encodings = Json::array();
  for (const parquet::Encoding encoding : chunk.encodings) encodings.push_back(NameOf(encoding));
  json["encodings"] = std::move(encodings);
  if (chunk.encoding_stats.empty()) return;
  Json stats = Json::array();
  for (const parquet::PageEncodingStats& entry : chunk.encoding_stats) {
    stats.push_back({{"page_type", NameOf(entry.page_type)},
                     {"encoding", NameOf(entry.encoding)},
                     {"count", entry.count}});
  }
  json["encoding_stats"] = std::move(stats);
}

/// A chunk that belongs to no column of the schema goes by the path that it names itself.
std::string ColumnName(const FileReader& reader, const ColumnChunk& chunk, int32_t leaf) {
  if (HasLeaf(reader, leaf)) return reader.tree()->LeafPath(leaf);
  return fmt::format("{}", fmt::join(chunk.path_in_schema, "."));
}

Json DescribeChunk(const FileReader& reader, const ColumnChunk& chunk, int32_t leaf) {
  Json json;
  json["column"] = ColumnName(reader, chunk, leaf);
  json["type"] = NameOf(chunk.type);
  json["codec"] = NameOf(chunk.codec);
  DescribeEncodings(chunk, json);
  json["values"] = chunk.num_values;
  json["compressed_size"] = chunk.total_compressed_size;
  json["uncompressed_size"] = chunk.total_uncompressed_size;
  json["data_page_offset"] = chunk.data_page_offset;
  Put(json, "dictionary_page_offset", chunk.dictionary_page_offset);
  Put(json, "index_page_offset", chunk.index_page_offset);
  if (chunk.file_offset != 0) json["file_offset"] = chunk.file_offset;
  if (!chunk.file_path.empty()) json["file_path"] = Text(chunk.file_path);
  if (chunk.is_encrypted) json["encrypted"] = true;
  if (chunk.statistics.has_value() && HasLeaf(reader, leaf)) {
    json["statistics"] = DescribeStatistics(*reader.tree(), leaf, *chunk.statistics);
  }
  if (chunk.size_statistics.has_value()) {
    json["size_statistics"] = DescribeSizeStatistics(*chunk.size_statistics);
  }
  if (!chunk.geospatial_statistics.empty()) {
    json["geospatial_statistics"] = {{"thrift", Hex(chunk.geospatial_statistics)}};
  }
  if (chunk.column_index.has_value()) json["column_index"] = Range(*chunk.column_index);
  if (chunk.offset_index.has_value()) json["offset_index"] = Range(*chunk.offset_index);
  if (chunk.bloom_filter_offset.has_value()) {
    json["bloom_filter"] = {{"offset", *chunk.bloom_filter_offset}};
    Put(json["bloom_filter"], "length", chunk.bloom_filter_length);
  }
  if (!chunk.key_value_metadata.empty()) {
    json["key_value_metadata"] = KeyValues(chunk.key_value_metadata);
  }
  return json;
}

/// All but the columns.
Json DescribeRowGroup(const FileReader& reader, const parquet::RowGroup& group) {
  Json json;
  json["rows"] = group.num_rows;
  json["uncompressed_size"] = group.total_byte_size;
  Put(json, "compressed_size", group.total_compressed_size);
  Put(json, "file_offset", group.file_offset);
  Put(json, "ordinal", group.ordinal);
  if (!group.sorting_columns.empty()) {
    Json sorting = Json::array();
    for (const parquet::SortingColumn& column : group.sorting_columns) {
      sorting.push_back({{"column", column.column_index},
                         {"descending", column.descending},
                         {"nulls_first", column.nulls_first}});
    }
    json["sorting_columns"] = std::move(sorting);
  }
  if (const size_t leaves = reader.tree()->leaves().size(); group.columns.size() != leaves) {
    json["notes"] = {fmt::format("row group has {} column chunks for {} leaf columns",
                                 group.columns.size(), leaves)};
  }
  return json;
}

/// All but the row groups.
Json DescribeFooter(const FileReader& reader) {
  const parquet::FileMetadata& metadata = *reader.metadata();
  Json json;
  json["file"] = reader.file().name();
  // Behind the footer stand its length and "PAR1".
  json["size"] = metadata.footer_offset + metadata.bytes->size() + 8;
  json["footer"] = Range({metadata.footer_offset, metadata.bytes->size()});
  json["version"] = metadata.version;
  json["created_by"] = Text(metadata.created_by);
  json["rows"] = reader.num_rows();
  if (metadata.num_rows != reader.num_rows()) json["rows_by_footer"] = metadata.num_rows;
  if (metadata.has_encryption_algorithm) json["encrypted"] = true;
  json["key_value_metadata"] = KeyValues(metadata.key_value_metadata);
  json["schema"] = DescribeSchema(reader);
  return json;
}

}  // namespace

Json DescribeStatistics(const parquet::SchemaTree& tree, int32_t leaf,
                        const parquet::Statistics& statistics) {
  Json json = Json::object();
  const auto bound = [&](const char* key, const std::optional<std::string_view>& bytes) {
    // Its canonical text is JSON, and UTF-8.
    if (bytes.has_value()) json[key] = Json::parse(BoundText(tree, leaf, *bytes));
  };
  bound("min_value", statistics.min_value);
  bound("max_value", statistics.max_value);
  bound("min", statistics.min);
  bound("max", statistics.max);
  Put(json, "is_min_value_exact", statistics.is_min_value_exact);
  Put(json, "is_max_value_exact", statistics.is_max_value_exact);
  Put(json, "null_count", statistics.null_count);
  Put(json, "distinct_count", statistics.distinct_count);
  Put(json, "nan_count", statistics.nan_count);
  return json;
}

Result<int64_t> DescribeFile(const FileReader& reader, bool with_pages, DescriptionWriter& writer,
                             const std::function<void()>& chunk_is_done) {
  writer.BeginFile(DescribeFooter(reader));
  int64_t damaged_chunks = 0;
  for (int32_t ordinal = 0; ordinal < reader.num_row_groups(); ++ordinal) {
    const parquet::RowGroup& group = reader.metadata()->row_groups[static_cast<size_t>(ordinal)];
    writer.BeginRowGroup(DescribeRowGroup(reader, group));
    for (size_t i = 0; i < group.columns.size(); ++i) {
      const auto leaf = static_cast<int32_t>(i);
      Json chunk = DescribeChunk(reader, group.columns[i], leaf);
      if (with_pages && HasLeaf(reader, leaf) && !DescribePages(reader, ordinal, leaf, chunk))
        ++damaged_chunks;
      writer.AddChunk(chunk);
      chunk_is_done();
      if (const Status status = writer.Flush(false); !status.ok()) return status;
    }
    writer.EndRowGroup();
  }
  writer.EndFile();
  if (const Status status = writer.Flush(true); !status.ok()) return status;
  return damaged_chunks;
}

}  // namespace sluice::tools
