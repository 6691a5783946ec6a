#include <sluice/text.h>
#include <sluice/value.h>

#include <cmath>
#include <memory>
#include <vector>

#include "format/model/int128.h"
#include "format/model/load.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0 {
namespace {

template <typename T>
int Compare(T a, T b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

template <typename T>
int CompareAs(std::string_view a, std::string_view b) {
  return Compare(Load<T>(a.data()), Load<T>(b.data()));
}

int CompareNumbers(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Compare<int>(std::isnan(a), std::isnan(b));
  return Compare(a, b);
}

/// Of any floating-point type, exactly.
double LoadFloating(TypeId id, std::string_view value) {
  switch (id) {
    case TypeId::kFloat16:
      return text::WidenFloat16(Load<uint16_t>(value.data()));
    case TypeId::kFloat:
      return Load<float>(value.data());
    default:
      return Load<double>(value.data());
  }
}

/// The nanoseconds may lie outside the day.
Int128 InstantOf(std::string_view int96) {
  constexpr Int128 kNanosecondsOfDay = Int128{86'400'000'000'000};
  return Load<int32_t>(int96.data() + 8) * kNanosecondsOfDay + Load<int64_t>(int96.data());
}

/// Two's complement of any number of little-endian 8-byte words: the highest is signed.
int CompareWords(std::string_view a, std::string_view b) {
  size_t at = a.size() - 8;
  int order = CompareAs<int64_t>(a.substr(at), b.substr(at));
  while (order == 0 && at > 0) {
    at -= 8;
    order = CompareAs<uint64_t>(a.substr(at), b.substr(at));
  }
  return order;
}

BufferRef OwnedBuffer(std::vector<uint8_t> bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  bytes.resize(bytes.size() + static_cast<size_t>(kReadPadding));
  const auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  return WrapBytes(owner->data(), size, owner);
}

using Values = std::span<const std::optional<std::string>>;

BufferRef BitsOf(Values values, bool (*is_set)(const std::optional<std::string>&)) {
  const auto length = static_cast<int64_t>(values.size());
  std::vector<uint8_t> bits(static_cast<size_t>(BitmapBytes(length)));
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_set(values[i])) bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | 1 << i % 8);
  }
  return OwnedBuffer(std::move(bits));
}

BufferRef FixedOf(Values values, size_t width) {
  std::vector<uint8_t> bytes(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) std::memcpy(bytes.data() + i * width, values[i]->data(), width);
  }
  return OwnedBuffer(std::move(bytes));
}

void SetViews(Values values, Column& column) {
  std::vector<uint8_t> bytes;
  for (const std::optional<std::string>& value : values) {
    if (value) bytes.insert(bytes.end(), value->begin(), value->end());
  }
  column.form = ColumnForm::kView;
  column.view_buffers.push_back(OwnedBuffer(std::move(bytes)));
  std::vector<uint8_t> views(values.size() * sizeof(StringView));
  int32_t offset = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto size = values[i] ? static_cast<int32_t>(values[i]->size()) : 0;
    const StringView view =
        StringView::OfPadded(column.view_buffers[0]->data() + offset, size, 0, offset);
    std::memcpy(views.data() + i * sizeof(StringView), &view, sizeof(view));
    offset += size;
  }
  column.data = OwnedBuffer(std::move(views));
}

}  // namespace

std::string Value::ToString() const {
  std::string out;
  AppendCanonical(ColumnOf(type, {&bytes, 1}), 0, out);
  return out;
}

Value ValueAt(const Column& column, int64_t row) {
  if (column.IsNull(row)) return Value::Null(*column.type);
  const ValueRef value = ResolveValue(column, row);
  const DataType& type = *value.column->type;
  if (value.column->IsNull(value.row)) return Value::Null(type);
  if (type.is_view()) return {type, std::string(value.column->Bytes(value.row))};
  if (type.id == TypeId::kBoolean) {
    return Value::Of<uint8_t>(type, GetBit(value.column->values<uint64_t>(), value.row));
  }
  const auto width = static_cast<size_t>(type.byte_width);
  return {type, std::string(value.column->values<char>() + value.row * type.byte_width, width)};
}

Column ColumnOf(const DataType& type, Values values) {
  Column column;
  column.type = std::make_shared<const DataType>(type);
  column.length = static_cast<int64_t>(values.size());
  for (const std::optional<std::string>& value : values) column.null_count += !value.has_value();
  if (type.id == TypeId::kNull) return column;
  if (column.null_count > 0) {
    column.validity =
        BitsOf(values, [](const std::optional<std::string>& value) { return value.has_value(); });
  }
  if (type.is_view()) {
    SetViews(values, column);
  } else if (type.id == TypeId::kBoolean) {
    column.data = BitsOf(values, [](const std::optional<std::string>& value) {
      return value.has_value() && value->front() != 0;
    });
  } else {
    column.data = FixedOf(values, static_cast<size_t>(type.byte_width));
  }
  return column;
}

bool IsOrdered(const DataType& type) {
  switch (type.id) {
    case TypeId::kNull:
    case TypeId::kInterval:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return false;
    default:
      return !type.is_nested();
  }
}

int CompareValues(const DataType& type, std::string_view a, std::string_view b) {
  switch (type.id) {
    case TypeId::kBoolean:
    case TypeId::kUint8:
      return CompareAs<uint8_t>(a, b);
    case TypeId::kInt8:
      return CompareAs<int8_t>(a, b);
    case TypeId::kInt16:
      return CompareAs<int16_t>(a, b);
    case TypeId::kUint16:
      return CompareAs<uint16_t>(a, b);
    case TypeId::kUint32:
      return CompareAs<uint32_t>(a, b);
    case TypeId::kUint64:
      return CompareAs<uint64_t>(a, b);
    case TypeId::kFloat16:
    case TypeId::kFloat:
    case TypeId::kDouble:
      return CompareNumbers(LoadFloating(type.id, a), LoadFloating(type.id, b));
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
    case TypeId::kDecimal:
      return type.byte_width == 4 ? CompareAs<int32_t>(a, b) : CompareWords(a, b);
    case TypeId::kInt96:
      return Compare(InstantOf(a), InstantOf(b));
    default:
      return a.compare(b);
  }
}

bool IsFloating(const DataType& type) {
  return type.id == TypeId::kFloat16 || type.id == TypeId::kFloat || type.id == TypeId::kDouble;
}

bool IsNan(const DataType& type, std::string_view value) {
  return IsFloating(type) && std::isnan(LoadFloating(type.id, value));
}

}  // namespace sluice::inline v0
