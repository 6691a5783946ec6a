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

}  // namespace sluice::inline v0::parquet
