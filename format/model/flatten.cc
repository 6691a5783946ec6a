#include "format/model/flatten.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <cstring>
#include <utility>

#include "format/model/column_rows.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace {

/// Not by the kernels, which want values aligned: fixed binary need not be.
template <size_t kWidth>
void Gather(const uint8_t* values, const int32_t* rows, int64_t count, uint8_t* out) {
  for (int64_t i = 0; i < count; ++i, out += kWidth) {
    std::memcpy(out, values + int64_t{rows[i]} * int64_t{kWidth}, kWidth);
  }
}

void Gather(const uint8_t* values, int64_t width, const int32_t* rows, int64_t count,
            uint8_t* out) {
  switch (width) {
    case 1:
      return Gather<1>(values, rows, count, out);
    case 2:
      return Gather<2>(values, rows, count, out);
    case 4:
      return Gather<4>(values, rows, count, out);
    case 8:
      return Gather<8>(values, rows, count, out);
    case 16:
      return Gather<16>(values, rows, count, out);
    default:
      break;
  }
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(out + i * width, values + rows[i] * width, static_cast<size_t>(width));
  }
}

Result<BufferRef> Zeros(int64_t bytes, BufferPool& pool) {
  SLUICE_TRY(BufferRef zeros, pool.Allocate(bytes));
  if (bytes > 0) std::memset(zeros->mutable_data(), 0, static_cast<size_t>(bytes));
  return zeros;
}

Result<BufferRef> TakeBits(const Buffer& bits, const int32_t* rows, int64_t count,
                           BufferPool& pool) {
  SLUICE_TRY(BufferRef taken, Zeros(BitmapBytes(count), pool));
  const auto* from = bits.as<uint64_t>();
  auto* to = taken->mutable_as<uint64_t>();
  for (int64_t i = 0; i < count; ++i) {
    to[i >> 6] |= uint64_t{GetBit(from, rows[i])} << (i & 63);
  }
  return taken;
}

Result<BufferRef> TakeData(const Column& column, const int32_t* rows, int64_t count,
                           BufferPool& pool) {
  const bool is_boolean = column.form == ColumnForm::kFlat && column.type->id == TypeId::kBoolean;
  const int64_t width = DataWidth(column);
  if (column.length == 0) return Zeros(is_boolean ? BitmapBytes(count) : count * width, pool);
  if (is_boolean) return TakeBits(*column.data, rows, count, pool);
  SLUICE_TRY(BufferRef data, pool.Allocate(count * width));
  if (width > 0) Gather(column.data->data(), width, rows, count, data->mutable_data());
  return data;
}

/// Sets the offsets and elements of `taken`, which are `rows` of a column of lists: what null rows
/// span is left out.
Status TakeElements(const Column& column, const int32_t* rows, int64_t count, Column& taken,
                    BufferPool& pool) {
  SLUICE_TRY(taken.data, Zeros((count + 1) * int64_t{sizeof(int32_t)}, pool));
  auto* out = taken.data->mutable_as<int32_t>();
  const auto* offsets = column.length == 0 ? nullptr : column.values<int32_t>();
  int64_t elements = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!taken.IsNull(i)) elements += offsets[rows[i] + 1] - offsets[rows[i]];
    if (elements > INT32_MAX) {
      return Status::ResourceExhausted(
          fmt::format("a batch's lists have more than {} elements", INT32_MAX));
    }
    out[i + 1] = static_cast<int32_t>(elements);
  }
  SLUICE_TRY(const BufferRef element_rows, pool.Allocate(elements * int64_t{sizeof(int32_t)}));
  auto* next = element_rows->mutable_as<int32_t>();
  for (int64_t i = 0; i < count; ++i) {
    if (taken.IsNull(i)) continue;
    for (int32_t at = offsets[rows[i]]; at < offsets[rows[i] + 1]; ++at) *next++ = at;
  }
  for (Column& child : taken.children) {
    SLUICE_TRY(child, TakeRows(child, element_rows->as<int32_t>(), elements, pool));
  }
  return Status::Ok();
}

/// The codes, 0 where a row is null: what stands there otherwise means nothing.
Result<BufferRef> CodesOf(const Column& column, BufferPool& pool) {
  if (column.null_count == 0 && column.data) return column.data;
  SLUICE_TRY(BufferRef codes, Zeros(column.length * int64_t{sizeof(int32_t)}, pool));
  if (column.null_count == column.length) return codes;
  const auto* from = column.values<int32_t>();
  const auto* valid = column.validity->as<uint64_t>();
  auto* to = codes->mutable_as<int32_t>();
  for (int64_t i = 0; i < column.length; ++i) to[i] = GetBit(valid, i) ? from[i] : 0;
  return codes;
}

Result<Column> LookUp(const Column& column, BufferPool& pool) {
  const Column& table = *column.dictionary;
  if (table.null_count != 0) {
    return Status::Internal(fmt::format("dictionary has nulls: {}", table.null_count));
  }
  SLUICE_TRY(const BufferRef codes, CodesOf(column, pool));
  if (column.null_count < column.length) {
    const auto largest =
        int64_t{kernels::BestTable().max_code(codes->as<int32_t>(), column.length)};
    if (largest >= table.length) {
      return Status::Internal(
          fmt::format("code is outside the dictionary: {} of {}", largest, table.length));
    }
  }
  SLUICE_TRY(Column values, TakeRows(table, codes->as<int32_t>(), column.length, pool));
  values.null_count = column.null_count;
  values.validity = column.null_count > 0 ? column.validity : nullptr;
  return values;
}

}  // namespace

Result<Column> TakeRows(const Column& column, const int32_t* rows, int64_t count,
                        BufferPool& pool) {
  Column taken = column;
  taken.length = count;
  if (column.form == ColumnForm::kConstant) {
    taken.null_count = column.dictionary->IsNull(0) ? count : 0;
    return taken;
  }
  taken.null_count = 0;
  taken.validity.reset();
  if (column.null_count == column.length) {
    taken.null_count = count;
  } else if (column.null_count > 0) {
    SLUICE_TRY(taken.validity, TakeBits(*column.validity, rows, count, pool));
    taken.null_count = count - CountBits(taken.validity->as<uint64_t>(), 0, count);
    if (taken.null_count == 0) taken.validity.reset();
  }
  if (column.type->id == TypeId::kNull) return taken;
  const bool is_looked_up = column.form == ColumnForm::kDictionary;
  if (is_looked_up || !column.type->is_nested()) {
    SLUICE_TRY(taken.data, TakeData(column, rows, count, pool));
    return taken;
  }
  if (column.type->id == TypeId::kList || column.type->id == TypeId::kMap) {
    SLUICE_RETURN_IF_ERROR(TakeElements(column, rows, count, taken, pool));
    return taken;
  }
  for (Column& child : taken.children) {
    SLUICE_TRY(child, TakeRows(child, rows, count, pool));
  }
  return taken;
}

Result<Column> Flatten(const Column& column, BufferPool& pool) {
  if (column.form == ColumnForm::kFlat || column.form == ColumnForm::kView) return column;
  if (column.form == ColumnForm::kDictionary) return LookUp(column, pool);
  SLUICE_TRY(const BufferRef rows, Zeros(column.length * int64_t{sizeof(int32_t)}, pool));
  return TakeRows(*column.dictionary, rows->as<int32_t>(), column.length, pool);
}

}  // namespace sluice::inline v0
