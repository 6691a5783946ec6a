#include "format/model/text/value_text.h"

#include <sluice/text.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "format/model/load.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::text {
namespace {

/// Integers from here on are not exact in every JSON reader's numbers.
constexpr int64_t kExactIntegers = int64_t{1} << 53;

/// Puts the quotes of a JSON string around what is appended in its lifetime.
class Quotes {
 public:
  Quotes(bool wanted, std::string& out) : wanted_(wanted), out_(out) {
    if (wanted_) out_ += '"';
  }
  ~Quotes() {
    if (wanted_) out_ += '"';
  }
  Quotes(const Quotes&) = delete;
  Quotes& operator=(const Quotes&) = delete;

 private:
  bool wanted_;
  std::string& out_;
};

template <typename T>
void AppendNumber(T value, Style style, std::string& out) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const Wide wide = value;
  bool exact = wide < static_cast<Wide>(kExactIntegers);
  if constexpr (std::is_signed_v<T>) exact = exact && wide > -kExactIntegers;
  const Quotes quotes(style == Style::kJson && !exact, out);
  AppendInteger(wide, out);
}

template <typename T>
void AppendFloatingValue(T value, Style style, std::string& out) {
  const bool is_word = !std::isfinite(value) || (value == 0 && std::signbit(value));
  const Quotes quotes(style == Style::kJson && is_word, out);
  if constexpr (std::is_same_v<T, float>) {
    AppendFloat(value, out);
  } else {
    AppendDouble(value, out);
  }
}

void AppendString(std::string_view bytes, Style style, std::string& out) {
  if (!IsUtf8(bytes)) return AppendHexObject(bytes, out);
  if (style == Style::kPlain) {
    out += bytes;
    return;
  }
  const Quotes quotes(true, out);
  AppendEscaped(bytes, out);
}

void AppendTimeValue(int64_t value, const DataType& type, Style style, std::string& out) {
  if (!IsInsideDay(value, type.unit)) return AppendNumber(value, style, out);
  const Quotes quotes(style == Style::kJson, out);
  AppendTime(value, type.unit, type.utc_adjusted, out);
}

void AppendInterval(const uint8_t* bytes, std::string& out) {
  out += "{\"months\":";
  AppendInteger(uint64_t{Load<uint32_t>(bytes)}, out);
  out += ",\"days\":";
  AppendInteger(uint64_t{Load<uint32_t>(bytes + 4)}, out);
  out += ",\"millis\":";
  AppendInteger(uint64_t{Load<uint32_t>(bytes + 8)}, out);
  out += '}';
}

/// Types of whole bytes that are more than one number.
void AppendFixed(const Column& column, int64_t row, Style style, std::string& out) {
  const DataType& type = *column.type;
  const uint8_t* bytes = column.values<uint8_t>() + row * type.byte_width;
  switch (type.id) {
    case TypeId::kInterval:
      return AppendInterval(bytes, out);
    case TypeId::kFixedBinary:
      return AppendHexObject(
          {reinterpret_cast<const char*>(bytes), static_cast<size_t>(type.byte_width)}, out);
    default:
      break;
  }
  const Quotes quotes(style == Style::kJson, out);
  if (type.id == TypeId::kDecimal) return AppendDecimal(bytes, type.byte_width, type.scale, out);
  if (type.id == TypeId::kUuid) return AppendUuid(bytes, out);
  AppendInt96(Load<int64_t>(bytes), Load<int32_t>(bytes + 8), out);
}

void AppendElements(const Column& column, int64_t row, std::string& out) {
  const auto* offsets = column.values<int32_t>();
  out += '[';
  for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    if (i > offsets[row]) out += ',';
    if (column.type->id == TypeId::kList) {
      AppendValue(column.children[0], i, Style::kJson, out);
      continue;
    }
    out += '[';
    AppendValue(column.children[0], i, Style::kJson, out);
    out += ',';
    if (column.children.size() > 1) {
      AppendValue(column.children[1], i, Style::kJson, out);
    } else {
      out += "null";
    }
    out += ']';
  }
  out += ']';
}

void AppendFields(const Column& column, int64_t row, std::string& out) {
  out += '{';
  for (size_t i = 0; i < column.children.size(); ++i) {
    out += i > 0 ? ",\"" : "\"";
    AppendEscaped(column.type->children[i].name, out);
    out += "\":";
    AppendValue(column.children[i], row, Style::kJson, out);
  }
  out += '}';
}

void AppendPresent(const Column& column, int64_t row, Style style, std::string& out) {
  const DataType& type = *column.type;
  switch (type.id) {
    case TypeId::kNull:
      out += "null";
      return;
    case TypeId::kBoolean:
      out += GetBit(column.values<uint64_t>(), row) ? "true" : "false";
      return;
    case TypeId::kInt8:
      return AppendNumber(column.values<int8_t>()[row], style, out);
    case TypeId::kInt16:
      return AppendNumber(column.values<int16_t>()[row], style, out);
    case TypeId::kInt32:
      return AppendNumber(column.values<int32_t>()[row], style, out);
    case TypeId::kInt64:
    case TypeId::kDuration:
      return AppendNumber(column.values<int64_t>()[row], style, out);
    case TypeId::kUint8:
      return AppendNumber(column.values<uint8_t>()[row], style, out);
    case TypeId::kUint16:
      return AppendNumber(column.values<uint16_t>()[row], style, out);
    case TypeId::kUint32:
      return AppendNumber(column.values<uint32_t>()[row], style, out);
    case TypeId::kUint64:
      return AppendNumber(column.values<uint64_t>()[row], style, out);
    case TypeId::kFloat16:
      return AppendFloatingValue(WidenFloat16(column.values<uint16_t>()[row]), style, out);
    case TypeId::kFloat:
      return AppendFloatingValue(column.values<float>()[row], style, out);
    case TypeId::kDouble:
      return AppendFloatingValue(column.values<double>()[row], style, out);
    case TypeId::kDate: {
      const Quotes quotes(style == Style::kJson, out);
      return AppendDate(column.values<int32_t>()[row], out);
    }
    case TypeId::kTime:
      return AppendTimeValue(
          type.byte_width == 4 ? column.values<int32_t>()[row] : column.values<int64_t>()[row],
          type, style, out);
    case TypeId::kTimestamp: {
      const Quotes quotes(style == Style::kJson, out);
      return AppendTimestamp(column.values<int64_t>()[row], type.unit, type.utc_adjusted, out);
    }
    case TypeId::kDecimal:
    case TypeId::kInt96:
    case TypeId::kInterval:
    case TypeId::kFixedBinary:
    case TypeId::kUuid:
      return AppendFixed(column, row, style, out);
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
      return AppendString(column.Bytes(row), style, out);
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return AppendHexObject(column.Bytes(row), out);
    case TypeId::kList:
    case TypeId::kMap:
      return AppendElements(column, row, out);
    case TypeId::kStruct:
    case TypeId::kVariant:
      return AppendFields(column, row, out);
  }
}

}  // namespace

bool IsNullValue(const Column& column, int64_t row) {
  if (column.IsNull(row)) return true;
  if (column.form == ColumnForm::kFlat || column.form == ColumnForm::kView) return false;
  const ValueRef value = ResolveValue(column, row);
  return value.column->IsNull(value.row);
}

void AppendValue(const Column& column, int64_t row, Style style, std::string& out) {
  if (IsNullValue(column, row)) {
    out += "null";
    return;
  }
  const ValueRef value = ResolveValue(column, row);
  AppendPresent(*value.column, value.row, style, out);
}

}  // namespace sluice::inline v0::text

namespace sluice::inline v0 {

void AppendCanonical(const Column& column, int64_t row, std::string& out) {
  text::AppendValue(column, row, text::Style::kJson, out);
}

}  // namespace sluice::inline v0
