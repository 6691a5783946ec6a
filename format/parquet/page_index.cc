#include <fmt/format.h>
#include <sluice/parquet/page_index.h>

#include <algorithm>
#include <utility>

#include "format/model/counted_memory.h"
#include "format/model/no_memory.h"
#include "format/model/try.h"
#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int32_t kMaxDepth = 64;

void ReadPageLocation(CompactReader& reader, PageLocation& location) {
  reader.ReadStruct({1, 2, 3}, "page location lacks a required field",
                    [&](const CompactField& field) {
                      switch (field.id) {
                        case 1:
                          return reader.Read(field, location.offset);
                        case 2:
                          return reader.Read(field, location.compressed_page_size);
                        case 3:
                          return reader.Read(field, location.first_row_index);
                        default:
                          return false;
                      }
                    });
}

// A bit for each byte of the index: nothing to count.
bool ReadBools(CompactReader& reader, const CompactField& field, std::vector<bool>& values) {
  if (!field.Is(CompactType::kList)) return false;
  values.clear();
  reader.ReadList([&] { values.push_back(reader.ReadBoolElement()); });
  return true;
}

bool ReadStrings(CompactReader& reader, const CompactField& field,
                 std::vector<std::string_view>& values) {
  if (!field.Is(CompactType::kList)) return false;
  values.clear();
  reader.ReadList([&] {
    const std::string_view value = reader.ReadBinary();
    if (reader.MakeRoom(values, 1)) values.push_back(value);
  });
  return true;
}

bool ReadPageLocations(CompactReader& reader, const CompactField& field,
                       std::vector<PageLocation>& locations) {
  if (!field.Is(CompactType::kList)) return false;
  locations.clear();
  reader.ReadList([&] {
    if (reader.MakeRoom(locations, 1)) ReadPageLocation(reader, locations.emplace_back());
  });
  return true;
}

/// A count of memory in `pool`, or in none.
Result<CountedMemory> CountIn(BufferPool* pool) {
  if (pool == nullptr) return CountedMemory();
  SLUICE_TRY(Reservation reservation, pool->Reserve(0));
  return CountedMemory(std::move(reservation));
}

bool ReadBoundaryOrder(CompactReader& reader, const CompactField& field, BoundaryOrder& order) {
  int32_t id = 0;
  if (!reader.Read(field, id)) return false;
  const bool is_known = id == static_cast<int32_t>(BoundaryOrder::kAscending) ||
                        id == static_cast<int32_t>(BoundaryOrder::kDescending);
  order = is_known ? static_cast<BoundaryOrder>(id) : BoundaryOrder::kUnordered;
  return true;
}

Status CheckColumnIndexLengths(const ColumnIndex& index) {
  const size_t num_pages = index.null_pages.size();
  const auto check = [&](const char* what, size_t length, bool may_be_empty) {
    if (length == num_pages || (may_be_empty && length == 0)) return Status::Ok();
    return Status::Corruption(fmt::format("column index: {} are not one a page: {} for {} pages",
                                          what, length, num_pages));
  };
  for (const Status& status : {check("min values", index.min_values.size(), false),
                               check("max values", index.max_values.size(), false),
                               check("null counts", index.null_counts.size(), true),
                               check("NaN counts", index.nan_counts.size(), true)}) {
    if (!status.ok()) return status;
  }
  for (const size_t length :
       {index.repetition_level_histograms.size(), index.definition_level_histograms.size()}) {
    if (length != 0 && (num_pages == 0 || length % num_pages != 0)) {
      return Status::Corruption(fmt::format(
          "column index: level histograms are not the same for each page: {} for {} pages", length,
          num_pages));
    }
  }
  return Status::Ok();
}

}  // namespace

Result<OffsetIndex> ParseOffsetIndex(std::span<const uint8_t> bytes, BufferPool* pool) {
  return OrNoMemory([&]() -> Result<OffsetIndex> {
    SLUICE_TRY(CountedMemory memory, CountIn(pool));
    CompactReader reader(bytes, kMaxDepth);
    reader.CountIn(&memory);
    OffsetIndex index;
    reader.ReadStruct({1}, "offset index lacks a required field", [&](const CompactField& field) {
      switch (field.id) {
        case 1:
          return ReadPageLocations(reader, field, index.page_locations);
        case 2:
          return reader.Read(field, index.unencoded_byte_array_data_bytes);
        default:
          return false;
      }
    });
    if (!reader.ok()) return reader.ToStatus("offset index");
    index.memory = memory.FinishShared();
    return index;
  });
}

namespace {

void ReadColumnIndex(CompactReader& reader, ColumnIndex& index) {
  reader.ReadStruct({1, 2, 3, 4}, "column index lacks a required field",
                    [&](const CompactField& field) {
                      switch (field.id) {
                        case 1:
                          return ReadBools(reader, field, index.null_pages);
                        case 2:
                          return ReadStrings(reader, field, index.min_values);
                        case 3:
                          return ReadStrings(reader, field, index.max_values);
                        case 4:
                          return ReadBoundaryOrder(reader, field, index.boundary_order);
                        case 5:
                          return reader.Read(field, index.null_counts);
                        case 6:
                          return reader.Read(field, index.repetition_level_histograms);
                        case 7:
                          return reader.Read(field, index.definition_level_histograms);
                        case 8:
                          return reader.Read(field, index.nan_counts);
                        default:
                          return false;
                      }
                    });
}

}  // namespace

Result<ColumnIndex> ParseColumnIndex(BufferRef bytes, BufferPool* pool) {
  return OrNoMemory([&]() -> Result<ColumnIndex> {
    SLUICE_TRY(CountedMemory memory, CountIn(pool));
    CompactReader reader(bytes->span(), kMaxDepth);
    reader.CountIn(&memory);
    ColumnIndex index;
    ReadColumnIndex(reader, index);
    if (!reader.ok()) return reader.ToStatus("column index");
    SLUICE_RETURN_IF_ERROR(CheckColumnIndexLengths(index));
    index.bytes = std::move(bytes);
    index.memory = memory.FinishShared();
    return index;
  });
}

Status CheckOffsetIndex(const OffsetIndex& index, int64_t num_rows, ByteRange chunk_bytes) {
  const std::vector<PageLocation>& pages = index.page_locations;
  const auto wrong = [](const char* what, size_t page) {
    return Status::Corruption(fmt::format("offset index: {}: page {}", what, page));
  };
  if (pages.empty()) {
    return num_rows == 0 ? Status::Ok() : Status::Corruption("offset index: has no pages");
  }
  const size_t num_sizes = index.unencoded_byte_array_data_bytes.size();
  if (num_sizes != 0 && num_sizes != pages.size()) {
    return Status::Corruption(fmt::format("offset index: sizes are not one a page: {} for {} pages",
                                          num_sizes, pages.size()));
  }
  if (pages[0].first_row_index != 0) return wrong("first page does not begin at row 0", 0);
  int64_t position = chunk_bytes.offset;
  int64_t row = -1;
  for (size_t i = 0; i < pages.size(); ++i) {
    const PageLocation& page = pages[i];
    if (page.compressed_page_size <= 0) return wrong("size is not positive", i);
    // Only a dictionary stands before the first page. A gap could hold a page that the index leaves
    // out, and rows behind it would be numbered wrongly.
    if (i == 0 ? page.offset < position : page.offset != position) {
      return wrong("does not begin where the one before it ends", i);
    }
    if (page.offset > chunk_bytes.end() - page.compressed_page_size) {
      return wrong("ends past its column chunk", i);
    }
    if (page.first_row_index <= row) return wrong("rows do not ascend", i);
    // A chunk without rows may have a page, which then begins at row 0.
    if (page.first_row_index >= std::max<int64_t>(num_rows, 1)) {
      return wrong("begins past the last row", i);
    }
    position = page.offset + page.compressed_page_size;
    row = page.first_row_index;
  }
  if (position != chunk_bytes.end()) {
    return wrong("does not end where its column chunk does", pages.size() - 1);
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
