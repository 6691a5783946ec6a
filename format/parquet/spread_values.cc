#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/model/column_rows.h"
#include "format/model/kernels/by_width.h"
#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

/// A constant becomes codes of its one row: the constant form has no room for nulls of its own.
Result<Column> SpreadConstant(Column values, BufferRef validity, int64_t length, int64_t null_count,
                              BufferPool& pool) {
  if (values.dictionary->IsNull(0)) {
    values.length = length;
    values.null_count = length;
    return values;
  }
  values.form = ColumnForm::kDictionary;
  SLUICE_TRY(values.data, pool.Allocate(length * 4));
  std::memset(values.data->mutable_data(), 0, static_cast<size_t>(length * 4));
  values.validity = std::move(validity);
  values.length = length;
  values.null_count = null_count;
  return values;
}

}  // namespace

Result<Column> SpreadValues(Column values, BufferRef validity, int64_t length, int64_t null_count,
                            BufferPool& pool) {
  if (values.length != length - null_count) {
    return Status::Internal(fmt::format("values do not fill the rows: {} values, {} rows, {} nulls",
                                        values.length, length, null_count));
  }
  if (values.type->id == TypeId::kNull) {
    values.length = length;
    values.null_count = length;
    return values;
  }
  if (null_count == 0) return values;
  if (values.form == ColumnForm::kConstant) {
    return SpreadConstant(std::move(values), std::move(validity), length, null_count, pool);
  }
  const uint64_t* mask = validity->as<uint64_t>();
  const bool is_bits = values.form == ColumnForm::kFlat && values.type->id == TypeId::kBoolean;
  const int64_t width = DataWidth(values);
  SLUICE_TRY(BufferRef spread, pool.Allocate(is_bits ? BitmapBytes(length) : length * width));
  if (values.length == 0) {
    std::memset(spread->mutable_data(), 0, static_cast<size_t>(spread->size()));
  } else if (is_bits) {
    kernels::BestTable().deposit_bits(values.values<uint64_t>(), mask, length,
                                      spread->mutable_as<uint64_t>());
  } else {
    kernels::ExpandValues(kernels::BestTable(), width, values.values<uint8_t>(), mask, length,
                          spread->mutable_data());
  }
  values.data = std::move(spread);
  values.validity = std::move(validity);
  values.length = length;
  values.null_count = null_count;
  return values;
}

}  // namespace sluice::inline v0::parquet
