#include "format/parquet/write/stored_values.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace sluice::inline v0::parquet {
namespace {

/// Makes room for `count` values of `width` bytes in out->storage.
uint8_t* Allocate(int64_t count, int32_t width, LeafRows* out) {
  out->num_values = count;
  out->width = width;
  out->storage.resize(static_cast<size_t>(count * width));
  out->fixed = out->storage.data();
  return out->storage.data();
}

/// Values whose layout is stored as it is.
void StoreFixed(const Column& column, RowList rows, int32_t width, LeafRows* out) {
  if (rows.list == nullptr) {
    out->num_values = rows.count;
    out->width = width;
    out->fixed = rows.count == 0 ? nullptr : column.data->data() + rows.begin * width;
    return;
  }
  uint8_t* to = Allocate(rows.count, width, out);
  if (rows.count == 0) return;
  const uint8_t* from = column.data->data();
  for (int64_t i = 0; i < rows.count; ++i) {
    std::memcpy(to + i * width, from + rows[i] * width, static_cast<size_t>(width));
  }
}

template <typename From>
void StoreAsInt32(const Column& column, RowList rows, LeafRows* out) {
  uint8_t* to = Allocate(rows.count, 4, out);
  for (int64_t i = 0; i < rows.count; ++i) {
    const auto value = static_cast<int32_t>(column.values<From>()[rows[i]]);
    std::memcpy(to + i * 4, &value, 4);
  }
}

void StoreBooleans(const Column& column, RowList rows, LeafRows* out) {
  uint8_t* to = Allocate(rows.count, 1, out);
  for (int64_t i = 0; i < rows.count; ++i) {
    to[i] = GetBit(column.values<uint64_t>(), rows[i]) ? 1 : 0;
  }
}

void StoreStrings(const Column& column, RowList rows, LeafRows* out) {
  out->num_values = rows.count;
  out->width = 0;
  out->strings.resize(static_cast<size_t>(rows.count));
  for (int64_t i = 0; i < rows.count; ++i) {
    const StringView& view = column.values<StringView>()[rows[i]];
    const char* bytes =
        view.length <= StringView::kInlineLength
            ? view.inlined
            : reinterpret_cast<const char*>(
                  column.view_buffers[static_cast<size_t>(view.outside.buffer)]->data()) +
                  view.outside.offset;
    out->strings[static_cast<size_t>(i)] = {bytes, static_cast<size_t>(view.length)};
  }
}

/// Two's complement little-endian numbers of one width to another width and, maybe, byte order.
Status StoreDecimals(const Column& column, RowList rows, const DataType& type, LeafRows* out) {
  const int32_t from_width = type.byte_width;
  const int32_t width = DecimalBytes(type.precision);
  const bool is_big_endian = type.precision > kMaxInt64Precision;
  if (from_width == width && !is_big_endian) {
    StoreFixed(column, rows, width, out);
    return Status::Ok();
  }
  uint8_t* to = Allocate(rows.count, width, out);
  for (int64_t i = 0; i < rows.count; ++i, to += width) {
    const uint8_t* from = column.data->data() + rows[i] * from_width;
    const auto sign = static_cast<uint8_t>(from[from_width - 1] >= 0x80 ? 0xff : 0);
    const int32_t kept = std::min(width, from_width);
    bool fits = ((from[kept - 1] ^ sign) & 0x80) == 0;
    for (int32_t k = kept; k < from_width; ++k) fits = fits && from[k] == sign;
    if (!fits) {
      return Status::InvalidArgument("decimal does not fit its precision: value " +
                                     std::to_string(i));
    }
    std::memcpy(to, from, static_cast<size_t>(kept));
    std::memset(to + kept, sign, static_cast<size_t>(width - kept));
    if (is_big_endian) std::reverse(to, to + width);
  }
  return Status::Ok();
}

}  // namespace

int32_t DecimalBytes(int32_t precision) {
  if (precision <= kMaxInt32Precision) return 4;
  if (precision <= kMaxInt64Precision) return 8;
  int32_t bytes = 9;
  // The digits of 2^(8 * bytes - 1) - 1, by log10(2); exact for the widths up to 32 that occur.
  while ((8 * bytes - 1) * 30103 / 100000 < precision) ++bytes;
  return bytes;
}

Status StoreValues(const DataType& type, const Column& column, RowList rows, LeafRows* out) {
  // An empty selection touches no buffer: a column without rows may have none.
  switch (type.id) {
    case TypeId::kNull:
      Allocate(0, 4, out);
      return Status::Ok();
    case TypeId::kBoolean:
      StoreBooleans(column, rows, out);
      return Status::Ok();
    case TypeId::kInt8:
      StoreAsInt32<int8_t>(column, rows, out);
      return Status::Ok();
    case TypeId::kInt16:
      StoreAsInt32<int16_t>(column, rows, out);
      return Status::Ok();
    case TypeId::kUint8:
      StoreAsInt32<uint8_t>(column, rows, out);
      return Status::Ok();
    case TypeId::kUint16:
      StoreAsInt32<uint16_t>(column, rows, out);
      return Status::Ok();
    case TypeId::kDecimal:
      return StoreDecimals(column, rows, type, out);
    default:
      break;
  }
  if (type.is_view()) {
    StoreStrings(column, rows, out);
  } else {
    StoreFixed(column, rows, type.byte_width, out);
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
