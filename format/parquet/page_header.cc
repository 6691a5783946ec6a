#include "format/parquet/page_header.h"

#include "format/parquet/compact_reader.h"
#include "format/parquet/statistics_parser.h"

namespace sluice::inline v0::parquet {

namespace {

// A page header, with the field ids of parquet.thrift:
//   PageHeader           1 type, 2 uncompressed size, 3 compressed size, 4 crc, 5 V1, 6 index,
//                        7 dictionary, 8 V2
//   DataPageHeader       1 values, 2 encoding, 3 definition, 4 repetition encoding, 5 statistics
//   DictionaryPageHeader 1 values, 2 encoding, 3 sorted
//   DataPageHeaderV2     1 values, 2 nulls, 3 rows, 4 encoding, 5 definition, 6 repetition level
//                        bytes, 7 compressed, 8 statistics

constexpr int32_t kMaxDepth = 64;

/// Reads an i32 that a struct must have; `seen` gets the field's bit.
bool ReadRequired(CompactReader& reader, const CompactField& field, int32_t& value,
                  uint32_t& seen) {
  if (!field.Is(CompactType::kI32)) return false;
  value = reader.ReadI32();
  seen |= 1U << field.id;
  return true;
}

bool ReadRequired(CompactReader& reader, const CompactField& field, Encoding& value,
                  uint32_t& seen) {
  int32_t id = 0;
  if (!ReadRequired(reader, field, id, seen)) return false;
  value = static_cast<Encoding>(id);
  return true;
}

bool ReadOptional(CompactReader& reader, const CompactField& field,
                  std::optional<Statistics>& statistics) {
  if (!field.Is(CompactType::kStruct)) return false;
  if (!statistics) statistics.emplace();
  ReadStatistics(reader, *statistics);
  return true;
}

void CheckSeen(CompactReader& reader, uint32_t seen, uint32_t required) {
  if ((seen & required) != required) reader.Fail("page header lacks a required field");
}

void ReadDataPageHeader(CompactReader& reader, PageHeader& header) {
  uint32_t seen = 0;
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadRequired(reader, field, header.num_values, seen);
      case 2:
        return ReadRequired(reader, field, header.encoding, seen);
      case 3:
        return ReadRequired(reader, field, header.definition_level_encoding, seen);
      case 4:
        return ReadRequired(reader, field, header.repetition_level_encoding, seen);
      case 5:
        return ReadOptional(reader, field, header.statistics);
      default:
        return false;
    }
  });
  CheckSeen(reader, seen, 0b11110);
}

void ReadDictionaryPageHeader(CompactReader& reader, PageHeader& header) {
  uint32_t seen = 0;
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadRequired(reader, field, header.num_values, seen);
      case 2:
        return ReadRequired(reader, field, header.encoding, seen);
      case 3:
        if (!field.IsBool()) return false;
        header.is_sorted = field.Is(CompactType::kTrue);
        return true;
      default:
        return false;
    }
  });
  CheckSeen(reader, seen, 0b110);
}

void ReadDataPageHeaderV2(CompactReader& reader, PageHeader& header) {
  uint32_t seen = 0;
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadRequired(reader, field, header.num_values, seen);
      case 2:
        return ReadRequired(reader, field, header.num_nulls, seen);
      case 3:
        return ReadRequired(reader, field, header.num_rows, seen);
      case 4:
        return ReadRequired(reader, field, header.encoding, seen);
      case 5:
        return ReadRequired(reader, field, header.definition_levels_byte_length, seen);
      case 6:
        return ReadRequired(reader, field, header.repetition_levels_byte_length, seen);
      case 7:
        if (!field.IsBool()) return false;
        header.is_compressed = field.Is(CompactType::kTrue);
        return true;
      case 8:
        return ReadOptional(reader, field, header.statistics);
      default:
        return false;
    }
  });
  CheckSeen(reader, seen, 0b1111110);
}

/// The struct of each page type is read into a header of its own, since nothing forbids the type to
/// come last or structs of several types to be there.
struct Parts {
  PageHeader v1;
  PageHeader dictionary;
  PageHeader v2;
  bool has_v1 = false;
  bool has_dictionary = false;
  bool has_v2 = false;
};

void ReadPageHeader(CompactReader& reader, PageHeader& common, Parts& parts) {
  uint32_t seen = 0;
  int32_t type = 0;
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadRequired(reader, field, type, seen);
      case 2:
        return ReadRequired(reader, field, common.uncompressed_size, seen);
      case 3:
        return ReadRequired(reader, field, common.compressed_size, seen);
      case 4:
        if (!field.Is(CompactType::kI32)) return false;
        common.crc = static_cast<uint32_t>(reader.ReadI32());
        return true;
      case 5:
        if (!field.Is(CompactType::kStruct)) return false;
        ReadDataPageHeader(reader, parts.v1);
        parts.has_v1 = true;
        return true;
      case 7:
        if (!field.Is(CompactType::kStruct)) return false;
        ReadDictionaryPageHeader(reader, parts.dictionary);
        parts.has_dictionary = true;
        return true;
      case 8:
        if (!field.Is(CompactType::kStruct)) return false;
        ReadDataPageHeaderV2(reader, parts.v2);
        parts.has_v2 = true;
        return true;
      default:
        return false;
    }
  });
  CheckSeen(reader, seen, 0b1110);
  common.type = static_cast<PageType>(type);
}

/// What must hold of a header whatever the page's contents (fault B6: sizes that overflowed).
const char* WhatIsWrong(const PageHeader& header) {
  if (header.uncompressed_size < 0) return "uncompressed size is negative";
  if (header.compressed_size < 0) return "compressed size is negative";
  if (header.num_values < 0) return "number of values is negative";
  if (header.num_nulls < 0) return "number of nulls is negative";
  if (header.num_rows < 0) return "number of rows is negative";
  if (header.definition_levels_byte_length < 0) return "definition level size is negative";
  if (header.repetition_levels_byte_length < 0) return "repetition level size is negative";
  const int64_t levels =
      int64_t{header.definition_levels_byte_length} + header.repetition_levels_byte_length;
  if (levels > header.compressed_size) return "levels are longer than the stored page";
  if (levels > header.uncompressed_size) return "levels are longer than the page";
  return nullptr;
}

}  // namespace

Result<std::optional<PageHeader>> ParsePageHeader(std::span<const uint8_t> bytes) {
  CompactReader reader(bytes, kMaxDepth, kMaxPageHeaderBytes);
  PageHeader common;
  Parts parts;
  ReadPageHeader(reader, common, parts);
  if (reader.failure() == CompactReader::Failure::kTruncated) {
    if (static_cast<int64_t>(bytes.size()) < kMaxPageHeaderBytes)
      return std::optional<PageHeader>();
    return Status::ResourceExhausted("page header: longer than it may be");
  }
  if (!reader.ok()) return reader.ToStatus("page header");

  bool has_part = true;
  PageHeader header;
  switch (common.type) {
    case PageType::kDataPage:
      header = parts.v1;
      has_part = parts.has_v1;
      break;
    case PageType::kDictionaryPage:
      header = parts.dictionary;
      has_part = parts.has_dictionary;
      break;
    case PageType::kDataPageV2:
      header = parts.v2;
      has_part = parts.has_v2;
      break;
    case PageType::kIndexPage:
    default:  // Whoever reads the page refuses or steps over it, by its sizes.
      break;
  }
  if (!has_part) return Status::Corruption("page header: struct for its page type is missing");
  header.type = common.type;
  header.uncompressed_size = common.uncompressed_size;
  header.compressed_size = common.compressed_size;
  header.crc = common.crc;
  header.header_size = static_cast<int32_t>(reader.position());
  if (const char* wrong = WhatIsWrong(header)) {
    return Status::Corruption(std::string("page header: ") + wrong);
  }
  return std::optional<PageHeader>(std::move(header));
}

}  // namespace sluice::inline v0::parquet
