#include "format/model/widen_column.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/value.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "format/model/comparable.h"
#include "format/model/text/scalar_text.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0 {
namespace {

/// Values need not be aligned to more than 8 bytes.
template <typename T>
T Load(const uint8_t* values, int64_t i) {
  T value;
  std::memcpy(&value, values + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <typename T>
void Store(T value, uint8_t* values, int64_t i) {
  std::memcpy(values + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <typename T>
inline constexpr bool kIsSigned = static_cast<T>(-1) < static_cast<T>(0);
template <typename T>
inline constexpr auto kGreatest = static_cast<Int128>(~Uint128{0} >> (128 - 8 * sizeof(T) +
                                                                      (kIsSigned<T> ? 1 : 0)));
template <typename T>
inline constexpr Int128 kLeast = kIsSigned<T> ? -kGreatest<T> - 1 : 0;

/// What is multiplied: without sign, as products that do not fit wrap around, and with room for
/// what the language makes of short numbers.
template <typename T>
using Factor = std::conditional_t<sizeof(T) <= 4, uint32_t,
                                  std::conditional_t<sizeof(T) == 8, uint64_t, Uint128>>;

/// The values of a flat column, and the place of the wider ones.
struct Task {
  const uint8_t* values;
  uint8_t* out;
  int64_t count;
};

/// Whether every product fits. Tasks are taken by value, so that no store can change them.
template <typename From, typename To>
bool Multiply(const Task task, Int128 factor) {
  const auto by = static_cast<Factor<To>>(factor);
  const auto product = [by](From value) {
    return static_cast<To>(static_cast<Factor<To>>(static_cast<To>(value)) * by);
  };
  // Division goes towards zero, so that the ends are the outermost numbers that fit.
  const Int128 low = kLeast<To> / factor;
  const Int128 high = kGreatest<To> / factor;
  if (low <= kLeast<From> && high >= kGreatest<From>) {
    for (int64_t i = 0; i < task.count; ++i) {
      Store(product(Load<From>(task.values, i)), task.out, i);
    }
    return true;
  }
  const auto least = static_cast<From>(std::max(low, kLeast<From>));
  const auto greatest = static_cast<From>(std::min(high, kGreatest<From>));
  bool fits = true;
  for (int64_t i = 0; i < task.count; ++i) {
    const auto value = Load<From>(task.values, i);
    fits &= (value >= least) & (value <= greatest);
    Store(product(value), task.out, i);
  }
  return fits;
}

template <typename From, typename To, typename Converter>
void Convert(const Task task, Converter convert) {
  for (int64_t i = 0; i < task.count; ++i) {
    Store<To>(convert(Load<From>(task.values, i)), task.out, i);
  }
}

/// Calls `visit` with a number of the width and signedness of `type`, which is what integers,
/// decimals and times are; no width is above 16 bytes.
template <typename Visit>
bool VisitNumber(const DataType& type, Visit visit) {
  switch (type.id) {
    case TypeId::kUint8:
      return visit(uint8_t{});
    case TypeId::kUint16:
      return visit(uint16_t{});
    case TypeId::kUint32:
      return visit(uint32_t{});
    case TypeId::kUint64:
      return visit(uint64_t{});
    default:
      break;
  }
  switch (type.byte_width) {
    case 1:
      return visit(int8_t{});
    case 2:
      return visit(int16_t{});
    case 4:
      return visit(int32_t{});
    case 8:
      return visit(int64_t{});
    default:
      return visit(Int128{});
  }
}

bool MultiplyNumbers(const DataType& from, const DataType& to, Int128 factor, const Task& task) {
  return VisitNumber(from, [&](auto number) {
    using From = decltype(number);
    // What is unsigned and wider than it was has the same bytes as what is signed.
    switch (to.byte_width) {
      case 2:
        return Multiply<From, int16_t>(task, factor);
      case 4:
        return Multiply<From, int32_t>(task, factor);
      case 8:
        return Multiply<From, int64_t>(task, factor);
      default:
        return Multiply<From, Int128>(task, factor);
    }
  });
}

template <typename To>
void ConvertToFloating(const DataType& from, const Task& task) {
  const auto convert = [](auto value) { return static_cast<To>(value); };
  switch (from.id) {
    case TypeId::kFloat16:
      return Convert<uint16_t, To>(task, text::WidenFloat16);
    case TypeId::kFloat:
      return Convert<float, To>(task, convert);
    default:
      VisitNumber(from, [&](auto number) {
        // Those that floating point cannot hold are not widened to it.
        if constexpr (sizeof(number) <= 4) Convert<decltype(number), To>(task, convert);
        return true;
      });
  }
}

/// One by one, for what is too wide for numbers of the machine; null rows become zeros.
bool WidenOneByOne(const Column& column, const DataType& to, const Task& task) {
  const int64_t width = column.type->byte_width;
  bool fits = true;
  std::memset(task.out, 0, static_cast<size_t>(task.count * to.byte_width));
  for (int64_t i = 0; i < task.count; ++i) {
    if (column.IsNull(i)) continue;
    const std::string_view value(reinterpret_cast<const char*>(task.values) + i * width,
                                 static_cast<size_t>(width));
    const auto wide = WidenValue(*column.type, value, to);
    fits &= wide.has_value();
    if (wide) std::memcpy(task.out + i * to.byte_width, wide->data(), wide->size());
  }
  return fits;
}

/// False where a value has no counterpart, of a row that is null too.
bool WidenNumbers(const Column& column, const DataType& to, const Task& task) {
  const DataType& from = *column.type;
  if (IsFloating(to)) {
    to.id == TypeId::kFloat ? ConvertToFloating<float>(from, task)
                            : ConvertToFloating<double>(from, task);
    return true;
  }
  if (const Int128 factor = WideningFactor(from, to); factor != 0) {
    return MultiplyNumbers(from, to, factor, task);
  }
  return WidenOneByOne(column, to, task);
}

bool HaveSameBytes(const DataType& from, const DataType& to) {
  return IsComparable(from, to) || to.is_view() ||
         (from.byte_width == to.byte_width && WideningFactor(from, to) == 1);
}

/// The rows of a flat column that are not null and have no counterpart.
std::vector<uint64_t> FindMisfits(const Column& column, const DataType& to) {
  std::vector<uint64_t> misfits(static_cast<size_t>(BitmapWords(column.length)));
  const auto width = static_cast<size_t>(column.type->byte_width);
  bool is_any = false;
  for (int64_t row = 0; row < column.length; ++row) {
    if (column.IsNull(row)) continue;
    const std::string_view value(column.values<char>() + row * column.type->byte_width, width);
    if (WidenValue(*column.type, value, to)) continue;
    SetBit(misfits.data(), row);
    is_any = true;
  }
  return is_any ? misfits : std::vector<uint64_t>();
}

Result<WidenedColumn> WidenFlat(Column column, std::shared_ptr<const DataType> to,
                                BufferPool& pool) {
  WidenedColumn widened;
  if (!HaveSameBytes(*column.type, *to) && column.length > 0) {
    SLUICE_TRY(BufferRef data, pool.Allocate(column.length * to->byte_width));
    const Task task{column.data->data(), data->mutable_data(), column.length};
    if (!WidenNumbers(column, *to, task)) widened.misfits = FindMisfits(column, *to);
    column.data = std::move(data);
  }
  column.type = std::move(to);
  widened.column = std::move(column);
  return widened;
}

/// Of the forms that look values up.
Result<WidenedColumn> WidenEntries(Column column, std::shared_ptr<const DataType> to,
                                   BufferPool& pool, WidenedDictionary* kept) {
  WidenedDictionary own;
  WidenedDictionary& dictionary = kept != nullptr ? *kept : own;
  if (dictionary.from != column.dictionary || *dictionary.to->type != *to) {
    SLUICE_TRY(WidenedColumn entries, WidenFlat(*column.dictionary, to, pool));
    dictionary.from = column.dictionary;
    dictionary.to = std::make_shared<const Column>(std::move(entries.column));
    dictionary.misfits = std::move(entries.misfits);
  }
  WidenedColumn widened;
  if (!dictionary.misfits.empty()) widened.misfits = RowsOfEntries(column, dictionary.misfits);
  column.type = std::move(to);
  column.dictionary = dictionary.to;
  widened.column = std::move(column);
  return widened;
}

}  // namespace

std::vector<uint64_t> RowsOfEntries(const Column& column, const std::vector<uint64_t>& entries) {
  std::vector<uint64_t> rows(static_cast<size_t>(BitmapWords(column.length)));
  const bool is_constant = column.form == ColumnForm::kConstant;
  bool is_any = false;
  for (int64_t row = 0; row < column.length; ++row) {
    if (column.IsNull(row)) continue;
    if (!GetBit(entries.data(), is_constant ? 0 : column.values<int32_t>()[row])) continue;
    SetBit(rows.data(), row);
    is_any = true;
  }
  return is_any ? rows : std::vector<uint64_t>();
}

Result<WidenedColumn> WidenColumn(Column column, std::shared_ptr<const DataType> to,
                                  BufferPool& pool, WidenedDictionary* kept) {
  if (!CanWiden(*column.type, *to)) {
    return Status::Internal(
        fmt::format("{} is not widened to {}", column.type->ToString(), to->ToString()));
  }
  if (column.dictionary) return WidenEntries(std::move(column), std::move(to), pool, kept);
  return WidenFlat(std::move(column), std::move(to), pool);
}

Status MisfitError(const Column& column, int64_t row, const DataType& to) {
  return Status(StatusCode::kRowError, fmt::format("{} is no value of {}, which {} is read as",
                                                   ValueAt(column, row).ToString(), to.ToString(),
                                                   column.type->ToString()));
}

}  // namespace sluice::inline v0
