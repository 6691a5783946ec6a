#include "engine/evaluate/value_column.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <cstring>
#include <limits>

#include "format/model/calendar.h"

namespace sluice::inline v0::engine {
namespace {

/// A binary32 that is exactly a binary16, as its bits.
uint16_t NarrowFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t exponent = bits >> 23 & 0xff;
  const uint32_t fraction = bits & 0x7fffff;
  if (exponent == 0xff) return static_cast<uint16_t>(sign | 0x7c00 | fraction >> 13);
  if (exponent >= 113) return static_cast<uint16_t>(sign | (exponent - 112) << 10 | fraction >> 13);
  // Subnormal: the fraction with its leading one, counted in 2^-24.
  if (exponent < 103) return sign;
  return static_cast<uint16_t>(sign | (0x800000 | fraction) >> (126 - exponent));
}

/// Nanoseconds since 1970 as INT96, the time of day first.
void StoreInt96(Int128 nanoseconds, char* out) {
  const auto rest = static_cast<int64_t>(FloorRemainder<Int128>(nanoseconds, kNanosecondsPerDay));
  const auto day = static_cast<int32_t>(FloorDivide<Int128>(nanoseconds, kNanosecondsPerDay) +
                                        kJulianDayOfEpoch);
  std::memcpy(out, &rest, sizeof(rest));
  std::memcpy(out + sizeof(rest), &day, sizeof(day));
}

void Store(const Vector& vector, size_t row, const DataType& type, char* out) {
  VisitNative(vector.native, [&]<typename T>(std::type_identity<T>) {
    const T& value = vector.as<T>()[row];
    if constexpr (std::is_same_v<T, std::string_view>) {
      std::memcpy(out, value.data(), value.size());
    } else if constexpr (std::is_same_v<T, float>) {
      const uint16_t half = NarrowFloat16(value);
      const bool is_half = type.id == TypeId::kFloat16;
      std::memcpy(out, is_half ? static_cast<const void*>(&half) : &value,
                  is_half ? sizeof(half) : sizeof(value));
    } else if constexpr (std::is_same_v<T, Int128>) {
      if (type.id == TypeId::kInt96) return StoreInt96(value, out);
      std::memcpy(out, &value, sizeof(value));
    } else {
      std::memcpy(out, &value, sizeof(value));
    }
  });
}

}  // namespace

std::optional<std::string> ValueBytes(const Vector& vector, size_t row, const DataType& type) {
  if (HasRow(vector.nulls, row) || type.id == TypeId::kNull) {
    return std::nullopt;
  }
  if (vector.native == Native::kBits) {
    return std::string(1, HasRow(vector.bits(), row) ? 1 : 0);
  }
  if (vector.native == Native::kBytes) return std::string(vector.as<std::string_view>()[row]);
  std::string bytes(
      type.id == TypeId::kInterval ? sizeof(Interval) : static_cast<size_t>(type.byte_width), '\0');
  Store(vector, row, type, bytes.data());
  return bytes;
}

ValueColumn::ValueColumn(const DataType& type, BufferPool* pool)
    : type_(std::make_shared<const DataType>(type)), validity_(pool), data_(pool), bytes_(pool) {}

Result<ValueColumn> ValueColumn::Make(const DataType& type, int64_t num_rows, BufferPool* pool) {
  if (type.is_nested() || type.id == TypeId::kInterval) {
    return Status::Unsupported(
        fmt::format("an expression cannot have values of type {}", type.ToString()));
  }
  ValueColumn column(type, pool);
  SLUICE_RETURN_IF_ERROR(column.validity_.ExtendBitmap(num_rows));
  if (type.id == TypeId::kBoolean) SLUICE_RETURN_IF_ERROR(column.data_.ExtendBitmap(num_rows));
  return column;
}

Status ValueColumn::Append(const Vector& vector, const RowBits& active, size_t rows) {
  RowBits valid;
  for (size_t i = 0; i < kBlockWords; ++i) {
    valid[i] = active[i] & ~vector.nulls[i] & ~vector.errors[i];
  }
  const auto word = static_cast<size_t>(length_ / 64);
  int64_t present = 0;
  for (size_t i = 0; i * 64 < rows; ++i) {
    validity_.as<uint64_t>()[word + i] = valid[i];
    present += std::popcount(valid[i]);
  }
  null_count_ += static_cast<int64_t>(rows) - present;
  length_ += static_cast<int64_t>(rows);
  if (vector.native == Native::kBits) {
    for (size_t i = 0; i * 64 < rows; ++i) {
      data_.as<uint64_t>()[word + i] = vector.bits()[i] & valid[i];
    }
    return Status::Ok();
  }
  if (type_->id == TypeId::kNull) return Status::Ok();
  return type_->is_view() ? AppendViews(vector, valid, rows) : AppendFixed(vector, valid, rows);
}

Status ValueColumn::AppendFixed(const Vector& vector, const RowBits& valid, size_t rows) {
  const auto width = static_cast<size_t>(type_->byte_width);
  const auto bytes = static_cast<int64_t>(rows * width);
  SLUICE_RETURN_IF_ERROR(data_.Reserve(bytes));
  auto* out = reinterpret_cast<char*>(data_.end());
  std::memset(out, 0, rows * width);
  VisitRows(valid, [&](size_t i) { Store(vector, i, *type_, out + i * width); });
  data_.Advance(bytes);
  return Status::Ok();
}

Status ValueColumn::AppendViews(const Vector& vector, const RowBits& valid, size_t rows) {
  const auto* texts = vector.as<std::string_view>();
  int64_t size = 0;
  VisitRows(valid, [&](size_t i) { size += static_cast<int64_t>(texts[i].size()); });
  if (bytes_.size() + size > std::numeric_limits<int32_t>::max()) {
    return Status::ResourceExhausted("the texts of a batch have more than 2 GiB");
  }
  SLUICE_RETURN_IF_ERROR(bytes_.Reserve(size));
  const auto view_bytes = static_cast<int64_t>(rows * sizeof(StringView));
  SLUICE_RETURN_IF_ERROR(data_.Reserve(view_bytes));
  auto* views = reinterpret_cast<StringView*>(data_.end());
  std::memset(data_.end(), 0, static_cast<size_t>(view_bytes));
  VisitRows(valid, [&](size_t i) {
    const auto length = static_cast<int32_t>(texts[i].size());
    uint8_t* copy = bytes_.end();
    texts[i].copy(reinterpret_cast<char*>(copy), texts[i].size());
    views[i] = StringView::OfPadded(copy, length, 0, static_cast<int32_t>(bytes_.size()));
    bytes_.Advance(length);
  });
  data_.Advance(view_bytes);
  return Status::Ok();
}

Result<Column> ValueColumn::Finish() {
  Column column;
  column.type = type_;
  column.length = length_;
  column.null_count = null_count_;
  if (null_count_ > 0) {
    SLUICE_TRY(column.validity, validity_.Finish());
  }
  if (type_->id == TypeId::kNull) {
    column.validity.reset();
    return column;
  }
  SLUICE_TRY(column.data, data_.Finish());
  if (type_->is_view()) {
    column.form = ColumnForm::kView;
    SLUICE_TRY(BufferRef bytes, bytes_.Finish());
    column.view_buffers.push_back(std::move(bytes));
  }
  return column;
}

}  // namespace sluice::inline v0::engine
