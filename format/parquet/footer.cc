#include "format/parquet/footer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "format/model/counted_memory.h"
#include "format/model/no_memory.h"
#include "format/model/try.h"
#include "format/parquet/column_chunk_parser.h"
#include "format/parquet/compact_reader.h"
#include "format/parquet/schema_element_parser.h"

namespace sluice::inline v0::parquet {

namespace {

class FooterParser {
 public:
  FooterParser(const FooterOptions& options, const BufferRef& bytes, Reservation reservation)
      : options_(options),
        memory_(std::move(reservation)),
        reader_(bytes->span(), options.limits.max_thrift_depth),
        metadata_(std::make_shared<FileMetadata>()) {
    metadata_->bytes = bytes;
    reader_.CountIn(&memory_);
  }

  Result<std::shared_ptr<FileMetadata>> Parse();

 private:
  // What elements of real files take at least; shorter ones make a vector grow, no more.
  static constexpr int64_t kLeastElementBytes = 8;
  static constexpr int64_t kLeastChunkBytes = 32;
  static constexpr int64_t kFewElements = 4;

  bool ReadField(const CompactField& field);
  /// How many elements of `least_bytes` each the bytes left can hold: a claim costs no more memory
  /// than a true one would.
  int64_t MostLeft(int64_t least_bytes) const { return reader_.remaining() / least_bytes; }

  void ReadSchema();
  void ReadColumnOrders();
  void ReadRowGroups();
  void ReadRowGroup(RowGroup& row_group);
  void ReadColumns(std::vector<ColumnChunk>& columns);
  void ReadSortingColumn(SortingColumn& sorting);
  ColumnOrder ReadColumnOrder();

  void ChooseLeaves();
  bool IsWanted(uint32_t leaf) const {
    return !has_chosen_leaves_ || (leaf < wanted_leaves_.size() && wanted_leaves_[leaf]);
  }

  const FooterOptions& options_;
  CountedMemory memory_;
  CompactReader reader_;
  std::shared_ptr<FileMetadata> metadata_;
  bool too_many_elements_ = false;
  bool has_chosen_leaves_ = false;
  std::vector<bool> wanted_leaves_;
};

/// Whether every id of the footer is one that the specification has.
Status CheckIds(const FileMetadata& metadata) {
  for (size_t i = 0; i < metadata.schema.size(); ++i) {
    const SchemaElement& element = metadata.schema[i];
    if (element.type != kUnknownPhysicalType && element.repetition != kUnknownRepetition) continue;
    return Status::Corruption(
        fmt::format("footer: schema element {}: no such {}", i,
                    element.type == kUnknownPhysicalType ? "physical type" : "repetition"));
  }
  for (size_t group = 0; group < metadata.row_groups.size(); ++group) {
    const std::vector<ColumnChunk>& columns = metadata.row_groups[group].columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].type != kUnknownPhysicalType && columns[i].type != kNoColumnMetadata) continue;
      return Status::Corruption(fmt::format(
          "footer: row group {}: column chunk {}{}", group, i,
          columns[i].type == kNoColumnMetadata ? " has no metadata" : ": no such physical type"));
    }
  }
  return Status::Ok();
}

Result<std::shared_ptr<FileMetadata>> FooterParser::Parse() {
  reader_.ReadStruct({1, 2, 3, 4}, "footer lacks a required field",
                     [&](const CompactField& field) { return ReadField(field); });
  if (too_many_elements_) {
    return Status::ResourceExhausted("footer: schema has more elements than it may");
  }
  if (!reader_.ok()) return reader_.ToStatus("footer");
  SLUICE_RETURN_IF_ERROR(CheckIds(*metadata_));
  metadata_->memory = memory_.FinishShared();
  return std::move(metadata_);
}

bool FooterParser::ReadField(const CompactField& field) {
  switch (field.id) {
    case 1:
      return reader_.Read(field, metadata_->version);
    case 2:
      if (!field.Is(CompactType::kList)) return false;
      ReadSchema();
      return true;
    case 3:
      return reader_.Read(field, metadata_->num_rows);
    case 4:
      if (!field.Is(CompactType::kList)) return false;
      ReadRowGroups();
      return true;
    case 5:
      return ReadKeyValues(reader_, field, metadata_->key_value_metadata);
    case 6:
      return reader_.Read(field, metadata_->created_by);
    case 7:
      if (!field.Is(CompactType::kList)) return false;
      ReadColumnOrders();
      return true;
    case 8:
      metadata_->has_encryption_algorithm |= field.Is(CompactType::kStruct);
      return false;
    default:
      return false;
  }
}

void FooterParser::ReadSchema() {
  std::vector<SchemaElement>& schema = metadata_->schema;
  const int64_t most = MostLeft(kLeastElementBytes);
  const uint32_t count = reader_.BeginList();
  if (count > options_.limits.max_schema_elements) {
    too_many_elements_ = true;
    reader_.Fail("schema has more elements than it may");
    return;
  }
  schema.clear();
  reader_.MakeRoom(schema, static_cast<size_t>(std::min(int64_t{count}, most)));
  for (uint32_t i = 0; i < count && reader_.MakeRoom(schema, 1); ++i) {
    ReadSchemaElement(reader_, schema.emplace_back());
  }
  if (options_.columns) ChooseLeaves();
}

void FooterParser::ReadColumnOrders() {
  reader_.ReadListInto(metadata_->column_orders, kFewElements,
                       [&](ColumnOrder& order) { order = ReadColumnOrder(); });
}

/// The leaves below the top-level columns that are kept. The schema is not checked yet: whatever it
/// says, no more is left out than leaves that it does not let belong to a kept column.
void FooterParser::ChooseLeaves() {
  const std::vector<std::string>& columns = *options_.columns;
  const std::unordered_set<std::string_view> names(columns.begin(), columns.end());
  const std::vector<SchemaElement>& schema = metadata_->schema;
  has_chosen_leaves_ = true;
  wanted_leaves_.clear();
  int64_t missing = 0;  // Elements of the open top-level column that are still to come.
  bool is_wanted = false;
  for (size_t i = 1; i < schema.size(); ++i) {
    if (missing == 0) {
      missing = 1;
      is_wanted = names.contains(schema[i].name);
    }
    missing += std::max(schema[i].num_children, 0) - 1;
    if (schema[i].type) wanted_leaves_.push_back(is_wanted);
  }
}

void FooterParser::ReadRowGroups() {
  reader_.ReadListInto(metadata_->row_groups, kFewElements,
                       [&](RowGroup& row_group) { ReadRowGroup(row_group); });
}

void FooterParser::ReadRowGroup(RowGroup& row_group) {
  reader_.ReadStruct({1, 2, 3}, "row group lacks a required field", [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        if (!field.Is(CompactType::kList)) return false;
        ReadColumns(row_group.columns);
        return true;
      case 2:
        return reader_.Read(field, row_group.total_byte_size);
      case 3:
        return reader_.Read(field, row_group.num_rows);
      case 4:
        if (!field.Is(CompactType::kList)) return false;
        reader_.ReadListInto(row_group.sorting_columns, kFewElements,
                             [&](SortingColumn& sorting) { ReadSortingColumn(sorting); });
        return true;
      case 5:
        return reader_.Read(field, row_group.file_offset);
      case 6:
        return reader_.Read(field, row_group.total_compressed_size);
      case 7: {
        int16_t ordinal = 0;
        if (!reader_.Read(field, ordinal)) return false;
        row_group.ordinal = ordinal;
        return true;
      }
      default:
        return false;
    }
  });
}

void FooterParser::ReadColumns(std::vector<ColumnChunk>& columns) {
  uint32_t leaf = 0;
  reader_.ReadListInto(columns, MostLeft(kLeastChunkBytes), [&](ColumnChunk& chunk) {
    if (IsWanted(leaf++)) {
      ReadColumnChunk(reader_, options_.statistics, chunk);
    } else {
      chunk.is_present = false;
      reader_.Skip(CompactType::kStruct);
    }
  });
}

void FooterParser::ReadSortingColumn(SortingColumn& sorting) {
  reader_.ReadStruct({1, 2, 3}, "sorting column lacks a required field",
                     [&](const CompactField& field) {
                       switch (field.id) {
                         case 1:
                           return reader_.Read(field, sorting.column_index);
                         case 2:
                           return reader_.Read(field, sorting.descending);
                         case 3:
                           return reader_.Read(field, sorting.nulls_first);
                         default:
                           return false;
                       }
                     });
}

/// A union of structs without fields; none that is known, or several, leave the order undefined.
ColumnOrder FooterParser::ReadColumnOrder() {
  uint32_t members = 0;
  reader_.ReadStruct([&](const CompactField& field) {
    if (!field.Is(CompactType::kStruct) || field.id < 1 || field.id > 3) return false;
    members |= 1U << field.id;
    return false;
  });
  switch (members) {
    case 1U << 1:
      return ColumnOrder::kTypeDefined;
    case 1U << 2:
      return ColumnOrder::kIeee754Total;
    case 1U << 3:
      return ColumnOrder::kInt96Timestamp;
    default:
      return ColumnOrder::kUndefined;
  }
}

}  // namespace

Result<std::shared_ptr<FileMetadata>> ParseFooter(BufferRef bytes, const FooterOptions& options) {
  return OrNoMemory([&]() -> Result<std::shared_ptr<FileMetadata>> {
    Reservation reservation;
    if (options.pool) {
      SLUICE_TRY(reservation, options.pool->Reserve(0));
    }
    return FooterParser(options, bytes, std::move(reservation)).Parse();
  });
}

}  // namespace sluice::inline v0::parquet
