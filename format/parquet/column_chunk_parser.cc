#include "format/parquet/column_chunk_parser.h"

#include "format/parquet/footer.h"
#include "format/parquet/schema_element_parser.h"
#include "format/parquet/statistics_parser.h"

namespace sluice::inline v0::parquet {

namespace {

/// Reads a field that holds a list, each element by `read(element)`.
template <typename T, typename ReadElement>
bool ReadElements(CompactReader& reader, const CompactField& field, std::vector<T>& elements,
                  ReadElement&& read) {
  if (!field.Is(CompactType::kList)) return false;
  // Most lists are this short; longer ones grow, so that a claimed count costs nothing.
  constexpr int64_t kReserved = 16;
  reader.ReadListInto(elements, kReserved, read);
  return true;
}

void ReadKeyValue(CompactReader& reader, KeyValue& pair) {
  reader.ReadStruct({1}, "key-value pair has no key", [&](const CompactField& field) {
    if (field.id == 1) return reader.Read(field, pair.key);
    return field.id == 2 && reader.Read(field, pair.value);
  });
}

void ReadPageEncodingStats(CompactReader& reader, PageEncodingStats& stats) {
  reader.ReadStruct({1, 2, 3}, "page encoding stats lack a required field",
                    [&](const CompactField& field) {
                      switch (field.id) {
                        case 1:
                          return reader.Read(field, stats.page_type);
                        case 2:
                          return reader.Read(field, stats.encoding);
                        case 3:
                          return reader.Read(field, stats.count);
                        default:
                          return false;
                      }
                    });
}

bool ReadSizeStatistics(CompactReader& reader, const CompactField& field,
                        Boxed<SizeStatistics>& optional) {
  if (!field.Is(CompactType::kStruct)) return false;
  if (!optional && !reader.Count(sizeof(SizeStatistics))) return true;
  SizeStatistics& statistics = optional ? *optional : optional.emplace();
  reader.ReadStruct([&](const CompactField& member) {
    switch (member.id) {
      case 1:
        return reader.Read(member, statistics.unencoded_byte_array_data_bytes);
      case 2:
        return reader.Read(member, statistics.repetition_level_histogram);
      case 3:
        return reader.Read(member, statistics.definition_level_histogram);
      default:
        return false;
    }
  });
  return true;
}

/// Takes the bytes of a struct as they are.
bool ReadRaw(CompactReader& reader, const CompactField& field, std::string_view& bytes) {
  if (!field.Is(CompactType::kStruct)) return false;
  const auto* begin = reinterpret_cast<const char*>(reader.cursor());
  const int64_t start = reader.position();
  reader.Skip(field.type);
  if (reader.ok()) bytes = {begin, static_cast<size_t>(reader.position() - start)};
  return true;
}

/// The fields of ColumnMetaData that a scan may do without.
bool ReadChunkStatistics(CompactReader& reader, const CompactField& field, ColumnChunk& chunk) {
  switch (field.id) {
    case 12:
      return ReadStatistics(reader, field, chunk.statistics);
    case 16:
      return ReadSizeStatistics(reader, field, chunk.size_statistics);
    case 17:
      return ReadRaw(reader, field, chunk.geospatial_statistics);
    default:
      return false;
  }
}

bool ReadColumnMetaDataField(CompactReader& reader, const CompactField& field, bool statistics,
                             ColumnChunk& chunk) {
  switch (field.id) {
    case 1:
      return ReadPhysicalType(reader, field, chunk.type);
    case 2:
      return ReadElements(reader, field, chunk.encodings, [&](Encoding& encoding) {
        encoding = static_cast<Encoding>(reader.ReadI32());
      });
    case 3:
      return ReadElements(reader, field, chunk.path_in_schema,
                          [&](std::string_view& part) { part = reader.ReadBinary(); });
    case 4:
      return reader.Read(field, chunk.codec);
    case 5:
      return reader.Read(field, chunk.num_values);
    case 6:
      return reader.Read(field, chunk.total_uncompressed_size);
    case 7:
      return reader.Read(field, chunk.total_compressed_size);
    case 8:
      return ReadKeyValues(reader, field, chunk.key_value_metadata);
    case 9:
      return reader.Read(field, chunk.data_page_offset);
    case 10:
      return reader.Read(field, chunk.index_page_offset);
    case 11:
      return reader.Read(field, chunk.dictionary_page_offset);
    case 13:
      return ReadElements(reader, field, chunk.encoding_stats,
                          [&](PageEncodingStats& stats) { ReadPageEncodingStats(reader, stats); });
    case 14:
      return reader.Read(field, chunk.bloom_filter_offset);
    case 15:
      return reader.Read(field, chunk.bloom_filter_length);
    default:
      return statistics && ReadChunkStatistics(reader, field, chunk);
  }
}

/// Where the page index of a chunk is, as ColumnChunk has it.
struct IndexPlaces {
  std::optional<int64_t> offset_index_offset;
  std::optional<int32_t> offset_index_length;
  std::optional<int64_t> column_index_offset;
  std::optional<int32_t> column_index_length;
};

}  // namespace

bool ReadKeyValues(CompactReader& reader, const CompactField& field, std::vector<KeyValue>& pairs) {
  return ReadElements(reader, field, pairs, [&](KeyValue& pair) { ReadKeyValue(reader, pair); });
}

std::optional<ByteRange> IndexRange(std::optional<int64_t> offset, std::optional<int32_t> length) {
  if (!offset || !length || *offset <= 0 || *length <= 0) return std::nullopt;
  if (*offset > INT64_MAX - *length) return std::nullopt;
  return ByteRange{*offset, *length};
}

void ReadColumnChunk(CompactReader& reader, bool statistics, ColumnChunk& chunk) {
  bool has_metadata = false;
  IndexPlaces places;
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, chunk.file_path);
      case 2:
        return reader.Read(field, chunk.file_offset);
      case 3:
        if (!field.Is(CompactType::kStruct)) return false;
        reader.ReadStruct({1, 2, 3, 4, 5, 6, 7, 9}, "column metadata lacks a required field",
                          [&](const CompactField& member) {
                            return ReadColumnMetaDataField(reader, member, statistics, chunk);
                          });
        has_metadata = true;
        return true;
      case 4:
        return reader.Read(field, places.offset_index_offset);
      case 5:
        return reader.Read(field, places.offset_index_length);
      case 6:
        return reader.Read(field, places.column_index_offset);
      case 7:
        return reader.Read(field, places.column_index_length);
      case 8:
        chunk.is_encrypted |= field.Is(CompactType::kStruct);
        return false;
      case 9:
        chunk.is_encrypted |= field.Is(CompactType::kBinary);
        return false;
      default:
        return false;
    }
  });
  chunk.offset_index = IndexRange(places.offset_index_offset, places.offset_index_length);
  chunk.column_index = IndexRange(places.column_index_offset, places.column_index_length);
  if (!has_metadata && !chunk.is_encrypted) chunk.type = kNoColumnMetadata;
}

}  // namespace sluice::inline v0::parquet
