#include "format/parquet/annotation.h"

#include <fmt/format.h>

#include "format/parquet/converted_type.h"

namespace sluice::inline v0::parquet {

namespace {

constexpr int32_t kMaxPrecision = 76;

/// A LogicalType, or what a ConvertedType says in its words; INTERVAL has no LogicalType.
struct Annotation {
  LogicalAnnotation logical;
  bool is_interval = false;
};

LogicalAnnotation LegacyTime(LogicalKind kind, TimeUnit unit) {
  LogicalAnnotation logical;
  logical.kind = kind;
  logical.unit = unit;
  logical.utc_adjusted = true;  // LogicalTypes.md, "Deprecated time ConvertedType".
  return logical;
}

Annotation OfConvertedType(const SchemaElement& element, int32_t converted) {
  Annotation annotation;
  LogicalAnnotation& logical = annotation.logical;
  switch (converted) {
    case ConvertedType::kUtf8:
      logical.kind = LogicalKind::kString;
      break;
    case ConvertedType::kMap:
    case ConvertedType::kMapKeyValue:
      logical.kind = LogicalKind::kMap;
      break;
    case ConvertedType::kList:
      logical.kind = LogicalKind::kList;
      break;
    case ConvertedType::kEnum:
      logical.kind = LogicalKind::kEnum;
      break;
    case ConvertedType::kDecimal:
      logical.kind = LogicalKind::kDecimal;
      logical.scale = element.scale.value_or(0);
      logical.precision = element.precision.value_or(0);
      break;
    case ConvertedType::kDate:
      logical.kind = LogicalKind::kDate;
      break;
    case ConvertedType::kTimeMillis:
      logical = LegacyTime(LogicalKind::kTime, TimeUnit::kMilliseconds);
      break;
    case ConvertedType::kTimeMicros:
      logical = LegacyTime(LogicalKind::kTime, TimeUnit::kMicroseconds);
      break;
    case ConvertedType::kTimestampMillis:
      logical = LegacyTime(LogicalKind::kTimestamp, TimeUnit::kMilliseconds);
      break;
    case ConvertedType::kTimestampMicros:
      logical = LegacyTime(LogicalKind::kTimestamp, TimeUnit::kMicroseconds);
      break;
    case ConvertedType::kJson:
      logical.kind = LogicalKind::kJson;
      break;
    case ConvertedType::kBson:
      logical.kind = LogicalKind::kBson;
      break;
    case ConvertedType::kInterval:
      annotation.is_interval = true;
      break;
    default:
      // UINT_8, 16, 32, 64, then INT_8, 16, 32, 64.
      if (converted >= ConvertedType::kUint8 && converted <= ConvertedType::kInt64) {
        logical.kind = LogicalKind::kInteger;
        logical.bit_width = 8 << ((converted - ConvertedType::kUint8) % 4);
        logical.is_signed = converted >= ConvertedType::kInt8;
      }
      break;
  }
  return annotation;
}

Annotation AnnotationOf(const SchemaElement& element) {
  const LogicalKind kind = element.logical.kind;
  const int32_t converted = element.converted_type.value_or(-1);
  const bool has_converted =
      converted >= ConvertedType::kUtf8 && converted <= ConvertedType::kInterval;
  // UNKNOWN beside a ConvertedType was a writer's word for what LogicalType lacks (INTERVAL).
  if (kind != LogicalKind::kNone && !(kind == LogicalKind::kUnknown && has_converted)) {
    return {element.logical, false};
  }
  return OfConvertedType(element, converted);
}

DataType PhysicalTypeDelivered(const SchemaElement& element) {
  switch (element.type.value_or(PhysicalType::kByteArray)) {
    case PhysicalType::kBoolean:
      return DataType::Of(TypeId::kBoolean);
    case PhysicalType::kInt32:
      return DataType::Of(TypeId::kInt32);
    case PhysicalType::kInt64:
      return DataType::Of(TypeId::kInt64);
    case PhysicalType::kInt96:
      return DataType::Of(TypeId::kInt96);
    case PhysicalType::kFloat:
      return DataType::Of(TypeId::kFloat);
    case PhysicalType::kDouble:
      return DataType::Of(TypeId::kDouble);
    case PhysicalType::kByteArray:
      return DataType::Of(TypeId::kBinary);
    case PhysicalType::kFixedLenByteArray:
      return DataType::FixedBinary(element.type_length);
  }
  return DataType::Of(TypeId::kBinary);
}

/// Decimal digits that every value of so many bytes in two's complement can have:
/// floor(log10(2^(8 n - 1) - 1)), exact up to the 76 digits of 32 bytes, which are enough.
int32_t DigitsOfBytes(int32_t num_bytes) {
  if (num_bytes >= 32) return kMaxPrecision;
  return static_cast<int32_t>((int64_t{8} * num_bytes - 1) * 30103 / 100000);
}

std::optional<DataType> DecimalType(const SchemaElement& element, int32_t precision,
                                    int32_t scale) {
  if (precision < 1 || precision > kMaxPrecision || scale < 0 || scale > precision) {
    return std::nullopt;
  }
  int32_t byte_width = precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
  switch (*element.type) {
    case PhysicalType::kInt32:
      if (precision > 9) return std::nullopt;
      byte_width = 4;
      break;
    case PhysicalType::kInt64:
      if (precision > 18) return std::nullopt;
      byte_width = 8;
      break;
    case PhysicalType::kFixedLenByteArray:
      if (precision > DigitsOfBytes(element.type_length)) return std::nullopt;
      break;
    case PhysicalType::kByteArray:
      break;
    default:
      return std::nullopt;
  }
  return DataType::Decimal(precision, scale, byte_width);
}

std::optional<DataType> IntegerType(PhysicalType type, int32_t bit_width, bool is_signed) {
  if (type != (bit_width == 64 ? PhysicalType::kInt64 : PhysicalType::kInt32)) return std::nullopt;
  switch (bit_width) {
    case 8:
      return DataType::Of(is_signed ? TypeId::kInt8 : TypeId::kUint8);
    case 16:
      return DataType::Of(is_signed ? TypeId::kInt16 : TypeId::kUint16);
    case 32:
      return DataType::Of(is_signed ? TypeId::kInt32 : TypeId::kUint32);
    case 64:
      return DataType::Of(is_signed ? TypeId::kInt64 : TypeId::kUint64);
    default:
      return std::nullopt;
  }
}

/// As DataType::edge_algorithm says it: the number of an algorithm that has no name.
std::string EdgeAlgorithm(int32_t algorithm) {
  if (algorithm < 0) return {};
  const std::string_view name = EdgeAlgorithmName(algorithm);
  return name == "UNKNOWN" ? fmt::to_string(algorithm) : std::string(name);
}

std::optional<DataType> If(bool is_legal, DataType type) {
  if (!is_legal) return std::nullopt;
  return type;
}

/// The type that an annotation makes of an element; nothing where it is not legal there.
std::optional<DataType> AnnotatedType(const SchemaElement& element, const Annotation& annotation) {
  const PhysicalType type = *element.type;
  const LogicalAnnotation& logical = annotation.logical;
  const bool is_bytes = type == PhysicalType::kByteArray;
  const auto is_fixed = [&](int32_t length) {
    return type == PhysicalType::kFixedLenByteArray && element.type_length == length;
  };
  if (annotation.is_interval) return If(is_fixed(12), DataType::Of(TypeId::kInterval));
  switch (logical.kind) {
    case LogicalKind::kString:
      return If(is_bytes, DataType::Of(TypeId::kString));
    case LogicalKind::kEnum:
      return If(is_bytes, DataType::Of(TypeId::kEnum));
    case LogicalKind::kJson:
      return If(is_bytes, DataType::Of(TypeId::kJson));
    case LogicalKind::kBson:
      return If(is_bytes, DataType::Of(TypeId::kBson));
    case LogicalKind::kDecimal:
      return DecimalType(element, logical.precision, logical.scale);
    case LogicalKind::kDate:
      return If(type == PhysicalType::kInt32, DataType::Of(TypeId::kDate));
    case LogicalKind::kTime: {
      if (!logical.unit) return std::nullopt;
      const bool is_millis = *logical.unit == TimeUnit::kMilliseconds;
      return If(type == (is_millis ? PhysicalType::kInt32 : PhysicalType::kInt64),
                DataType::Time(*logical.unit, logical.utc_adjusted));
    }
    case LogicalKind::kTimestamp:
      if (!logical.unit) return std::nullopt;
      return If(type == PhysicalType::kInt64,
                DataType::Timestamp(*logical.unit, logical.utc_adjusted));
    case LogicalKind::kInteger:
      return IntegerType(type, logical.bit_width, logical.is_signed);
    case LogicalKind::kUnknown:
      return DataType::Of(TypeId::kNull);
    case LogicalKind::kUuid:
      return If(is_fixed(16), DataType::Of(TypeId::kUuid));
    case LogicalKind::kFloat16:
      return If(is_fixed(2), DataType::Of(TypeId::kFloat16));
    case LogicalKind::kGeometry:
    case LogicalKind::kGeography: {
      DataType geospatial = DataType::Of(
          logical.kind == LogicalKind::kGeometry ? TypeId::kGeometry : TypeId::kGeography);
      geospatial.crs = logical.crs;
      geospatial.edge_algorithm = EdgeAlgorithm(logical.edge_algorithm);
      return If(is_bytes, std::move(geospatial));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

DataType DeliveredType(const SchemaElement& element) {
  if (std::optional<DataType> type = AnnotatedType(element, AnnotationOf(element))) {
    return *std::move(type);
  }
  return PhysicalTypeDelivered(element);
}

bool IsDeliveredAsAnnotated(const SchemaElement& element) {
  if (element.logical.kind == LogicalKind::kNone && !element.converted_type) return true;
  return AnnotatedType(element, AnnotationOf(element)).has_value();
}

GroupAnnotation AnnotationOfGroup(const SchemaElement& element) {
  switch (AnnotationOf(element).logical.kind) {
    case LogicalKind::kList:
      return GroupAnnotation::kList;
    case LogicalKind::kMap:
      return GroupAnnotation::kMap;
    case LogicalKind::kVariant:
      return GroupAnnotation::kVariant;
    default:
      return GroupAnnotation::kNone;
  }
}

}  // namespace sluice::inline v0::parquet
