#include "engine/values/value_text.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/values/byte_text.h"
#include "engine/values/float_text.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {
namespace {

/// HH:MM:SS and the fraction without zeros at its end. Hours may have more digits.
void AppendClock(Int128 nanoseconds, std::string* out) {
  const auto seconds = static_cast<int64_t>(nanoseconds / kNanosecondsPerSecond);
  const auto fraction = static_cast<int64_t>(nanoseconds % kNanosecondsPerSecond);
  fmt::format_to(std::back_inserter(*out), "{:02}:{:02}:{:02}", seconds / 3'600, seconds / 60 % 60,
                 seconds % 60);
  if (fraction == 0) return;
  fmt::format_to(std::back_inserter(*out), ".{:09}", fraction);
  while (out->back() == '0') out->pop_back();
}

void AppendSigned(Int128 nanoseconds, std::string* out) {
  if (nanoseconds < 0) *out += '-';
  AppendClock(nanoseconds < 0 ? -nanoseconds : nanoseconds, out);
}

void AppendZone(int32_t offset, std::string* out) {
  const int32_t seconds = std::abs(offset);
  fmt::format_to(std::back_inserter(*out), "{}{:02}", offset < 0 ? '-' : '+', seconds / 3'600);
  if (seconds % 3'600 != 0) {
    fmt::format_to(std::back_inserter(*out), ":{:02}", seconds / 60 % 60);
  }
  if (seconds % 60 != 0) fmt::format_to(std::back_inserter(*out), ":{:02}", seconds % 60);
}

void AppendTimestamp(Int128 nanoseconds, std::string* out) {
  text::AppendDate(static_cast<int64_t>(FloorDivide<Int128>(nanoseconds, kNanosecondsPerDay)),
                   *out);
  *out += ' ';
  AppendClock(FloorRemainder<Int128>(nanoseconds, kNanosecondsPerDay), out);
}

template <typename T>
void AppendDecimal(const T& value, int32_t scale, std::string* out) {
  text::AppendDecimal(reinterpret_cast<const uint8_t*>(&value), sizeof(value), scale, *out);
}

}  // namespace

void AppendValueText(int64_t value, const DataType& type, int32_t zone_offset, std::string* out) {
  const Int128 nanoseconds = Int128{value} * NanosecondsPerUnit(type.unit);
  switch (type.id) {
    case TypeId::kDecimal:
      return AppendDecimal(value, type.scale, out);
    case TypeId::kDate:
      return text::AppendDate(value, *out);
    case TypeId::kTime:
    case TypeId::kDuration:
      return AppendSigned(nanoseconds, out);
    case TypeId::kTimestamp:
      if (!type.utc_adjusted) return AppendTimestamp(nanoseconds, out);
      AppendTimestamp(nanoseconds + Int128{zone_offset} * kNanosecondsPerSecond, out);
      return AppendZone(zone_offset, out);
    default:
      return text::AppendInteger(value, *out);
  }
}

void AppendValueText(uint64_t value, const DataType&, int32_t, std::string* out) {
  text::AppendInteger(value, *out);
}

void AppendValueText(double value, const DataType&, int32_t, std::string* out) {
  AppendDoubleText(value, out);
}

void AppendValueText(float value, const DataType&, int32_t, std::string* out) {
  AppendFloatText(value, out);
}

void AppendValueText(Int128 value, const DataType& type, int32_t, std::string* out) {
  if (type.id == TypeId::kInt96) return AppendTimestamp(value, out);
  AppendDecimal(value, type.scale, out);
}

void AppendValueText(const Int256& value, const DataType& type, int32_t, std::string* out) {
  AppendDecimal(value.words, type.scale, out);
}

void AppendValueText(std::string_view value, const DataType& type, int32_t, std::string* out) {
  switch (type.id) {
    case TypeId::kUuid:
      return text::AppendUuid(reinterpret_cast<const uint8_t*>(value.data()), *out);
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
      *out += value;
      return;
    default:
      return AppendBinaryText(value, out);
  }
}

void AppendValueText(const Interval& value, const DataType&, int32_t, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{} months {} days ", value.months, value.days);
  AppendSigned(value.nanoseconds, out);
}

}  // namespace sluice::inline v0::engine
