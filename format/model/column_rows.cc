#include "format/model/column_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "format/model/bitmap_words.h"
#include "format/model/kernels/by_width.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace {

Result<BufferRef> SelectBits(const BufferRef& from, const uint64_t* bits, int64_t count,
                             BufferPool& pool) {
  SLUICE_TRY(BufferRef selected, pool.Allocate(BitmapBytes(count)));
  kernels::BestTable().extract_bits(from->as<uint64_t>(), bits, count,
                                    selected->mutable_as<uint64_t>());
  return selected;
}

Result<BufferRef> SelectData(const Column& column, const uint64_t* bits, int64_t selected,
                             BufferPool& pool) {
  if (column.form == ColumnForm::kFlat && column.type->id == TypeId::kBoolean) {
    return SelectBits(column.data, bits, column.length, pool);
  }
  const int64_t width = DataWidth(column);
  SLUICE_TRY(BufferRef data, pool.Allocate(selected * width));
  kernels::CompressValues(kernels::BestTable(), width, column.data->data(), bits, column.length,
                          data->mutable_data());
  return data;
}

/// Sets the offsets and elements of `rows`, which are the selected rows of a column of lists.
Status SelectElements(const Column& column, const uint64_t* bits, int64_t selected, Column& rows,
                      BufferPool& pool) {
  SLUICE_TRY(rows.data, pool.Allocate((selected + 1) * int64_t{sizeof(int32_t)}));
  const auto* offsets = column.values<int32_t>();
  auto* out = rows.data->mutable_as<int32_t>();
  out[0] = 0;
  const int64_t elements = column.children.empty() ? 0 : column.children[0].length;
  std::vector<uint64_t> element_bits(PaddedWords(elements));
  int64_t row = 0;
  for (int64_t i = 0; i < column.length; ++i) {
    if (!GetBit(bits, i)) continue;
    for (int32_t at = offsets[i]; at < offsets[i + 1]; ++at) SetBit(element_bits.data(), at);
    out[row + 1] = out[row] + (offsets[i + 1] - offsets[i]);
    ++row;
  }
  for (Column& child : rows.children) {
    SLUICE_TRY(child, SelectRows(child, element_bits.data(), out[selected], pool));
  }
  return Status::Ok();
}

/// Sets the nulls of `count` rows of a column, where all of its rows are null without a bitmap.
bool SetAllNull(Column& column, int64_t count) {
  const bool is_all_null = column.type->id == TypeId::kNull || !column.validity;
  if (column.null_count == 0 || !is_all_null) return false;
  column.null_count = count;
  column.validity.reset();
  return true;
}

}  // namespace

Result<Column> SelectRows(const Column& column, const uint64_t* bits, int64_t selected,
                          BufferPool& pool) {
  Column rows = column;
  rows.length = selected;
  if (selected == column.length) return rows;
  const bool is_all_null = SetAllNull(rows, selected);
  if (column.form == ColumnForm::kConstant || column.type->id == TypeId::kNull) return rows;
  if (column.null_count > 0 && !is_all_null) {
    SLUICE_TRY(rows.validity, SelectBits(column.validity, bits, column.length, pool));
    rows.null_count = selected - CountBits(rows.validity->as<uint64_t>(), 0, selected);
    if (rows.null_count == 0) rows.validity.reset();
  }
  if (column.type->id == TypeId::kList || column.type->id == TypeId::kMap) {
    SLUICE_RETURN_IF_ERROR(SelectElements(column, bits, selected, rows, pool));
    return rows;
  }
  for (Column& child : rows.children) {
    SLUICE_TRY(child, SelectRows(child, bits, selected, pool));
  }
  if (!column.type->is_nested()) {
    SLUICE_TRY(rows.data, SelectData(column, bits, selected, pool));
  }
  return rows;
}

int64_t DataWidth(const Column& column) {
  switch (column.form) {
    case ColumnForm::kView:
      return sizeof(StringView);
    case ColumnForm::kDictionary:
      return sizeof(int32_t);
    default:
      return column.type->byte_width;
  }
}

Column FirstRows(Column column, int64_t count) {
  if (count == column.length) return column;
  column.length = count;
  if (!SetAllNull(column, count) && column.null_count > 0) {
    column.null_count = count - CountBits(column.validity->as<uint64_t>(), 0, count);
    if (column.null_count == 0) column.validity.reset();
  }
  int64_t elements = count;
  const bool is_list = column.type->id == TypeId::kList || column.type->id == TypeId::kMap;
  if (is_list && column.form == ColumnForm::kFlat) elements = column.values<int32_t>()[count];
  for (Column& child : column.children) child = FirstRows(std::move(child), elements);
  return column;
}

}  // namespace sluice::inline v0
