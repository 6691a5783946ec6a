#include "format/parquet/thrift_conversion.h"

#include <string>
#include <string_view>

namespace sluice::inline v0::parquet {

namespace {

thrift_gen::TimeUnit UnitToThrift(TimeUnit unit) {
  thrift_gen::TimeUnit out;
  switch (unit) {
    case TimeUnit::kSeconds:
      break;  // Nothing that a footer can say.
    case TimeUnit::kMilliseconds:
      out.__set_MILLIS({});
      break;
    case TimeUnit::kMicroseconds:
      out.__set_MICROS({});
      break;
    case TimeUnit::kNanoseconds:
      out.__set_NANOS({});
      break;
  }
  return out;
}

template <typename TimeType>
TimeType TimeToThrift(const LogicalAnnotation& logical) {
  TimeType out;
  out.__set_isAdjustedToUTC(logical.utc_adjusted);
  if (logical.unit) out.__set_unit(UnitToThrift(*logical.unit));
  return out;
}

std::optional<TimeUnit> UnitFromThrift(const thrift_gen::TimeUnit& unit) {
  if (unit.__isset.MILLIS + unit.__isset.MICROS + unit.__isset.NANOS != 1) return std::nullopt;
  if (unit.__isset.MILLIS) return TimeUnit::kMilliseconds;
  return unit.__isset.MICROS ? TimeUnit::kMicroseconds : TimeUnit::kNanoseconds;
}

template <typename TimeType>
void TimeFromThrift(const TimeType& from, LogicalAnnotation& logical) {
  logical.utc_adjusted = from.isAdjustedToUTC;
  logical.unit = UnitFromThrift(from.unit);
}

/// The member that is set; kUnrecognized for none and for several.
LogicalKind KindOf(const thrift_gen::LogicalType& from) {
  const auto& set = from.__isset;
  const struct {
    bool is_set;
    LogicalKind kind;
  } members[] = {
      {set.STRING, LogicalKind::kString},       {set.MAP, LogicalKind::kMap},
      {set.LIST, LogicalKind::kList},           {set.ENUM, LogicalKind::kEnum},
      {set.DECIMAL, LogicalKind::kDecimal},     {set.DATE, LogicalKind::kDate},
      {set.TIME, LogicalKind::kTime},           {set.TIMESTAMP, LogicalKind::kTimestamp},
      {set.INTEGER, LogicalKind::kInteger},     {set.UNKNOWN, LogicalKind::kUnknown},
      {set.JSON, LogicalKind::kJson},           {set.BSON, LogicalKind::kBson},
      {set.UUID, LogicalKind::kUuid},           {set.FLOAT16, LogicalKind::kFloat16},
      {set.VARIANT, LogicalKind::kVariant},     {set.GEOMETRY, LogicalKind::kGeometry},
      {set.GEOGRAPHY, LogicalKind::kGeography}, {set.FILE, LogicalKind::kFile},
  };
  LogicalKind kind = LogicalKind::kNone;
  for (const auto& member : members) {
    if (!member.is_set) continue;
    kind = kind == LogicalKind::kNone ? member.kind : LogicalKind::kUnrecognized;
  }
  return kind == LogicalKind::kNone ? LogicalKind::kUnrecognized : kind;
}

}  // namespace

thrift_gen::Statistics ToThrift(const Statistics& statistics) {
  thrift_gen::Statistics out;
  if (statistics.max) out.__set_max(std::string(*statistics.max));
  if (statistics.min) out.__set_min(std::string(*statistics.min));
  if (statistics.null_count) out.__set_null_count(*statistics.null_count);
  if (statistics.distinct_count) out.__set_distinct_count(*statistics.distinct_count);
  if (statistics.max_value) out.__set_max_value(std::string(*statistics.max_value));
  if (statistics.min_value) out.__set_min_value(std::string(*statistics.min_value));
  if (statistics.is_max_value_exact) out.__set_is_max_value_exact(*statistics.is_max_value_exact);
  if (statistics.is_min_value_exact) out.__set_is_min_value_exact(*statistics.is_min_value_exact);
  if (statistics.nan_count) out.__set_nan_count(*statistics.nan_count);
  return out;
}

thrift_gen::LogicalType ToThrift(const LogicalAnnotation& logical) {
  thrift_gen::LogicalType out;
  switch (logical.kind) {
    case LogicalKind::kString:
      out.__set_STRING({});
      break;
    case LogicalKind::kMap:
      out.__set_MAP({});
      break;
    case LogicalKind::kList:
      out.__set_LIST({});
      break;
    case LogicalKind::kEnum:
      out.__set_ENUM({});
      break;
    case LogicalKind::kDecimal: {
      thrift_gen::DecimalType decimal;
      decimal.__set_scale(logical.scale);
      decimal.__set_precision(logical.precision);
      out.__set_DECIMAL(decimal);
      break;
    }
    case LogicalKind::kDate:
      out.__set_DATE({});
      break;
    case LogicalKind::kTime:
      out.__set_TIME(TimeToThrift<thrift_gen::TimeType>(logical));
      break;
    case LogicalKind::kTimestamp:
      out.__set_TIMESTAMP(TimeToThrift<thrift_gen::TimestampType>(logical));
      break;
    case LogicalKind::kInteger: {
      thrift_gen::IntType integer;
      integer.__set_bitWidth(static_cast<int8_t>(logical.bit_width));
      integer.__set_isSigned(logical.is_signed);
      out.__set_INTEGER(integer);
      break;
    }
    case LogicalKind::kUnknown:
      out.__set_UNKNOWN({});
      break;
    case LogicalKind::kJson:
      out.__set_JSON({});
      break;
    case LogicalKind::kBson:
      out.__set_BSON({});
      break;
    case LogicalKind::kUuid:
      out.__set_UUID({});
      break;
    case LogicalKind::kFloat16:
      out.__set_FLOAT16({});
      break;
    case LogicalKind::kVariant: {
      thrift_gen::VariantType variant;
      if (logical.specification_version >= 0) {
        variant.__set_specification_version(static_cast<int8_t>(logical.specification_version));
      }
      out.__set_VARIANT(variant);
      break;
    }
    case LogicalKind::kGeometry: {
      thrift_gen::GeometryType geometry;
      if (!logical.crs.empty()) geometry.__set_crs(std::string(logical.crs));
      out.__set_GEOMETRY(geometry);
      break;
    }
    case LogicalKind::kGeography: {
      thrift_gen::GeographyType geography;
      if (!logical.crs.empty()) geography.__set_crs(std::string(logical.crs));
      if (logical.edge_algorithm >= 0) geography.__set_algorithm(logical.edge_algorithm);
      out.__set_GEOGRAPHY(geography);
      break;
    }
    case LogicalKind::kFile:
      out.__set_FILE({});
      break;
    case LogicalKind::kNone:
    case LogicalKind::kUnrecognized:
      break;
  }
  return out;
}

void FromThrift(const thrift_gen::Statistics& from, Statistics& statistics) {
  const auto& set = from.__isset;
  if (set.max) statistics.max = from.max;
  if (set.min) statistics.min = from.min;
  if (set.null_count) statistics.null_count = from.null_count;
  if (set.distinct_count) statistics.distinct_count = from.distinct_count;
  if (set.max_value) statistics.max_value = from.max_value;
  if (set.min_value) statistics.min_value = from.min_value;
  if (set.is_max_value_exact) statistics.is_max_value_exact = from.is_max_value_exact;
  if (set.is_min_value_exact) statistics.is_min_value_exact = from.is_min_value_exact;
  if (set.nan_count) statistics.nan_count = from.nan_count;
}

void FromThrift(const thrift_gen::LogicalType& from, LogicalAnnotation& logical) {
  logical = {};
  logical.kind = KindOf(from);
  switch (logical.kind) {
    case LogicalKind::kDecimal:
      logical.scale = from.DECIMAL.scale;
      logical.precision = from.DECIMAL.precision;
      break;
    case LogicalKind::kTime:
      TimeFromThrift(from.TIME, logical);
      break;
    case LogicalKind::kTimestamp:
      TimeFromThrift(from.TIMESTAMP, logical);
      break;
    case LogicalKind::kInteger:
      logical.bit_width = from.INTEGER.bitWidth;
      logical.is_signed = from.INTEGER.isSigned;
      break;
    case LogicalKind::kVariant:
      if (from.VARIANT.__isset.specification_version) {
        logical.specification_version = from.VARIANT.specification_version;
      }
      break;
    case LogicalKind::kGeometry:
      if (from.GEOMETRY.__isset.crs) logical.crs = from.GEOMETRY.crs;
      break;
    case LogicalKind::kGeography:
      if (from.GEOGRAPHY.__isset.crs) logical.crs = from.GEOGRAPHY.crs;
      if (from.GEOGRAPHY.__isset.algorithm) logical.edge_algorithm = from.GEOGRAPHY.algorithm;
      break;
    default:
      break;
  }
}

}  // namespace sluice::inline v0::parquet
