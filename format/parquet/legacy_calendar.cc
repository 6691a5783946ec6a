#include "format/parquet/legacy_calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sluice::inline v0::parquet {

namespace {

constexpr std::string_view kDateMark = "org.apache.spark.legacyDateTime";
constexpr std::string_view kInt96Mark = "org.apache.spark.legacyINT96";

// 1582-10-15, the first day of the Gregorian calendar, in days since 1970-01-01.
constexpr int32_t kFirstGregorianDay = -141'427;
// 1900-01-01: local mean times were in use before, and moved timestamps by other amounts than
// zones.
constexpr int64_t kFirstZonedSecond = -2'208'988'800;
constexpr int32_t kFirstZonedJulianDay = 2'415'021;

template <typename T>
bool HasBelow(const Column& column, T first) {
  const T* values = column.values<T>();
  return std::any_of(values, values + column.length, [&](T value) { return value < first; });
}

/// The Julian day is the last four of the twelve bytes.
bool HasInt96Below(const Column& column, int32_t first) {
  for (int64_t i = 0; i < column.length; ++i) {
    int32_t day;
    std::memcpy(&day, column.values<uint8_t>() + i * 12 + 8, sizeof(day));
    if (day < first) return true;
  }
  return false;
}

}  // namespace

LegacyCalendar LegacyCalendar::Of(const FileMetadata& metadata) {
  LegacyCalendar calendar;
  for (const KeyValue& entry : metadata.key_value_metadata) {
    calendar.marks_dates_ |= entry.key == kDateMark;
    calendar.marks_int96_ |= entry.key == kInt96Mark;
  }
  return calendar;
}

bool LegacyCalendar::Concerns(const DataType& type) const {
  if (type.id == TypeId::kInt96) return marks_int96_;
  return marks_dates_ && (type.id == TypeId::kDate || type.id == TypeId::kTimestamp);
}

Status LegacyCalendar::Check(const Column& values) const {
  bool has_legacy = false;
  switch (values.type->id) {
    case TypeId::kDate:
      has_legacy = HasBelow<int32_t>(values, kFirstGregorianDay);
      break;
    case TypeId::kTimestamp:
      has_legacy = HasBelow<int64_t>(values, kFirstZonedSecond * UnitsPerSecond(values.type->unit));
      break;
    default:
      has_legacy = HasInt96Below(values, kFirstZonedJulianDay);
      break;
  }
  if (!has_legacy) return Status::Ok();
  return Status::Unsupported(fmt::format(
      "{} values before {} are of the hybrid Julian calendar, by the mark {}",
      TypeName(values.type->id), values.type->id == TypeId::kDate ? "1582-10-15" : "1900-01-01",
      values.type->id == TypeId::kInt96 ? kInt96Mark : kDateMark));
}

}  // namespace sluice::inline v0::parquet
