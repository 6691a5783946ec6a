#include "tests/support/file_builder.h"

#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

int64_t Size(std::string_view bytes) { return static_cast<int64_t>(bytes.size()); }

bool IsDataPage(const PageSpec& page) {
  return page.type == PageType::kDataPage || page.type == PageType::kDataPageV2;
}

struct LeafSpec {
  PhysicalType type;
  std::vector<std::string> path;
};

/// The leaves of a schema; adds the number of its top-level elements to `top_level`.
std::vector<LeafSpec> Leaves(const std::vector<ElementSpec>& schema, int64_t& top_level) {
  std::vector<LeafSpec> leaves;
  std::vector<std::string> path;
  std::vector<int64_t> missing;  // Children that are still to come, of each group of `path`.
  for (const ElementSpec& element : schema) {
    while (!missing.empty() && missing.back() <= 0) {
      missing.pop_back();
      path.pop_back();
    }
    ++top_level;
    if (!missing.empty()) {
      --missing.back();
      --top_level;
    }
    path.push_back(element.name);
    if (element.type) {
      leaves.push_back({*element.type, path});
      path.pop_back();
    } else {
      missing.push_back(element.num_children.value_or(0));
    }
  }
  return leaves;
}

std::string ElementBytes(const ElementSpec& element) {
  ThriftCompactBuilder out;
  if (element.type) out.I32(1, static_cast<int32_t>(*element.type));
  if (element.type_length) out.I32(2, *element.type_length);
  if (element.repetition) out.I32(3, static_cast<int32_t>(*element.repetition));
  out.Binary(4, element.name);
  if (element.num_children) out.I32(5, *element.num_children);
  if (element.converted_type) out.I32(6, *element.converted_type);
  if (element.scale) out.I32(7, *element.scale);
  if (element.precision) out.I32(8, *element.precision);
  if (element.field_id) out.I32(9, *element.field_id);
  if (!element.logical_type.empty()) out.Struct(10, element.logical_type);
  return out.Finish();
}

std::string StoredBytes(const PageSpec& page, Codec codec) {
  if (page.stored) return *page.stored;
  const std::string levels = page.repetition_levels + page.definition_levels;
  if (page.type == PageType::kDataPageV2) {
    return levels +
           (page.is_compressed.value_or(true) ? Compress(codec, page.values) : page.values);
  }
  if (page.type == PageType::kIndexPage) return page.values;
  return Compress(codec, levels + page.values);
}

std::string DataHeaderV1(const PageSpec& page) {
  ThriftCompactBuilder out;
  out.I32(1, page.num_values)
      .I32(2, static_cast<int32_t>(page.encoding))
      .I32(3, static_cast<int32_t>(page.definition_level_encoding))
      .I32(4, static_cast<int32_t>(page.repetition_level_encoding));
  if (page.statistics) out.Struct(5, *page.statistics);
  return out.Finish();
}

std::string DataHeaderV2(const PageSpec& page) {
  ThriftCompactBuilder out;
  out.I32(1, page.num_values)
      .I32(2, page.num_nulls)
      .I32(3, page.num_rows)
      .I32(4, static_cast<int32_t>(page.encoding))
      .I32(5, page.definition_levels_byte_length.value_or(Size(page.definition_levels)))
      .I32(6, page.repetition_levels_byte_length.value_or(Size(page.repetition_levels)));
  if (page.is_compressed) out.Bool(7, *page.is_compressed);
  if (page.statistics) out.Struct(8, *page.statistics);
  return out.Finish();
}

/// Appends the chunk's pages to `file` and returns where they lie.
std::vector<PagePlace> AppendPages(const ChunkSpec& chunk, std::string& file) {
  std::vector<PagePlace> places;
  for (const PageSpec& page : chunk.pages) {
    const std::string stored = StoredBytes(page, chunk.codec);
    const std::string header = page.header ? *page.header : PageHeaderBytes(page, stored);
    places.push_back({Size(file), Size(header), Size(stored)});
    file += header + stored;
  }
  return places;
}

std::string OffsetIndexBytes(const ChunkSpec& chunk, const std::vector<PagePlace>& places) {
  std::vector<std::string> locations;
  for (size_t i = 0; i < chunk.pages.size(); ++i) {
    const PageSpec& page = chunk.pages[i];
    if (!IsDataPage(page) || !page.is_indexed) continue;
    locations.push_back(
        ThriftCompactBuilder()
            .I64(1, places[i].offset + page.indexed_offset_change)
            .I32(2, places[i].header_bytes + places[i].stored_bytes + page.indexed_size_change)
            .I64(3, page.first_row)
            .Finish());
  }
  return ThriftCompactBuilder().List(1, CompactType::kStruct, locations).Finish();
}

/// ColumnMetaData, after its bloom filter has been appended to `file`.
std::string ColumnMetaDataBytes(const ChunkSpec& chunk, const LeafSpec& leaf,
                                const std::vector<PagePlace>& places, std::string& file) {
  int64_t num_values = 0;
  int64_t uncompressed = 0;
  int64_t compressed = 0;
  int64_t first_data_page = places.empty() ? 4 : places.front().offset;
  std::optional<int64_t> dictionary_page;
  std::vector<std::string> encodings;
  for (size_t i = chunk.pages.size(); i-- > 0;) {
    const PageSpec& page = chunk.pages[i];
    if (IsDataPage(page)) {
      num_values += page.num_values;
      first_data_page = places[i].offset;
    }
    if (page.type == PageType::kDictionaryPage) dictionary_page = places[i].offset;
    encodings.push_back(Varint(ZigZag(static_cast<int32_t>(page.encoding))));
    uncompressed += places[i].header_bytes + Size(page.repetition_levels) +
                    Size(page.definition_levels) + Size(page.values);
    compressed += places[i].header_bytes + places[i].stored_bytes;
  }
  std::vector<std::string> path;
  for (const std::string& part : chunk.path.value_or(leaf.path))
    path.push_back(CompactString(part));
  ThriftCompactBuilder out;
  out.I32(1, static_cast<int32_t>(chunk.type.value_or(leaf.type)))
      .List(2, CompactType::kI32, encodings)
      .List(3, CompactType::kBinary, path)
      .I32(4, static_cast<int32_t>(chunk.codec))
      .I64(5, chunk.num_values.value_or(num_values))
      .I64(6, chunk.total_uncompressed_size.value_or(uncompressed))
      .I64(7, chunk.total_compressed_size.value_or(compressed))
      .I64(9, chunk.data_page_offset.value_or(first_data_page));
  if (chunk.dictionary_page_offset) {
    out.I64(11, *chunk.dictionary_page_offset);
  } else if (chunk.names_dictionary && dictionary_page) {
    out.I64(11, *dictionary_page);
  }
  if (chunk.statistics) out.Struct(12, *chunk.statistics);
  if (chunk.bloom_filter) {
    out.I64(14, Size(file)).I32(15, Size(*chunk.bloom_filter));
    file += *chunk.bloom_filter;
  }
  return out.Finish();
}

/// ColumnChunk, after its bloom filter and indexes have been appended to `file`.
std::string ColumnChunkBytes(const ChunkSpec& chunk, const LeafSpec& leaf,
                             const std::vector<PagePlace>& places, std::string& file) {
  ThriftCompactBuilder out;
  out.I64(2, 0).Struct(3, ColumnMetaDataBytes(chunk, leaf, places, file));
  if (chunk.with_offset_index || chunk.offset_index) {
    const std::string index = chunk.offset_index.value_or(OffsetIndexBytes(chunk, places));
    out.I64(4, Size(file)).I32(5, Size(index));
    file += index;
  }
  if (chunk.column_index) {
    out.I64(6, Size(file)).I32(7, Size(*chunk.column_index));
    file += *chunk.column_index;
  }
  return out.Finish();
}

std::string FooterBytes(const FileSpec& file, const std::vector<std::string>& row_groups) {
  int64_t num_children = 0;
  Leaves(file.schema, num_children);
  ElementSpec root = Group("schema", Repetition::kRequired, num_children);
  root.repetition.reset();
  std::vector<std::string> schema = {ElementBytes(file.root.value_or(root))};
  for (const ElementSpec& element : file.schema) schema.push_back(ElementBytes(element));
  // Tests have counts of which the sum wraps around.
  uint64_t num_rows = 0;
  for (const RowGroupSpec& row_group : file.row_groups) {
    num_rows += static_cast<uint64_t>(row_group.num_rows);
  }
  ThriftCompactBuilder out;
  out.I32(1, 2)
      .List(2, CompactType::kStruct, schema)
      .I64(3, file.num_rows.value_or(static_cast<int64_t>(num_rows)))
      .List(4, CompactType::kStruct, row_groups);
  if (!file.key_values.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : file.key_values) {
      pairs.push_back(ThriftCompactBuilder().Binary(1, key).Binary(2, value).Finish());
    }
    out.List(5, CompactType::kStruct, pairs);
  }
  out.Binary(6, file.created_by);
  for (const ExtraField& field : file.extra_fields) out.Raw(field.id, field.type, field.bytes);
  return out.Finish();
}

}  // namespace

std::string PageHeaderBytes(const PageSpec& page, std::string_view stored) {
  const int64_t uncompressed =
      Size(page.repetition_levels) + Size(page.definition_levels) + Size(page.values);
  ThriftCompactBuilder out;
  out.I32(1, static_cast<int32_t>(page.type))
      .I32(2, page.uncompressed_page_size.value_or(uncompressed))
      .I32(3, page.compressed_page_size.value_or(Size(stored)));
  if (page.crc || page.with_crc) {
    out.I32(4, static_cast<int32_t>(page.crc.value_or(Crc32(stored))));
  }
  switch (page.type) {
    case PageType::kDataPage:
      out.Struct(5, DataHeaderV1(page));
      break;
    case PageType::kIndexPage:
      out.Struct(6, ThriftCompactBuilder().Finish());
      break;
    case PageType::kDictionaryPage:
      out.Struct(7, ThriftCompactBuilder()
                        .I32(1, page.num_values)
                        .I32(2, static_cast<int32_t>(page.encoding))
                        .Finish());
      break;
    case PageType::kDataPageV2:
      out.Struct(8, DataHeaderV2(page));
      break;
  }
  return out.Finish();
}

// A file is   "PAR1" | pages of each chunk | bloom filter and page indexes of each chunk | footer |
// footer length, 4 bytes | "PAR1"
BuiltFile BuildFile(const FileSpec& file) {
  BuiltFile built;
  built.bytes = file.magic;
  int64_t top_level = 0;
  const std::vector<LeafSpec> leaves = Leaves(file.schema, top_level);
  for (const RowGroupSpec& row_group : file.row_groups) {
    auto& places = built.pages.emplace_back();
    for (const ChunkSpec& chunk : row_group.chunks) {
      places.push_back(AppendPages(chunk, built.bytes));
    }
  }
  std::vector<std::string> row_groups;
  for (size_t i = 0; i < file.row_groups.size(); ++i) {
    std::vector<std::string> chunks;
    int64_t bytes = 0;
    for (size_t j = 0; j < file.row_groups[i].chunks.size(); ++j) {
      const std::vector<PagePlace>& places = built.pages[i][j];
      const LeafSpec leaf = j < leaves.size() ? leaves[j] : LeafSpec{PhysicalType::kInt32, {}};
      chunks.push_back(ColumnChunkBytes(file.row_groups[i].chunks[j], leaf, places, built.bytes));
      if (!places.empty()) bytes += places.back().end() - places.front().offset;
    }
    row_groups.push_back(ThriftCompactBuilder()
                             .List(1, CompactType::kStruct, chunks)
                             .I64(2, bytes)
                             .I64(3, file.row_groups[i].num_rows)
                             .Finish());
  }
  built.footer_offset = Size(built.bytes);
  const std::string footer = file.footer.value_or(FooterBytes(file, row_groups));
  built.bytes += footer +
                 LittleEndian(static_cast<uint64_t>(file.footer_length.value_or(Size(footer))), 4) +
                 file.magic;
  return built;
}

ChunkSpec Chunk(std::vector<PageSpec> pages, Codec codec) {
  ChunkSpec chunk;
  chunk.pages = std::move(pages);
  chunk.codec = codec;
  return chunk;
}

FileSpec OneRowGroup(std::vector<ElementSpec> schema, int64_t num_rows,
                     std::vector<ChunkSpec> chunks) {
  FileSpec file;
  file.schema = std::move(schema);
  file.row_groups.push_back({num_rows, std::move(chunks)});
  return file;
}

PageSpec DataPage(Encoding encoding, int64_t num_values, std::string values,
                  std::string definition_levels, std::string repetition_levels) {
  PageSpec page;
  page.encoding = encoding;
  page.num_values = num_values;
  page.values = std::move(values);
  if (!definition_levels.empty()) page.definition_levels = WithLength(definition_levels);
  if (!repetition_levels.empty()) page.repetition_levels = WithLength(repetition_levels);
  return page;
}

PageSpec DataPageV2(Encoding encoding, int64_t num_values, int64_t num_nulls, int64_t num_rows,
                    std::string values, std::string definition_levels,
                    std::string repetition_levels) {
  PageSpec page;
  page.type = PageType::kDataPageV2;
  page.encoding = encoding;
  page.num_values = num_values;
  page.num_nulls = num_nulls;
  page.num_rows = num_rows;
  page.values = std::move(values);
  page.definition_levels = std::move(definition_levels);
  page.repetition_levels = std::move(repetition_levels);
  return page;
}

PageSpec DictionaryPage(int64_t num_values, std::string values) {
  PageSpec page;
  page.type = PageType::kDictionaryPage;
  page.num_values = num_values;
  page.values = std::move(values);
  return page;
}

PageSpec IndexPage(std::string bytes) {
  PageSpec page;
  page.type = PageType::kIndexPage;
  page.values = std::move(bytes);
  return page;
}

ElementSpec Required(std::string name, PhysicalType type) {
  ElementSpec element;
  element.name = std::move(name);
  element.type = type;
  return element;
}

ElementSpec Optional(std::string name, PhysicalType type) {
  ElementSpec element = Required(std::move(name), type);
  element.repetition = Repetition::kOptional;
  return element;
}

ElementSpec Repeated(std::string name, PhysicalType type) {
  ElementSpec element = Required(std::move(name), type);
  element.repetition = Repetition::kRepeated;
  return element;
}

ElementSpec Group(std::string name, Repetition repetition, int64_t num_children,
                  std::optional<int32_t> converted_type) {
  ElementSpec element;
  element.name = std::move(name);
  element.repetition = repetition;
  element.num_children = num_children;
  element.converted_type = converted_type;
  return element;
}

std::string Logical(LogicalKind kind, std::string inner) {
  return ThriftCompactBuilder().Struct(static_cast<int32_t>(kind), inner).Finish();
}

std::string LogicalInteger(int32_t bit_width, bool is_signed) {
  const std::string width(1, static_cast<char>(bit_width));
  return Logical(
      LogicalKind::kInteger,
      ThriftCompactBuilder().Raw(1, CompactType::kByte, width).Bool(2, is_signed).Finish());
}

std::string LogicalDecimal(int32_t precision, int32_t scale) {
  return Logical(LogicalKind::kDecimal,
                 ThriftCompactBuilder().I32(1, scale).I32(2, precision).Finish());
}

std::string LogicalTime(LogicalKind kind, TimeUnit unit, bool utc_adjusted) {
  const std::string empty(1, '\0');
  const std::string member =
      ThriftCompactBuilder().Struct(static_cast<int32_t>(unit), empty).Finish();
  return Logical(kind, ThriftCompactBuilder().Bool(1, utc_adjusted).Struct(2, member).Finish());
}

}  // namespace sluice::support
