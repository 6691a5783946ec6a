#pragma once

#include <cstdint>

namespace sluice::inline v0::parquet {

/// ConvertedType of parquet.thrift, the deprecated predecessor of LogicalType: what
/// SchemaElement::converted_type may be.
struct ConvertedType {
  enum Id : int32_t {
    kUtf8 = 0,
    kMap = 1,
    kMapKeyValue = 2,
    kList = 3,
    kEnum = 4,
    kDecimal = 5,
    kDate = 6,
    kTimeMillis = 7,
    kTimeMicros = 8,
    kTimestampMillis = 9,
    kTimestampMicros = 10,
    kUint8 = 11,
    kUint16 = 12,
    kUint32 = 13,
    kUint64 = 14,
    kInt8 = 15,
    kInt16 = 16,
    kInt32 = 17,
    kInt64 = 18,
    kJson = 19,
    kBson = 20,
    kInterval = 21,
  };
};

}  // namespace sluice::inline v0::parquet
