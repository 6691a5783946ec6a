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

constexpr const char* kLacking = "page header lacks a required field";

void ReadDataPageHeader(CompactReader& reader, PageHeader& header) {
  reader.ReadStruct({1, 2, 3, 4}, kLacking, [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, header.num_values);
      case 2:
        return reader.Read(field, header.encoding);
      case 3:
        return reader.Read(field, header.definition_level_encoding);
      case 4:
        return reader.Read(field, header.repetition_level_encoding);
      case 5:
        return ReadStatistics(reader, field, header.statistics);
      default:
        return false;
    }
  });
}

void ReadDictionaryPageHeader(CompactReader& reader, PageHeader& header) {
  reader.ReadStruct({1, 2}, kLacking, [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, header.num_values);
      case 2:
        return reader.Read(field, header.encoding);
      case 3:
        return reader.Read(field, header.is_sorted);
      default:
        return false;
    }
  });
}

void ReadDataPageHeaderV2(CompactReader& reader, PageHeader& header) {
  reader.ReadStruct({1, 2, 3, 4, 5, 6}, kLacking, [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, header.num_values);
      case 2:
        return reader.Read(field, header.num_nulls);
      case 3:
        return reader.Read(field, header.num_rows);
      case 4:
        return reader.Read(field, header.encoding);
      case 5:
        return reader.Read(field, header.definition_levels_byte_length);
      case 6:
        return reader.Read(field, header.repetition_levels_byte_length);
      case 7:
        return reader.Read(field, header.is_compressed);
      case 8:
        return ReadStatistics(reader, field, header.statistics);
      default:
        return false;
    }
  });
}

/// The struct of each page type is read into a header of its own, since nothing forbids the type to
/// come last or structs of several types to be there.
struct Parts {
  std::optional<PageHeader> v1;
  std::optional<PageHeader> dictionary;
  std::optional<PageHeader> v2;
};

template <typename ReadPart>
bool ReadStructInto(const CompactField& field, std::optional<PageHeader>& part, ReadPart&& read) {
  if (!field.Is(CompactType::kStruct)) return false;
  if (!part) part.emplace();
  read(*part);
  return true;
}

void ReadPageHeader(CompactReader& reader, PageHeader& common, Parts& parts) {
  reader.ReadStruct({1, 2, 3}, kLacking, [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, common.type);
      case 2:
        return reader.Read(field, common.uncompressed_size);
      case 3:
        return reader.Read(field, common.compressed_size);
      case 4: {
        int32_t crc = 0;
        if (!reader.Read(field, crc)) return false;
        common.crc = static_cast<uint32_t>(crc);
        return true;
      }
      case 5:
        return ReadStructInto(field, parts.v1,
                              [&](PageHeader& part) { ReadDataPageHeader(reader, part); });
      case 7:
        return ReadStructInto(field, parts.dictionary,
                              [&](PageHeader& part) { ReadDictionaryPageHeader(reader, part); });
      case 8:
        return ReadStructInto(field, parts.v2,
                              [&](PageHeader& part) { ReadDataPageHeaderV2(reader, part); });
      default:
        return false;
    }
  });
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

  std::optional<PageHeader> part;
  switch (common.type) {
    case PageType::kDataPage:
      part = parts.v1;
      break;
    case PageType::kDictionaryPage:
      part = parts.dictionary;
      break;
    case PageType::kDataPageV2:
      part = parts.v2;
      break;
    case PageType::kIndexPage:
    default:  // Whoever reads the page refuses it or steps over it, by its sizes.
      part.emplace();
      break;
  }
  if (!part) return Status::Corruption("page header: struct for its page type is missing");
  PageHeader& header = *part;
  header.type = common.type;
  header.uncompressed_size = common.uncompressed_size;
  header.compressed_size = common.compressed_size;
  header.crc = common.crc;
  header.header_size = static_cast<int32_t>(reader.position());
  if (const char* wrong = WhatIsWrong(header)) {
    return Status::Corruption(std::string("page header: ") + wrong);
  }
  return part;
}

}  // namespace sluice::inline v0::parquet
