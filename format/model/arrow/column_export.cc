#include "format/model/arrow/column_export.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "format/model/arrow/time_values.h"
#include "format/model/column_rows.h"
#include "format/model/flatten.h"
#include "format/model/text/scalar_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

/// Values of `Out`, by `convert`; where that gives none, what `on_none` says of the row.
template <typename Out, typename Convert, typename OnNone>
Result<BufferRef> ConvertValues(const Column& column, BufferPool& pool, Convert convert,
                                OnNone on_none) {
  const int64_t width = column.type->byte_width;
  SLUICE_TRY(BufferRef converted, pool.Allocate(column.length * int64_t{sizeof(Out)}));
  auto* out = converted->mutable_as<Out>();
  for (int64_t row = 0; row < column.length; ++row) {
    out[row] = Out{};
    if (column.IsNull(row)) continue;
    const std::optional<Out> value = convert(column.values<uint8_t>() + row * width);
    if (value) {
      out[row] = *value;
    } else {
      SLUICE_RETURN_IF_ERROR(on_none(row));
    }
  }
  return converted;
}

/// Two's complement, little-endian.
struct Decimal128 {
  int64_t low = 0;
  int64_t high = 0;
};

template <typename Narrow>
Result<BufferRef> WidenDecimals(const Column& column, BufferPool& pool) {
  const auto widen = [](const uint8_t* bytes) {
    Narrow value;
    std::memcpy(&value, bytes, sizeof(value));
    return std::optional<Decimal128>({value, value < 0 ? -1 : 0});
  };
  return ConvertValues<Decimal128>(column, pool, widen, [](int64_t) { return Status::Ok(); });
}

}  // namespace

Status RequireBytes(const BufferRef& buffer, int64_t count, int64_t width,
                    const ColumnPlace& place) {
  if (count == 0 || width == 0 || (buffer && buffer->size() / width >= count)) return Status::Ok();
  return place.Error(StatusCode::kInternal,
                     fmt::format("{} values of {} bytes are not there", count, width));
}

Result<ArrayNode> ColumnExporter::Export(const Batch& batch, int64_t first_row) {
  first_row_ = first_row;
  if (batch.num_rows < 0 || batch.columns.size() != root_.children.size()) {
    return Status::InvalidArgument(
        fmt::format("a batch of {} columns and {} rows, its schema has {} columns",
                    batch.columns.size(), batch.num_rows, root_.children.size()));
  }
  ArrayParts parts(batch.num_rows, 0);
  parts.AddValidity(nullptr);
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    const Column& column = batch.columns[i];
    const ArrowField& field = root_.children[i];
    const ColumnPlace place{nullptr, field.name, nullptr};
    if (column.length != batch.num_rows) {
      return place.Error(StatusCode::kInvalidArgument,
                         fmt::format("has {} rows, the batch {}", column.length, batch.num_rows));
    }
    SLUICE_TRY(ArrayNode child, ExportColumn(column, field, place));
    parts.AddChild(std::move(child));
  }
  return std::move(parts).Assemble(pool_);
}

Result<ArrayNode> ColumnExporter::ExportColumn(const Column& column, const ArrowField& field,
                                               const ColumnPlace& place) {
  if (!column.type || !IsOfField(*column.type, field)) {
    return place.Error(
        StatusCode::kInvalidArgument,
        fmt::format("is of type {}, the schema has another of {}",
                    column.type ? column.type->ToString() : "none", TypeName(field.type.id)));
  }
  if (field.is_dictionary) return ExportDictionary(column, field, place);
  const bool is_flat = column.form == ColumnForm::kFlat || column.form == ColumnForm::kView;
  if (is_flat) return ExportFlat(column, field, place);
  const Result<Column> flat = Flatten(column, pool_);
  if (!flat) return flat.error().In(place.ToString());
  return ExportFlat(*flat, field, place);
}

Result<ArrayNode> ColumnExporter::ExportFlat(const Column& column, const ArrowField& field,
                                             const ColumnPlace& place) {
  switch (field.layout) {
    case ArrowLayout::kNull:
      return ArrayParts(column.length, column.length).Assemble(pool_);
    case ArrowLayout::kViews:
    case ArrowLayout::kText32:
    case ArrowLayout::kText64:
      return ExportText(column, field, place);
    case ArrowLayout::kList:
      return ExportLists(column, field, place);
    case ArrowLayout::kMap:
      return ExportMaps(column, field, place);
    case ArrowLayout::kStruct:
      return ExportStruct(column, field, place);
    default:
      break;
  }
  SLUICE_TRY(ArrayParts parts, Begin(column, place));
  const bool is_boolean = field.type.id == TypeId::kBoolean;
  SLUICE_RETURN_IF_ERROR(RequireBytes(column.data,
                                      is_boolean ? (column.length + 7) / 8 : column.length,
                                      is_boolean ? 1 : field.type.byte_width, place));
  SLUICE_TRY(const BufferRef data, ValuesOf(column, field, place));
  parts.AddBuffer(data);
  return std::move(parts).Assemble(pool_);
}

Result<BufferRef> ColumnExporter::ValuesOf(const Column& column, const ArrowField& field,
                                           const ColumnPlace& place) {
  switch (field.layout) {
    case ArrowLayout::kDecimal:
      return field.type.byte_width == 4 ? WidenDecimals<int32_t>(column, pool_)
                                        : WidenDecimals<int64_t>(column, pool_);
    case ArrowLayout::kInt96:
      return Int96Values(column, place);
    case ArrowLayout::kInterval:
      return IntervalValues(column, place);
    default:
      return column.data;
  }
}

Result<ArrayNode> ColumnExporter::ExportLists(const Column& column, const ArrowField& field,
                                              const ColumnPlace& place) {
  SLUICE_TRY(ArrayParts parts, Begin(column, place));
  int32_t elements = 0;
  // A column without rows may do without its one offset.
  if (column.length > 0 || column.data) {
    SLUICE_RETURN_IF_ERROR(
        RequireBytes(column.data, column.length + 1, int64_t{sizeof(int32_t)}, place));
    elements = column.values<int32_t>()[column.length];
  }
  parts.AddBuffer(column.data);
  const bool is_map = field.layout == ArrowLayout::kMap;
  if (column.children.size() != (is_map ? 2U : 1U)) {
    return place.Error(StatusCode::kInternal,
                       fmt::format("has {} children", column.children.size()));
  }
  std::span<const Column> children = column.children;
  std::vector<Column> cut;
  for (const Column& child : column.children) {
    if (elements < 0 || child.length < elements) {
      return place.Error(StatusCode::kInternal, fmt::format("the last offset is outside: {} of {}",
                                                            elements, child.length));
    }
    if (child.length > elements) children = {};
  }
  if (children.empty()) {
    // What lies behind the last list is of no row.
    for (const Column& child : column.children) cut.push_back(FirstRows(child, elements));
    children = cut;
  }
  const ArrowField& below = field.children[0];
  SLUICE_TRY(ArrayNode child,
             is_map ? ExportEntries(column, children, below, place)
                    : ExportColumn(children[0], below, {&place, below.name, &column}));
  parts.AddChild(std::move(child));
  return std::move(parts).Assemble(pool_);
}

Result<ArrayNode> ColumnExporter::ExportMaps(const Column& column, const ArrowField& field,
                                             const ColumnPlace& place) {
  const bool has_null_keys = !column.children.empty() && column.children[0].null_count > 0;
  if (!has_null_keys) return ExportLists(column, field, place);
  const Column& keys = column.children[0];
  const ColumnPlace key_place{&place, field.children[0].children[0].name, &column};
  for (int64_t row = 0; row < keys.length; ++row) {
    if (!keys.IsNull(row)) continue;
    SLUICE_RETURN_IF_ERROR(RowError(key_place, row, StatusCode::kUnsupported,
                                    "a key is null, of which Arrow's maps have none"));
  }
  // Keys that belong to no row are no consumer's affair: they do not leave.
  SLUICE_TRY(const Column live, LiveRows(column, place));
  return ExportLists(live, field, place);
}

Result<Column> ColumnExporter::LiveRows(const Column& column, const ColumnPlace& place) {
  Column live = column;
  live.null_count = 0;
  SLUICE_TRY(live.validity, pool_.Allocate(BitmapBytes(column.length)));
  SLUICE_TRY(const BufferRef rows, pool_.Allocate(column.length * int64_t{sizeof(int32_t)}));
  std::memset(live.validity->mutable_data(), 0, static_cast<size_t>(live.validity->size()));
  for (int64_t row = 0; row < column.length; ++row) {
    rows->mutable_as<int32_t>()[row] = static_cast<int32_t>(row);
    if (column.IsNull(row) || !place.BatchRow(row)) {
      ++live.null_count;
    } else {
      SetBit(live.validity->mutable_as<uint64_t>(), row);
    }
  }
  if (live.null_count == 0) live.validity.reset();
  return TakeRows(live, rows->as<int32_t>(), column.length, pool_);
}

Result<ArrayNode> ColumnExporter::ExportEntries(const Column& maps, std::span<const Column> parts,
                                                const ArrowField& field, const ColumnPlace& place) {
  ArrayParts entries(parts[0].length, 0);
  entries.AddValidity(nullptr);
  for (size_t i = 0; i < parts.size(); ++i) {
    const ArrowField& below = field.children[i];
    SLUICE_TRY(ArrayNode child, ExportColumn(parts[i], below, {&place, below.name, &maps}));
    entries.AddChild(std::move(child));
  }
  return std::move(entries).Assemble(pool_);
}

Result<ArrayNode> ColumnExporter::ExportStruct(const Column& column, const ArrowField& field,
                                               const ColumnPlace& place) {
  SLUICE_TRY(ArrayParts parts, Begin(column, place));
  if (column.children.size() != field.children.size()) {
    return place.Error(
        StatusCode::kInternal,
        fmt::format("has {} children, its type {}", column.children.size(), field.children.size()));
  }
  for (size_t i = 0; i < column.children.size(); ++i) {
    const ArrowField& below = field.children[i];
    const ColumnPlace below_place{&place, below.name, &column};
    if (column.children[i].length != column.length) {
      return below_place.Error(
          StatusCode::kInternal,
          fmt::format("has {} rows, its struct {}", column.children[i].length, column.length));
    }
    SLUICE_TRY(ArrayNode child, ExportColumn(column.children[i], below, below_place));
    parts.AddChild(std::move(child));
  }
  return std::move(parts).Assemble(pool_);
}

Result<BufferRef> ColumnExporter::Int96Values(const Column& column, const ColumnPlace& place) {
  const TimeUnit unit = options_.int96_unit;
  return ConvertValues<int64_t>(
      column, pool_, [unit](const uint8_t* value) { return Int96Timestamp(value, unit); },
      [&](int64_t row) {
        const uint8_t* value = column.values<uint8_t>() + row * 12;
        int64_t nanoseconds;
        int32_t day;
        std::memcpy(&nanoseconds, value, sizeof(nanoseconds));
        std::memcpy(&day, value + sizeof(nanoseconds), sizeof(day));
        std::string what = "does not fit a timestamp of 64 bits: ";
        text::AppendInt96(nanoseconds, day, what);
        return RowError(place, row, StatusCode::kRowError, what);
      });
}

Result<BufferRef> ColumnExporter::IntervalValues(const Column& column, const ColumnPlace& place) {
  return ConvertValues<MonthDayNano>(column, pool_, IntervalValue, [&](int64_t row) {
    return RowError(place, row, StatusCode::kRowError,
                    "an interval has more months or days than 31 bits hold");
  });
}

Result<ArrayParts> ColumnExporter::Begin(const Column& column, const ColumnPlace& place) {
  const bool is_known = column.validity || column.null_count == column.length;
  if (column.null_count < 0 || column.null_count > column.length ||
      (column.null_count > 0 && !is_known)) {
    return place.Error(StatusCode::kInternal, fmt::format("{} nulls of {} rows are not known",
                                                          column.null_count, column.length));
  }
  ArrayParts parts(column.length, column.null_count);
  BufferRef validity;
  const int64_t bytes = (column.length + 7) / 8;
  if (column.null_count > 0 && column.validity) {
    SLUICE_RETURN_IF_ERROR(RequireBytes(column.validity, bytes, 1, place));
    validity = column.validity;
  } else if (column.null_count > 0) {
    SLUICE_TRY(validity, pool_.Allocate(bytes));
    std::memset(validity->mutable_data(), 0, static_cast<size_t>(bytes));
  }
  parts.AddValidity(std::move(validity));
  return parts;
}

Status ColumnExporter::RowError(const ColumnPlace& place, int64_t row, StatusCode code,
                                std::string_view what) const {
  const std::optional<int64_t> batch_row = place.BatchRow(row);
  if (!batch_row) return Status::Ok();
  return place.Error(code, fmt::format("row {}: {}", first_row_ + *batch_row, what));
}

}  // namespace sluice::inline v0::arrow
