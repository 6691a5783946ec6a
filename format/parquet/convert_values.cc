#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "format/model/int128.h"
#include "format/model/try.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

bool IsStoredInteger(const Leaf& leaf, TypeId id) {
  const bool is_32 = leaf.physical_type == PhysicalType::kInt32;
  switch (id) {
    case TypeId::kInt32:
    case TypeId::kUint32:
    case TypeId::kDate:
      return is_32;
    case TypeId::kInt64:
    case TypeId::kUint64:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return !is_32;
    default:
      return false;
  }
}

Status OutOfRange(int64_t ordinal, std::string_view value, const DataType& type) {
  return Status::Corruption(fmt::format("value outside its annotated type: value {} is {}, not {}",
                                        ordinal, value, type.ToString()));
}

Result<Column> FlatLike(const Column& physical, std::shared_ptr<const DataType> type,
                        BufferPool& pool) {
  Column out;
  out.length = physical.length;
  SLUICE_TRY(out.data, pool.Allocate(physical.length * type->byte_width));
  out.type = std::move(type);
  return out;
}

/// INT32 to an 8 or 16 bit integer. An unsigned annotation reads the stored bits as unsigned
/// (fault T2).
template <typename Stored, typename Narrow>
Result<Column> NarrowIntegers(std::shared_ptr<const DataType> type, const Column& physical,
                              BufferPool& pool) {
  SLUICE_TRY(Column out, FlatLike(physical, std::move(type), pool));
  const Stored* values = physical.values<Stored>();
  Narrow* narrow = out.data->mutable_as<Narrow>();
  bool lossless = true;
  for (int64_t i = 0; i < out.length; ++i) {
    narrow[i] = static_cast<Narrow>(values[i]);
    lossless &= static_cast<Stored>(narrow[i]) == values[i];
  }
  if (lossless) return out;
  for (int64_t i = 0;; ++i) {
    if (static_cast<Stored>(narrow[i]) != values[i]) {
      return OutOfRange(i, fmt::to_string(values[i]), *out.type);
    }
  }
}

/// The big-endian two's complement number of `size` (0..16) bytes at `bytes`, 16 of which are
/// readable.
Int128 LoadBigEndian(const uint8_t* bytes, int64_t size) {
  if (size == 0) return 0;
  uint64_t words[2];
  std::memcpy(words, bytes, sizeof(words));
  if constexpr (std::endian::native == std::endian::little) {
    words[0] = __builtin_bswap64(words[0]);
    words[1] = __builtin_bswap64(words[1]);
  }
  const auto whole = static_cast<Int128>((static_cast<Uint128>(words[0]) << 64) | words[1]);
  return whole >> (128 - 8 * size);
}

/// Writes `value` in kWidth bytes, little-endian; false where it does not fit.
template <int kWidth>
bool StoreDecimal(Int128 value, uint8_t* out) {
  if constexpr (kWidth == 32) {
    const Int128 sign = value >> 127;
    std::memcpy(out, &value, 16);
    std::memcpy(out + 16, &sign, 16);
    return true;
  } else if constexpr (kWidth == 16) {
    std::memcpy(out, &value, 16);
    return true;
  } else {
    using Narrow = std::conditional_t<kWidth == 8, int64_t, int32_t>;
    const auto narrow = static_cast<Narrow>(value);
    std::memcpy(out, &narrow, kWidth);
    return narrow == value;
  }
}

/// The same for big-endian numbers of any size: the bytes in front of the last kWidth must be
/// copies of the sign (faults T3, T4).
template <int kWidth>
bool StoreLongDecimal(const uint8_t* bytes, int64_t size, uint8_t* out) {
  const uint8_t sign = bytes[0] & 0x80 ? 0xff : 0;
  const int64_t kept = size < kWidth ? size : kWidth;
  for (int64_t k = 0; k < kept; ++k) out[k] = bytes[size - 1 - k];
  for (int64_t k = kept; k < kWidth; ++k) out[k] = sign;
  bool is_sign = (out[kWidth - 1] & 0x80) == (sign & 0x80);
  for (int64_t k = 0; k < size - kept; ++k) is_sign &= bytes[k] == sign;
  return is_sign;
}

/// What ConvertValues is called with, and where value `i` goes.
struct DecimalTask {
  const Column& physical;
  uint8_t* out;
};

template <int kWidth, typename Stored>
int64_t ConvertIntegers(const DecimalTask& task) {
  const Stored* values = task.physical.values<Stored>();
  bool fits = true;
  for (int64_t i = 0; i < task.physical.length; ++i) {
    fits &= StoreDecimal<kWidth>(values[i], task.out + i * kWidth);
  }
  if (fits) return -1;
  for (int64_t i = 0;; ++i) {
    if (!StoreDecimal<kWidth>(values[i], task.out + i * kWidth)) return i;
  }
}

template <int kWidth>
int64_t ConvertFixed(const DecimalTask& task, int32_t size) {
  const uint8_t* bytes = task.physical.values<uint8_t>();
  const int64_t length = task.physical.length;
  bool fits = true;
  int64_t i = 0;
  if (size <= 16) {
    for (; i < length && fits; ++i) {
      fits = StoreDecimal<kWidth>(LoadBigEndian(bytes + i * size, size), task.out + i * kWidth);
    }
  } else {
    for (; i < length && fits; ++i) {
      fits = StoreLongDecimal<kWidth>(bytes + i * size, size, task.out + i * kWidth);
    }
  }
  return fits ? -1 : i - 1;
}

template <int kWidth>
int64_t ConvertViews(const DecimalTask& task) {
  for (int64_t i = 0; i < task.physical.length; ++i) {
    // A view, and every buffer that views point into, has readable bytes past the value.
    const std::string_view value = task.physical.Bytes(i);
    const auto* bytes = reinterpret_cast<const uint8_t*>(value.data());
    const auto size = static_cast<int64_t>(value.size());
    uint8_t* out = task.out + i * kWidth;
    const bool fits = size <= 16 ? StoreDecimal<kWidth>(LoadBigEndian(bytes, size), out)
                                 : StoreLongDecimal<kWidth>(bytes, size, out);
    if (!fits) return i;
  }
  return -1;
}

/// The ordinal of the first value that does not fit, or -1.
template <int kWidth>
int64_t ConvertDecimals(const Leaf& leaf, const DecimalTask& task) {
  switch (leaf.physical_type) {
    case PhysicalType::kInt32:
      return ConvertIntegers<kWidth, int32_t>(task);
    case PhysicalType::kInt64:
      return ConvertIntegers<kWidth, int64_t>(task);
    case PhysicalType::kFixedLenByteArray:
      return ConvertFixed<kWidth>(task, leaf.type_length);
    default:
      return ConvertViews<kWidth>(task);
  }
}

/// How value `ordinal` stands in the file: a number, or its bytes in hexadecimal.
std::string DescribeStored(const Leaf& leaf, const Column& physical, int64_t ordinal) {
  std::string_view bytes;
  switch (leaf.physical_type) {
    case PhysicalType::kInt32:
      return fmt::to_string(physical.values<int32_t>()[ordinal]);
    case PhysicalType::kInt64:
      return fmt::to_string(physical.values<int64_t>()[ordinal]);
    case PhysicalType::kFixedLenByteArray:
      bytes = {physical.values<char>() + ordinal * leaf.type_length,
               static_cast<size_t>(leaf.type_length)};
      break;
    default:
      bytes = physical.Bytes(ordinal);
  }
  constexpr size_t kShown = 64;
  std::string text = "0x";
  for (const char byte : bytes.substr(0, kShown)) {
    fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<uint8_t>(byte));
  }
  if (bytes.size() > kShown) text += "...";
  return text;
}

bool IsDecimalStorage(const Leaf& leaf) {
  return leaf.physical_type == PhysicalType::kInt32 || leaf.physical_type == PhysicalType::kInt64 ||
         leaf.physical_type == PhysicalType::kByteArray ||
         (leaf.physical_type == PhysicalType::kFixedLenByteArray && leaf.type_length > 0);
}

Result<Column> ToDecimals(const Leaf& leaf, std::shared_ptr<const DataType> type,
                          const Column& physical, BufferPool& pool) {
  if (!IsDecimalStorage(leaf)) return Status::Internal("decimal over a type that holds none");
  SLUICE_TRY(Column out, FlatLike(physical, std::move(type), pool));
  const DecimalTask task{physical, out.data->mutable_data()};
  int64_t misfit = -1;
  switch (out.type->byte_width) {
    case 4:
      misfit = ConvertDecimals<4>(leaf, task);
      break;
    case 8:
      misfit = ConvertDecimals<8>(leaf, task);
      break;
    case 16:
      misfit = ConvertDecimals<16>(leaf, task);
      break;
    case 32:
      misfit = ConvertDecimals<32>(leaf, task);
      break;
    default:
      return Status::Internal(fmt::format("decimal of {} bytes", out.type->byte_width));
  }
  if (misfit >= 0) return OutOfRange(misfit, DescribeStored(leaf, physical, misfit), *out.type);
  return out;
}

}  // namespace

bool IsStoredAsDelivered(const Leaf& leaf, const DataType& type) {
  switch (leaf.physical_type) {
    case PhysicalType::kBoolean:
      return type.id == TypeId::kBoolean;
    case PhysicalType::kInt32:
      return IsStoredInteger(leaf, type.id) ||
             ((type.id == TypeId::kTime || type.id == TypeId::kDecimal) && type.byte_width == 4);
    case PhysicalType::kInt64:
      return IsStoredInteger(leaf, type.id) ||
             ((type.id == TypeId::kTime || type.id == TypeId::kDecimal) && type.byte_width == 8);
    case PhysicalType::kInt96:
      return type.id == TypeId::kInt96;
    case PhysicalType::kFloat:
      return type.id == TypeId::kFloat;
    case PhysicalType::kDouble:
      return type.id == TypeId::kDouble;
    case PhysicalType::kByteArray:
      return type.is_view();
    case PhysicalType::kFixedLenByteArray:
      return type.id == TypeId::kFixedBinary || type.id == TypeId::kUuid ||
             type.id == TypeId::kInterval || type.id == TypeId::kFloat16;
  }
  return false;
}

Result<Column> ConvertValues(const Leaf& leaf, std::shared_ptr<const DataType> type,
                             Column physical, BufferPool& pool) {
  if (IsStoredAsDelivered(leaf, *type)) {
    physical.type = std::move(type);
    return physical;
  }
  switch (type->id) {
    case TypeId::kNull: {
      Column nulls;
      nulls.type = std::move(type);
      nulls.length = physical.length;
      nulls.null_count = physical.length;
      return nulls;
    }
    case TypeId::kDecimal:
      return ToDecimals(leaf, std::move(type), physical, pool);
    case TypeId::kInt8:
      return NarrowIntegers<int32_t, int8_t>(std::move(type), physical, pool);
    case TypeId::kInt16:
      return NarrowIntegers<int32_t, int16_t>(std::move(type), physical, pool);
    case TypeId::kUint8:
      return NarrowIntegers<uint32_t, uint8_t>(std::move(type), physical, pool);
    case TypeId::kUint16:
      return NarrowIntegers<uint32_t, uint16_t>(std::move(type), physical, pool);
    default:
      return Status::Internal(
          fmt::format("no conversion from {} to {}", Name(leaf.physical_type), type->ToString()));
  }
}

}  // namespace sluice::inline v0::parquet
