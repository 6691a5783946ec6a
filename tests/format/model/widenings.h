#pragma once

// Types that are widened to one another, and values of them, those included that only bytes allow.

#include <sluice/types.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace sluice {

inline std::vector<DataType> WidenedTypes() {
  std::vector<DataType> types;
  for (const TypeId id :
       {TypeId::kBoolean, TypeId::kInt8, TypeId::kInt16, TypeId::kInt32, TypeId::kInt64,
        TypeId::kUint8, TypeId::kUint16, TypeId::kUint32, TypeId::kUint64, TypeId::kFloat16,
        TypeId::kFloat, TypeId::kDouble, TypeId::kDate, TypeId::kInt96, TypeId::kString,
        TypeId::kBinary, TypeId::kInterval, TypeId::kUuid}) {
    types.push_back(DataType::Of(id));
  }
  for (const TimeUnit unit :
       {TimeUnit::kMilliseconds, TimeUnit::kMicroseconds, TimeUnit::kNanoseconds}) {
    for (const bool utc : {false, true}) {
      types.push_back(DataType::Timestamp(unit, utc));
      types.push_back(DataType::Time(unit, utc));
    }
    types.push_back(DataType::Duration(unit));
  }
  types.push_back(DataType::Duration(TimeUnit::kSeconds));
  types.push_back(DataType::Decimal(5, 2, 4));
  types.push_back(DataType::Decimal(9, 2, 4));
  types.push_back(DataType::Decimal(9, 2, 8));
  types.push_back(DataType::Decimal(9, 4, 4));
  types.push_back(DataType::Decimal(12, 2, 8));
  types.push_back(DataType::Decimal(18, 2, 8));
  types.push_back(DataType::Decimal(18, 2, 16));
  types.push_back(DataType::Decimal(38, 0, 16));
  types.push_back(DataType::Decimal(38, 20, 16));
  types.push_back(DataType::Decimal(76, 2, 32));
  types.push_back(DataType::Decimal(76, 50, 32));
  return types;
}

/// Extremes, small numbers, and anything: a value of `type` by its width alone.
inline std::string AnyValue(const DataType& type, std::mt19937& random) {
  if (type.is_view()) return std::string(random() % 20, static_cast<char>('a' + random() % 3));
  if (type.id == TypeId::kBoolean) return std::string(1, static_cast<char>(random() % 2));
  const auto width = static_cast<size_t>(type.byte_width);
  std::string bytes(width, '\0');
  switch (random() % 5) {
    case 0:
      bytes.back() = '\x80';
      break;
    case 1:
      std::fill(bytes.begin(), bytes.end(), '\xff');
      if (random() % 2 == 0) bytes.back() = '\x7f';
      break;
    case 2: {
      const auto small = static_cast<int32_t>(random() % 2001) - 1000;
      std::fill(bytes.begin(), bytes.end(), small < 0 ? '\xff' : '\0');
      std::memcpy(bytes.data(), &small, std::min(width, sizeof(small)));
      break;
    }
    default: {
      // Of any magnitude.
      const size_t used = 1 + random() % width;
      for (size_t i = 0; i < used; ++i) bytes[i] = static_cast<char>(random());
      if (random() % 2 == 0) {
        std::fill(bytes.begin() + static_cast<int64_t>(used), bytes.end(), '\xff');
      }
    }
  }
  return bytes;
}

}  // namespace sluice
