#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

/// The i-th set bit of `mask` takes the i-th value of `width` bytes; the others are zero.
void ExpandWide(const uint8_t* in, const uint64_t* mask, int64_t count, int64_t width,
                uint8_t* out) {
  std::memset(out, 0, static_cast<size_t>(count * width));
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    uint64_t bits = mask[word] & LowBits(count - word * 64);
    for (; bits != 0; bits &= bits - 1) {
      std::memcpy(out + (word * 64 + std::countr_zero(bits)) * width, in,
                  static_cast<size_t>(width));
      in += width;
    }
  }
}

void Expand(const Column& values, const uint64_t* mask, int64_t count, int64_t width,
            uint8_t* out) {
  const kernels::KernelTable& kernel = kernels::BestTable();
  const uint8_t* in = values.values<uint8_t>();
  switch (width) {
    case 1:
      return kernel.expand_1(in, mask, count, out);
    case 2:
      return kernel.expand_2(in, mask, count, out);
    case 4:
      return kernel.expand_4(in, mask, count, out);
    case 8:
      return kernel.expand_8(in, mask, count, out);
    case 16:
      return kernel.expand_16(in, mask, count, out);
    default:
      return ExpandWide(in, mask, count, width, out);
  }
}

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
  const int64_t width = values.form == ColumnForm::kView         ? sizeof(StringView)
                        : values.form == ColumnForm::kDictionary ? sizeof(int32_t)
                                                                 : values.type->byte_width;
  SLUICE_TRY(BufferRef spread, pool.Allocate(is_bits ? BitmapBytes(length) : length * width));
  if (values.length == 0) {
    std::memset(spread->mutable_data(), 0, static_cast<size_t>(spread->size()));
  } else if (is_bits) {
    kernels::BestTable().deposit_bits(values.values<uint64_t>(), mask, length,
                                      spread->mutable_as<uint64_t>());
  } else {
    Expand(values, mask, length, width, spread->mutable_data());
  }
  values.data = std::move(spread);
  values.validity = std::move(validity);
  values.length = length;
  values.null_count = null_count;
  return values;
}

}  // namespace sluice::inline v0::parquet
